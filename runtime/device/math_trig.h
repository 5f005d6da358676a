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

} // namespace fuse

#endif // FUSE_RUNTIME_MATH_TRIG_H
