//===- Fiber.cpp - stacks and switches for the threads of a block ---------===//

#include "Fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define FUSE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUSE_ASAN 1
#endif
#endif

#ifdef FUSE_ASAN
#include <sanitizer/asan_interface.h>
#endif

using namespace fuse::rt;
using namespace fuse::rt::twin;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

Status StackPool::create(unsigned count) {
  mappedBytes = (static_cast<size_t>(count) + 1) * FUSE_TWIN_STACK_BYTES;
  mapping = mmap(nullptr, mappedBytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    mapping = nullptr;
    return Status::resource("out of memory for the stacks of " +
                            std::to_string(count) + " threads");
  }
  const auto begin = reinterpret_cast<uintptr_t>(mapping);
  stacks = static_cast<char *>(mapping) +
           (FUSE_TWIN_STACK_BYTES - begin % FUSE_TWIN_STACK_BYTES);
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (unsigned i = 0; i < count; ++i)
    if (mprotect(bottom(i), page, PROT_NONE) != 0)
      return Status::resource("out of memory mappings for thread stacks");
  return Status();
}

StackPool::~StackPool() {
  if (!mapping)
    return;
#ifdef FUSE_ASAN // Frames that were left for good have marked their variables.
  __asan_unpoison_memory_region(mapping, mappedBytes);
#endif
  munmap(mapping, mappedBytes);
}

bool StackPool::isGuard(unsigned index, const void *address) const {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  return reinterpret_cast<uintptr_t>(address) -
             reinterpret_cast<uintptr_t>(bottom(index)) <
         page;
}

//===----------------------------------------------------------------------===//
// Switches
//===----------------------------------------------------------------------===//

/// Before a switch to a stack; `fakeStack` is null if the old one is done with.
static void announce([[maybe_unused]] void **fakeStack,
                     [[maybe_unused]] const void *bottom,
                     [[maybe_unused]] size_t bytes) {
#ifdef FUSE_ASAN
  __sanitizer_start_switch_fiber(fakeStack, bottom, bytes);
#endif
}

/// After it; tells where we came from.
static void arrived([[maybe_unused]] void *fakeStack,
                    [[maybe_unused]] const void **bottom,
                    [[maybe_unused]] size_t *bytes) {
#ifdef FUSE_ASAN
  __sanitizer_finish_switch_fiber(fakeStack, bottom, bytes);
#endif
}

void Fiber::prepare(char *bottom, StackTop *top, Entry entry) {
  stackBottom = bottom;
  fakeStack = nullptr;
  // A switch is a call as far as alignment goes.
  const auto end = reinterpret_cast<uintptr_t>(top) & ~uintptr_t(63);
  stackBytes = end - reinterpret_cast<uintptr_t>(bottom);
  context = make_fcontext(reinterpret_cast<void *>(end), stackBytes, entry);
}

void Fiber::resume(Fiber &scheduler, void *argument) {
  announce(&scheduler.fakeStack, stackBottom, stackBytes);
  const transfer_t from = jump_fcontext(context, argument);
  arrived(scheduler.fakeStack, nullptr, nullptr);
  context = from.fctx;
}

void Fiber::entered(Fiber &scheduler, transfer_t from) {
  arrived(nullptr, &scheduler.stackBottom, &scheduler.stackBytes);
  scheduler.context = from.fctx;
}

void Fiber::suspend(Fiber &scheduler) {
  announce(&fakeStack, scheduler.stackBottom, scheduler.stackBytes);
  const transfer_t from = jump_fcontext(scheduler.context, nullptr);
  arrived(fakeStack, nullptr, nullptr);
  scheduler.context = from.fctx;
}

void Fiber::leave(Fiber &scheduler) {
  announce(nullptr, scheduler.stackBottom, scheduler.stackBytes);
  jump_fcontext(scheduler.context, nullptr);
  __builtin_unreachable();
}
