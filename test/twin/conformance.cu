//===- conformance.cu - every primitive, the same on hardware -------------===//
//
// Each kernel writes words that must be the same on a GPU and on the host twin.
// `input` holds `input_words` words of noise, `scratch` numbers that are 0;
// conformance_cases.h says how each kernel is launched, and how many words it
// writes. After the whole device header.

/// Scatters the bits of a number (the finaliser of MurmurHash3).
FUSE_INLINE uint64_t scatter(uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
  return x ^ x >> 33;
}

FUSE_INLINE int64_t global_thread() {
  return block_index() * block_threads() + thread_index();
}

/// A kernel of one instance of a template.
#define FUSE_INSTANCE(name, ...)                                               \
  extern "C" __global__ void name(const uint32_t *input, uint32_t *result,     \
                                  uint64_t *) {                                \
    __VA_ARGS__(input, result);                                                \
  }                                                                            \
  FUSE_KERNEL_ENTRY(name)

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Some bits for which functions take care of their own.
FUSE_INLINE uint32_t edge(uint64_t noise) {
  const uint32_t edges[] = {0x00000000u, 0x00000001u, 0x007fffffu, 0x00800000u,
                            0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x477fefffu,
                            0x477ff000u, 0x7f7fffffu, 0x7f800000u, 0x7fc00000u};
  return edges[noise % 12u] | static_cast<uint32_t>(noise >> 31 << 31);
}

/// Operand number `i` of a stream: any bits, but often an edge.
FUSE_INLINE float float_operand(uint64_t i) {
  const uint64_t noise = scatter(i);
  return float_of(noise >> 62 ? static_cast<uint32_t>(noise) : edge(noise));
}

FUSE_INLINE double double_operand(uint64_t i) {
  const uint64_t noise = scatter(i);
  return noise >> 62 ? double_of(scatter(noise))
                     : static_cast<double>(float_of(edge(noise)));
}

/// The same word for every NaN.
FUSE_INLINE uint32_t word_of(float x) {
  return is_nan(x) ? 0xffffffffu : bits_of(x);
}
FUSE_INLINE uint32_t word_of(double x) {
  return is_nan(x) ? 0xffffffffu : static_cast<uint32_t>(scatter(bits_of(x)));
}
FUSE_INLINE uint32_t word_of(uint16_t x) { return x; }

/// One word a thread: a hash of `count` values of `function`, which takes the
/// number of a sample.
template <class Function>
FUSE_INLINE void hash_values(uint32_t *result, int count, Function function) {
  uint32_t hash = 0;
  for (int i = 0; i < count; ++i) {
    const uint64_t sample = static_cast<uint64_t>(global_thread() * count + i);
    hash = (hash ^ word_of(function(sample))) * 0x01000193u;
  }
  result[global_thread()] = hash;
}

#define FUSE_VALUES(name, count, ...)                                          \
  extern "C" __global__ void name(const uint32_t *, uint32_t *result,          \
                                  uint64_t *) {                                \
    hash_values(result, count, [](uint64_t i) { return __VA_ARGS__; });        \
  }                                                                            \
  FUSE_KERNEL_ENTRY(name)

#define FUSE_X float_operand(3 * i)
#define FUSE_Y float_operand(3 * i + 1)
#define FUSE_Z float_operand(3 * i + 2)
FUSE_VALUES(fma_f32, 64, fma(FUSE_X, FUSE_Y, FUSE_Z))
FUSE_VALUES(sqrt_f32, 64, sqrt_rn(FUSE_X))
FUSE_VALUES(div_f32, 64, div_rn(FUSE_X, FUSE_Y))
FUSE_VALUES(sum_f32, 64, FUSE_X + FUSE_Y)
FUSE_VALUES(product_f32, 64, FUSE_X *FUSE_Y)
FUSE_VALUES(absolute_f32, 64, absolute(FUSE_X))
FUSE_VALUES(minimum_f32, 64, minimum(FUSE_X, FUSE_Y))
FUSE_VALUES(maximum_f32, 64, maximum(FUSE_X, FUSE_Y))
FUSE_VALUES(half_bits_f32, 64, half_bits(FUSE_X))
FUSE_VALUES(bfloat16_bits_f32, 64, bfloat16_bits(FUSE_X))
FUSE_VALUES(half_value_f32, 64, half_value(static_cast<uint16_t>(i)))
FUSE_VALUES(bfloat16_value_f32, 64, bfloat16_value(static_cast<uint16_t>(i)))
#undef FUSE_X
#undef FUSE_Y
#undef FUSE_Z

