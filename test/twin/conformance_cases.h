//===- conformance_cases.h - launches of conformance.cu ---------*- C++ -*-===//
//
// Read by both sides: the host's and the device's.

#ifndef FUSE_TEST_CONFORMANCE_CASES_H
#define FUSE_TEST_CONFORMANCE_CASES_H

#include <cstdint>
#include <cstdio>
#include <vector>

// F(kernel, blocks, threads, bytes of shared memory, words written)
#define FUSE_CONFORMANCE_CASES(F)                                              \
  F(fma_f32, 16, 128, 0, 2048)                                                 \
  F(sqrt_f32, 16, 128, 0, 2048)                                                \
  F(div_f32, 16, 128, 0, 2048)                                                 \
  F(sum_f32, 16, 128, 0, 2048)                                                 \
  F(product_f32, 16, 128, 0, 2048)                                             \
  F(absolute_f32, 16, 128, 0, 2048)                                            \
  F(minimum_f32, 16, 128, 0, 2048)                                             \
  F(maximum_f32, 16, 128, 0, 2048)                                             \
  F(half_bits_f32, 16, 128, 0, 2048)                                           \
  F(bfloat16_bits_f32, 16, 128, 0, 2048)                                       \
  F(half_value_f32, 8, 128, 0, 1024)                                           \
  F(bfloat16_value_f32, 8, 128, 0, 1024)                                       \
  F(reciprocal_of_1_to_2, 8, 128, 0, 1024)                                     \
  F(reciprocal_f32, 16, 128, 0, 2048)                                          \
  F(fma_f64, 16, 128, 0, 2048)                                                 \
  F(sqrt_f64, 16, 128, 0, 2048)                                                \
  F(div_f64, 16, 128, 0, 2048)                                                 \
  F(absolute_f64, 16, 128, 0, 2048)                                            \
  F(ex2_approx_within_2_ulps, 16, 128, 0, 2048)                                \
  F(rsqrt_approx_within_2_ulps, 16, 128, 0, 2048)                              \
  F(shuffles, 1, 128, 0, 1024)                                                 \
  F(votes, 1, 128, 0, 256)                                                     \
  F(barriers, 4, 128, 512, 512)                                                \
  F(copies_of_4, 1, 64, 768, 192)                                              \
  F(copies_of_8, 1, 64, 1536, 384)                                             \
  F(copies_of_16, 1, 64, 3072, 768)                                            \
  F(vectors, 1, 64, 0, 512)                                                    \
  F(multiply_half, 1, 32, 0, 128)                                              \
  F(multiply_bfloat16, 1, 32, 0, 128)                                          \
  F(multiply_tf32, 1, 32, 0, 128)                                              \
  F(last_block, 64, 32, 0, 68)

namespace fuse::test {

constexpr size_t inputWords = 2048, scratchNumbers = 66;

inline std::vector<uint32_t> conformanceInput() {
  std::vector<uint32_t> words(inputWords);
  uint32_t state = 1;
  for (uint32_t &word : words) {
    state = state * 1664525u + 1013904223u;
    word = state ^ state >> 15;
  }
  return words;
}

/// `name hash`: FNV-1a over the words.
inline void printConformance(const char *name,
                             const std::vector<uint32_t> &words) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint32_t word : words)
    hash = (hash ^ word) * 0x100000001b3u;
  std::printf("%-26s %016llx\n", name, static_cast<unsigned long long>(hash));
}

} // namespace fuse::test

#endif // FUSE_TEST_CONFORMANCE_CASES_H
