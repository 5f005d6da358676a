//===- primitives_host.h - primitives on the host twin ----------*- C++ -*-===//
//
// The body for g++ and clang. primitives.h documents the functions, TwinAbi.h
// how they reach the engine. With -fsanitize=thread the compiler announces
// every memory access by a call; observe.h passes those on.

#ifndef FUSE_RUNTIME_PRIMITIVES_HOST_H
#define FUSE_RUNTIME_PRIMITIVES_HOST_H

#include "fuse/runtime/TwinAbi.h"

extern "C" {
const unsigned fuseTwinVersion = FUSE_TWIN_ABI_VERSION;
}

namespace fuse {

//===----------------------------------------------------------------------===//
// Who and where
//===----------------------------------------------------------------------===//

FUSE_INLINE const FuseTwinThread &current_thread() {
  const uint64_t stack =
      reinterpret_cast<uint64_t>(__builtin_frame_address(0)) &
      ~(FUSE_TWIN_STACK_BYTES - 1);
  return *reinterpret_cast<const FuseTwinThread *>(
      stack + FUSE_TWIN_STACK_BYTES - sizeof(FuseTwinThread));
}

FUSE_INLINE const FuseTwinApi &twin() { return current_thread().api; }

FUSE_INLINE int thread_index() { return current_thread().threadIndex; }
FUSE_INLINE int64_t block_index() { return current_thread().blockIndex; }
FUSE_INLINE int block_threads() { return current_thread().blockThreads; }
FUSE_INLINE int lane() { return thread_index() & 31; }
FUSE_INLINE int warp() { return thread_index() >> 5; }

FUSE_INLINE unsigned char *shared_arena() {
  return current_thread().sharedArena;
}
FUSE_INLINE void declare_shared(int64_t offset, int64_t bytes,
                                const char *name) {
  twin().declareShared(offset, bytes, name);
}

//===----------------------------------------------------------------------===//
// Barriers and warp collectives
//===----------------------------------------------------------------------===//

// The last parameter of these is where the kernel calls them.

/// Follows a call at `line`, so that a compiler does not merge it with one at
/// another line: they are different barriers, and findings name both.
FUSE_INLINE void keep_apart(int line) {
#ifdef __OPTIMIZE__
  asm volatile("" ::"i"(line));
#else
  (void)line;
#endif
}

FUSE_INLINE void barrier(int line = __builtin_LINE()) {
  twin().barrier(line);
  keep_apart(line);
}
FUSE_INLINE void named_barrier(int id, int threads,
                               int line = __builtin_LINE()) {
  twin().namedBarrier(id, threads, line);
  keep_apart(line);
}
FUSE_INLINE void warp_barrier(uint32_t mask = full_warp,
                              int line = __builtin_LINE()) {
  twin().warpBarrier(mask, line);
  keep_apart(line);
}

template <class T>
FUSE_INLINE T shuffle_bits(int kind, T value, int operand, uint32_t mask,
                           int line) {
  using Bits = typename UnsignedOf<sizeof(T)>::Type;
  const uint64_t result =
      twin().shuffle(kind, bit_cast<Bits>(value), operand, mask, line);
  keep_apart(line);
  return bit_cast<T>(static_cast<Bits>(result));
}
template <class T>
FUSE_INLINE T shuffle(T value, int source, uint32_t mask = full_warp,
                      int line = __builtin_LINE()) {
  return shuffle_bits(FUSE_TWIN_SHUFFLE_INDEX, value, source, mask, line);
}
template <class T>
FUSE_INLINE T shuffle_xor(T value, int bits, uint32_t mask = full_warp,
                          int line = __builtin_LINE()) {
  return shuffle_bits(FUSE_TWIN_SHUFFLE_XOR, value, bits, mask, line);
}
template <class T>
FUSE_INLINE T shuffle_down(T value, int delta, uint32_t mask = full_warp,
                           int line = __builtin_LINE()) {
  return shuffle_bits(FUSE_TWIN_SHUFFLE_DOWN, value, delta, mask, line);
}

FUSE_INLINE uint32_t warp_ballot(bool predicate, uint32_t mask = full_warp,
                                 int line = __builtin_LINE()) {
  const uint32_t result = twin().ballot(predicate, mask, line);
  keep_apart(line);
  return result;
}
FUSE_INLINE bool warp_any(bool predicate, uint32_t mask = full_warp,
                          int line = __builtin_LINE()) {
  return warp_ballot(predicate, mask, line) != 0;
}
FUSE_INLINE bool warp_all(bool predicate, uint32_t mask = full_warp,
                          int line = __builtin_LINE()) {
  return warp_ballot(predicate, mask, line) == mask;
}

template <class Element>
struct MmaElement;
template <>
struct MmaElement<Half> {
  static constexpr int code = FUSE_TWIN_F16;
};
template <>
struct MmaElement<BFloat16> {
  static constexpr int code = FUSE_TWIN_BF16;
};
template <>
struct MmaElement<Tf32> {
  static constexpr int code = FUSE_TWIN_TF32;
};

template <class Element>
FUSE_INLINE void mma_sync(float (&accumulator)[4], const uint32_t (&a)[4],
                          const uint32_t (&b)[2], int line = __builtin_LINE()) {
  twin().mmaSync(MmaElement<Element>::code, accumulator, a, b, line);
  keep_apart(line);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// Types of the compiler, so that an access is one where it leaves it so.
template <int Bytes>
struct Packet;
template <>
struct Packet<4> {
  typedef uint32_t __attribute__((may_alias)) Type;
};
template <>
struct Packet<8> {
  typedef uint64_t __attribute__((may_alias)) Type;
};
template <>
struct Packet<16> {
  typedef uint32_t __attribute__((vector_size(16), may_alias)) Type;
};

/// Compilers may split a vector access, so its alignment is looked at here.
template <int Bytes>
FUSE_INLINE void expect_aligned(const void *memory, int kind) {
  if (reinterpret_cast<uint64_t>(memory) % Bytes != 0)
    twin().misaligned(memory, Bytes, kind);
}

template <int Bytes, class T>
FUSE_INLINE void load_vector(T *registers, const T *memory) {
  static_assert(Bytes % sizeof(T) == 0, "expects a whole number of elements");
  using Word = typename Packet<Bytes>::Type;
  expect_aligned<Bytes>(memory, FUSE_TWIN_READ);
  const Word word = *reinterpret_cast<const Word *>(memory);
  __builtin_memcpy(registers, &word, Bytes);
}

template <int Bytes, class T>
FUSE_INLINE void store_vector(T *memory, const T *registers) {
  static_assert(Bytes % sizeof(T) == 0, "expects a whole number of elements");
  using Word = typename Packet<Bytes>::Type;
  expect_aligned<Bytes>(memory, FUSE_TWIN_WRITE);
  Word word;
  __builtin_memcpy(&word, registers, Bytes);
  *reinterpret_cast<Word *>(memory) = word;
}

template <int Bytes>
FUSE_INLINE void copy_async(void *shared, const void *global,
                            int valid_bytes = Bytes) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16,
                "expects copies of 4, 8 or 16 bytes");
  twin().copyAsync(shared, global, Bytes, valid_bytes);
}
FUSE_INLINE void copy_commit() { twin().copyCommit(); }
template <int PendingGroups>
FUSE_INLINE void copy_wait() {
  twin().copyWait(PendingGroups);
}

