//===- RandomTest.cpp - reproducible random numbers -----------------------===//

#include "fuse/runtime/Random.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

using namespace fuse::rt;

TEST(Random, SplitMix64IsThePublishedOne) {
  SplitMix64 generator(1234567);
  for (uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
        4593380528125082431u, 16408922859458223821u})
    EXPECT_EQ(generator.next(), expected);
}

/// Largest distance of the empirical distribution of `count` draws to `cdf`,
/// times sqrt(count): above 2 with probability 7e-4 if they agree.
static double kolmogorovSmirnov(const std::function<double(SplitMix64 &)> &draw,
                                const std::function<double(double)> &cdf) {
  constexpr int kCount = 200000;
  SplitMix64 generator(42);
  std::vector<double> values(kCount);
  for (double &value : values)
    value = draw(generator);
  std::sort(values.begin(), values.end());
  double distance = 0;
  for (int i = 0; i < kCount; ++i) {
    double p = cdf(values[size_t(i)]);
    distance = std::max(
        {distance, p - double(i) / kCount, double(i + 1) / kCount - p});
  }
  return distance * std::sqrt(kCount);
}

static double normalCdf(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

TEST(Random, UniformIsUniform) {
  EXPECT_LT(kolmogorovSmirnov(drawUniform, [](double x) { return x; }), 2);
}

TEST(Random, NormalIsNormal) {
  EXPECT_LT(kolmogorovSmirnov(drawNormal, normalCdf), 2);
}

TEST(Random, TheTestTellsDistributionsApart) {
  auto wider = [](SplitMix64 &g) { return 1.02 * drawNormal(g); };
  EXPECT_GT(kolmogorovSmirnov(wider, normalCdf), 2);
  auto shifted = [](SplitMix64 &g) { return 0.02 + drawNormal(g); };
  EXPECT_GT(kolmogorovSmirnov(shifted, normalCdf), 2);
}

// From a second implementation of the algorithm, in rational arithmetic.
TEST(Random, DrawsAreTheSameEverywhere) {
  SplitMix64 uniform(7);
  for (double expected :
       {0x1.8f2f879164c82p-2, 0x1.130f35fd0f180p-6, 0x1.cd30810175625p-1})
    EXPECT_EQ(drawUniform(uniform), expected);
  SplitMix64 normal(7);
  for (double expected :
       {-0x1.130f35fd0f180p-6, 0x1.fed5f4365df54p-3, -0x1.a70e89da21e54p-2,
        -0x1.1b5051c62d033p+0, -0x1.09d0b1009886dp+1, -0x1.88613f6bbfea4p-2})
    EXPECT_EQ(drawNormal(normal), expected);
}

TEST(Random, CoinsAreFair) {
  SplitMix64 generator(42);
  int heads = 0;
  for (int i = 0; i < 100000; ++i)
    heads += drawBool(generator);
  EXPECT_NEAR(heads, 50000, 5 * std::sqrt(100000) / 2);
}
