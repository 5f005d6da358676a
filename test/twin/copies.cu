//===- copies.cu - asynchronous copies ------------------------------------===//

template <bool faulty>
FUSE_INLINE void wait_missing(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  copy_async<4>(tile + t, in.x + t); // @wait_missing:copy
  copy_commit();
  if (!faulty)
    copy_wait<0>();
  in.y[t] = tile[t]; // @wait_missing:read
}
FAULT(wait_missing)

/// One group too many may be under way.
template <bool faulty>
FUSE_INLINE void wait_too_short(const Buffers &in) {
  float *tile = shared_region<float>(0, 2 * block_threads(), "tile");
  const int t = thread_index();
  copy_async<4>(tile + t, in.x + t); // @wait_too_short:copy
  copy_commit();
  copy_async<4>(tile + block_threads() + t, in.x + t);
  copy_commit();
  copy_wait<faulty ? 2 : 1>();
  in.y[t] = tile[t]; // @wait_too_short:read
  copy_wait<0>();
}
FAULT(wait_too_short)

/// A copy that is not in a group is not waited for.
template <bool faulty>
FUSE_INLINE void commit_missing(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  copy_async<4>(tile + t, in.x + t); // @commit_missing:copy
  if (!faulty)
    copy_commit();
  copy_wait<0>();
  in.y[t] = tile[t]; // @commit_missing:read
}
FAULT(commit_missing)

/// The wait is for this thread alone; others need a barrier.
template <bool faulty>
FUSE_INLINE void barrier_after_wait_missing(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  copy_async<4>(tile + t, in.x + t); // @barrier_after_wait_missing:copy
  copy_commit();
  if (faulty)
    barrier();
  copy_wait<0>();
  if (!faulty)
    barrier();
  in.y[t] = tile[(t + 40) % 64]; // @barrier_after_wait_missing:read
}
FAULT(barrier_after_wait_missing)

/// Others still read what the copy overwrites.
template <bool faulty>
FUSE_INLINE void reused_too_early(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  tile[t] = in.x[t];
  barrier();
  const float other = tile[(t + 33) % 64]; // @reused_too_early:read
  if (!faulty)
    barrier();
  copy_async<4>(tile + t, in.x + t); // @reused_too_early:copy
  copy_commit();
  copy_wait<0>();
  in.y[t] = other;
}
FAULT(reused_too_early)

/// A store into the destination of a copy under way.
template <bool faulty>
FUSE_INLINE void store_into_copy(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  copy_async<4>(tile + t, in.x + t); // @store_into_copy:copy
  copy_commit();
  if (!faulty)
    copy_wait<0>();
  tile[t] = 0; // @store_into_copy:write
  copy_wait<0>();
  in.y[t] = in.x[t];
}
FAULT(store_into_copy)

/// The source changes while the copy may still read it.
template <bool faulty>
FUSE_INLINE void source_changes(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  in.workspace[t] = in.x[t];
  barrier();
  copy_async<4>(tile + t, in.workspace + t); // @source_changes:copy
  copy_commit();
  if (!faulty)
    copy_wait<0>();
  barrier();
  in.workspace[t ^ 32] = 0; // @source_changes:write
  copy_wait<0>();
  in.y[t] = tile[t];
}
FAULT(source_changes)

template <bool faulty>
FUSE_INLINE void copy_misaligned(const Buffers &in) {
  float *tile = shared_region<float>(0, 2 * block_threads(), "tile");
  const int t = thread_index();
  if (t < 8)
    copy_async<8>(tile + 2 * t + faulty, in.x + 2 * t); // @copy_misaligned
  copy_commit();
  copy_wait<0>();
  in.y[t] = in.x[t];
}
FAULT(copy_misaligned)

/// Bytes beyond the valid ones become zero and are not read.
template <bool faulty>
FUSE_INLINE void copy_beyond_source(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads() + 2, "tile");
  const int t = thread_index();
  copy_async<4>(tile + t, in.x + t);
  float *last = tile + block_threads();
  const float *end = in.x + in.n;
  if (t == 9)
    copy_async<8>(last, end, faulty ? 4 : 0); // @copy_beyond_source
  copy_commit();
  copy_wait<0>();
  barrier();
  in.y[t] = tile[t] + last[1];
}
FAULT(copy_beyond_source)

template <bool faulty>
FUSE_INLINE void copy_valid_bytes(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  copy_async<4>(tile + t, in.x + t, faulty ? 5 : 4); // @copy_valid_bytes
  copy_commit();
  copy_wait<0>();
  in.y[t] = tile[t];
}
FAULT(copy_valid_bytes)
