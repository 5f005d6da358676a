//===- math_double.h - scalar functions of double ---------------*- C++ -*-===//
//
// The algorithms of the float files with longer polynomials. Programs in double
// are rare, so these prefer simplicity to speed, and divide.

#ifndef FUSE_RUNTIME_MATH_DOUBLE_H
#define FUSE_RUNTIME_MATH_DOUBLE_H

#include "math_activation.h"
#include "math_trig.h"

namespace fuse {

// As `to_whole`, `log2_e` and so on of float.
constexpr double to_whole_double = 0x1.8p52;
constexpr double log2_e_double = 1.4426950408889634;
constexpr double log2_e_double_low = 2.0355273740931033e-17;
constexpr double ln2_high_double = 0.69314718055994529;
constexpr double ln2_low_double = 2.3190468138462996e-17;

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Sine and cosine
//===----------------------------------------------------------------------===//

/// The upper half of a 128-bit product, by 32-bit digits.
FUSE_INLINE uint64_t multiply_high(uint64_t a, uint64_t b) {
  constexpr uint64_t digit = 0xffffffffu;
  uint64_t cross = (a >> 32) * (b & digit) + ((a & digit) * (b & digit) >> 32);
  uint64_t middle = (a & digit) * (b >> 32) + (cross & digit);
  return (a >> 32) * (b >> 32) + (cross >> 32) + (middle >> 32);
}

/// As for float, with 192 bits of 2/pi and a fraction of 128.
FUSE_INLINE Quadrant<double> reduce_large_angle(double x) {
  uint64_t mantissa = (bits_of(x) & 0xfffffffffffffu) | 0x10000000000000u;
  uint32_t biased = static_cast<uint32_t>(bits_of(x) >> 52) & 0x7ffu;
  uint32_t first = biased - 1075u + 62u;
  uint32_t index = first >> 6, shift = first & 63u;
  // 2/pi behind 64 zero bits.
  uint64_t word[] = {0u,
                     0xa2f9836e4e441529u,
                     0xfc2757d1f534ddc0u,
                     0xdb6295993c439041u,
                     0xfe5163abdebbc561u,
                     0xb7246e3a424dd2e0u,
                     0x06492eea09d1921cu,
                     0xfe1deb1cb129a73eu,
                     0xe88235f52ebb4484u,
                     0xe99c7026b45f7e41u,
                     0x3991d639835339f4u,
                     0x9c845f8bbdf9283bu,
                     0x1ff897ffde05980fu,
                     0xef2f118b5a0a6d1fu,
                     0x6d367ecf27cb09b7u,
                     0x4f463f669e5fea2du,
                     0x7527bac7ebe5f17bu,
                     0x3d0739f78a5292eau,
                     0x6bfb5fb11f8d5d08u,
                     0x56033046fc7b6babu};
  select_words<16>(word, index & 16u);
  select_words<8>(word, index & 8u);
  select_words<4>(word, index & 4u);
  select_words<2>(word, index & 2u);
  select_words<1>(word, index & 1u);
  for (int i = 0; i < 3; ++i)
    word[i] = word[i] << shift | word[i + 1] >> 1 >> (63u - shift);

  uint64_t middle = mantissa * word[1];
  uint64_t low = middle + multiply_high(mantissa, word[2]);
  uint64_t high = mantissa * word[0] + multiply_high(mantissa, word[1]) +
                  (low < middle ? 1u : 0u);
  uint64_t quadrant = (high + (uint64_t(1) << 61)) >> 62;
  high -= quadrant << 62;
  // Two's complement: the low word counts upwards. The last 12 bits of the
  // high word go with it, so that the first part converts exactly.
  double first_part =
      static_cast<double>(static_cast<int64_t>(high & ~uint64_t(0xfff)));
  double second_part = fma(static_cast<double>(low), 0x1p-64,
                           static_cast<double>(high & 0xfffu));
  constexpr double unit = 1.5707963267948966 * 0x1p-62;
  constexpr double unit_low = 6.123233995736766e-17 * 0x1p-62;
  double r =
      fma(first_part, unit, fma(second_part, unit, first_part * unit_low));
  if (!(absolute(x) < infinity_of<double>()))
    return {nan_of<double>(), 0u};
  if (x < 0.0)
    return {-r, 0u - static_cast<uint32_t>(quadrant)};
  return {r, static_cast<uint32_t>(quadrant)};
}

FUSE_INLINE Quadrant<double> reduce_angle(double x) {
  if (!(absolute(x) < 0x1p20))
    return reduce_large_angle(x);
  double shifted = fma(x, 0.63661977236758138, to_whole_double);
  double n = shifted - to_whole_double;
  double r = fma(n, -1.5707963267948966, x);
  r = fma(n, -6.1232339957367648e-17, r);
  r = fma(n, -1.0828566739219139e-32, r);
  return {r, static_cast<uint32_t>(bits_of(shifted))};
}

FUSE_INLINE double sin_of(Quadrant<double> angle) {
  double r = angle.rest, square = r * r;
  double cube = fma(r, square, 0.0);
  double sine = fma(cube,
                    horner(square, -0.1666666666666663, 0.0083333333333218407,
                           -0.00019841269829370638, 2.7557313547149112e-06,
                           -2.5050736517758774e-08, 1.5895606238584034e-10),
                    r);
  double cosine =
      horner(square, 1.0, -0.5, 0.041666666666666602, -0.0013888888888874474,
             2.480158728967152e-05, -2.7557314401020558e-07,
             2.0875729279267269e-09, -1.1359934115942527e-11);
  double value = angle.quadrant & 1u ? cosine : sine;
  return angle.quadrant & 2u ? -value : value;
}

FUSE_INLINE double sin(double x) { return sin_of(reduce_angle(x)); }

FUSE_INLINE double cos(double x) {
  Quadrant<double> angle = reduce_angle(x);
  return sin_of(Quadrant<double>{angle.rest, angle.quadrant + 1u});
}

//===----------------------------------------------------------------------===//
// tanh, erf and activations
//===----------------------------------------------------------------------===//

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
  return fma(-magnitude, tail, x < 0.0 ? -0.0 : x);
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

#endif // FUSE_RUNTIME_MATH_DOUBLE_H