// Every number of [1, 2), and of the other powers of 2 where it is granted.
FUSE_VALUES(reciprocal_of_1_to_2, 8192,
            reciprocal_rn(float_of(0x3f800000u + static_cast<uint32_t>(i))))
FUSE_VALUES(reciprocal_f32, 64,
            reciprocal_rn(float_of(
                0x00800000u + static_cast<uint32_t>(scatter(i) % 0x7e000000u) |
                static_cast<uint32_t>(i << 31))))

#define FUSE_X double_operand(3 * i)
#define FUSE_Y double_operand(3 * i + 1)
#define FUSE_Z double_operand(3 * i + 2)
FUSE_VALUES(fma_f64, 16, fma(FUSE_X, FUSE_Y, FUSE_Z))
FUSE_VALUES(sqrt_f64, 16, sqrt_rn(FUSE_X))
FUSE_VALUES(div_f64, 16, div_rn(FUSE_X, FUSE_Y))
FUSE_VALUES(absolute_f64, 16, absolute(FUSE_X))
#undef FUSE_X
#undef FUSE_Y
#undef FUSE_Z

/// 0 if `got` is within 2 ulps of what `want` rounds to, or the limit that it
/// has: what the PTX ISA says of approximations (of ex2, 464 values of all are
/// farther than that from the exact result).
FUSE_INLINE uint16_t is_far(float got, double want) {
  const float rounded = static_cast<float>(want);
  if (is_nan(rounded) || rounded == 0.0f || bits_of(rounded) == 0x7f800000u)
    return is_nan(rounded) ? !is_nan(got) : got != rounded;
  const uint32_t exponent = bits_of(rounded) >> 23 & 0xffu;
  // 2^(exponent - 127 - 23), as a double.
  const double ulp = double_of(
      static_cast<uint64_t>(maximum(static_cast<int32_t>(exponent), 1) + 873)
      << 52);
  return !(absolute(static_cast<double>(got) - static_cast<double>(rounded)) <=
           2.0 * ulp);
}

/// From -150 to 134, by 2^-6 and noise.
FUSE_INLINE float exponent_operand(uint64_t i) {
  return static_cast<float>(static_cast<int32_t>(scatter(i) % 18176u) - 9600) *
         0x1.00001p-6f;
}
FUSE_INLINE uint16_t exponential_is_far(float x) {
  return is_far(ex2_approx(x), fuse::exp2(static_cast<double>(x)));
}
FUSE_INLINE uint16_t root_is_far(float x) {
  return is_far(rsqrt_approx(x), fuse::rsqrt(static_cast<double>(x)));
}
FUSE_VALUES(ex2_approx_within_2_ulps, 64,
            exponential_is_far(exponent_operand(i)))
FUSE_VALUES(rsqrt_approx_within_2_ulps, 64,
            root_is_far(absolute(float_operand(i))))
#undef FUSE_VALUES

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

/// Eight words a lane: values of 1, 2, 4 and 8 bytes.
extern "C" __global__ void shuffles(const uint32_t *input, uint32_t *result,
                                    uint64_t *) {
  const uint32_t value = input[thread_index()];
  const double real = static_cast<double>(value) * 0x1p-7;
  uint32_t *mine = result + thread_index() * 8;
  mine[0] = word_of(shuffle(real, 5));
  mine[1] = word_of(shuffle(static_cast<float>(value), (lane() + 3) % 32));
  mine[2] = shuffle_xor(value, 17);
  mine[3] = word_of(shuffle_down(real, 9));
  mine[4] = shuffle_down(Half(static_cast<float>(value % 999u)), 1).bits;
  mine[5] = shuffle_xor(static_cast<unsigned char>(value), 1);
  // The halves of a warp apart from each other.
  const uint32_t half = lane() < 16 ? 0x0000ffffu : 0xffff0000u;
  if (lane() < 16)
    mine[6] = shuffle_xor(value, 3, half);
  else
    mine[6] = shuffle_xor(value + 1u, 8, half);
  mine[7] = shuffle_down(value, 31);
}
FUSE_KERNEL_ENTRY(shuffles)

