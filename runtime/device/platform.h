//===- platform.h - what both compilers of a kernel agree on ----*- C++ -*-===//
//
// Emitted kernels are CUDA C++ that is also plain C++17. This file makes the
// two readings agree: the CUDA keywords, integer types without any header, and
// the entry points by which the host twin calls a kernel.

#ifndef FUSE_RUNTIME_PLATFORM_H
#define FUSE_RUNTIME_PLATFORM_H

#if defined(__CUDACC__)

#define FUSE_HOST 0
#define FUSE_INLINE __device__ __forceinline__

/// Follows the definition of a kernel. CUDA launches a kernel by its name.
#define FUSE_KERNEL_ENTRY(kernel)

#else

#define FUSE_HOST 1
#define FUSE_INLINE inline __attribute__((always_inline))

// The keywords that kernels are written with. A kernel stays a function of its
// own, so that findings name it.
#define __global__ __attribute__((noinline))
#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

/// Follows the definition of a kernel, which is `extern "C"`. Defines
/// `<kernel>_entry(void **arguments)`, where `arguments[i]` points to the value
/// of parameter i, as for cuLaunchKernel.
#define FUSE_KERNEL_ENTRY(kernel)                                              \
  extern "C"                                                                   \
      __attribute__((visibility("default"), no_sanitize("thread"))) void       \
      kernel##_entry(void **arguments) {                                       \
    ::fuse::call_kernel(kernel, arguments);                                    \
  }

#endif

namespace fuse {

// The types of <cstdint>, spelled out: run-time compilation has no headers, and
// where there are some, these are the same types.
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned;
using int64_t = long;
using uint64_t = unsigned long;
static_assert(sizeof(int32_t) == 4 && sizeof(int64_t) == 8,
              "expects the data model of 64-bit Linux");

#if FUSE_HOST

template <int... I>
struct Indices {};
template <int N, int... I>
struct CountTo : CountTo<N - 1, N - 1, I...> {};
template <int... I>
struct CountTo<0, I...> {
  using Type = Indices<I...>;
};

template <class... Parameters, int... I>
__attribute__((no_sanitize("thread"))) inline void
call_kernel(void (*kernel)(Parameters...), void **arguments, Indices<I...>) {
  kernel(*static_cast<Parameters *>(arguments[I])...);
}

/// Calls `kernel` with the values that `arguments` points to.
template <class... Parameters>
__attribute__((no_sanitize("thread"))) inline void
call_kernel(void (*kernel)(Parameters...), void **arguments) {
  call_kernel(kernel, arguments,
              typename CountTo<sizeof...(Parameters)>::Type());
}

#endif

} // namespace fuse

#endif // FUSE_RUNTIME_PLATFORM_H
