//===- math_activation.h - tanh, erf and activations ------------*- C++ -*-===//
//
// float. Without branches, since a warp holds arguments of every size.
//
// silu and both gelus are x * F(x) with a distribution function F, computed as
// max(x, 0) - |x| * F(-|x|): the product vanishes at both ends, so that no
// limit needs care.

#ifndef FUSE_RUNTIME_MATH_ACTIVATION_H
#define FUSE_RUNTIME_MATH_ACTIVATION_H

#include "math_exp.h"

namespace fuse {

/// 1/d for d in [1, 2]: a Chebyshev polynomial, then a step of third order.
FUSE_INLINE float reciprocal_of_1_to_2(float d) {
  float y = horner(d, 2.82842278f, -2.93934131f, 1.3310225f, -0.221837088f);
  float error = fma(-d, y, 1.0f);
  return fma(y, fma(error, error, error), y);
}

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
  float inverse = reciprocal_of_1_to_2(2.0f - u);
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

/// 1 / (1 + e^a) for a in [0, 125], or NaN; 0 from 104 on.
FUSE_INLINE float logistic_tail(float a) {
  float e = exp_in_range(-a);
  return e * reciprocal_of_1_to_2(1.0f + e);
}

FUSE_INLINE float sigmoid(float x) {
  float e = exp_in_range(-at_most(absolute(x), 110.0f));
  return (x < 0.0f ? e : 1.0f) * reciprocal_of_1_to_2(1.0f + e);
}

/// x * (1 - tail) if x > 0, else x * tail, where tail = F(-|x|). `magnitude` is
/// |x|, or less where tail is 0.
FUSE_INLINE float scale_by_tail(float x, float magnitude, float tail) {
  return fma(-magnitude, tail, x < 0.0f ? -0.0f : x);
}

FUSE_INLINE float silu(float x) {
  float a = at_most(absolute(x), 110.0f);
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
  float a = at_most(absolute(x), 10.9f);
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

} // namespace fuse

#endif // FUSE_RUNTIME_MATH_ACTIVATION_H
