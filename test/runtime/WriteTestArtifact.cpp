//===- WriteTestArtifact.cpp - artifacts for the tests of fuse-run --------===//
//
// fuse-write-test-artifact OUT.fuse [KIND]: the two-kernel program of
// TestArtifacts.h, or a variant of it.
//
//===----------------------------------------------------------------------===//

#include "TestArtifacts.h"

#include "fuse/runtime/DeviceHeader.h"

#include <cstdio>

using namespace fuse::rt;

/// False for a kind that there is not.
static bool change(Artifact &artifact, std::string_view kind) {
  Artifact::Launch &first = artifact.plans[0].launches[0];
  std::string &text = artifact.sources[0].text;
  if (kind == "shared-memory")
    first.sharedBytes = 1 << 20;
  else if (kind == "no-text")
    text += "int x = no_such_thing;\n";
  else if (kind == "race") // All rows add to the first sum.
    text.replace(text.rfind("sums[row] = sum"), 15,
                 "sums[0] = sum; sums[row]=sum");
  else if (kind == "small") // A seed of the fuzzer: it need not compile.
    text = "x";
  else if (kind == "prebuilt")
    artifact.cubins = {{0, "sm_90a", "fake cubin"}};
  else
    return kind.empty();
  return true;
}

int main(int argc, char **argv) {
  Artifact artifact = makeTwoKernelArtifact(fuse::deviceHeader());
  if (argc < 2 || !change(artifact, argc > 2 ? argv[2] : "")) {
    std::fprintf(stderr, "usage: fuse-write-test-artifact OUT.fuse [KIND]\n");
    return 1;
  }
  Status status = writeArtifactFile(argv[1], artifact);
  if (!status.ok())
    std::fprintf(stderr, "%s\n", status.message().c_str());
  return !status.ok();
}
