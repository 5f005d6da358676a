//===- math_exp.h - exponentials, logarithms and powers ---------*- C++ -*-===//
//
// Exponentials reduce to 2^n e^r with a whole n that is found by adding
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

// The same of double.
constexpr double to_whole_double = 0x1.8p52;
constexpr double log2_e_double = 1.4426950408889634;
constexpr double log2_e_double_low = 2.0355273740931033e-17;
constexpr double ln2_high_double = 0.69314718055994529;
constexpr double ln2_low_double = 2.3190468138462996e-17;

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

/// e^x * 2^Lift, where that is no subnormal number, or 0 just below those.
template <int Lift>
FUSE_INLINE float lifted_exp(float x) {
  constexpr float biased = to_whole + (127.0f + Lift);
  float shifted = fma(x, log2_e, biased);
  float n = shifted - biased;
  float r = fma(n, -ln2_high, x);
  r = fma(n, -ln2_low, r);
  float p = horner(r, 1.0f, 1.0f, 0.499999911f, 0.166665196f, 0.0416689105f,
                   0.00836883578f, 0.00137878396f);
  return p * float_of(bits_of(shifted) << 23);
}

/// e^x for x in [-125, 40], or NaN.
FUSE_INLINE float exp_in_range(float x) { return lifted_exp<64>(x) * 0x1p-64f; }

/// e^-a for a in [0, 88.2], or NaN; from 87.7 on it is 0.
FUSE_INLINE float exp_of_negative(float a) { return lifted_exp<0>(-a); }

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

// In double.

FUSE_INLINE double exp(double x) {
  constexpr double biased = to_whole_double + 1023.0;
  x = at_most(at_least(x, -800.0), 800.0);
  double shifted = fma(x, log2_e_double / 2, biased);
  double n = shifted - biased;
  double r = fma(n, -2 * ln2_high_double, x);
  r = fma(n, -2 * ln2_low_double, r);
  double p = horner(r, 1.0, 1.0, 0.49999999999999922, 0.16666666666666941,
                    0.041666666666704467, 0.0083333333332687425,
                    0.0013888888883275704, 0.00019841269893372532,
                    2.4801590986405618e-05, 2.7557300685941008e-06,
                    2.7556122675892899e-07, 2.5054970366732439e-08,
                    2.1065220492666644e-09, 1.5944013017420696e-10);
  double power = double_of(bits_of(shifted) << 52);
  return p * power * power;
}

FUSE_INLINE double exp2(double x) {
  constexpr double biased = to_whole_double + 1023.0;
  x = at_most(at_least(x, -1200.0), 1200.0);
  double shifted = fma(x, 0.5, biased);
  double r = fma(shifted - biased, -2.0, x);
  double p = horner(
      r, 1.0, 0.69314718055994529, 0.24022650695910031, 0.055504108664822818,
      0.0096181291076373847, 0.0013333558146310408, 0.00015403530387187345,
      1.5252733847342986e-05, 1.3215488726728521e-06, 1.0178078745016365e-07,
      7.0546094811725021e-09, 4.4460781403208915e-10, 2.5908270542490569e-11,
      1.3582404297484565e-12);
  double power = double_of(bits_of(shifted) << 52);
  return p * power * power;
}

/// e^r - 1 for |r| <= ln(2) / 2.
FUSE_INLINE double expm1_reduced(double r) {
  double p = horner(r, 0.5, 0.16666666666666677, 0.041666666666666637,
                    0.0083333333333215024, 0.0013888888888914637,
                    0.0001984126988645826, 2.4801587246267539e-05,
                    2.7557243790182702e-06, 2.755735135879917e-07,
                    2.5109222716987845e-08, 2.0888689944598174e-09);
  return fma(r * r, p, r);
}

