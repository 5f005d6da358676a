//===- Fiber.h - stacks and switches for the threads of a block -*- C++ -*-===//

#ifndef FUSE_RUNTIME_TWIN_FIBER_H
#define FUSE_RUNTIME_TWIN_FIBER_H

#include "fuse/runtime/Status.h"
#include "fuse/runtime/TwinAbi.h"

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <cstdint>

namespace fuse::rt::twin {

struct Thread;

/// What the last bytes of a thread's stack hold; the kernel knows the end of
/// it.
struct StackTop {
  Thread *thread;
  FuseTwinThread abi;
};
static_assert(sizeof(StackTop) ==
                  offsetof(StackTop, abi) + sizeof(FuseTwinThread),
              "the kernel looks for its part at the very end of the stack");

/// Stacks of FUSE_TWIN_STACK_BYTES, aligned to their size. The lowest page of
/// each is unmapped, so that an overflow faults.
class StackPool {
public:
  StackPool() = default;
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;
  ~StackPool();

  /// Sets up `count` stacks. Called once.
  Status create(unsigned count);

  char *bottom(unsigned index) const {
    return stacks + index * FUSE_TWIN_STACK_BYTES;
  }
  StackTop &top(unsigned index) const {
    return *reinterpret_cast<StackTop *>(bottom(index + 1) - sizeof(StackTop));
  }
  /// Whether `address` is in the unmapped page of a stack.
  bool isGuard(unsigned index, const void *address) const;

private:
  void *mapping = nullptr;
  size_t mappedBytes = 0;
  char *stacks = nullptr;
};

/// One flow of control: a thread of the kernel, or the scheduler.
class Fiber {
public:
  using Entry = void (*)(boost::context::detail::transfer_t);

  /// Prepares to run `entry` on the stack that ends at `top`.
  void prepare(char *bottom, StackTop *top, Entry entry);

  /// From the scheduler: goes on with this fiber until it switches back.
  /// `scheduler` keeps where to.
  void resume(Fiber &scheduler, void *argument);

  /// From `entry`, first of all.
  static void entered(Fiber &scheduler,
                      boost::context::detail::transfer_t from);
  /// From this fiber: back to the scheduler, until resumed.
  void suspend(Fiber &scheduler);
  /// From a fiber that will not be resumed.
  [[noreturn]] static void leave(Fiber &scheduler);

private:
  boost::context::detail::fcontext_t context = nullptr;
  // For AddressSanitizer, which must know of every change of stacks.
  const void *stackBottom = nullptr;
  size_t stackBytes = 0;
  void *fakeStack = nullptr;
};

/// The thread on whose stack this is called.
inline Thread &currentThread() {
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const uintptr_t end = (frame | (FUSE_TWIN_STACK_BYTES - 1)) + 1;
  return *reinterpret_cast<StackTop *>(end - sizeof(StackTop))->thread;
}

} // namespace fuse::rt::twin

#endif // FUSE_RUNTIME_TWIN_FIBER_H
