//===- Subprocess.h - other programs, without a shell -----------*- C++ -*-===//

#ifndef FUSE_RUNTIME_SUBPROCESS_H
#define FUSE_RUNTIME_SUBPROCESS_H

#include "fuse/runtime/Status.h"

#include <string>
#include <vector>

namespace fuse::rt {

struct ProcessResult {
  int exitCode = 0;   ///< 128 + number if a signal ended it.
  std::string output; ///< Stdout and stderr together.
};

/// Runs a program to its end with nothing on stdin. `command` is its path and
/// its arguments. Io if it cannot be started.
Result<ProcessResult> runProcess(const std::vector<std::string> &command);

/// A new folder of this user alone, removed with all that is in it.
class TemporaryFolder {
public:
  /// Below `parent`. Io if it cannot be made.
  static Result<TemporaryFolder> create(const std::string &parent);
  TemporaryFolder(TemporaryFolder &&other) noexcept
      : path(std::exchange(other.path, {})) {}
  TemporaryFolder &operator=(TemporaryFolder &&other) noexcept {
    std::swap(path, other.path);
    return *this;
  }
  ~TemporaryFolder();

  std::string file(const std::string &name) const { return path + "/" + name; }

private:
  explicit TemporaryFolder(std::string path) : path(std::move(path)) {}

  std::string path;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_SUBPROCESS_H