//===----------------------------------------------------------------------===//
// Launches and flags
//===----------------------------------------------------------------------===//

FUSE_INLINE void wait_for_producers() { twin().waitForProducers(); }
FUSE_INLINE void release_dependents() { twin().releaseDependents(); }

template <class T>
FUSE_INLINE T atomic(int operation, const T *address, T value) {
  return static_cast<T>(
      twin().atomic(operation, const_cast<T *>(address), value, sizeof(T)));
}

FUSE_INLINE uint32_t atomic_add(uint32_t *address, uint32_t value) {
  return atomic(FUSE_TWIN_ADD_RELAXED, address, value);
}
FUSE_INLINE uint64_t atomic_add(uint64_t *address, uint64_t value) {
  return atomic(FUSE_TWIN_ADD_RELAXED, address, value);
}
FUSE_INLINE uint32_t atomic_add_acq_rel(uint32_t *address, uint32_t value) {
  return atomic(FUSE_TWIN_ADD_ACQ_REL, address, value);
}
FUSE_INLINE uint64_t atomic_add_acq_rel(uint64_t *address, uint64_t value) {
  return atomic(FUSE_TWIN_ADD_ACQ_REL, address, value);
}
FUSE_INLINE uint32_t load_acquire(const uint32_t *address) {
  return atomic(FUSE_TWIN_LOAD_ACQUIRE, address, uint32_t(0));
}
FUSE_INLINE uint64_t load_acquire(const uint64_t *address) {
  return atomic(FUSE_TWIN_LOAD_ACQUIRE, address, uint64_t(0));
}
FUSE_INLINE void store_release(uint32_t *address, uint32_t value) {
  atomic(FUSE_TWIN_STORE_RELEASE, address, value);
}
FUSE_INLINE void store_release(uint64_t *address, uint64_t value) {
  atomic(FUSE_TWIN_STORE_RELEASE, address, value);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

template <class T>
FUSE_INLINE T fma(T a, T b, T c) {
  if constexpr (sizeof(T) == 4)
    return __builtin_fmaf(a, b, c);
  else
    return __builtin_fma(a, b, c);
}

FUSE_INLINE float absolute(float x) { return __builtin_fabsf(x); }
FUSE_INLINE double absolute(double x) { return __builtin_fabs(x); }

FUSE_INLINE float minimum(float a, float b) {
  if (a == b)
    return __builtin_signbit(a) ? a : b;
  return a < b || a != a ? a : b; // NOLINT(misc-redundant-expression)
}
FUSE_INLINE float maximum(float a, float b) { return -minimum(-a, -b); }

FUSE_INLINE float sqrt_rn(float x) { return __builtin_sqrtf(x); }
FUSE_INLINE double sqrt_rn(double x) { return __builtin_sqrt(x); }
FUSE_INLINE float div_rn(float a, float b) { return a / b; }
FUSE_INLINE double div_rn(double a, double b) { return a / b; }

FUSE_INLINE float reciprocal_rn(float x) { return 1.0f / x; }

FUSE_INLINE float ex2_approx(float x) { return twin().ex2Approx(x); }
FUSE_INLINE float rsqrt_approx(float x) { return twin().rsqrtApprox(x); }

FUSE_INLINE uint16_t half_bits(float value) {
  const uint32_t bits = bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return 0x7fff;
  const uint32_t sign = bits >> 16 & 0x8000u;
  if (magnitude >= 0x477ff000u) // Half way beyond the largest number.
    return static_cast<uint16_t>(sign | 0x7c00u);
  // Below the smallest normal number an addition rounds at the right place:
  // the last place of 0.5f is that of a subnormal.
  if (magnitude < 0x38800000u)
    return static_cast<uint16_t>(
        sign |
        (bit_cast<uint32_t>(bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u));
  const uint32_t tie = magnitude >> 13 & 1u;
  return static_cast<uint16_t>(sign |
                               (magnitude - 0x38000000u + 0xfffu + tie) >> 13);
}

FUSE_INLINE float half_value(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t magnitude = bits & 0x7fffu;
  if (magnitude > 0x7c00u)
    return bit_cast<float>(0x7fffffffu);
  uint32_t result = (magnitude << 13) + 0x38000000u;
  if (magnitude == 0x7c00u)
    result = 0x7f800000u;
  else if (magnitude < 0x400u)
    result = bit_cast<uint32_t>(static_cast<float>(magnitude) * 0x1p-24f);
  return bit_cast<float>(sign | result);
}

FUSE_INLINE uint16_t bfloat16_bits(float value) {
  const uint32_t bits = bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
FUSE_INLINE float bfloat16_value(uint16_t bits) {
  return bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

} // namespace fuse

#include "observe.h"

#endif // FUSE_RUNTIME_PRIMITIVES_HOST_H
