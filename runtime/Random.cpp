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

static bool drawExpHalf(SplitMix64 &generator) {
  return drawExp(generator, 0.5, 1);
}

/// True if `count` trials of probability exp(-1/2) all succeed.
static bool drawExpHalves(SplitMix64 &generator, int count) {
  for (int i = 0; i < count; ++i)
    if (!drawExpHalf(generator))
      return false;
  return true;
}

double fuse::rt::drawNormal(SplitMix64 &generator) {
  for (;;) {
    // The integer part k, with weight exp(-k/2) * exp(-k(k-1)/2).
    int k = 0;
    while (drawExpHalf(generator))
      ++k;
    if (!drawExpHalves(generator, k * (k - 1)))
      continue;

    // The fraction x, with weight exp(-x(2k+x)/2), as k+1 equal factors.
    double x = drawUniform(generator);
    double p = (2 * k + x) / (2 * k + 2);
    int accepted = 0;
    while (accepted <= k && drawExp(generator, x, p))
      ++accepted;
    if (accepted <= k)
      continue;
    return drawBool(generator) ? -(k + x) : k + x;
  }
}
