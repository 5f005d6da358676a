//===- ArtifactFuzzer.cpp - any bytes as a compiled program ---------------===//
//
// The reader must return on every input; what it accepts must be written and
// read again the same, and give an answer to every question about a call. The
// checksum would keep nearly all inputs out, so bytes that only lack a right
// one are given it first.
//
//===----------------------------------------------------------------------===//

#include "Require.h"
#include "Sha256.h"
#include "fuse/runtime/Artifact.h"
#include "fuse/runtime/Program.h"

#include <cstring>

using namespace fuse::rt;

/// With the lengths and the checksum that its header should have.
static std::string repaired(std::string bytes) {
  FuseArtifactHeader header;
  if (bytes.size() < sizeof(header))
    return bytes;
  std::memcpy(&header, bytes.data(), sizeof(header));
  uint64_t rest = bytes.size() - sizeof(header);
  if (header.manifestBytes > rest)
    header.manifestBytes = rest;
  header.blobBytes = rest - header.manifestBytes;
  Sha256 sum;
  sum.update(&header, sizeof(header) - FUSE_CHECKSUM_BYTES);
  sum.update(bytes.data() + sizeof(header), rest);
  Sha256::Digest digest = sum.finish();
  std::memcpy(header.checksum, digest.data(), digest.size());
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

/// Any result will do; what counts is that there is one.
static void ask(const Program &program, int64_t extent) {
  Dims dims(program.artifact().dims.size(), extent);
  (void)program.describeDims(dims.data());
  for (size_t i = 0; i < program.numArguments() + program.numResults(); ++i)
    (void)program.tensorType(i, dims);
  std::vector<std::optional<std::vector<int64_t>>> shapes;
  for (const Artifact::Tensor &tensor : program.artifact().arguments)
    shapes.emplace_back(std::vector<int64_t>(tensor.shape.size(), extent));
  (void)program.bindDims(shapes, {});
  Result<const Program::Plan *> plan =
      program.selectPlan(dims.data(), dims.size());
  if (!plan.ok())
    return;
  (void)program.workspaceBytes(**plan, dims.data());
  std::vector<void *> pointers(program.numArguments() + program.numResults());
  Call call;
  call.pointers = pointers.data();
  call.numPointers = pointers.size();
  (void)program.checkCall(call, **plan, dims.data());
  for (const Artifact::Launch &launch : (*plan)->launches)
    (void)program.resolveLaunch(launch, call, dims.data());
}

static void tryBytes(const std::string &bytes) {
  Result<Artifact> artifact = parseArtifact(bytes, "input");
  if (!artifact.ok()) {
    require(artifact.status().code() == StatusCode::InvalidInput,
            "bad bytes are invalid input");
    require(artifact.status().message().rfind("input: ", 0) == 0,
            "a message names the file");
    return;
  }
  Result<std::string> written = serializeArtifact(*artifact);
  require(written.ok(), "an artifact can be written");
  Result<Artifact> again = parseArtifact(*written, "written");
  require(again.ok(), "a written artifact can be read");
  Result<std::string> twice = serializeArtifact(*again);
  require(twice.ok() && *twice == *written,
          "a written artifact reads back the same");
  Result<std::shared_ptr<const Program>> program =
      Program::create(std::move(*artifact));
  require(program.ok(), "an artifact is a program");
  for (int64_t extent : {int64_t(0), int64_t(1), int64_t(64), INT64_MAX})
    ask(**program, extent);
}

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  tryBytes(bytes);
  tryBytes(repaired(bytes));
  return 0;
}