/// Two words a lane.
extern "C" __global__ void votes(const uint32_t *input, uint32_t *result,
                                 uint64_t *) {
  const uint32_t value = input[thread_index()];
  uint32_t *mine = result + thread_index() * 2;
  mine[0] = warp_ballot(value % 3u == 0u);
  const uint32_t odd = 0xaaaaaaaau;
  if (lane() % 2 == 1)
    mine[1] = warp_ballot(value % 5u < 3u, odd) + warp_any(value == 0u, odd) +
              warp_all(value != 1u, odd);
  else
    mine[1] = static_cast<uint32_t>(warp_any(value % 16u == 1u, ~odd)) +
              2u * warp_all(value % 1024u != 1u, ~odd);
}
FUSE_KERNEL_ENTRY(votes)

//===----------------------------------------------------------------------===//
// Barriers and shared memory
//===----------------------------------------------------------------------===//

/// Words go round: within each warp, within each half of the block, which have
/// barriers of their own, and through the whole block.
extern "C" __global__ void barriers(const uint32_t *input, uint32_t *result,
                                    uint64_t *) {
  uint32_t *words = shared_region<uint32_t>(0, 128, "words");
  const int thread = thread_index(), group = thread / 64;
  words[thread] = input[block_index() * 128 + thread];
  for (int round = 0; round < 10; ++round) {
    warp_barrier();
    uint32_t value = words[thread / 32 * 32 + (lane() * 5 + round) % 32];
    warp_barrier();
    words[thread] = value * 3u + 1u;

    named_barrier(1 + group, 64);
    value = words[group * 64 + (thread % 64 * 7 + round) % 64];
    named_barrier(1 + group, 64);
    words[thread] = value + static_cast<uint32_t>(round);

    barrier();
    value = words[(thread * 11 + round) % 128];
    barrier();
    words[thread] = value ^ value << 1;
  }
  result[global_thread()] = words[thread];
}
FUSE_KERNEL_ENTRY(barriers)

/// Copies of `Bytes` bytes of which 0 to all are valid, in three groups of
/// which two are under way at a time.
template <int Bytes>
FUSE_INLINE void copies(const uint32_t *input, uint32_t *result) {
  constexpr int words = Bytes / 4;
  uint32_t *shared = shared_region<uint32_t>(0, 3 * 64 * words, "copies");
  const int thread = thread_index();
  for (int group = 0; group < 3; ++group) {
    const int piece = group * 64 + thread;
    const int valid = (piece * 7 + group) % (Bytes + 1);
    copy_async<Bytes>(shared + piece * words, input + piece * words, valid);
    copy_commit();
  }
  uint32_t *mine = result + thread * 3 * words;
  copy_wait<2>();
  for (int i = 0; i < words; ++i)
    mine[i] = shared[thread * words + i];
  copy_wait<0>();
  barrier();
  // Another thread's.
  const int other = 63 - thread;
  for (int group = 1; group < 3; ++group)
    for (int i = 0; i < words; ++i)
      mine[group * words + i] = shared[(group * 64 + other) * words + i];
}

FUSE_INSTANCE(copies_of_4, copies<4>)
FUSE_INSTANCE(copies_of_8, copies<8>)
FUSE_INSTANCE(copies_of_16, copies<16>)

