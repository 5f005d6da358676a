//===- CompileKernels.cpp - makes a library of test kernels ---------------===//
//
// CompileKernels <c++ compiler> <observed|plain> <library> <text> <source>...
//
// Writes to <text> the primitives of the device header and then the sources,
// and compiles that as the runtime does: each source keeps its own name and
// lines.

#include "fuse/runtime/HostCompiler.h"
#include "fuse/runtime/Twin.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

using namespace fuse::rt;

static std::string contentsOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

int main(int argc, char **argv) {
  if (argc < 6) {
    std::cerr << "usage: " << argv[0]
              << " <compiler> <observed|plain> <library> <text> <source>...\n";
    return 2;
  }
  Artifact::Source source;
  source.name = "kernels.cu";
  for (int i = 5; i < argc; ++i) {
    const std::string name = std::filesystem::path(argv[i]).filename();
    source.text += "#line 1 \"" + name + "\"\n" + contentsOf(argv[i]);
    if (i == 5)
      source.text += "using namespace fuse;\n";
  }
  std::ofstream(argv[4], std::ios::binary) << source.text;

  HostCompilerOptions options;
  options.command = argv[1];
  const auto compiler = HostCompiler::find(options);
  if (!compiler.ok()) {
    std::cerr << compiler.status().message() << '\n';
    return 1;
  }
  const bool observed = std::string(argv[2]) == "observed";
  const auto library =
      (*compiler).compile({source}, twinCompileOptions(observed));
  if (!library.ok()) {
    std::cerr << library.status().message() << '\n';
    return 1;
  }
  std::ofstream file(argv[3], std::ios::binary);
  file << *library;
  return file.good() ? 0 : 1;
}
