//===- AtomicFile.h - files that are whole or not there ---------*- C++ -*-===//

#ifndef FUSE_RUNTIME_ATOMICFILE_H
#define FUSE_RUNTIME_ATOMICFILE_H

#include "fuse/runtime/Status.h"

#include <cstddef>
#include <initializer_list>
#include <string>

namespace fuse::rt {

struct FilePart {
  const void *data;
  size_t size;
};

/// Writes the parts one after another to a new file beside `path`, to the disk
/// itself, then renames it to `path`. On failure (Io; the message starts with
/// `path`) the new file is removed and what was at `path` is untouched. Refuses
/// to replace anything but a regular file, such as /dev/null.
Status writeFileAtomically(const std::string &path,
                           std::initializer_list<FilePart> parts);

/// The system's text for an error number.
std::string describeErrno(int number);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_ATOMICFILE_H
