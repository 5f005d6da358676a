//===- Approximate.cpp - functions that hardware approximates -------------===//

#include "Approximate.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

constexpr double maxUlps = 2;

/// A number in -1 .. 1 that depends on the bits of x and on the seed.
static double drawn(float x, uint64_t seed) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  uint64_t z = seed * 0x9e3779b97f4a7c15u + bits + 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(static_cast<int64_t>(z)) * 0x1p-63;
}

/// `exact`, which is positive, off by up to maxUlps and within that after
/// rounding, too.
static float perturbed(double exact, float x, uint64_t seed) {
  const auto nearest = static_cast<float>(exact);
  if (nearest == 0 || std::isinf(nearest))
    return nearest;
  int exponent;
  std::frexp(exact, &exponent);
  constexpr int digits = std::numeric_limits<float>::digits;
  constexpr int smallest = std::numeric_limits<float>::min_exponent - digits;
  const double ulp = std::ldexp(1, std::max(exponent - digits, smallest));
  const double error = drawn(x, seed) * (maxUlps - 0.5) * ulp;
  return static_cast<float>(std::max(exact + error, 0.0));
}

float fuse::rt::twin::approximateExp2(float x, uint64_t seed) {
  if (x == 0)
    return 1;
  if (!std::isfinite(x))
    return std::exp2(x);
  return perturbed(std::exp2(static_cast<double>(x)), x, seed);
}

float fuse::rt::twin::approximateRsqrt(float x, uint64_t seed) {
  if (std::isnan(x) || x < 0)
    return std::numeric_limits<float>::quiet_NaN();
  if (x == 0)
    return std::copysign(std::numeric_limits<float>::infinity(), x);
  if (std::isinf(x))
    return 0;
  return perturbed(1 / std::sqrt(static_cast<double>(x)), x, seed);
}
