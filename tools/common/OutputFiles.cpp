//===- OutputFiles.cpp - --output-dir -------------------------------------===//

#include "OutputFiles.h"

#include "fuse/runtime/Npy.h"

#include <filesystem>
#include <unistd.h>

using namespace fuse;
namespace fs = std::filesystem;

static rt::Status cannotWrite(const std::string &path,
                              const std::string &reason) {
  return rt::Status::io("cannot write: " + reason).withContext(path);
}

static std::string pathOf(const std::string &folder, const std::string &name) {
  return (fs::path(folder) / (name + ".npy")).string();
}

rt::Status fuse::checkOutputFolder(const std::string &folder,
                                   const std::vector<std::string> &names) {
  std::error_code ignored;
  // The folder itself, or the one in which it will be made.
  fs::path existing = folder;
  while (!existing.empty() && !fs::exists(existing, ignored) &&
         existing != existing.parent_path())
    existing = existing.parent_path();
  if (existing.empty())
    existing = ".";
  if (!fs::is_directory(existing, ignored))
    return cannotWrite(folder, "'" + existing.string() + "' is no folder");
  if (access(existing.c_str(), W_OK) != 0)
    return cannotWrite(folder, "'" + existing.string() + "' is read-only");
  for (const std::string &name : names) {
    std::string path = pathOf(folder, name);
    if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
      return cannotWrite(path, "it exists and is not a regular file");
  }
  return {};
}

OutputFiles::~OutputFiles() {
  std::error_code ignored;
  for (const File &file : files) {
    fs::remove(file.temporary, ignored);
    cleanup.remove(file.temporary);
  }
  if (ownsFolder)
    fs::remove(folder, ignored);
}

rt::Status OutputFiles::createFolder() {
  std::error_code error;
  bool existed = fs::exists(folder, error);
  fs::create_directories(folder, error);
  if (error)
    return cannotWrite(folder, error.message());
  ownsFolder = !existed;
  return {};
}

rt::Status OutputFiles::write(const std::string &name,
                              const rt::HostTensor &tensor) {
  std::string path = pathOf(folder, name);
  files.push_back({path + ".part" + std::to_string(getpid()), path});
  const std::string &temporary = files.back().temporary;
  cleanup.add(temporary);
  return rt::writeNpyFile(temporary, tensor);
}

rt::Status OutputFiles::commit() {
  for (const File &file : files) {
    std::error_code error;
    fs::rename(file.temporary, file.path, error);
    if (error)
      return cannotWrite(file.path, error.message());
  }
  ownsFolder = false;
  return {};
}
