//===- AtomicFile.cpp - files that are whole or not there -----------------===//

#include "AtomicFile.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <unistd.h>

using namespace fuse::rt;

std::string fuse::rt::describeErrno(int number) {
  return std::error_code(number, std::generic_category()).message();
}

/// Opens a file that did not exist; another process may be writing to the same
/// `path`, or may have died at it. Sets `name`. Null with errno on failure.
static std::FILE *createBeside(const std::string &path, std::string &name) {
  constexpr int kAttempts = 1000;
  std::FILE *file = nullptr;
  for (int i = 0; i < kAttempts && !file; ++i) {
    name = path + ".tmp" + std::to_string(i);
    file = std::fopen(name.c_str(), "wbx");
    if (!file && errno != EEXIST)
      break;
  }
  return file;
}

/// Zero, or the errno of the first step that failed. Closes the file.
static int writeAndClose(std::FILE *file,
                         std::initializer_list<FilePart> parts) {
  int error = 0;
  for (const FilePart &part : parts)
    if (!error && part.size &&
        std::fwrite(part.data, 1, part.size, file) != part.size)
      error = errno;
  // A full disk may show only now. Some file systems know no fsync.
  if (!error &&
      (std::fflush(file) != 0 || (fsync(fileno(file)) != 0 && errno != EINVAL)))
    error = errno;
  if (std::fclose(file) != 0 && !error)
    error = errno;
  return error;
}

Status fuse::rt::writeFileAtomically(const std::string &path,
                                     std::initializer_list<FilePart> parts) {
  auto failure = [&](const std::string &reason) {
    return Status::io("cannot write: " + reason).withContext(path);
  };
  std::error_code ignored;
  std::filesystem::file_status old = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(old) && !std::filesystem::is_regular_file(old))
    return failure("it exists and is not a regular file");

  std::string temporary;
  std::FILE *file = createBeside(path, temporary);
  if (!file)
    return failure(describeErrno(errno));
  int error = writeAndClose(file, parts);
  if (!error && std::rename(temporary.c_str(), path.c_str()) != 0)
    error = errno;
  if (!error)
    return {};
  std::remove(temporary.c_str());
  return failure(describeErrno(error));
}
