//===- races.cu - accesses that nothing orders ----------------------------===//

//===----------------------------------------------------------------------===//
// Within a block
//===----------------------------------------------------------------------===//

template <bool faulty>
FUSE_INLINE void read_after_write(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  tile[t] = in.x[t]; // @read_after_write:write
  if (!faulty)
    barrier();
  in.y[t] = tile[block_threads() - 1 - t]; // @read_after_write:read
}
FAULT(read_after_write)

template <bool faulty>
FUSE_INLINE void write_after_read(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  tile[t] = in.x[t];
  barrier();
  const int from = (t + 32) % block_threads();
  const float other = tile[from]; // @write_after_read:read
  if (!faulty)
    barrier();
  tile[t] = other + 1; // @write_after_read:write
  in.y[t] = other;
}
FAULT(write_after_read)

template <bool faulty>
FUSE_INLINE void write_after_write(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  tile[faulty ? t / 2 : t] = in.x[t]; // @write_after_write
  in.y[t] = in.x[t];
}
FAULT(write_after_write)

template <bool faulty>
FUSE_INLINE void global_within_block(const Buffers &in) {
  const int t = thread_index();
  in.workspace[t] = in.x[t]; // @global_within_block:write
  if (!faulty)
    barrier();
  in.y[t] = in.workspace[t ^ 33]; // @global_within_block:read
}
FAULT(global_within_block)

/// Neighbours of 16 bits are no conflict, the same element is.
template <bool faulty>
FUSE_INLINE void halves(const Buffers &in) {
  Half *tile = shared_region<Half>(0, block_threads(), "tile");
  const int t = thread_index();
  tile[t] = Half(in.x[t]); // @halves:write
  const int from = faulty ? t ^ 1 : t;
  in.y[t] = static_cast<float>(tile[from]); // @halves:read
}
FAULT(halves)

//===----------------------------------------------------------------------===//
// Within a warp
//===----------------------------------------------------------------------===//

template <bool faulty>
FUSE_INLINE void within_warp(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  tile[t] = in.x[t]; // @within_warp:write
  if (!faulty)
    warp_barrier();
  in.y[t] = tile[t ^ 1]; // @within_warp:read
}
FAULT(within_warp)

/// A shuffle exchanges registers and orders no memory.
template <bool faulty>
FUSE_INLINE void shuffle_orders_nothing(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  tile[t] = in.x[t]; // @shuffle_orders_nothing:write
  const float sum = in.x[t] + shuffle_xor(in.x[t], 1);
  if (!faulty)
    warp_barrier();
  in.y[t] = sum + tile[t ^ 1]; // @shuffle_orders_nothing:read
}
FAULT(shuffle_orders_nothing)

/// A barrier of one warp does not order another one.
template <bool faulty>
FUSE_INLINE void warp_barrier_is_local(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  tile[t] = in.x[t]; // @warp_barrier_is_local:write
  warp_barrier();
  in.y[t] = tile[faulty ? t ^ 32 : t ^ 1]; // @warp_barrier_is_local:read
}
FAULT(warp_barrier_is_local)

/// One lane more reads than the barrier has.
template <bool faulty>
FUSE_INLINE void part_of_warp(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  const int members = faulty ? 15 : 16;
  tile[t] = in.x[t]; // @part_of_warp:write
  if (lane() < members)
    warp_barrier((1u << members) - 1);
  in.y[t] = lane() < 16 ? tile[t ^ 15] : 0.0f; // @part_of_warp:read
}
FAULT(part_of_warp)

//===----------------------------------------------------------------------===//
// Between warps, by named barriers
//===----------------------------------------------------------------------===//

/// Warp 0 produces for warp 1.
template <bool faulty>
FUSE_INLINE void named_barrier_missing(const Buffers &in) {
  float *tile = shared_region<float>(0, 32, "tile");
  const int t = thread_index();
  if (warp() == 0)
    tile[lane()] = in.x[t]; // @named_barrier_missing:write
  if (!faulty && warp() < 2)
    named_barrier(1, 64);
  if (faulty && warp() < 2)
    named_barrier(warp() + 1, 32);
  in.y[t] = warp() == 1 ? tile[lane()] : 0.0f; // @named_barrier_missing:read
}
FAULT(named_barrier_missing)

/// Warps 0 and 1 meet, warp 2 does not and still reads.
template <bool faulty>
FUSE_INLINE void named_barrier_of_others(const Buffers &in) {
  float *tile = shared_region<float>(0, 32, "tile");
  const int t = thread_index();
  if (warp() == 0)
    tile[lane()] = in.x[t]; // @named_barrier_of_others:write
  if (warp() < (faulty ? 2 : 3))
    named_barrier(1, faulty ? 64 : 96);
  in.y[t] = warp() == 1 || warp() == 2
                ? tile[lane()] // @named_barrier_of_others:read
                : 0.0f;
}
FAULT(named_barrier_of_others)

//===----------------------------------------------------------------------===//
// Between blocks
//===----------------------------------------------------------------------===//

/// The block that counts last adds up what all blocks left.
template <bool faulty>
FUSE_INLINE void last_block(const Buffers &in) {
  uint32_t *ticket = shared_region<uint32_t>(0, 1, "ticket");
  const int64_t i = global_index();
  in.workspace[i] = in.x[i]; // @last_block:write
  barrier();
  if (thread_index() == 0)
    ticket[0] = faulty ? atomic_add(in.counter, 1u)
                       : atomic_add_acq_rel(in.counter, 1u);
  barrier();
  const int64_t blocks = in.n / block_threads();
  if (ticket[0] != static_cast<uint32_t>(blocks - 1))
    return;
  for (int64_t b = 0; b < blocks; ++b) {
    const int64_t j = b * block_threads() + thread_index();
    in.y[j] = in.workspace[j]; // @last_block:read
  }
}
FAULT(last_block)

template <bool faulty>
FUSE_INLINE void blocks_write_one_word(const Buffers &in) {
  const int64_t i = global_index();
  in.workspace[faulty ? thread_index() : i] = in.x[i]; // @blocks_write_one_word
  in.y[i] = in.x[i];
}
FAULT(blocks_write_one_word)

/// Whichever of the blocks comes first: one reads what another one writes.
template <bool faulty>
FUSE_INLINE void blocks_read_and_write(const Buffers &in) {
  const int64_t i = global_index();
  const int64_t from = faulty ? (i + block_threads()) % in.n : i;
  in.workspace[i] = in.x[i];    // @blocks_read_and_write:write
  in.y[i] = in.workspace[from]; // @blocks_read_and_write:read
}
FAULT(blocks_read_and_write)

/// A flag that one warp sets and the other one polls.
template <bool faulty>
FUSE_INLINE void flag_within_block(const Buffers &in) {
  float *tile = shared_region<float>(0, 1, "tile");
  if (thread_index() == 0) {
    tile[0] = in.x[0]; // @flag_within_block:write
    if (faulty)
      atomic_add(in.counter, 1u);
    else
      store_release(in.counter, 1u);
  }
  if (thread_index() == 32)
    while (load_acquire(in.counter) == 0) {
    }
  const int64_t i = global_index();
  in.y[i] = thread_index() == 32 ? tile[0] : 0.0f; // @flag_within_block:read
}
FAULT(flag_within_block)
