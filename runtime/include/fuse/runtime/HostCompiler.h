//===- HostCompiler.h - kernels compiled for the CPU ------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_HOSTCOMPILER_H
#define FUSE_RUNTIME_HOSTCOMPILER_H

#include "fuse/runtime/Artifact.h"
#include "fuse/runtime/Status.h"

#include <string>
#include <vector>

namespace fuse::rt {

struct HostCompilerOptions {
  /// The compiler, by path or name, with arguments if need be. Empty: the first
  /// of g++, clang++ and c++ on the search path.
  std::string command;
  std::string searchPath;               ///< Folders as in $PATH.
  std::string temporaryFolder = "/tmp"; ///< Where it works.
};

/// A C++ compiler of this machine.
class HostCompiler {
public:
  /// NoDevice, with what was looked for, if there is none.
  static Result<HostCompiler> find(const HostCompilerOptions &options);

  /// The words it is called by, the first of them a path.
  const std::vector<std::string> &command() const { return words; }
  /// All that it says about itself.
  const std::string &version() const { return versionText; }

  /// The bytes of one shared library, from texts compiled with `flags`.
  /// InvalidInput, with the first errors of the compiler, if it takes a text
  /// amiss.
  Result<std::string> compile(const std::vector<Artifact::Source> &sources,
                              const std::vector<std::string> &flags) const;

private:
  HostCompiler(std::vector<std::string> words, std::string versionText,
               std::string temporaryFolder)
      : words(std::move(words)), versionText(std::move(versionText)),
        temporaryFolder(std::move(temporaryFolder)) {}

  std::vector<std::string> words;
  std::string versionText;
  std::string temporaryFolder;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_HOSTCOMPILER_H
