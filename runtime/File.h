//===- File.h - whole files -------------------------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_FILE_H
#define FUSE_RUNTIME_FILE_H

#include "fuse/runtime/Status.h"

#include <string>

namespace fuse::rt {

/// The contents of a regular file. Io for what the operating system refuses,
/// InvalidInput for what is no file; the path stands in front.
Result<std::string> readWholeFile(const std::string &path);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_FILE_H
