//===- bounds.cu - bounds, alignment, what was never written --------------===//

template <bool faulty>
FUSE_INLINE void shared_beyond_end(const Buffers &in) {
  float *arena = reinterpret_cast<float *>(shared_arena());
  const int t = thread_index();
  arena[t + (faulty ? 1 : 0)] = in.x[t]; // @shared_beyond_end
  in.y[t] = in.x[t];
}
FAULT(shared_beyond_end)

/// Between two pieces there are bytes of nobody.
template <bool faulty>
FUSE_INLINE void shared_between_pieces(const Buffers &in) {
  float *first = shared_region<float>(0, 24, "first");
  float *second = shared_region<float>(32 * 4, 32, "second");
  const int t = thread_index();
  if (t < 24)
    first[t] = in.x[t];
  if (t < 32)
    second[t] = in.x[t];
  barrier();
  const int last = faulty ? 24 : 23;
  in.y[t] = t <= last ? first[t] : second[0]; // @shared_between_pieces
}
FAULT(shared_between_pieces)

template <bool faulty>
FUSE_INLINE void piece_outside(const Buffers &in) {
  const int count = block_threads() + faulty;
  float *tile = shared_region<float>(0, count, "tile"); // @piece_outside
  tile[thread_index()] = in.x[thread_index()];
  in.y[thread_index()] = in.x[thread_index()];
}
FAULT(piece_outside)

template <bool faulty>
FUSE_INLINE void global_beyond_end(const Buffers &in) {
  const int64_t i = global_index();
  in.y[i] = in.x[i + (faulty ? 1 : 0)]; // @global_beyond_end
}
FAULT(global_beyond_end)

template <bool faulty>
FUSE_INLINE void global_before_begin(const Buffers &in) {
  const int64_t i = global_index();
  in.y[i] = in.x[faulty ? i - 1 : i]; // @global_before_begin
}
FAULT(global_before_begin)

/// An address of nobody, as of a pointer with the wrong base.
template <bool faulty>
FUSE_INLINE void wild_pointer(const Buffers &in) {
  const int64_t i = global_index();
  const int64_t far = int64_t(1) << 44;
  in.y[i] = in.x[faulty ? i + far : i]; // @wild_pointer
}
FAULT(wild_pointer)

template <bool faulty>
FUSE_INLINE void input_written(const Buffers &in) {
  const int64_t i = global_index();
  in.y[i] = in.x[i];
  if (faulty && i == 3)
    const_cast<float *>(in.x)[i] = 0; // @input_written
}
FAULT(input_written)

template <bool faulty>
FUSE_INLINE void shared_never_written(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  if (!faulty || t != 17)
    tile[t] = in.x[t];
  barrier();
  in.y[t] = tile[t ^ 1]; // @shared_never_written
}
FAULT(shared_never_written)

/// What an earlier block left in shared memory is not there for the next one.
template <bool faulty>
FUSE_INLINE void shared_of_earlier_block(const Buffers &in) {
  float *tile = shared_region<float>(0, block_threads(), "tile");
  const int t = thread_index();
  if (!faulty || block_index() == 0)
    tile[t] = in.x[t];
  barrier();
  in.y[global_index()] = tile[t ^ 1]; // @shared_of_earlier_block
}
FAULT(shared_of_earlier_block)

template <bool faulty>
FUSE_INLINE void workspace_never_written(const Buffers &in) {
  const int64_t i = global_index();
  if (!faulty || i != 5)
    in.workspace[i] = in.x[i];
  in.y[i] = in.workspace[i]; // @workspace_never_written
}
FAULT(workspace_never_written)

template <bool faulty>
FUSE_INLINE void output_incomplete(const Buffers &in) {
  const int64_t i = global_index();
  if (!faulty || i != in.n - 1)
    in.y[i] = in.x[i];
}
FAULT(output_incomplete)

template <bool faulty>
FUSE_INLINE void output_twice(const Buffers &in) {
  const int t = thread_index();
  in.y[t] = in.x[t]; // @output_twice:first
  barrier();
  in.y[faulty ? t ^ 1 : t] = in.x[t]; // @output_twice:second
}
FAULT(output_twice)

template <bool faulty>
FUSE_INLINE void vector_misaligned(const Buffers &in) {
  const int t = thread_index();
  float values[4] = {};
  if (t < 8)
    load_vector<16>(values, in.x + 4 * t + faulty); // @vector_misaligned
  in.y[t] = values[0] + values[3];
}
FAULT(vector_misaligned)

template <bool faulty>
FUSE_INLINE void vector_store_misaligned(const Buffers &in) {
  float *tile = shared_region<float>(0, 4 * block_threads(), "tile");
  const int t = thread_index();
  const float values[2] = {in.x[t], in.x[t]};
  float *to = tile + 2 * t + (faulty && t == 9 ? 1 : 0);
  store_vector<8>(to, values); // @vector_store_misaligned
  in.y[t] = values[1];
}
FAULT(vector_store_misaligned)

template <bool faulty>
FUSE_INLINE void scalar_misaligned(const Buffers &in) {
  const int t = thread_index();
  const char *bytes = reinterpret_cast<const char *>(in.x);
  const char *from = bytes + 4 * t - (faulty && t == 3 ? 2 : 0);
  in.y[t] = *reinterpret_cast<const float *>(from); // @scalar_misaligned
}
FAULT(scalar_misaligned)

//===----------------------------------------------------------------------===//
// Launched early
//===----------------------------------------------------------------------===//

/// Run twice: as producer, and then launched early as consumer of x and of the
/// workspace.
template <bool faulty>
FUSE_INLINE void read_before_wait(const Buffers &in) {
  const int64_t i = global_index();
  const float own = in.x[i];
  if (faulty && *in.counter > 0)
    in.y[i] = in.workspace[i]; // @read_before_wait:read
  wait_for_producers();
  if (!faulty && *in.counter > 0)
    in.y[i] = in.workspace[i] + own;
  if (*in.counter == 0)
    in.workspace[i] = own; // @read_before_wait:write
  release_dependents();
}
FAULT(read_before_wait)

template <bool faulty>
FUSE_INLINE void write_before_wait(const Buffers &in) {
  const int64_t i = global_index();
  if (!faulty)
    wait_for_producers();
  in.workspace[i] = in.x[i]; // @write_before_wait
  wait_for_producers();
  in.y[i] = in.workspace[i];
}
FAULT(write_before_wait)

//===----------------------------------------------------------------------===//
// Faults of the processor
//===----------------------------------------------------------------------===//

#if FUSE_HOST
__attribute__((noinline, noclone))
#else
__noinline__ __device__
#endif
int descend(int depth, volatile int *count) { // @too_deep
  volatile int room[64];
  room[depth & 63] = *count + depth; // @too_deep
  if (depth == 0)
    return room[0];
  return descend(depth - 1, count) + room[depth & 63]; // @too_deep
}

template <bool faulty>
FUSE_INLINE void too_deep(const Buffers &in) {
  volatile int count = 0;
  in.y[global_index()] =
      static_cast<float>(descend(faulty ? 1 << 20 : 3, &count));
}
FAULT(too_deep)

template <bool faulty>
FUSE_INLINE void division_by_zero(const Buffers &in) {
  const int64_t i = global_index();
  const int64_t divisor = faulty ? in.n - 1 - i : in.n - i;
  in.y[i] = static_cast<float>(in.n / divisor); // @division_by_zero
}
FAULT(division_by_zero)