/// Eight words a thread, by accesses of 16, 8, 4 and 4 bytes.
extern "C" __global__ void vectors(const uint32_t *input, uint32_t *result,
                                   uint64_t *) {
  uint32_t values[8];
  input += thread_index() * 8;
  result += thread_index() * 8;
  load_vector<16>(values, input);
  load_vector<8>(values + 4, input + 4);
  load_vector<4>(values + 6, input + 6);
  load_vector<4>(values + 7, input + 7);
  store_vector<4>(result, values + 7);
  store_vector<4>(result + 1, values + 6);
  store_vector<8>(result + 2, values + 4);
  store_vector<16>(result + 4, values);
}
FUSE_KERNEL_ENTRY(vectors)

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// Of whole numbers so small that each sum is exact, in whatever order hardware
// adds. Fragments are as PTX lays them out: an element's place in its register
// and lane decides where it meets which other.

FUSE_INLINE float small_whole(uint32_t noise) {
  return static_cast<float>(noise % 17u) - 8.0f;
}

/// The register number `i` of an operand, its elements packed into it.
template <class Element>
FUSE_INLINE uint32_t packed(uint32_t noise);
template <>
FUSE_INLINE uint32_t packed<Half>(uint32_t noise) {
  return half_bits(small_whole(noise)) |
         static_cast<uint32_t>(half_bits(small_whole(noise >> 8))) << 16;
}
template <>
FUSE_INLINE uint32_t packed<BFloat16>(uint32_t noise) {
  return bfloat16_bits(small_whole(noise)) |
         static_cast<uint32_t>(bfloat16_bits(small_whole(noise >> 8))) << 16;
}
template <>
FUSE_INLINE uint32_t packed<Tf32>(uint32_t noise) {
  return bits_of(small_whole(noise));
}

/// Four words a lane.
template <class Element>
FUSE_INLINE void multiply(const uint32_t *input, uint32_t *result) {
  const uint32_t *mine = input + thread_index() * 10;
  uint32_t a[4], b[2];
  float sum[4];
  for (int i = 0; i < 4; ++i) {
    a[i] = packed<Element>(mine[i]);
    sum[i] = small_whole(mine[6 + i]);
  }
  for (int i = 0; i < 2; ++i)
    b[i] = packed<Element>(mine[4 + i]);
  mma_sync<Element>(sum, a, b);
  mma_sync<Element>(sum, a, b);
  for (int i = 0; i < 4; ++i)
    result[thread_index() * 4 + i] = bits_of(sum[i]);
}

FUSE_INSTANCE(multiply_half, multiply<Half>)
FUSE_INSTANCE(multiply_bfloat16, multiply<BFloat16>)
FUSE_INSTANCE(multiply_tf32, multiply<Tf32>)

//===----------------------------------------------------------------------===//
// Memory that blocks share
//===----------------------------------------------------------------------===//

/// Every block adds to counters and publishes a number; the last one reads what
/// all of them did. A word a block, and four of the last one.
extern "C" __global__ void last_block(const uint32_t *input, uint32_t *result,
                                      uint64_t *scratch) {
  const uint32_t blocks = 64;
  uint32_t *small = reinterpret_cast<uint32_t *>(scratch);
  uint64_t *large = scratch + 1, *published = scratch + 2;
  const int64_t block = block_index();
  wait_for_producers();
  const uint32_t value = input[block * 32 + thread_index()];
  atomic_add(small, value);
  atomic_add(large, static_cast<uint64_t>(value) << 20);
  uint32_t *tickets = small + 1;
  barrier();
  if (thread_index() != 0)
    return;
  store_release(published + block, scatter(value));
  result[block] = static_cast<uint32_t>(scatter(value) >> 32);
  if (atomic_add_acq_rel(tickets, 1u) != blocks - 1u)
    return;
  uint64_t sum = 0;
  for (uint32_t other = 0; other < blocks; ++other)
    sum += load_acquire(published + other);
  result[blocks] = static_cast<uint32_t>(sum);
  result[blocks + 1] = static_cast<uint32_t>(sum >> 32);
  result[blocks + 2] = atomic_add_acq_rel(small, 0u);
  result[blocks + 3] = word_of(static_cast<double>(
      atomic_add_acq_rel(large, static_cast<uint64_t>(0)) >> 20));
  release_dependents();
}
FUSE_KERNEL_ENTRY(last_block)
