//===- observe.h - memory accesses of a kernel on the host ------*- C++ -*-===//
//
// With -fsanitize=thread a compiler announces every access that it makes to
// memory by a call of a `__tsan_` function. Here these are ours: they drop
// accesses to the thread's own stack and hand the others to the engine. The
// sanitizer's own runtime is not linked.

#ifndef FUSE_RUNTIME_OBSERVE_H
#define FUSE_RUNTIME_OBSERVE_H

#if defined(__SANITIZE_THREAD__)
#define FUSE_OBSERVED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FUSE_OBSERVED 1
#endif
#endif
#ifndef FUSE_OBSERVED
#define FUSE_OBSERVED 0
#endif

extern "C" {
const int fuseTwinObserved = FUSE_OBSERVED;
}

#if FUSE_OBSERVED

namespace fuse {

/// Tells the engine of an access, unless it is to the stack that we are on.
FUSE_INLINE void observe(const void *address, uint64_t bytes, int kind,
                         const void *pc) {
  const uint64_t frame = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  if ((frame ^ reinterpret_cast<uint64_t>(address)) >= FUSE_TWIN_STACK_BYTES)
    twin().access(address, bytes, kind, pc);
}

} // namespace fuse

#define FUSE_OBSERVER                                                          \
  extern "C" __attribute__((weak, visibility("hidden"), used, noinline,        \
                            no_sanitize("thread")))
#define FUSE_OBSERVE(name, bytes, kind)                                        \
  FUSE_OBSERVER void name(void *address) {                                     \
    fuse::observe(address, bytes, kind, __builtin_return_address(0));          \
  }
#define FUSE_OBSERVE_SIZE(bytes)                                               \
  FUSE_OBSERVE(__tsan_read##bytes, bytes, FUSE_TWIN_READ | FUSE_TWIN_ALIGNED)  \
  FUSE_OBSERVE(__tsan_write##bytes, bytes,                                     \
               FUSE_TWIN_WRITE | FUSE_TWIN_ALIGNED)                            \
  FUSE_OBSERVE(__tsan_unaligned_read##bytes, bytes, FUSE_TWIN_READ)            \
  FUSE_OBSERVE(__tsan_unaligned_write##bytes, bytes, FUSE_TWIN_WRITE)

FUSE_OBSERVE_SIZE(1)
FUSE_OBSERVE_SIZE(2)
FUSE_OBSERVE_SIZE(4)
FUSE_OBSERVE_SIZE(8)
FUSE_OBSERVE_SIZE(16)

FUSE_OBSERVER void __tsan_read_range(void *address, unsigned long bytes) {
  fuse::observe(address, bytes, FUSE_TWIN_READ, __builtin_return_address(0));
}
FUSE_OBSERVER void __tsan_write_range(void *address, unsigned long bytes) {
  fuse::observe(address, bytes, FUSE_TWIN_WRITE, __builtin_return_address(0));
}

// clang calls these for copies that it does not take apart.
FUSE_OBSERVER void *__tsan_memcpy(void *to, const void *from,
                                  unsigned long bytes) {
  fuse::observe(from, bytes, FUSE_TWIN_READ, __builtin_return_address(0));
  fuse::observe(to, bytes, FUSE_TWIN_WRITE, __builtin_return_address(0));
  return __builtin_memcpy(to, from, bytes);
}
FUSE_OBSERVER void *__tsan_memmove(void *to, const void *from,
                                   unsigned long bytes) {
  fuse::observe(from, bytes, FUSE_TWIN_READ, __builtin_return_address(0));
  fuse::observe(to, bytes, FUSE_TWIN_WRITE, __builtin_return_address(0));
  return __builtin_memmove(to, from, bytes);
}
FUSE_OBSERVER void *__tsan_memset(void *to, int value, unsigned long bytes) {
  fuse::observe(to, bytes, FUSE_TWIN_WRITE, __builtin_return_address(0));
  return __builtin_memset(to, value, bytes);
}

FUSE_OBSERVER void __tsan_init() {}
FUSE_OBSERVER void __tsan_func_entry(void *) {}
FUSE_OBSERVER void __tsan_func_exit() {}

#undef FUSE_OBSERVE_SIZE
#undef FUSE_OBSERVE
#undef FUSE_OBSERVER

#endif // FUSE_OBSERVED

#endif // FUSE_RUNTIME_OBSERVE_H
