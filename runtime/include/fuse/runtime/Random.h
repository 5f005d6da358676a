//===- Random.h - reproducible random numbers -------------------*- C++ -*-===//
//
// The same seed gives the same numbers on every platform, compiler and library:
// integer arithmetic, exact comparisons and single IEEE operations only. (The
// distributions of <random> differ between standard libraries, and log and cos
// between mathematical ones.)
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_RANDOM_H
#define FUSE_RUNTIME_RANDOM_H

#include <cstdint>

namespace fuse::rt {

/// The SplitMix64 generator (Steele, Lea and Flood, 2014), with the published
/// constants; period 2^64. The seed is the initial state.
class SplitMix64 {
public:
  explicit SplitMix64(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

private:
  uint64_t state;
};

/// A fair coin: the top bit of one draw.
bool drawBool(SplitMix64 &generator);

/// Uniform on [0, 1): the top 53 bits of one draw, times 2^-53.
double drawUniform(SplitMix64 &generator);

/// Standard normal, by rejection that only compares, so that no rounding of a
/// transcendental function can show: the integer part of its size from a table,
/// the fraction as in Karney, "Sampling exactly from the normal distribution"
/// (2016), with deviates of 53 bits. Takes 7.3 draws on average.
double drawNormal(SplitMix64 &generator);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_RANDOM_H
