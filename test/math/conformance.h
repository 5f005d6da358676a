//===- conformance.h - every scalar function over a sample ------*- C++ -*-===//
//
// One number a function and range of samples, the same wherever it is computed:
// what a GPU and each compiler of the host must agree on. Read by both, so it
// holds nothing but plain code over the device header.

#ifndef FUSE_TEST_MATH_CONFORMANCE_H
#define FUSE_TEST_MATH_CONFORMANCE_H

#include "device/math.h"

namespace fuse {

// The functions of the header by number of operands; a function's number is its
// place in this order. Those of reals come first in float, then in double.
#define FUSE_UNARY_FUNCTIONS(F)                                                \
  F(exp)                                                                       \
  F(exp2)                                                                      \
  F(expm1)                                                                     \
  F(log)                                                                       \
  F(log2)                                                                      \
  F(log1p)                                                                     \
  F(sqrt_rn)                                                                   \
  F(rsqrt)                                                                     \
  F(sin)                                                                       \
  F(cos)                                                                       \
  F(tanh)                                                                      \
  F(erf)                                                                       \
  F(sigmoid)                                                                   \
  F(silu) F(gelu) F(gelu_tanh) F(softplus) F(relu) F(floor) F(ceil) F(round)
#define FUSE_BINARY_FUNCTIONS(F)                                               \
  F(pow) F(div_rn) F(minimum) F(maximum) F(leaky_relu) F(elu)
#define FUSE_INTEGER_FUNCTIONS(F) F(floordiv) F(mod)

// NOLINTBEGIN(readability-identifier-naming): the names of the header.
#define FUSE_NAME(name) name,
enum class UnaryFunction { FUSE_UNARY_FUNCTIONS(FUSE_NAME) count };
enum class BinaryFunction { FUSE_BINARY_FUNCTIONS(FUSE_NAME) count };
enum class IntegerFunction { FUSE_INTEGER_FUNCTIONS(FUSE_NAME) count };
#undef FUSE_NAME
// NOLINTEND(readability-identifier-naming)
constexpr int unaryCount = static_cast<int>(UnaryFunction::count);
constexpr int realCount = unaryCount + static_cast<int>(BinaryFunction::count);
constexpr int functionCount =
    2 * realCount + static_cast<int>(IntegerFunction::count);

/// Scatters the bits of a sample's number (the finaliser of MurmurHash3).
FUSE_INLINE uint64_t scatter(uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
  return x ^ x >> 33;
}

/// FNV-1a over the bytes of `value`, started from `seed`.
FUSE_INLINE uint64_t fnv(uint64_t seed, uint64_t value) {
  uint64_t hash = 0xcbf29ce484222325u ^ seed;
  for (int byte = 0; byte < 8; ++byte)
    hash = (hash ^ (value >> 8 * byte & 0xffu)) * 0x100000001b3u;
  return hash;
}

/// The bits of a number, the same for every NaN.
template <class Real>
FUSE_INLINE uint64_t canonicalBits(Real x) {
  return is_nan(x) ? ~uint64_t(0) : static_cast<uint64_t>(bits_of(x));
}

/// Result number `Function` of its kind. The chain ends at compile time, so
/// that each function is compiled once.
template <int Function, class Real>
FUSE_INLINE uint64_t realResult(Real x, Real y) {
#define FUSE_CASE(name)                                                        \
  if constexpr (Function == static_cast<int>(UnaryFunction::name))             \
    return canonicalBits(name(x));
  FUSE_UNARY_FUNCTIONS(FUSE_CASE)
#undef FUSE_CASE
#define FUSE_CASE(name)                                                        \
  if constexpr (Function - unaryCount ==                                       \
                static_cast<int>(BinaryFunction::name))                        \
    return canonicalBits(name(x, y));
  FUSE_BINARY_FUNCTIONS(FUSE_CASE)
#undef FUSE_CASE
}

template <int Function>
FUSE_INLINE uint64_t integerResult(int32_t a, int32_t b) {
#define FUSE_CASE(name)                                                        \
  if constexpr (Function == static_cast<int>(IntegerFunction::name))           \
    return static_cast<uint32_t>(name(a, b));
  FUSE_INTEGER_FUNCTIONS(FUSE_CASE)
#undef FUSE_CASE
}

/// The hash of one result. As a float, `sample` is the first operand's bits; a
/// double has them on top. Half of the second operands are of moderate size.
template <int Function>
FUSE_INLINE uint64_t conformanceHash(uint32_t sample) {
  const uint64_t other = scatter(sample);
  const uint32_t word = static_cast<uint32_t>(other);
  const bool isModerate = other >> 63;
  uint64_t result;
  if constexpr (Function < realCount) {
    float y = static_cast<float>(static_cast<int32_t>(word)) * 0x1p-25f;
    result =
        realResult<Function>(float_of(sample), isModerate ? y : float_of(word));
  } else if constexpr (Function < 2 * realCount) {
    double x = double_of(static_cast<uint64_t>(sample) << 32 | word);
    double y = static_cast<double>(static_cast<int32_t>(word)) * 0x1p-23;
    result =
        realResult<Function - realCount>(x, isModerate ? y : double_of(other));
  } else {
    int32_t b = static_cast<int32_t>(word % 17u) - 8;
    result = integerResult<Function - 2 * realCount>(
        static_cast<int32_t>(sample),
        isModerate ? b : static_cast<int32_t>(word));
  }
  return fnv(sample, result);
}

/// The sum of the hashes of function number `function` at the samples
/// first + i * stride, for i = start, start + step, ... below count.
/// Not inlined by force: each instance would hold all those after it.
template <int Function = 0>
__device__ uint64_t conformanceSum(int function, uint32_t first,
                                   uint32_t stride, uint32_t count,
                                   uint32_t start, uint32_t step) {
  if constexpr (Function < functionCount) {
    if (function != Function)
      return conformanceSum<Function + 1>(function, first, stride, count, start,
                                          step);
    uint64_t sum = 0;
    for (uint64_t i = start; i < count; i += step)
      sum +=
          conformanceHash<Function>(first + static_cast<uint32_t>(i) * stride);
    return sum;
  }
  return 0;
}

} // namespace fuse

#endif // FUSE_TEST_MATH_CONFORMANCE_H
