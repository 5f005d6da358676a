//===- math_activation.h - tanh, erf and activations ------------*- C++ -*-===//
//
// Without branches, since a warp holds arguments of every size.
//
// silu and both gelus are x * F(x) with a distribution function F, computed as
// max(x, 0) - |x| * F(-|x|): the product vanishes at both ends, so that no
// limit needs care.

#ifndef FUSE_RUNTIME_MATH_ACTIVATION_H
#define FUSE_RUNTIME_MATH_ACTIVATION_H

#include "math_exp.h"

namespace fuse {

/// 1 - e^y for y in [-20, 0], with a small relative error near 0, too.
FUSE_INLINE float one_minus_exp(float y) {
  constexpr float biased = to_whole + 127.0f;
  float shifted = fma(y, log2_e, biased);
  float r = fma(shifted - biased, -ln2_high, y);
  float power = float_of(bits_of(shifted) << 23);
  return fma(-power, expm1_reduced(r), 1.0f - power);
}

/// u / (2 - u) with u = 1 - e^-2|x|.
FUSE_INLINE float tanh(float x) {
  float u = one_minus_exp(-2.0f * at_most(absolute(x), 9.5f));
  float inverse = reciprocal_rn(2.0f - u);
  float quotient = u * inverse;
  // u - (2 - u) * quotient: the first difference is exact.
  float rest = fma(u, quotient, fma(-2.0f, quotient, u));
  return with_sign(fma(rest, inverse, quotient), x);
}

/// 1 - e^y, where y = log(1 - erf(a)) is a polynomial.
FUSE_INLINE float erf(float x) {
  float a = at_most(absolute(x), 3.93f);
  float p = horner(a, -0.128379166f, -0.636619568f, -0.102776304f,
                   0.0191479158f, 0.000169067731f, -0.0016749216f,
                   0.000636755489f, -0.000118631382f, 9.35507069e-06f);
  return with_sign(one_minus_exp(fma(p, a, -a)), x);
}

/// 1 / (1 + e^a) for a in [0, 88.2], or NaN; 0 from 87.7 on.
FUSE_INLINE float logistic_tail(float a) {
  float e = exp_of_negative(a);
  return e * reciprocal_rn(1.0f + e);
}

FUSE_INLINE float sigmoid(float x) {
  float e = exp_of_negative(at_most(absolute(x), 88.0f));
  return (x < 0.0f ? e : 1.0f) * reciprocal_rn(1.0f + e);
}

/// x * (1 - tail) if x > 0, else x * tail, where tail = F(-|x|). `magnitude` is
/// |x|, or less where tail is 0.
FUSE_INLINE float scale_by_tail(float x, float magnitude, float tail) {
  return fma(-magnitude, tail, maximum(x, -0.0f));
}

FUSE_INLINE float silu(float x) {
  float a = at_most(absolute(x), 88.0f);
  return scale_by_tail(x, a, logistic_tail(a));
}

/// The tail of the normal distribution as 2^y with a polynomial y, which falls
/// to -157 at 11.2: there the tail is 0.
FUSE_INLINE float gelu(float x) {
  float a = at_most(absolute(x), 11.2f);
  float y = horner(a, -1.0f, -1.15110612f, -0.459195167f, -0.052553162f,
                   0.00717262784f, -0.000241600035f, -0.00013423746f,
                   2.67229261e-05f, -1.64790822e-06f);
  return scale_by_tail(x, a, exp2_in_range(y));
}

FUSE_INLINE float gelu_tanh(float x) {
  // (1 + tanh(y)) / 2 = 1 / (1 + e^-2y), with 2 sqrt(2/pi) folded in.
  float a = at_most(absolute(x), 10.03f);
  float y = a * fma(a * a, 0.0713548139f, 1.59576917f);
  return scale_by_tail(x, a, logistic_tail(y));
}

/// max(x, 0) + log(1 + e^-|x|).
FUSE_INLINE float softplus(float x) {
  float e = exp_in_range(-at_most(absolute(x), 110.0f));
  float p = horner(e, -0.499999315f, 0.333304644f, -0.24958016f, 0.196920678f,
                   -0.153447255f, 0.106607728f, -0.0574528389f, 0.0200834498f,
                   -0.00328975124f);
  return fma(e * e, p, e) + relu(x);
}

FUSE_INLINE float elu(float x, float alpha) {
  return x < 0.0f ? alpha * expm1(x) : x;
}

// In double.

/// 1 - e^y for y in [-50, 0].
FUSE_INLINE DoubleDouble one_minus_exp(double y) {
  constexpr double biased = to_whole_double + 1023.0;
  double shifted = fma(y, log2_e_double, biased);
  double n = shifted - biased;
  double r = fma(n, -ln2_high_double, y);
  r = fma(n, -ln2_low_double, r);
  double power = double_of(bits_of(shifted) << 52);
  double p = expm1_reduced(r);
  double result = fma(-power, p, 1.0 - power);
  return {result, fma(-power, p, (1.0 - power) - result)};
}

/// As for float, with the rounding error of u, too.
FUSE_INLINE double tanh(double x) {
  DoubleDouble u = one_minus_exp(-2.0 * at_most(absolute(x), 20.0));
  double divisor = 2.0 - u.high;
  double quotient = div_rn(u.high, divisor);
  double rest = fma(u.high, quotient, fma(-2.0, quotient, u.high));
  rest = fma(u.low, 1.0 + quotient, rest);
  return with_sign(quotient + div_rn(rest, divisor), x);
}

/// log(1 - erf(a)) for a in [0, 5.93].
FUSE_INLINE double log_of_erfc(double a) {
  double p = horner(
      a, -0.12837916709551256, -0.63661977236759093, -0.10277260330131867,
      0.019128446993143536, 0.00020919485356158773, -0.0016962076683985836,
      0.00059013242714320432, -2.5904500097488643e-05, -6.4420449979553832e-05,
      2.9575592157227167e-05, -3.1695183795345157e-06, -3.1331818996067822e-06,
      2.0374231630753932e-06, -5.7082435211238183e-07, 1.1829798314183278e-08,
      6.5673614601323736e-08, -3.4561960215099652e-08, 1.0766658410786033e-08,
      -2.3590512418474063e-09, 3.7584090265734863e-10, -4.2993545454008415e-11,
      3.3628573931126505e-12, -1.6145401171119986e-13, 3.5929234331755905e-15);
  return fma(p, a, -a);
}

FUSE_INLINE double erf(double x) {
  double a = at_most(absolute(x), 5.93);
  return with_sign(one_minus_exp(log_of_erfc(a)).high, x);
}

FUSE_INLINE double logistic_tail(double a) {
  double e = exp(-a);
  return div_rn(e, 1.0 + e);
}

FUSE_INLINE double sigmoid(double x) {
  double e = exp(-absolute(x));
  return div_rn(x < 0.0 ? e : 1.0, 1.0 + e);
}

FUSE_INLINE double scale_by_tail(double x, double magnitude, double tail) {
  // Not a choice by x < 0, where clang 14 makes +0 to -0.
  return fma(-magnitude, tail, maximum(x, -0.0));
}

FUSE_INLINE double silu(double x) {
  double a = at_most(absolute(x), 800.0);
  return scale_by_tail(x, a, logistic_tail(a));
}

FUSE_INLINE double gelu(double x) {
  constexpr double sqrt_half = 0.70710678118654757;
  // Beyond, the tail is less than half an ulp of 1.
  double a = at_most(absolute(x), 8.38);
  double tail = 0.5 * exp(log_of_erfc(a * sqrt_half));
  return scale_by_tail(x, a, absolute(x) > 8.38 ? 0.0 : tail);
}

FUSE_INLINE double gelu_tanh(double x) {
  double a = at_most(absolute(x), 40.0);
  double y = a * fma(a * a, 0.071354816272600249, 1.5957691216057308);
  return scale_by_tail(x, a, logistic_tail(y));
}

FUSE_INLINE double softplus(double x) {
  return relu(x) + log1p(exp(-absolute(x)));
}

FUSE_INLINE double elu(double x, double alpha) {
  return x < 0.0 ? alpha * expm1(x) : x;
}

} // namespace fuse

#endif // FUSE_RUNTIME_MATH_ACTIVATION_H
