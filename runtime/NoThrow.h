//===- NoThrow.h - the boundary that exceptions stop at ---------*- C++ -*-===//

#ifndef FUSE_RUNTIME_NOTHROW_H
#define FUSE_RUNTIME_NOTHROW_H

#include "fuse/runtime/Status.h"

#include <exception>

namespace fuse::rt {

/// Runs `body`, the whole of a public function that returns a Status or a
/// Result. All that the standard library throws in here is a failed allocation.
template <class Body>
auto noThrow(Body body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (const std::exception &) {
    return Status::resource("out of memory"); // Too short to allocate.
  }
}

} // namespace fuse::rt

#endif // FUSE_RUNTIME_NOTHROW_H
