//===- kernels.cu - three kernels as a person would write them ------------===//

//===----------------------------------------------------------------------===//
// Norm of rows: one block of 256 threads a row
//===----------------------------------------------------------------------===//

/// The sum over the block, for every thread. `partial` has room for 8 floats.
FUSE_INLINE float block_sum(float value, float *partial) {
#pragma unroll
  for (int bits = 16; bits > 0; bits /= 2)
    value += shuffle_xor(value, bits);
  barrier(); // Nobody reads the sums before.
  if (lane() == 0)
    partial[warp()] = value;
  barrier();
  float sum = 0;
#pragma unroll
  for (int w = 0; w < 8; ++w)
    sum += partial[w];
  return sum;
}

/// y = (x - mean) / sqrt(variance + eps) * gamma + beta for each row of
/// `columns` numbers; one block a row.
extern "C" __global__ void __launch_bounds__(256)
    row_norm(const float *__restrict__ x, const float *__restrict__ gamma,
             const float *__restrict__ beta, float *__restrict__ y,
             int64_t columns, float eps) {
  float *partial = shared_region<float>(0, 8, "partial");
  const float *row = x + block_index() * columns;
  float *result = y + block_index() * columns;

  float sum = 0;
  for (int64_t c = thread_index(); c < columns; c += 256)
    sum += row[c];
  const float mean = div_rn(block_sum(sum, partial), float(columns));

  float squares = 0;
  for (int64_t c = thread_index(); c < columns; c += 256) {
    const float centred = row[c] - mean;
    squares = fma(centred, centred, squares);
  }
  const float variance = div_rn(block_sum(squares, partial), float(columns));
  const float scale = div_rn(1.0f, sqrt_rn(variance + eps));

  for (int64_t c = thread_index(); c < columns; c += 256)
    result[c] = fma((row[c] - mean) * scale, gamma[c], beta[c]);
}
FUSE_KERNEL_ENTRY(row_norm)

//===----------------------------------------------------------------------===//
// Contraction: c = a * b, tiles of 64 x 64, 256 threads with 4 x 4 results each
//===----------------------------------------------------------------------===//

constexpr int tile_rows = 64, tile_columns = 64, tile_depth = 16;
/// Rows of the a tile are apart by one float more, for the banks.
constexpr int a_stride = tile_depth + 4;
constexpr int a_tile = tile_rows * a_stride;
constexpr int b_tile = tile_depth * tile_columns;

/// Starts the copies of one pair of tiles; what lies outside becomes zero.
template <int Vector>
FUSE_INLINE void load_tiles(const float *a, const float *b, float *a_shared,
                            float *b_shared, int64_t m, int64_t n, int64_t k,
                            int64_t row0, int64_t column0, int64_t depth0) {
  constexpr int bytes = 4 * Vector;
  constexpr int a_vectors = tile_depth / Vector;
  constexpr int b_vectors = tile_columns / Vector;
#pragma unroll
  for (int i = thread_index(); i < tile_rows * a_vectors; i += 256) {
    const int row = i / a_vectors, depth = i % a_vectors * Vector;
    const bool inside = row0 + row < m && depth0 + depth < k;
    copy_async<bytes>(a_shared + row * a_stride + depth,
                      inside ? a + (row0 + row) * k + depth0 + depth : a,
                      inside ? bytes : 0);
  }
#pragma unroll
  for (int i = thread_index(); i < tile_depth * b_vectors; i += 256) {
    const int depth = i / b_vectors, column = i % b_vectors * Vector;
    const bool inside = depth0 + depth < k && column0 + column < n;
    copy_async<bytes>(b_shared + depth * tile_columns + column,
                      inside ? b + (depth0 + depth) * n + column0 + column : b,
                      inside ? bytes : 0);
  }
  copy_commit();
}

