//===- primitives_cuda.h - primitives as PTX --------------------*- C++ -*-===//
//
// The body for NVRTC and nvcc, compute capability 8.0 and up; waiting for
// producers and early launch need 9.0. primitives.h documents the functions.

#ifndef FUSE_RUNTIME_PRIMITIVES_CUDA_H
#define FUSE_RUNTIME_PRIMITIVES_CUDA_H

extern __shared__ __align__(1024) unsigned char fuse_shared_arena[];

namespace fuse {

//===----------------------------------------------------------------------===//
// Who and where
//===----------------------------------------------------------------------===//

FUSE_INLINE int thread_index() { return static_cast<int>(threadIdx.x); }
FUSE_INLINE int64_t block_index() { return static_cast<int64_t>(blockIdx.x); }
FUSE_INLINE int block_threads() { return static_cast<int>(blockDim.x); }
FUSE_INLINE int lane() { return static_cast<int>(threadIdx.x & 31u); }
FUSE_INLINE int warp() { return static_cast<int>(threadIdx.x >> 5); }

FUSE_INLINE unsigned char *shared_arena() { return fuse_shared_arena; }
FUSE_INLINE void declare_shared(int64_t, int64_t, const char *) {}

//===----------------------------------------------------------------------===//
// Barriers and warp collectives
//===----------------------------------------------------------------------===//

FUSE_INLINE void barrier() { __syncthreads(); }

FUSE_INLINE void named_barrier(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

FUSE_INLINE void warp_barrier(uint32_t mask = full_warp) { __syncwarp(mask); }

/// A value in the registers that shuffles move: one or two of 32 bits.
template <class T, class Shuffle>
FUSE_INLINE T shuffle_words(T value, Shuffle shuffle) {
  using Bits = typename UnsignedOf<sizeof(T)>::Type;
  const Bits bits = bit_cast<Bits>(value);
  if constexpr (sizeof(T) == 8) {
    const uint64_t low = shuffle(static_cast<uint32_t>(bits));
    const uint64_t high = shuffle(static_cast<uint32_t>(bits >> 32));
    return bit_cast<T>(high << 32 | low);
  } else {
    return bit_cast<T>(static_cast<Bits>(shuffle(static_cast<uint32_t>(bits))));
  }
}

template <class T>
FUSE_INLINE T shuffle(T value, int source, uint32_t mask = full_warp) {
  return shuffle_words(
      value, [=](uint32_t word) { return __shfl_sync(mask, word, source); });
}

template <class T>
FUSE_INLINE T shuffle_xor(T value, int bits, uint32_t mask = full_warp) {
  return shuffle_words(
      value, [=](uint32_t word) { return __shfl_xor_sync(mask, word, bits); });
}

template <class T>
FUSE_INLINE T shuffle_down(T value, int delta, uint32_t mask = full_warp) {
  return shuffle_words(value, [=](uint32_t word) {
    return __shfl_down_sync(mask, word, static_cast<unsigned>(delta));
  });
}

FUSE_INLINE uint32_t warp_ballot(bool predicate, uint32_t mask = full_warp) {
  return __ballot_sync(mask, predicate);
}
FUSE_INLINE bool warp_any(bool predicate, uint32_t mask = full_warp) {
  return __any_sync(mask, predicate);
}
FUSE_INLINE bool warp_all(bool predicate, uint32_t mask = full_warp) {
  return __all_sync(mask, predicate);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

template <int Bytes>
struct Packet;
template <>
struct Packet<4> {
  using Type = unsigned;
};
template <>
struct Packet<8> {
  using Type = uint2;
};
template <>
struct Packet<16> {
  using Type = uint4;
};

template <int Bytes, class T>
FUSE_INLINE void load_vector(T *registers, const T *memory) {
  static_assert(Bytes % sizeof(T) == 0, "expects a whole number of elements");
  using Word = typename Packet<Bytes>::Type;
  const Word word = *reinterpret_cast<const Word *>(memory);
  memcpy(registers, &word, Bytes);
}

template <int Bytes, class T>
FUSE_INLINE void store_vector(T *memory, const T *registers) {
  static_assert(Bytes % sizeof(T) == 0, "expects a whole number of elements");
  using Word = typename Packet<Bytes>::Type;
  Word word;
  memcpy(&word, registers, Bytes);
  *reinterpret_cast<Word *>(memory) = word;
}

template <int Bytes>
FUSE_INLINE void copy_async(void *shared, const void *global,
                            int valid_bytes = Bytes) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16,
                "expects copies of 4, 8 or 16 bytes");
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  if constexpr (Bytes == 16) // Past L1: data is used from shared memory.
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                 "l"(__cvta_generic_to_global(global)), "r"(valid_bytes)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to),
                 "l"(__cvta_generic_to_global(global)), "n"(Bytes),
                 "r"(valid_bytes)
                 : "memory");
}

FUSE_INLINE void copy_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int PendingGroups>
FUSE_INLINE void copy_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(PendingGroups) : "memory");
}

//===----------------------------------------------------------------------===//
// Launches and flags
//===----------------------------------------------------------------------===//

