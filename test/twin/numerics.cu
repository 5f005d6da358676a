//===- numerics.cu - primitives that compute ------------------------------===//

/// Each thread applies a primitive to its operands: which one says `function`.
extern "C" __global__ void apply(const float *x, const float *y, const float *z,
                                 float *result, int64_t n, int function) {
  const int64_t i = block_index() * block_threads() + thread_index();
  if (i >= n)
    return;
  switch (function) {
  case 0:
    result[i] = fma(x[i], y[i], z[i]);
    break;
  case 1:
    result[i] = sqrt_rn(x[i]);
    break;
  case 2:
    result[i] = div_rn(x[i], y[i]);
    break;
  case 3:
    result[i] = ex2_approx(x[i]);
    break;
  case 4:
    result[i] = rsqrt_approx(x[i]);
    break;
  case 5:
    result[i] = x[i] + y[i];
    break;
  case 6:
    result[i] = x[i] * y[i];
    break;
  case 7:
    result[i] = reciprocal_rn(x[i]);
    break;
  case 8:
    result[i] = minimum(x[i], y[i]);
    break;
  case 9:
    result[i] = maximum(x[i], y[i]);
    break;
  }
}
FUSE_KERNEL_ENTRY(apply)

/// Conversions of 16-bit types: `wide` to bits, and bits to float.
template <class T>
FUSE_INLINE void convert(const float *x, uint16_t *narrow, float *wide,
                         int64_t n) {
  const int64_t i = block_index() * block_threads() + thread_index();
  if (i >= n)
    return;
  const T rounded(x[i]);
  narrow[i] = rounded.bits;
  wide[i] = static_cast<float>(rounded);
}

extern "C" __global__ void convert_half(const float *x, uint16_t *narrow,
                                        float *wide, int64_t n) {
  convert<Half>(x, narrow, wide, n);
}
FUSE_KERNEL_ENTRY(convert_half)

extern "C" __global__ void convert_bfloat16(const float *x, uint16_t *narrow,
                                            float *wide, int64_t n) {
  convert<BFloat16>(x, narrow, wide, n);
}
FUSE_KERNEL_ENTRY(convert_bfloat16)

/// The value of every pattern of bits.
extern "C" __global__ void widen(const uint16_t *bits, float *half,
                                 float *bfloat16, int64_t n) {
  const int64_t i = block_index() * block_threads() + thread_index();
  if (i >= n)
    return;
  half[i] = half_value(bits[i]);
  bfloat16[i] = bfloat16_value(bits[i]);
}
FUSE_KERNEL_ENTRY(widen)

/// Shuffles of values of 1, 2, 4 and 8 bytes; one warp. Results of a lane are
/// next to each other.
extern "C" __global__ void shuffles(const double *x, double *y) {
  const double value = x[lane()];
  double *result = y + lane() * 8;
  result[0] = shuffle(value, 5);
  result[1] = shuffle(float(value), lane() + 3);
  result[2] = shuffle_xor(int(value), 17);
  result[3] = shuffle_down(value, 9);
  result[4] = float(shuffle_down(Half(float(value)), 1));
  result[5] = shuffle_xor(static_cast<unsigned char>(value), 1);
  result[6] = warp_ballot(lane() % 3 == 0);
  result[7] = warp_any(lane() == 31) + 2 * warp_all(lane() >= 0) +
              4 * warp_any(lane() == 32) + 8 * warp_all(lane() > 0);
}
FUSE_KERNEL_ENTRY(shuffles)

/// d = a * b + d, row-major, by one warp: a is 16 x K, b is K x 8. `b` is
/// stored by columns, as the fragments want it.
template <class Element, class Word, int K>
FUSE_INLINE void multiply(const Word *a, const Word *b, float *d) {
  const int group = lane() / 4, within = lane() % 4;
  constexpr int packed = 4 / sizeof(Word); // Elements of a register.
  uint32_t a_fragment[4] = {}, b_fragment[2] = {};
  for (int half = 0; half < 2; ++half)
    for (int i = 0; i < packed; ++i) {
      const int k = within * packed + i + half * K / 2;
      const int shift = 16 * i;
      for (int lower = 0; lower < 2; ++lower)
        a_fragment[2 * half + lower] |=
            static_cast<uint32_t>(a[(group + 8 * lower) * K + k]) << shift;
      b_fragment[half] |= static_cast<uint32_t>(b[group * K + k]) << shift;
    }
  float sum[4];
  for (int i = 0; i < 4; ++i)
    sum[i] = d[(group + i / 2 * 8) * 8 + within * 2 + i % 2];
  mma_sync<Element>(sum, a_fragment, b_fragment);
  for (int i = 0; i < 4; ++i)
    d[(group + i / 2 * 8) * 8 + within * 2 + i % 2] = sum[i];
}

extern "C" __global__ void multiply_half(const uint16_t *a, const uint16_t *b,
                                         float *d) {
  multiply<Half, uint16_t, 16>(a, b, d);
}
FUSE_KERNEL_ENTRY(multiply_half)

extern "C" __global__ void multiply_bfloat16(const uint16_t *a,
                                             const uint16_t *b, float *d) {
  multiply<BFloat16, uint16_t, 16>(a, b, d);
}
FUSE_KERNEL_ENTRY(multiply_bfloat16)

extern "C" __global__ void multiply_tf32(const uint32_t *a, const uint32_t *b,
                                         float *d) {
  multiply<Tf32, uint32_t, 8>(a, b, d);
}
FUSE_KERNEL_ENTRY(multiply_tf32)

/// Vectors of 4, 8 and 16 bytes from x to y, and flags of 8 bytes.
extern "C" __global__ void vectors(const uint16_t *x, uint16_t *y,
                                   uint64_t *counter) {
  uint16_t values[14];
  load_vector<16>(values, x);
  load_vector<8>(values + 8, x + 8);
  load_vector<4>(values + 12, x + 12);
  store_vector<4>(y + 12, values + 12);
  store_vector<8>(y + 8, values + 8);
  store_vector<16>(y, values);
  const uint64_t old = atomic_add(counter, uint64_t(1) << 40);
  store_release(counter + 1,
                atomic_add_acq_rel(counter, old) + load_acquire(counter));
}
FUSE_KERNEL_ENTRY(vectors)
