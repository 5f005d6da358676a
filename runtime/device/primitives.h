//===- primitives.h - what a kernel asks of the machine ---------*- C++ -*-===//
//
// The vocabulary of the device header that is not plain C++. Everything above
// it is written once, over these functions. This is the only layer with two
// bodies:
//
//   primitives_cuda.h   PTX and intrinsics
//   primitives_host.h   calls into the host twin
//
// Blocks and grids are one-dimensional; a warp is 32 consecutive threads, and
// `mask` names its lanes by bits. A collective must be reached by every lane of
// its mask at one and the same call, and by no other lane.
//
//   thread_index()   block_index()   block_threads()   lane()   warp()
//       int, int64_t, int, int (0..31), int
//   barrier()                     all threads of the block
//   named_barrier(id, threads)    id 1..15, `threads` a multiple of 32
//   warp_barrier(mask)            orders memory among the lanes of the mask;
//                                 no other warp collective does
//   shuffle(value, lane, mask)    value of that lane; types of 1..8 bytes
//   shuffle_xor(value, bits, mask)
//   shuffle_down(value, delta, mask)   own value beyond the end of the warp
//   warp_ballot(predicate, mask)  the lanes of the mask for which it holds
//   warp_any(predicate, mask)   warp_all(predicate, mask)
//   shared_arena()                base of dynamic shared memory, 1024-aligned
//   shared_region<T>(offset, count, name)   a piece of it, as T *; `offset` in
//                                 bytes. Once a block has named a piece, shared
//                                 memory outside of its pieces is out of bounds
//   load_vector<Bytes>(registers, memory)   one access of 4, 8 or 16 bytes, to
//   store_vector<Bytes>(memory, registers)  which `memory` must be aligned
//   copy_async<Bytes>(shared, global, valid_bytes)   4, 8 or 16 bytes; those
//                                 from valid_bytes on become zero, and the
//                                 source is not read there
//   copy_commit()                 ends a group of copies
//   copy_wait<PendingGroups>()    waits until at most that many groups of this
//                                 thread are under way; a barrier then shows
//                                 the data to other threads
//   mma_sync<Element>(accumulator, a, b)   accumulator += a * b, by a full
//   warp:
//                                 m16n8k16 for Half and BFloat16, m16n8k8 for
//                                 Tf32, fragments as PTX lays them out
//   wait_for_producers()          until the launches before are complete and
//                                 visible; a kernel launched early must call it
//                                 before it writes, or reads what they write
//   release_dependents()          lets the next launch start
//   atomic_add(p, value)          relaxed; returns the old value
//   atomic_add_acq_rel(p, value)  the same, acquiring and releasing
//   load_acquire(p)  store_release(p, value)   for flags and counters; these
//                                 four take uint32_t or uint64_t, device scope
//   fma(a, b, c)                  rounded once; float, double
//   absolute(x)                   float, double
//   minimum(a, b)  maximum(a, b)  float; NaN propagates, and -0 is below 0
//   sqrt_rn(x)  div_rn(a, b)      correctly rounded, subnormals kept
//   reciprocal_rn(x)              the same for 2^-126 <= |x| < 2^126; float
//   ex2_approx(x)  rsqrt_approx(x)   within 2 ulp, subnormals kept
//   bit_cast<To>(from)
//   half_bits(x)  half_value(bits)  bfloat16_bits(x)  bfloat16_value(bits)
//                                 conversions, to nearest with ties to even;
//                                 a NaN becomes the one that hardware makes

#ifndef FUSE_RUNTIME_PRIMITIVES_H
#define FUSE_RUNTIME_PRIMITIVES_H

#include "platform.h"

namespace fuse {

/// Every lane of a warp.
constexpr uint32_t full_warp = 0xffffffffu;

/// Element types of mma_sync. Tf32 elements are floats of which the hardware
/// reads the upper 19 bits.
struct Half;
struct BFloat16;
struct Tf32;

/// The bits of `from` as another type of the same size.
template <class To, class From>
FUSE_INLINE To bit_cast(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "expects types of one size");
  return __builtin_bit_cast(To, from);
}

/// An unsigned integer of `Bytes` bytes.
template <int Bytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using Type = uint8_t;
};
template <>
struct UnsignedOf<2> {
  using Type = uint16_t;
};
template <>
struct UnsignedOf<4> {
  using Type = uint32_t;
};
template <>
struct UnsignedOf<8> {
  using Type = uint64_t;
};

} // namespace fuse

#if FUSE_HOST
#include "primitives_host.h"
#else
#include "primitives_cuda.h"
#endif

namespace fuse {

/// A piece of shared memory: `count` elements from byte `offset` of the arena.
template <class T>
FUSE_INLINE T *shared_region(int64_t offset, int64_t count, const char *name) {
  declare_shared(offset, count * static_cast<int64_t>(sizeof(T)), name);
  return reinterpret_cast<T *>(shared_arena() + offset);
}

} // namespace fuse

#endif // FUSE_RUNTIME_PRIMITIVES_H
