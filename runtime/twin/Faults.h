//===- Faults.h - faults of the processor as findings -----------*- C++ -*-===//

#ifndef FUSE_RUNTIME_TWIN_FAULTS_H
#define FUSE_RUNTIME_TWIN_FAULTS_H

#include "Runner.h"

#include <csignal>
#include <memory>

namespace fuse::rt::twin {

/// While it lives, a fault that a thread of `runner` makes is reported and the
/// thread left, instead of the process ending. For the calling thread of the
/// operating system, and to be destroyed by it. Faults of others go to whoever
/// handled them before.
class FaultGuard {
public:
  explicit FaultGuard(Runner &runner);
  FaultGuard(const FaultGuard &) = delete;
  FaultGuard &operator=(const FaultGuard &) = delete;
  ~FaultGuard();

  /// Sets up the handler. Called once.
  Status install();

  Runner &runner;
  /// Whether `address` is on the stack that this thread handles signals on.
  bool handlesOn(const void *address) const {
    return reinterpret_cast<uintptr_t>(address) -
               reinterpret_cast<uintptr_t>(stack.get()) <
           stackBytes;
  }

private:
  static constexpr size_t stackBytes = 65536;

  std::unique_ptr<char[]> stack;
  stack_t previousStack = {};
  bool installed = false;
};

} // namespace fuse::rt::twin

#endif // FUSE_RUNTIME_TWIN_FAULTS_H
