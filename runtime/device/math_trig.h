//===- math_trig.h - sine and cosine ----------------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_MATH_TRIG_H
#define FUSE_RUNTIME_MATH_TRIG_H

#include "math_exp.h"

namespace fuse {

/// An angle as rest + quadrant * pi/2 (mod 2 pi), |rest| <= pi/4 and a little.
template <class Real>
struct Quadrant {
  Real rest;
  uint32_t quadrant;
};

/// Moves word[i + by] to word[i] if `is_set`.
template <int By, int Count, class Word>
FUSE_INLINE void select_words(Word (&word)[Count], bool is_set) {
  for (int i = 0; i + By < Count; ++i)
    word[i] = is_set ? word[i + By] : word[i];
}

/// For |x| >= 2^16, infinity and NaN (M. Payne and R. Hanek, 1983): x / 2 pi
/// modulo 1 as a fraction of 96 bits, from those bits of 2/pi that matter.
FUSE_INLINE Quadrant<float> reduce_large_angle(float x) {
  uint32_t bits = bits_of(x);
  uint32_t mantissa = (bits & 0x007fffffu) | 0x00800000u;
  // |x| = mantissa * 2^e; a quarter of the product starts at bit e - 2 of 2/pi.
  uint32_t first = ((bits >> 23) & 0xffu) - 150u + 30u;
  uint32_t index = first >> 5, shift = first & 31u;
  // 2/pi behind 32 zero bits. Words are selected, not indexed, so that they
  // stay in registers.
  uint32_t word[] = {0u,          0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                     0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};
  select_words<4>(word, index & 4u);
  select_words<2>(word, index & 2u);
  select_words<1>(word, index & 1u);
  for (int i = 0; i < 3; ++i)
    word[i] = static_cast<uint32_t>(
        ((static_cast<uint64_t>(word[i]) << 32 | word[i + 1]) << shift) >> 32);
  uint64_t fraction = (static_cast<uint64_t>(mantissa * word[0]) << 32) +
                      static_cast<uint64_t>(mantissa) * word[1] +
                      (static_cast<uint64_t>(mantissa) * word[2] >> 32);
  uint64_t quadrant = (fraction + (uint64_t(1) << 61)) >> 62;
  int64_t rest = static_cast<int64_t>(fraction - (quadrant << 62));
  constexpr double pi_over_2 = 1.57079632679489661923;
  float r =
      static_cast<float>(static_cast<double>(rest) * (pi_over_2 * 0x1p-62));
  if (!(absolute(x) < infinity_of<float>()))
    return {nan_of<float>(), 0u};
  if (x < 0.0f)
    return {-r, 0u - static_cast<uint32_t>(quadrant)};
  return {r, static_cast<uint32_t>(quadrant)};
}

FUSE_INLINE Quadrant<float> reduce_angle(float x) {
  if (!(absolute(x) < 0x1p16f))
    return reduce_large_angle(x);
  // pi/2 in three parts (W. Cody and W. Waite, 1980), all rounded down, so that
  // -0 stays -0. The first difference is exact, as in `ln2_high`.
  float shifted = fma(x, 0.636619747f, to_whole);
  float n = shifted - to_whole;
  float r = fma(n, -1.57079625f, x);
  r = fma(n, -7.54978942e-08f, r);
  r = fma(n, -5.39030253e-15f, r);
  return {r, bits_of(shifted)};
}

/// sin(r + quadrant * pi/2).
FUSE_INLINE float sin_of(Quadrant<float> angle) {
  float r = angle.rest, square = r * r;
  // + 0 makes the product +0, which then cannot hide a -0.
  float cube = fma(r, square, 0.0f);
  float sine = fma(
      cube, horner(square, -0.166666538f, 0.00833210628f, -0.000195078828f), r);
  float cosine = horner(square, 1.0f, -0.5f, 0.0416666456f, -0.00138873013f,
                        2.44306702e-05f);
  float value = angle.quadrant & 1u ? cosine : sine;
  return float_of(bits_of(value) ^ ((angle.quadrant & 2u) << 30));
}

FUSE_INLINE float sin(float x) { return sin_of(reduce_angle(x)); }

FUSE_INLINE float cos(float x) {
  Quadrant<float> angle = reduce_angle(x);
  return sin_of(Quadrant<float>{angle.rest, angle.quadrant + 1u});
}

// In double.

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

} // namespace fuse

#endif // FUSE_RUNTIME_MATH_TRIG_H
