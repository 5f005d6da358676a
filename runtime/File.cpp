//===- File.cpp - whole files ---------------------------------------------===//

#include "File.h"

#include "AtomicFile.h"
#include "Text.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

using namespace fuse::rt;

Result<std::string> fuse::rt::readWholeFile(const std::string &path) {
  auto failure = [&](const std::string &reason) {
    return Status::io("cannot open: " + reason).withContext(path);
  };
  std::error_code error;
  std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    return failure(error ? error.message() : describeErrno(ENOENT));
  if (!std::filesystem::is_regular_file(status))
    return expected("a regular file", "a directory, device or pipe")
        .withContext(path);
  auto close = [](std::FILE *file) { std::fclose(file); };
  std::unique_ptr<std::FILE, decltype(close)> file(
      std::fopen(path.c_str(), "rb"), close);
  if (!file)
    return failure(describeErrno(errno));
  // What is read counts, not what a size said before: files change.
  std::string bytes;
  char buffer[1 << 16];
  while (size_t count = std::fread(buffer, 1, sizeof(buffer), file.get()))
    bytes.append(buffer, count);
  if (std::ferror(file.get()))
    return failure(describeErrno(errno));
  return bytes;
}
