//===- OutputFiles.h - --output-dir ----------------------------*- C++ -*-===//

#ifndef FUSE_TOOLS_OUTPUTFILES_H
#define FUSE_TOOLS_OUTPUTFILES_H

#include "fuse/runtime/HostTensor.h"
#include "fuse/runtime/Status.h"

#include <string>
#include <vector>

namespace fuse {

/// Fails if results of these names could not be written to the folder, before
/// time is spent on computing them. Changes nothing.
rt::Status checkOutputFolder(const std::string &folder,
                             const std::vector<std::string> &names);

/// Told of files that must not survive a signal that ends the process.
struct SignalCleanup {
  void (*add)(const std::string &path);
  void (*remove)(const std::string &path);
};

/// Files that come into being together: written beside their places first, and
/// removed unless all of them get there.
class OutputFiles {
public:
  OutputFiles(std::string folder, SignalCleanup cleanup)
      : folder(std::move(folder)), cleanup(cleanup) {}
  ~OutputFiles();
  OutputFiles(const OutputFiles &) = delete;
  OutputFiles &operator=(const OutputFiles &) = delete;

  rt::Status createFolder();
  /// `<name>.npy`.
  rt::Status write(const std::string &name, const rt::HostTensor &tensor);
  rt::Status commit();

private:
  struct File {
    std::string temporary, path;
  };

  std::string folder;
  SignalCleanup cleanup;
  bool ownsFolder = false;
  std::vector<File> files;
};

} // namespace fuse

#endif // FUSE_TOOLS_OUTPUTFILES_H