FUSE_INLINE void wait_for_producers() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
FUSE_INLINE void release_dependents() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

FUSE_INLINE uint32_t atomic_add(uint32_t *address, uint32_t value) {
  uint32_t old;
  asm volatile("atom.relaxed.gpu.add.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(address), "r"(value)
               : "memory");
  return old;
}
FUSE_INLINE uint64_t atomic_add(uint64_t *address, uint64_t value) {
  uint64_t old;
  asm volatile("atom.relaxed.gpu.add.u64 %0, [%1], %2;"
               : "=l"(old)
               : "l"(address), "l"(value)
               : "memory");
  return old;
}

FUSE_INLINE uint32_t atomic_add_acq_rel(uint32_t *address, uint32_t value) {
  uint32_t old;
  asm volatile("atom.acq_rel.gpu.add.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(address), "r"(value)
               : "memory");
  return old;
}
FUSE_INLINE uint64_t atomic_add_acq_rel(uint64_t *address, uint64_t value) {
  uint64_t old;
  asm volatile("atom.acq_rel.gpu.add.u64 %0, [%1], %2;"
               : "=l"(old)
               : "l"(address), "l"(value)
               : "memory");
  return old;
}

FUSE_INLINE uint32_t load_acquire(const uint32_t *address) {
  uint32_t value;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];"
               : "=r"(value)
               : "l"(address)
               : "memory");
  return value;
}
FUSE_INLINE uint64_t load_acquire(const uint64_t *address) {
  uint64_t value;
  asm volatile("ld.acquire.gpu.u64 %0, [%1];"
               : "=l"(value)
               : "l"(address)
               : "memory");
  return value;
}

FUSE_INLINE void store_release(uint32_t *address, uint32_t value) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(address), "r"(value)
               : "memory");
}
FUSE_INLINE void store_release(uint64_t *address, uint64_t value) {
  asm volatile("st.release.gpu.u64 [%0], %1;" ::"l"(address), "l"(value)
               : "memory");
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

// A template, so that a kernel that says just `fma` means CUDA's own where
// there is one, instead of being ambiguous. They are the same instruction.
template <class T>
FUSE_INLINE T fma(T a, T b, T c) {
  if constexpr (sizeof(T) == 4)
    return __fmaf_rn(a, b, c);
  else
    return __fma_rn(a, b, c);
}

FUSE_INLINE float absolute(float x) { return fabsf(x); }
FUSE_INLINE double absolute(double x) { return fabs(x); }

FUSE_INLINE float minimum(float a, float b) {
  float result;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
FUSE_INLINE float maximum(float a, float b) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

FUSE_INLINE float sqrt_rn(float x) { return __fsqrt_rn(x); }
FUSE_INLINE double sqrt_rn(double x) { return __dsqrt_rn(x); }
FUSE_INLINE float div_rn(float a, float b) { return __fdiv_rn(a, b); }
FUSE_INLINE double div_rn(double a, double b) { return __ddiv_rn(a, b); }

// Newton's step from what is within an ulp, as in __frcp_rn, without its branch
// for the ends of the range.
FUSE_INLINE float reciprocal_rn(float x) {
  float guess;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(guess) : "f"(x));
  return __fmaf_rn(guess, __fmaf_rn(-x, guess, 1.0f), guess);
}

FUSE_INLINE float ex2_approx(float x) {
  float result;
  asm("ex2.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

FUSE_INLINE float rsqrt_approx(float x) {
  float result;
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

FUSE_INLINE uint16_t half_bits(float value) {
  uint16_t bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
FUSE_INLINE float half_value(uint16_t bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
FUSE_INLINE uint16_t bfloat16_bits(float value) {
  uint16_t bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
FUSE_INLINE float bfloat16_value(uint16_t bits) {
  return bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

/// One instruction of shape and types `Shape`.
#define FUSE_MMA_SYNC(Element, Shape)                                          \
  template <>                                                                  \
  FUSE_INLINE void mma_sync<Element>(float (&accumulator)[4],                  \
                                     const uint32_t (&a)[4],                   \
                                     const uint32_t (&b)[2]) {                 \
    asm volatile("mma.sync.aligned." Shape " {%0, %1, %2, %3}, "               \
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"               \
                 : "+f"(accumulator[0]), "+f"(accumulator[1]),                 \
                   "+f"(accumulator[2]), "+f"(accumulator[3])                  \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),      \
                   "r"(b[1]));                                                 \
  }

template <class Element>
FUSE_INLINE void mma_sync(float (&accumulator)[4], const uint32_t (&a)[4],
                          const uint32_t (&b)[2]);
FUSE_MMA_SYNC(Half, "m16n8k16.row.col.f32.f16.f16.f32")
FUSE_MMA_SYNC(BFloat16, "m16n8k16.row.col.f32.bf16.bf16.f32")
FUSE_MMA_SYNC(Tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
#undef FUSE_MMA_SYNC

} // namespace fuse

#endif // FUSE_RUNTIME_PRIMITIVES_CUDA_H
