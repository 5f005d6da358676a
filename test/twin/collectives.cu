//===- collectives.cu - barriers and warp collectives ---------------------===//

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

template <bool faulty>
FUSE_INLINE void barrier_not_reached(const Buffers &in) {
  const int t = thread_index();
  in.y[t] = in.x[t];
  if (faulty && t == 37)
    return;
  barrier(); // @barrier_not_reached
}
FAULT(barrier_not_reached)

template <bool faulty>
FUSE_INLINE void barrier_under_if(const Buffers &in) {
  const int t = thread_index();
  in.y[t] = in.x[t];
  if (!faulty || t < 32)
    barrier(); // @barrier_under_if:first
  barrier();   // @barrier_under_if:second
}
FAULT(barrier_under_if)

template <bool faulty>
FUSE_INLINE void barriers_of_branches(const Buffers &in) {
  const int t = thread_index();
  in.y[t] = in.x[t];
  if (faulty ? t < 32 : block_index() == 0)
    barrier(); // @barriers_of_branches:first
  else
    barrier(); // @barriers_of_branches:second
}
FAULT(barriers_of_branches)

/// Some wait at a barrier, others in a collective.
template <bool faulty>
FUSE_INLINE void barrier_and_collective(const Buffers &in) {
  const int t = thread_index();
  float value = in.x[t];
  if (faulty && t == 1)
    barrier();                    // @barrier_and_collective:barrier
  value += shuffle_xor(value, 1); // @barrier_and_collective:shuffle
  if (!faulty)
    barrier();
  in.y[t] = value;
}
FAULT(barrier_and_collective)

template <bool faulty>
FUSE_INLINE void named_barrier_counts(const Buffers &in) {
  const int t = thread_index();
  in.y[t] = in.x[t];
  if (warp() == 0)
    named_barrier(2, 64); // @named_barrier_counts:first
  if (warp() == 1)
    named_barrier(2, faulty ? 96 : 64); // @named_barrier_counts:second
}
FAULT(named_barrier_counts)

template <bool faulty>
FUSE_INLINE void named_barrier_incomplete(const Buffers &in) {
  const int t = thread_index();
  in.y[t] = in.x[t];
  if (warp() < 2)
    named_barrier(3, faulty ? 96 : 64); // @named_barrier_incomplete
}
FAULT(named_barrier_incomplete)

template <bool faulty>
FUSE_INLINE void named_barrier_id(const Buffers &in) {
  const int t = thread_index();
  in.y[t] = in.x[t];
  named_barrier(faulty ? 16 : 15, block_threads()); // @named_barrier_id
}
FAULT(named_barrier_id)

//===----------------------------------------------------------------------===//
// Warp collectives
//===----------------------------------------------------------------------===//

template <bool faulty>
FUSE_INLINE void lane_outside_mask(const Buffers &in) {
  const int t = thread_index();
  float value = in.x[t];
  if (lane() <= (faulty ? 16 : 15))
    value = shuffle_xor(value, 1, 0xffffu); // @lane_outside_mask
  in.y[t] = value;
}
FAULT(lane_outside_mask)

template <bool faulty>
FUSE_INLINE void source_outside_mask(const Buffers &in) {
  const int t = thread_index();
  float value = in.x[t];
  const int source = faulty && lane() == 4 ? 20 : 3;
  if (lane() < 16)
    value = shuffle(value, source, 0xffffu); // @source_outside_mask
  in.y[t] = value;
}
FAULT(source_outside_mask)

template <bool faulty>
FUSE_INLINE void collectives_of_branches(const Buffers &in) {
  const int t = thread_index();
  float value = in.x[t];
  if (faulty ? lane() < 16 : warp() == 0)
    value += shuffle_xor(value, 1); // @collectives_of_branches:first
  else
    value -= shuffle_xor(value, 1); // @collectives_of_branches:second
  in.y[t] = value;
}
FAULT(collectives_of_branches)

template <bool faulty>
FUSE_INLINE void lane_returns(const Buffers &in) {
  const int t = thread_index();
  in.y[t] = in.x[t];
  if (faulty && lane() == 9)
    return;
  if (warp_ballot(true) == 0) // @lane_returns
    in.y[t] = 0;
}
FAULT(lane_returns)

/// Two collectives that wait for lanes of one another.
template <bool faulty>
FUSE_INLINE void collectives_cross(const Buffers &in) {
  const int t = thread_index();
  bool both = true;
  if (lane() == 0)
    both = warp_all(both, faulty ? 0x3u : 0x1u); // @collectives_cross:first
  if (lane() == 1)
    both = warp_all(both, faulty ? 0x6u : 0x2u); // @collectives_cross:second
  if (lane() == 2)
    both = warp_all(both, faulty ? 0x5u : 0x4u); // @collectives_cross:third
  in.y[t] = both ? in.x[t] : 0.0f;
}
FAULT(collectives_cross)

/// A warp that is not full has no lanes beyond its threads. Run with 48
/// threads.
template <bool faulty>
FUSE_INLINE void lanes_that_are_not(const Buffers &in) {
  const int t = thread_index();
  const uint32_t mask = faulty || warp() == 0 ? full_warp : 0xffffu;
  const float value = in.x[t];
  in.y[t] = value + shuffle_xor(value, 1, mask); // @lanes_that_are_not
}
FAULT(lanes_that_are_not)

template <bool faulty>
FUSE_INLINE void mma_by_part(const Buffers &in) {
  const int t = thread_index();
  float sum[4] = {};
  const uint32_t a[4] = {}, b[2] = {};
  if (!faulty || lane() != 30)
    mma_sync<BFloat16>(sum, a, b);            // @mma_by_part:mma
  const float value = shuffle_xor(sum[0], 1); // @mma_by_part:shuffle
  in.y[t] = value;
}
FAULT(mma_by_part)

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

template <bool faulty>
FUSE_INLINE void flag_never_set(const Buffers &in) {
  const int t = thread_index();
  if (t == 0 && !faulty)
    store_release(in.counter, 1u);
  if (t == 40)
    while (load_acquire(in.counter) == 0) { // @flag_never_set
    }
  in.y[t] = in.x[t];
}
FAULT(flag_never_set)
