//===- Mma.cpp - matrix multiply-add of a warp ----------------------------===//

#include "Mma.h"

#include <cmath>
#include <cstring>

using namespace fuse::rt::twin;

static float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

static double halfOf(uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = bits & 1023;
  double magnitude;
  if (exponent == 31)
    magnitude = fraction != 0 ? NAN : HUGE_VAL;
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// Element `index` of the fragment in `registers`.
static double element(CollectiveKind kind, const unsigned *registers,
                      unsigned index) {
  if (kind == CollectiveKind::MmaTf32) // The lower 13 bits are not looked at.
    return floatOf(registers[index] & 0xffffe000u);
  const uint32_t bits = registers[index / 2] >> index % 2 * 16 & 0xffffu;
  return kind == CollectiveKind::MmaF16 ? halfOf(bits) : floatOf(bits << 16);
}

constexpr unsigned rows = 16, columns = 8, maxDepth = 16;

namespace {
struct Operands {
  unsigned depth;
  double a[rows][maxDepth];
  double b[maxDepth][columns];
};
} // namespace

/// Reads the fragments of all lanes, as the PTX manual lays them out: lane l
/// holds row l/4 (and 8 more) of a, column l/4 of b, and at 16 bits the
/// elements 2 * (l%4) and the next one (and 8 more) along the sum, at tf32 the
/// element l%4 (and 4 more).
static void gather(const Collective &collective, Operands &operands) {
  const bool narrow = collective.kind != CollectiveKind::MmaTf32;
  operands.depth = narrow ? 16 : 8;
  const unsigned perHalf = narrow ? 2 : 1; // Elements next to each other.
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    const MmaFragments &fragments = collective.lanes[lane].fragments;
    const unsigned group = lane / 4, within = lane % 4;
    for (unsigned upper = 0; upper < 2; ++upper)
      for (unsigned i = 0; i < perHalf; ++i) {
        const unsigned k = within * perHalf + i + upper * operands.depth / 2;
        for (unsigned lower = 0; lower < 2; ++lower)
          operands.a[group + 8 * lower][k] = element(
              collective.kind, fragments.a, (upper * 2 + lower) * perHalf + i);
        operands.b[k][group] =
            element(collective.kind, fragments.b, upper * perHalf + i);
      }
  }
}

void fuse::rt::twin::multiplyAdd(const Collective &collective) {
  Operands operands;
  gather(collective, operands);
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned row = lane / 4 + i / 2 * 8;
      const unsigned column = lane % 4 * 2 + i % 2;
      float &accumulator = collective.lanes[lane].fragments.accumulator[i];
      double sum = accumulator;
      for (unsigned k = 0; k < operands.depth; ++k)
        sum += operands.a[row][k] * operands.b[k][column];
      accumulator = static_cast<float>(sum);
    }
}
