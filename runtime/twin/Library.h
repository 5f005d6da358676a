//===- Library.h - a loaded library of kernels ------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_TWIN_LIBRARY_H
#define FUSE_RUNTIME_TWIN_LIBRARY_H

#include "fuse/runtime/Twin.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace fuse::rt::twin {

/// Where a library is, for program counters and for its constants.
struct Library {
  std::string path;
  uintptr_t base = 0; ///< What its addresses are relative to.
  uintptr_t begin = 0, end = 0;

  bool contains(const void *address) const {
    return reinterpret_cast<uintptr_t>(address) - begin < end - begin;
  }
  uint32_t relative(const void *pc) const {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pc) - base);
  }

  /// Lines that were looked up; for Symbolizer.cpp.
  mutable std::mutex mutex;
  mutable std::map<uint32_t, TwinLocation> lines;
};

} // namespace fuse::rt::twin

#endif // FUSE_RUNTIME_TWIN_LIBRARY_H
