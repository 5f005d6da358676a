//===- math_basic.h - exact and correctly rounded functions -----*- C++ -*-===//
//
// Choice, rounding to whole numbers, integer division, and the helpers of the
// other math files. For float and double alike.

#ifndef FUSE_RUNTIME_MATH_BASIC_H
#define FUSE_RUNTIME_MATH_BASIC_H

#include "primitives.h"

namespace fuse {

//===----------------------------------------------------------------------===//
// Formats and helpers
//===----------------------------------------------------------------------===//

/// What the functions must know of a floating-point format.
template <class Real>
struct RealFormat;

template <>
struct RealFormat<float> {
  using Bits = uint32_t;
  static constexpr Bits sign = 0x80000000u;
  static constexpr Bits infinity = 0x7f800000u;
  static constexpr Bits nan = 0x7fc00000u;
  /// From here on every number is whole.
  static constexpr float whole = 0x1p23f;
};

template <>
struct RealFormat<double> {
  using Bits = uint64_t;
  static constexpr Bits sign = 0x8000000000000000u;
  static constexpr Bits infinity = 0x7ff0000000000000u;
  static constexpr Bits nan = 0x7ff8000000000000u;
  static constexpr double whole = 0x1p52;
};

FUSE_INLINE uint32_t bits_of(float x) { return bit_cast<uint32_t>(x); }
FUSE_INLINE uint64_t bits_of(double x) { return bit_cast<uint64_t>(x); }
FUSE_INLINE float float_of(uint32_t bits) { return bit_cast<float>(bits); }
FUSE_INLINE double double_of(uint64_t bits) { return bit_cast<double>(bits); }

template <class Real>
FUSE_INLINE Real infinity_of() {
  constexpr auto bits = RealFormat<Real>::infinity;
  return bit_cast<Real>(bits);
}

template <class Real>
FUSE_INLINE Real nan_of() {
  constexpr auto bits = RealFormat<Real>::nan;
  return bit_cast<Real>(bits);
}

template <class Real>
FUSE_INLINE bool is_nan(Real x) {
  return x != x; // NOLINT(misc-redundant-expression)
}

/// `magnitude`, which is not negative, with the sign of `x`.
template <class Real>
FUSE_INLINE Real with_sign(Real magnitude, Real x) {
  return bit_cast<Real>(bits_of(magnitude) |
                        (bits_of(x) & RealFormat<Real>::sign));
}

/// max(x, low) and min(x, high) for bounds that are numbers; NaN stays NaN.
template <class Real>
FUSE_INLINE Real at_least(Real x, Real low) {
  return x < low ? low : x;
}
template <class Real>
FUSE_INLINE Real at_most(Real x, Real high) {
  return x > high ? high : x;
}

/// c + c1 x + c2 x^2 + ..., by fused multiply-adds.
template <class Real>
FUSE_INLINE Real horner(Real, Real c) {
  return c;
}
template <class Real, class... Reals>
FUSE_INLINE Real horner(Real x, Real c, Reals... higher) {
  return fma(horner(x, higher...), x, c);
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// As those of float among the primitives.
FUSE_INLINE double minimum(double a, double b) {
  double result = a < b ? a : b;
  result = a == b ? double_of(bits_of(a) | bits_of(b)) : result;
  return is_nan(a) ? a : result;
}
FUSE_INLINE double maximum(double a, double b) { return -minimum(-a, -b); }
FUSE_INLINE int32_t minimum(int32_t a, int32_t b) { return a < b ? a : b; }
FUSE_INLINE int32_t maximum(int32_t a, int32_t b) { return a > b ? a : b; }

/// minimum(maximum(x, low), high).
template <class Number>
FUSE_INLINE Number clamp(Number x, Number low, Number high) {
  return minimum(maximum(x, low), high);
}

template <class Number>
FUSE_INLINE Number relu(Number x) {
  return x <= Number(0) ? Number(0) : x;
}

/// `slope` has no influence on x >= 0.
template <class Real>
FUSE_INLINE Real leaky_relu(Real x, Real slope) {
  return x < Real(0) ? slope * x : x;
}

//===----------------------------------------------------------------------===//
// Rounding to a whole number
//===----------------------------------------------------------------------===//

/// Ties to even. Zeros keep the sign of x, as in `floor` and `ceil`.
template <class Real>
FUSE_INLINE Real round(Real x) {
  constexpr Real whole = RealFormat<Real>::whole;
  Real magnitude = absolute(x);
  Real rounded = with_sign((magnitude + whole) - whole, x);
  return magnitude < whole ? rounded : x;
}

template <class Real>
FUSE_INLINE Real floor(Real x) {
  Real rounded = round(x);
  return rounded > x ? rounded - Real(1) : rounded;
}

template <class Real>
FUSE_INLINE Real ceil(Real x) {
  Real rounded = round(x);
  return rounded < x ? with_sign(absolute(rounded + Real(1)), x) : rounded;
}

//===----------------------------------------------------------------------===//
// Integer division
//===----------------------------------------------------------------------===//

/// Rounded to minus infinity; the lowest number by -1 wraps. Programs do not
/// divide by 0, which gives 0 here.
FUSE_INLINE int32_t floordiv(int32_t a, int32_t b) {
  // Neither -1 nor 0 reaches the division, where they would trap on a CPU.
  if (static_cast<uint32_t>(b) + 1u <= 1u)
    return static_cast<int32_t>(static_cast<uint32_t>(a) *
                                static_cast<uint32_t>(b));
  int32_t quotient = a / b;
  return quotient - ((a % b != 0) & ((a < 0) != (b < 0)));
}

/// a - b * floordiv(a, b): has the sign of b.
FUSE_INLINE int32_t mod(int32_t a, int32_t b) {
  if (static_cast<uint32_t>(b) + 1u <= 1u)
    return 0;
  int32_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

} // namespace fuse

#endif // FUSE_RUNTIME_MATH_BASIC_H