FUSE_INLINE double expm1(double x) {
  constexpr double biased = to_whole_double + 1022.0;
  double clamped = at_most(at_least(x, -40.0), 710.0);
  double shifted = fma(clamped, log2_e_double, biased);
  double n = shifted - biased;
  double r = fma(n, -ln2_high_double, clamped);
  r = fma(n, -ln2_low_double, r);
  double half_power = double_of(bits_of(shifted) << 52);
  double half = fma(expm1_reduced(r), half_power, half_power - 0.5);
  return absolute(x) < 0x1p-54 ? x : half + half;
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

// In double.

/// log(1 + f) = f - rest for f in [-0.25, 0.5]: 2 atanh(s) with s = f / (2 +
/// f).
FUSE_INLINE double log1p_rest(double f) {
  double s = div_rn(f, 2.0 + f);
  double z = s * s;
  double p =
      z * horner(z, 0.66666666666666596, 0.4000000000005664,
                 0.28571428555860701, 0.2222222428955471, 0.18181665906781364,
                 0.15391140303087616, 0.13172457728654724, 0.13855780732571649);
  double half_square = 0.5 * f * f;
  return half_square - s * (half_square + p);
}

/// As LogParts.
struct LogPartsDouble {
  double exponent, fraction;
};

FUSE_INLINE LogPartsDouble split_for_log(double x, double low) {
  bool is_subnormal = x < 0x1p-1022;
  uint64_t bits = bits_of(is_subnormal ? x * 0x1p52 : x);
  uint64_t exponent = (bits - bits_of(low)) & 0xfff0000000000000u;
  double scaled = static_cast<double>(static_cast<int32_t>(exponent >> 32));
  return {fma(scaled, 0x1p-20, is_subnormal ? -52.0 : 0.0),
          double_of(bits - exponent) - 1.0};
}

/// e ln 2 + log(1 + f).
FUSE_INLINE double join_log(double e, double f) {
  double low = fma(e, ln2_low_double, -log1p_rest(f));
  return fma(e, ln2_high_double, f + low);
}

FUSE_INLINE double log(double x) {
  LogPartsDouble parts = split_for_log(x, 0.75);
  return limit_of_log(x, join_log(parts.exponent, parts.fraction));
}

FUSE_INLINE double log2(double x) {
  LogPartsDouble parts = split_for_log(x, 2.0 / 3.0);
  double f = parts.fraction;
  double high = f * log2_e_double;
  double low = fma(f, log2_e_double, -high);
  low = fma(f, log2_e_double_low, low);
  low = fma(-log1p_rest(f), log2_e_double, low);
  // The exponent is 0 or the larger, so that what its sum drops is known.
  double sum = parts.exponent + high;
  low += parts.exponent == 0.0 ? 0.0 : parts.exponent - sum + high;
  return limit_of_log(x, sum + low);
}

FUSE_INLINE double log1p(double x) {
  uint64_t exponent = (bits_of(x + 1.0) - bits_of(0.75)) & 0xfff0000000000000u;
  double scale = double_of(bits_of(4.0) - exponent);
  double f = double_of(bits_of(x) - exponent) + fma(scale, 0.25, -1.0);
  double e =
      static_cast<double>(static_cast<int32_t>(exponent >> 32)) * 0x1p-20;
  double result = join_log(e, f);
  double limit = x == -1.0 ? -infinity_of<double>() : nan_of<double>();
  result = x == 0.0 || x == infinity_of<double>() ? x : result;
  return x > -1.0 ? result : limit;
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

// In double.

FUSE_INLINE double rsqrt(double x) { return div_rn(1.0, sqrt_rn(x)); }

/// An unevaluated sum, |low| at most half an ulp of high.
struct DoubleDouble {
  double high, low;
};

/// |a| >= |b|, or a is 0.
FUSE_INLINE DoubleDouble exact_sum(double a, double b) {
  double sum = a + b;
  return {sum, a - sum + b};
}

FUSE_INLINE DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  double high = a.high * b.high;
  double low = fma(a.high, b.high, -high);
  low = fma(a.high, b.low, low);
  return {high, fma(a.low, b.high, low)};
}

/// log2(x) to 2^-64, as 2/ln(2) * atanh(s), s = (m - 1) / (m + 1).
FUSE_INLINE DoubleDouble log2_extended(double x) {
  LogPartsDouble parts = split_for_log(x, 0.75);
  double f = parts.fraction;
  DoubleDouble divisor = exact_sum(2.0, f);
  double quotient = div_rn(f, divisor.high);
  double rest = fma(-quotient, divisor.high, f);
  rest = fma(-quotient, divisor.low, rest);
  DoubleDouble s = {quotient, div_rn(rest, divisor.high)};

  // s + s^3 (1/3 + z q), z = s^2.
  DoubleDouble z = s * s;
  double q = horner(
      z.high, 0.20000000000000001, 0.14285714285710724, 0.1111111111298934,
      0.09090908713264638, 0.076923450321469203, 0.066646566817638392,
      0.059425991727087818, 0.043110903938723945, 0.11161517548272554);
  DoubleDouble third = exact_sum(0.33333333333333331, z.high * q);
  third.low += 1.8503717077085941e-17;
  DoubleDouble cubic = s * (z * third);
  DoubleDouble atanh = exact_sum(s.high, cubic.high);
  atanh.low += cubic.low + s.low;

  DoubleDouble log =
      atanh * DoubleDouble{2.8853900817779268, 4.0710547481862066e-17};
  DoubleDouble sum = exact_sum(parts.exponent, log.high);
  return {sum.high, sum.low + log.low};
}

FUSE_INLINE double pow_of_magnitude(double magnitude, double y) {
  DoubleDouble log = log2_extended(magnitude);
  double t = y * log.high;
  double low = fma(y, log.low, fma(y, log.high, -t));
  // Beyond the range of double the low part may be NaN.
  low = absolute(t) < 1200.0 ? low : 0.0;
  t = at_most(at_least(t, -1200.0), 1200.0);
  double shifted = t + to_whole_double;
  double n = shifted - to_whole_double;
  double r = t - n;
  double p = horner(
      r, 1.0, 0.6931471805599454, 0.24022650695910111, 0.055504108664815831,
      0.0096181291076020674, 0.0013333558147532267, 0.00015403530447758305,
      1.5252732911961285e-05, 1.3215439598880343e-06, 1.0178402173898196e-07,
      7.0730957342952306e-09, 4.4083813323415526e-10);
  p = fma(p, low * ln2_high_double, p);
  // 2^n as a product of two, of which one alone may leave the range.
  uint64_t whole = bits_of(n * 0.5 + (to_whole_double + 1023.0));
  uint64_t rest = bits_of(shifted) - (whole - 1023u) + 1023u;
  return p * double_of(whole << 52) * double_of(rest << 52);
}

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