/// Adds the product of one pair of tiles to this thread's results.
FUSE_INLINE void multiply_tiles(const float *a_shared, const float *b_shared,
                                float (&sum)[4][4]) {
  const int row = thread_index() / 16 * 4, column = thread_index() % 16 * 4;
#pragma unroll
  for (int depth = 0; depth < tile_depth; ++depth) {
    float a[4], b[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      a[i] = a_shared[(row + i) * a_stride + depth];
    load_vector<16>(b, b_shared + depth * tile_columns + column);
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        sum[i][j] = fma(a[i], b[j], sum[i][j]);
  }
}

/// `Vector` floats are copied at once; rows must then start at multiples of it.
template <int Vector>
FUSE_INLINE void contract(const float *a, const float *b, float *c, int64_t m,
                          int64_t n, int64_t k) {
  float *a_shared = shared_region<float>(0, 2 * a_tile, "a");
  float *b_shared = shared_region<float>(8 * a_tile, 2 * b_tile, "b");
  const int64_t column_tiles = (n + tile_columns - 1) / tile_columns;
  const int64_t row0 = block_index() / column_tiles * tile_rows;
  const int64_t column0 = block_index() % column_tiles * tile_columns;
  const int64_t steps = (k + tile_depth - 1) / tile_depth;

  float sum[4][4] = {};
  load_tiles<Vector>(a, b, a_shared, b_shared, m, n, k, row0, column0, 0);
  for (int64_t step = 0; step < steps; ++step) {
    const int now = int(step % 2), next = 1 - now;
    if (step + 1 < steps)
      load_tiles<Vector>(a, b, a_shared + next * a_tile,
                         b_shared + next * b_tile, m, n, k, row0, column0,
                         (step + 1) * tile_depth);
    else
      copy_commit(); // So that one group may always be under way.
    copy_wait<1>();
    barrier();
    multiply_tiles(a_shared + now * a_tile, b_shared + now * b_tile, sum);
    barrier(); // The next step but one copies over these tiles.
  }

  const int64_t row = row0 + thread_index() / 16 * 4;
  const int64_t column = column0 + thread_index() % 16 * 4;
  for (int i = 0; i < 4 && row + i < m; ++i)
    for (int j = 0; j < 4 && column + j < n; ++j)
      c[(row + i) * n + column + j] = sum[i][j];
}

extern "C" __global__ void __launch_bounds__(256)
    contract_scalar(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c, int64_t m, int64_t n, int64_t k) {
  contract<1>(a, b, c, m, n, k);
}
FUSE_KERNEL_ENTRY(contract_scalar)

extern "C" __global__ void __launch_bounds__(256)
    contract_vector(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c, int64_t m, int64_t n, int64_t k) {
  contract<4>(a, b, c, m, n, k);
}
FUSE_KERNEL_ENTRY(contract_vector)

//===----------------------------------------------------------------------===//
// Sum of a vector, split over blocks of 128 threads, in two launches
//===----------------------------------------------------------------------===//

FUSE_INLINE float sum_of_four_warps(float value, float *partial) {
  for (int delta = 16; delta > 0; delta /= 2)
    value += shuffle_down(value, delta);
  if (lane() == 0)
    partial[warp()] = value;
  barrier();
  return (partial[0] + partial[1]) + (partial[2] + partial[3]);
}

/// partial[block] = sum of this block's share of x.
extern "C" __global__ void __launch_bounds__(128)
    sum_parts(const float *__restrict__ x, float *__restrict__ partial,
              int64_t n, int64_t share) {
  float *shared = shared_region<float>(0, 4, "sums");
  const int64_t begin = block_index() * share;
  const int64_t end = begin + share < n ? begin + share : n;
  float sum = 0;
  for (int64_t i = begin + thread_index(); i < end; i += 128)
    sum += x[i];
  sum = sum_of_four_warps(sum, shared);
  wait_for_producers();
  if (thread_index() == 0)
    partial[block_index()] = sum;
  release_dependents();
}
FUSE_KERNEL_ENTRY(sum_parts)

/// y[0] = sum of the parts + x[0] * 0, read before the wait as inputs may be.
extern "C" __global__ void __launch_bounds__(128)
    sum_finish(const float *__restrict__ x, const float *__restrict__ partial,
               float *__restrict__ y, int64_t parts) {
  float *shared = shared_region<float>(0, 4, "sums");
  float sum = x[0] * 0.0f;
  wait_for_producers();
  for (int64_t i = thread_index(); i < parts; i += 128)
    sum += partial[i];
  sum = sum_of_four_warps(sum, shared);
  if (thread_index() == 0)
    y[0] = sum;
}
FUSE_KERNEL_ENTRY(sum_finish)
