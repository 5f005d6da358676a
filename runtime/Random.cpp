//===- Random.cpp - reproducible random numbers ---------------------------===//

#include "fuse/runtime/Random.h"

using namespace fuse::rt;

bool fuse::rt::drawBool(SplitMix64 &generator) {
  return generator.next() >> 63;
}

double fuse::rt::drawUniform(SplitMix64 &generator) {
  return static_cast<double>(generator.next() >> 11) * 0x1p-53;
}

/// True with probability exp(-x*p), for x and p in [0, 1]: the parity of the
/// length of a decreasing run x > u1 > u2 > ... that also breaks off with
/// probability 1 - p at each step (von Neumann).
static bool drawExp(SplitMix64 &generator, double x, double p) {
  for (bool even = true;; even = !even) {
    double u = drawUniform(generator);
    if (u >= x || drawUniform(generator) >= p)
      return even;
    x = u;
  }
}

/// An integer k of 0 to 9 with probability proportional to exp(-k^2/2). Larger
/// ones have less than 2^-64 together.
static int drawInteger(SplitMix64 &generator) {
  constexpr uint64_t kCumulative[] = {
      0x92025b19482ce72c, 0xea91798547a0ef94, 0xfe5415c6e9da4baf,
      0xfff3523319908c12, 0xffffdc31b8ef5942, 0xffffffdaa2d72345,
      0xfffffffff1a20da4, 0xfffffffffffdf76c, 0xffffffffffffffe5};
  uint64_t draw = generator.next();
  int k = 0;
  for (uint64_t bound : kCumulative)
    k += draw >= bound;
  return k;
}

/// True with probability exp(-x(2k+x)/2), as k+1 equal factors.
static bool acceptFraction(SplitMix64 &generator, int k, double x) {
  double p = (2 * k + x) / (2 * k + 2);
  for (int i = 0; i <= k; ++i)
    if (!drawExp(generator, x, p))
      return false;
  return true;
}

double fuse::rt::drawNormal(SplitMix64 &generator) {
  // exp(-(k+x)^2/2) is the product of the two probabilities.
  for (;;) {
    int k = drawInteger(generator);
    double x = drawUniform(generator);
    if (acceptFraction(generator, k, x))
      return drawBool(generator) ? -(k + x) : k + x;
  }
}
