//===- math_exp.h - exponentials, logarithms and powers ---------*- C++ -*-===//
//
// float. Exponentials reduce to 2^n e^r with a whole n that is found by adding
// `to_whole`; logarithms to 2^e (1 + f) with 1 + f in [0.75, 1.5).

#ifndef FUSE_RUNTIME_MATH_EXP_H
#define FUSE_RUNTIME_MATH_EXP_H

#include "math_basic.h"

namespace fuse {

/// 1.5 * 2^23. A sum with it is rounded to a whole number, whose two's
/// complement is in the low bits of the sum.
constexpr float to_whole = 12582912.0f;

constexpr float log2_e = 1.44269502f;
/// ln 2 = high + low. Where x - n * high is less than 1 it is exact: both are
/// multiples of 2^-24, which has room for 24 bits.
constexpr float ln2_high = 0.693147182f;
constexpr float ln2_low = -1.90465421e-9f;

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

// exp and exp2 take an even n, so that one power of 2 multiplied twice gives
// overflow to infinity and subnormal results, rounded once, without a branch.

FUSE_INLINE float exp(float x) {
  constexpr float biased = to_whole + 127.0f;
  x = at_most(at_least(x, -120.0f), 120.0f);
  float shifted = fma(x, log2_e / 2, biased);
  float n = shifted - biased;
  float r = fma(n, -2 * ln2_high, x);
  r = fma(n, -2 * ln2_low, r);
  float p = horner(r, 1.0f, 1.0f, 0.500000358f, 0.166666135f, 0.0416611657f,
                   0.00833611749f, 0.00141064369f, 0.000196134482f);
  float power = float_of(bits_of(shifted) << 23);
  return p * power * power;
}

FUSE_INLINE float exp2(float x) {
  constexpr float biased = to_whole + 127.0f;
  x = at_most(at_least(x, -160.0f), 160.0f);
  float shifted = fma(x, 0.5f, biased);
  float r = fma(shifted - biased, -2.0f, x);
  float p =
      horner(r, 1.0f, 0.693147242f, 0.240226686f, 0.055503659f, 0.00961684436f,
             0.00133417198f, 0.000156453272f, 1.4917312e-05f);
  float power = float_of(bits_of(shifted) << 23);
  return p * power * power;
}

// For arguments that are known not to be large, one power of 2 does: it is 2^64
// too high until the end, where subnormals are rounded.

/// e^x for x in [-125, 40], or NaN.
FUSE_INLINE float exp_in_range(float x) {
  constexpr float biased = to_whole + (127.0f + 64.0f);
  float shifted = fma(x, log2_e, biased);
  float n = shifted - biased;
  float r = fma(n, -ln2_high, x);
  r = fma(n, -ln2_low, r);
  float p = horner(r, 1.0f, 1.0f, 0.499999911f, 0.166665196f, 0.0416689105f,
                   0.00836883578f, 0.00137878396f);
  return p * float_of(bits_of(shifted) << 23) * 0x1p-64f;
}

/// 2^x for x in [-180, 60], or NaN. 0.5 ulp more than `exp2`.
FUSE_INLINE float exp2_in_range(float x) {
  constexpr float biased = to_whole + (127.0f + 64.0f);
  float shifted = x + biased;
  float r = x - (shifted - biased);
  float p = horner(r, 1.0f, 0.693146825f, 0.24022238f, 0.05550896f,
                   0.00967172068f, 0.00132245512f);
  return p * float_of(bits_of(shifted) << 23) * 0x1p-64f;
}

/// 2^x for x <= 60: the weights of a softmax, at three instructions less.
FUSE_INLINE float exp2_below_60(float x) {
  return exp2_in_range(at_least(x, -160.0f));
}

/// e^r - 1 for |r| <= ln(2) / 2.
FUSE_INLINE float expm1_reduced(float r) {
  float p = horner(r, 0.49999997f, 0.166665435f, 0.0416674577f, 0.00836663134f,
                   0.00138690951f);
  return fma(r * r, p, r);
}

FUSE_INLINE float expm1(float x) {
  // Half the power of 2, so that it is finite for the largest results.
  constexpr float biased = to_whole + 126.0f;
  float clamped = at_most(at_least(x, -20.0f), 89.0f);
  float shifted = fma(clamped, log2_e, biased);
  float n = shifted - biased;
  float r = fma(n, -ln2_high, clamped);
  r = fma(n, -ln2_low, r);
  float half_power = float_of(bits_of(shifted) << 23);
  float half = fma(expm1_reduced(r), half_power, half_power - 0.5f);
  // Halving would round a subnormal, and lose the sign of 0.
  return absolute(x) < 0x1p-25f ? x : half + half;
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

/// log(1 + f) for f in [-0.25, 0.5].
FUSE_INLINE float log1p_reduced(float f) {
  float p =
      horner(f, -0.5f, 0.333334506f, -0.250001103f, 0.199907884f, -0.166467518f,
             0.144807026f, -0.131713077f, 0.104597807f, -0.0448444076f);
  return fma(f * f, p, f);
}

/// A positive finite number as 2^exponent * (1 + fraction).
struct LogParts {
  float exponent, fraction;
};

/// With 1 + fraction in [low, 2 low).
FUSE_INLINE LogParts split_for_log(float x, float low) {
  bool is_subnormal = x < 0x1p-126f;
  uint32_t bits = bits_of(is_subnormal ? x * 0x1p23f : x);
  uint32_t exponent = (bits - bits_of(low)) & 0xff800000u;
  // The exponent in place, as a multiple of 2^23, which converts exactly.
  float scaled = static_cast<float>(static_cast<int32_t>(exponent));
  return {fma(scaled, 0x1p-23f, is_subnormal ? -23.0f : 0.0f),
          float_of(bits - exponent) - 1.0f};
}

/// `result` for positive finite x, else the limit of a logarithm.
template <class Real>
FUSE_INLINE Real limit_of_log(Real x, Real result) {
  Real limit = x == Real(0) ? -infinity_of<Real>() : nan_of<Real>();
  result = x < infinity_of<Real>() ? result : x;
  return x > Real(0) ? result : limit;
}

FUSE_INLINE float log(float x) {
  LogParts parts = split_for_log(x, 0.75f);
  float result = fma(parts.exponent, ln2_high, log1p_reduced(parts.fraction));
  return limit_of_log(x, result);
}

FUSE_INLINE float log2(float x) {
  // From 2/3 on, exponent and fraction cancel least.
  LogParts parts = split_for_log(x, 2.0f / 3.0f);
  float p = horner(parts.fraction, 1.44269502f, -0.721347511f, 0.480901927f,
                   -0.3606745f, 0.288464397f, -0.240495995f, 0.205177814f,
                   -0.177833945f, 0.188110486f, -0.177227631f);
  float result = fma(p, parts.fraction, parts.exponent);
  return limit_of_log(x, result);
}

FUSE_INLINE float log1p(float x) {
  // 1 + x = 2^e (1 + f) with f = 2^-e x + (2^-e - 1), rounded once.
  uint32_t exponent = (bits_of(x + 1.0f) - bits_of(0.75f)) & 0xff800000u;
  float scale = float_of(bits_of(4.0f) - exponent);
  float f = float_of(bits_of(x) - exponent) + fma(scale, 0.25f, -1.0f);
  float e = static_cast<float>(static_cast<int32_t>(exponent)) * 0x1p-23f;
  float result = fma(e, ln2_high, log1p_reduced(f));
  float limit = x == -1.0f ? -infinity_of<float>() : nan_of<float>();
  result = x == 0.0f || x == infinity_of<float>() ? x : result;
  return x > -1.0f ? result : limit;
}

//===----------------------------------------------------------------------===//
// Roots and powers
//===----------------------------------------------------------------------===//

/// By two steps of third order from the guess that halves the exponent. A root
/// and a division would each bring a call for their rare cases.
FUSE_INLINE float rsqrt(float x) {
  bool is_subnormal = x < 0x1p-126f;
  float scaled = is_subnormal ? x * 0x1p24f : x;
  float y = float_of(0x5f37642fu - (bits_of(scaled) >> 1));
  for (int step = 0; step < 2; ++step) {
    float error = fma(-scaled * y, y, 1.0f);
    y = fma(y * error, fma(error, 0.375f, 0.5f), y);
  }
  y = is_subnormal ? y * 0x1p12f : y;
  float limit =
      x == 0.0f ? with_sign(infinity_of<float>(), x) : nan_of<float>();
  y = x < infinity_of<float>() ? y : 0.0f;
  return x > 0.0f ? y : limit;
}

/// |x|^y for |x| positive and finite. In double: far below an ulp of float,
/// at the price of 25 operations that run at half the rate.
FUSE_INLINE float pow_of_magnitude(float magnitude, float y) {
  uint64_t bits = bits_of(static_cast<double>(magnitude));
  uint64_t exponent = (bits - bits_of(0.75)) & 0xfff0000000000000u;
  double f = double_of(bits - exponent) - 1.0;
  double p =
      horner(f, 1.442695040888363, -0.72134752044446526, 0.48089834745787269,
             -0.3606737599254678, 0.28853893157997285, -0.24044909935236639,
             0.20610360054910529, -0.18034710826714434, 0.16019773236608223,
             -0.14387567571714777, 0.13191368693207753, -0.12598836546985592,
             0.11635500216855563, -0.080871725788849103, 0.027749505275108267);
  double e =
      static_cast<double>(static_cast<int32_t>(exponent >> 32)) * 0x1p-20;
  double log = fma(p, f, e);

  constexpr double to_whole_double = 0x1.8p52;
  double t = at_most(at_least(y * log, -200.0), 200.0);
  double shifted = t + to_whole_double;
  double r = t - (shifted - to_whole_double);
  double q =
      horner(r, 0.99999999996168176, 0.69314718062829883, 0.2402265116968216,
             0.055504105126673066, 0.0096180304423708202, 0.0013333845293352739,
             0.00015468451740319677, 1.5213633872289008e-05);
  return static_cast<float>(double_of(bits_of(q) + (bits_of(shifted) << 52)));
}

FUSE_INLINE double pow_of_magnitude(double magnitude, double y);

/// Whether y is a whole number, and then whether it is odd.
template <class Real>
FUSE_INLINE bool is_whole(Real y) {
  return round(y) == y;
}
template <class Real>
FUSE_INLINE bool is_odd(Real y) {
  return is_whole(y) && !is_whole(y * Real(0.5));
}

/// x^y with the limits of C99, annex F: 1 if x is 1 or y is 0, even beside NaN.
template <class Real>
FUSE_INLINE Real pow(Real x, Real y) {
  constexpr Real zero = 0, one = 1;
  const Real infinity = infinity_of<Real>();
  if (x == one || y == zero)
    return one;
  if (is_nan(x) || is_nan(y))
    return nan_of<Real>();
  Real magnitude = absolute(x);
  bool is_regular = magnitude > zero && magnitude < infinity;
  Real power;
  if (magnitude == one)
    power = one;
  else if (is_regular && absolute(y) < infinity)
    power = pow_of_magnitude(magnitude, y);
  else
    power = (magnitude > one) == (y > zero) ? infinity : zero;
  if (!(bits_of(x) & RealFormat<Real>::sign))
    return power;
  if (is_regular && !is_whole(y))
    return nan_of<Real>();
  return is_odd(y) ? -power : power;
}

} // namespace fuse

#endif // FUSE_RUNTIME_MATH_EXP_H
