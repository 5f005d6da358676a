//===- AllocationCounter.h - how often memory was asked for -----*- C++ -*-===//

#ifndef FUSE_TEST_RUNTIME_ALLOCATIONCOUNTER_H
#define FUSE_TEST_RUNTIME_ALLOCATIONCOUNTER_H

#include <cstddef>

namespace fuse::rt {

/// Calls of `new` in this program so far.
size_t allocationCount();

} // namespace fuse::rt

#endif // FUSE_TEST_RUNTIME_ALLOCATIONCOUNTER_H
