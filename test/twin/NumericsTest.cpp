//===- NumericsTest.cpp - primitives that compute, on the host ------------===//
//
// Those of the ieee class must give the bits of IEEE 754, which hardware gives
// too; hardware approximations must stay within what is documented of them.

#include "TwinTestUtils.h"

#include <cmath>
#include <cstdint>
#include <limits>

using namespace fuse::rt;
using namespace fuse::rt::test;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float quietNan = std::numeric_limits<float>::quiet_NaN();

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

/// Edges, and patterns of bits from everywhere.
static std::vector<float> operands(uint32_t seed) {
  std::vector<float> result = {0.0f,    -0.0f,    0.0f,      1.0f,     -1.0f,
                               inf,     -inf,     1.0f,      quietNan, 1e-45f,
                               -1e-45f, 1.1e-38f, 1.17e-38f, 3.4e+38f, 0.5f,
                               3.0f,    -2.5f};
  while (result.size() < 4096) {
    seed = seed * 1664525u + 1013904223u;
    result.push_back(floatOf(seed ^ seed >> 13));
  }
  return result;
}

static std::vector<float> apply(int function, const std::vector<float> &x,
                                const std::vector<float> &y,
                                const std::vector<float> &z,
                                uint64_t seed = 0) {
  auto module = loadKernels("numerics");
  if (!module)
    return {};
  Setting setting;
  const auto n = static_cast<int64_t>(x.size());
  const float *a = setting.input("x", x), *b = setting.input("y", y),
              *c = setting.input("z", z);
  float *result = setting.output<float>("result", x.size());
  setting.launch("apply", (n + 255) / 256, 256, 0, a, b, c, result, n,
                 function);
  TwinOptions options;
  options.seed = seed;
  EXPECT_EQ(show(setting.run(*module, options)), "");
  return std::vector<float>(result, result + n);
}

/// Bits must agree, but for NaN, of which there are many.
template <class Expected>
static void expectBits(int function, Expected expected) {
  const std::vector<float> x = operands(1), z = operands(3);
  std::vector<float> y = operands(2);
  std::rotate(y.begin(), y.begin() + 1, y.end()); // Edges beside each other.
  const std::vector<float> got = apply(function, x, y, z);
  ASSERT_EQ(got.size(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const float want = expected(x[i], y[i], z[i]);
    if (std::isnan(want))
      ASSERT_TRUE(std::isnan(got[i])) << i;
    else
      ASSERT_EQ(bitsOf(got[i]), bitsOf(want)) << x[i] << ", " << y[i];
  }
}

TEST(NumericsTest, FmaRoundsOnce) {
  expectBits(0, [](float a, float b, float c) { return std::fma(a, b, c); });
}
TEST(NumericsTest, SquareRootIsCorrectlyRounded) {
  expectBits(1, [](float a, float, float) { return std::sqrt(a); });
}
TEST(NumericsTest, QuotientIsCorrectlyRounded) {
  expectBits(2, [](float a, float b, float) { return a / b; });
}
TEST(NumericsTest, ReciprocalIsCorrectlyRounded) {
  expectBits(7, [](float a, float, float) { return 1 / a; });
}
/// The smaller one by value, then by sign.
static float smaller(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return quietNan;
  return std::pair(a, !std::signbit(a)) < std::pair(b, !std::signbit(b)) ? a
                                                                         : b;
}
TEST(NumericsTest, MinimumOrdersZerosAndKeepsNaN) {
  expectBits(8, [](float a, float b, float) { return smaller(a, b); });
}
TEST(NumericsTest, MaximumOrdersZerosAndKeepsNaN) {
  expectBits(9, [](float a, float b, float) { return -smaller(-a, -b); });
}
TEST(NumericsTest, SumsKeepSubnormals) {
  expectBits(5, [](float a, float b, float) { return a + b; });
}
TEST(NumericsTest, ProductsKeepSubnormals) {
  expectBits(6, [](float a, float b, float) { return a * b; });
}

//===----------------------------------------------------------------------===//
// Approximations
//===----------------------------------------------------------------------===//

static double ulpOf(double value) {
  const int exponent = std::max(std::ilogb(value), -126);
  return std::ldexp(1, exponent - 23);
}

template <class Exact>
static void expectNear(int function, const std::vector<float> &x, Exact exact) {
  double largest = 0;
  const std::vector<float> first = apply(function, x, x, x, 1);
  const std::vector<float> again = apply(function, x, x, x, 1);
  const std::vector<float> other = apply(function, x, x, x, 2);
  ASSERT_EQ(first.size(), x.size());
  size_t differing = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double want = exact(x[i]);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(first[i])) << x[i];
      continue;
    }
    ASSERT_EQ(bitsOf(first[i]), bitsOf(again[i])) << x[i];
    differing += first[i] != other[i];
    if (std::isinf(want) || static_cast<float>(want) == 0 ||
        std::isinf(static_cast<float>(want))) {
      ASSERT_EQ(first[i], static_cast<float>(want)) << x[i];
      continue;
    }
    const double ulps = std::abs(double(first[i]) - want) / ulpOf(want);
    ASSERT_LE(ulps, 2) << x[i];
    largest = std::max(largest, ulps);
  }
  // A twin that is more exact than hardware would hide what relies on it.
  EXPECT_GT(largest, 1);
  EXPECT_GT(differing, x.size() / 4);
}

static std::vector<float> exponents() {
  std::vector<float> x = {0.0f,     -0.0f,  inf,     -inf,
                          quietNan, 128.0f, -149.0f, -200.0f};
  for (float value = -148; value < 127; value += 0.1357f)
    x.push_back(value);
  return x;
}

TEST(NumericsTest, Exp2IsWithinTwoUlps) {
  expectNear(3, exponents(),
             [](float x) { return std::exp2(static_cast<double>(x)); });
  EXPECT_EQ(apply(3, {0.0f}, {0.0f}, {0.0f}, 5)[0], 1.0f);
}

TEST(NumericsTest, ReciprocalSquareRootIsWithinTwoUlps) {
  std::vector<float> x = {inf, 0.0f, -1.0f, quietNan, 1e-45f, 1e-40f, 3.4e38f};
  for (float value = 1e-38f; value < 1e38f; value *= 1.09f)
    x.push_back(value);
  expectNear(4, x,
             [](float x) { return 1 / std::sqrt(static_cast<double>(x)); });
  EXPECT_EQ(apply(4, {-0.0f}, {0.0f}, {0.0f})[0], -inf);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// The value of a 16-bit pattern with `fractionBits` bits of fraction.
static double valueOf(uint32_t bits, int exponentBits, int fractionBits) {
  const int exponent =
      static_cast<int>(bits >> fractionBits & ((1u << exponentBits) - 1));
  const double fraction = bits & ((1u << fractionBits) - 1);
  const int bias = (1 << (exponentBits - 1)) - 1;
  double magnitude;
  if (exponent == (1 << exponentBits) - 1)
    magnitude = fraction == 0 ? double(inf) : double(quietNan);
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, 1 - bias - fractionBits);
  else
    magnitude = std::ldexp(fraction + (1 << fractionBits),
                           exponent - bias - fractionBits);
  return bits >> 15 & 1 ? -magnitude : magnitude;
}

static void expectValues(const float *got, int exponentBits, int fractionBits) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const double want = valueOf(bits, exponentBits, fractionBits);
    if (std::isnan(want))
      ASSERT_TRUE(std::isnan(got[bits])) << bits;
    else
      ASSERT_EQ(bitsOf(got[bits]), bitsOf(static_cast<float>(want))) << bits;
  }
}

TEST(NumericsTest, EveryNarrowNumberWidensExactly) {
  auto module = loadKernels("numerics");
  ASSERT_TRUE(module);
  std::vector<uint16_t> all(65536);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<uint16_t>(i);
  Setting setting;
  const uint16_t *bits = setting.input("bits", all);
  float *half = setting.output<float>("half", all.size());
  float *bfloat16 = setting.output<float>("bfloat16", all.size());
  setting.launch("widen", 256, 256, 0, bits, half, bfloat16, int64_t(65536));
  EXPECT_EQ(show(setting.run(*module)), "");
  expectValues(half, 5, 10);
  expectValues(bfloat16, 8, 7);
}

/// Whether `bits` is a nearest neighbour of x, the even one of two.
static bool isNearest(float x, uint16_t bits, int exponentBits,
                      int fractionBits) {
  auto value = [&](int pattern) {
    // As if there were one more binade, which decides about infinity.
    const uint32_t magnitude = static_cast<uint32_t>(pattern) & 0x7fff;
    const uint32_t top = ((1u << exponentBits) - 1) << fractionBits;
    return magnitude == top
               ? std::ldexp(1.0, (1 << (exponentBits - 1)))
               : std::abs(valueOf(magnitude, exponentBits, fractionBits));
  };
  const int magnitude = bits & 0x7fff;
  const double wanted = std::abs(static_cast<double>(x));
  const double error = std::abs(value(magnitude) - wanted);
  auto beats = [&](int other) {
    const double theirs = std::abs(value(other) - wanted);
    return error < theirs || (error == theirs && magnitude % 2 == 0);
  };
  const int top = ((1 << exponentBits) - 1) << fractionBits;
  return (magnitude == 0 || beats(magnitude - 1)) &&
         (magnitude >= top || beats(magnitude + 1)) &&
         bool(bits >> 15) == std::signbit(x);
}

static void expectNearest(const char *kernel, int exponentBits,
                          int fractionBits) {
  auto module = loadKernels("numerics");
  ASSERT_TRUE(module);
  std::vector<float> x = operands(9);
  // Neighbourhoods of all narrow numbers, ties included.
  for (uint32_t bits = 0; bits < 0x7c00; bits += 37)
    for (int step : {-1, 0, 1})
      for (uint32_t tie : {0u, 1u}) {
        const auto low =
            static_cast<float>(valueOf(bits, exponentBits, fractionBits));
        const auto high =
            static_cast<float>(valueOf(bits + 1, exponentBits, fractionBits));
        const float middle = tie ? low + (high - low) / 2 : low;
        x.push_back(floatOf(bitsOf(middle) + static_cast<uint32_t>(step)));
      }
  Setting setting;
  const auto n = static_cast<int64_t>(x.size());
  const float *in = setting.input("x", x);
  auto *narrow = setting.output<uint16_t>("narrow", x.size());
  float *wide = setting.output<float>("wide", x.size());
  setting.launch(kernel, (n + 127) / 128, 128, 0, in, narrow, wide, n);
  EXPECT_EQ(show(setting.run(*module)), "");
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) {
      EXPECT_EQ(narrow[i], 0x7fff);
      EXPECT_TRUE(std::isnan(wide[i]));
    } else if (std::isinf(x[i])) {
      EXPECT_EQ(wide[i], x[i]);
    } else {
      ASSERT_TRUE(isNearest(x[i], narrow[i], exponentBits, fractionBits))
          << x[i] << " became " << wide[i];
    }
  }
}

TEST(NumericsTest, HalfRoundsToNearest) {
  expectNearest("convert_half", 5, 10);
}
TEST(NumericsTest, BFloat16RoundsToNearest) {
  expectNearest("convert_bfloat16", 8, 7);
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

TEST(NumericsTest, ShufflesMoveValues) {
  auto module = loadKernels("numerics");
  ASSERT_TRUE(module);
  std::vector<double> x(32);
  for (size_t i = 0; i < 32; ++i)
    x[i] = static_cast<double>(i) * 3 + 0.5;
  for (const TwinOptions &options : allSchedules()) {
    Setting setting;
    const double *in = setting.input("x", x);
    double *y = setting.output<double>("y", 256);
    setting.launch("shuffles", 1, 32, 0, in, y);
    EXPECT_EQ(show(setting.run(*module, options)), "");
    for (size_t lane = 0; lane < 32; ++lane) {
      const double *got = y + lane * 8;
      EXPECT_EQ(got[0], x[5]);
      EXPECT_EQ(got[1], x[(lane + 3) % 32]);
      EXPECT_EQ(got[2], std::trunc(x[lane ^ 17]));
      EXPECT_EQ(got[3], x[lane + 9 < 32 ? lane + 9 : lane]);
      EXPECT_EQ(got[4], x[lane < 31 ? lane + 1 : lane]);
      EXPECT_EQ(got[5], std::trunc(x[lane ^ 1]));
      EXPECT_EQ(got[6], double(0x49249249u));
      EXPECT_EQ(got[7], 3);
    }
  }
}

/// a (16 x depth) times b (depth x 8, by columns) plus what is in d.
template <class Word, class Value>
static void expectProduct(const char *kernel, unsigned depth, Value value) {
  auto module = loadKernels("numerics");
  ASSERT_TRUE(module);
  std::vector<Word> a(16 * depth), b(8 * depth);
  uint32_t seed = 11;
  auto draw = [&] { // Normal numbers of all types, and small ones.
    seed = seed * 1664525u + 1013904223u;
    const uint32_t exponent = sizeof(Word) == 2 ? 0x3000 : 0x3f000000;
    const uint32_t fraction = sizeof(Word) == 2 ? seed >> 20 : seed >> 9;
    return static_cast<Word>(exponent + fraction);
  };
  std::generate(a.begin(), a.end(), draw);
  std::generate(b.begin(), b.end(), draw);
  std::vector<float> d(128);
  for (size_t i = 0; i < d.size(); ++i)
    d[i] = static_cast<float>(i) - 50;
  Setting setting;
  const Word *left = setting.input("a", a), *right = setting.input("b", b);
  float *got = setting.initialised("d", d);
  setting.launch(kernel, 1, 32, 0, left, right, got);
  EXPECT_EQ(show(setting.run(*module)), "");
  for (size_t row = 0; row < 16; ++row)
    for (size_t column = 0; column < 8; ++column) {
      double sum = d[row * 8 + column];
      for (size_t k = 0; k < depth; ++k)
        sum += value(a[row * depth + k]) * value(b[column * depth + k]);
      EXPECT_EQ(got[row * 8 + column], static_cast<float>(sum))
          << row << ", " << column;
    }
}

TEST(NumericsTest, HalfProductOfAWarp) {
  expectProduct<uint16_t>("multiply_half", 16,
                          [](uint16_t bits) { return valueOf(bits, 5, 10); });
}
TEST(NumericsTest, BFloat16ProductOfAWarp) {
  expectProduct<uint16_t>("multiply_bfloat16", 16,
                          [](uint16_t bits) { return valueOf(bits, 8, 7); });
}
TEST(NumericsTest, Tf32ProductOfAWarpIgnoresLowBits) {
  expectProduct<uint32_t>("multiply_tf32", 8, [](uint32_t bits) {
    return double(floatOf(bits & 0xffffe000u));
  });
}

TEST(NumericsTest, VectorsAndFlags) {
  auto module = loadKernels("numerics");
  ASSERT_TRUE(module);
  std::vector<uint16_t> x(14);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<uint16_t>(1000 + i);
  Setting setting;
  const uint16_t *in = setting.input("x", x);
  auto *y = setting.output<uint16_t>("y", 14);
  auto *counter = setting.initialised("counter", std::vector<uint64_t>{5, 0});
  setting.launch("vectors", 1, 1, 0, in, y, counter);
  EXPECT_EQ(show(setting.run(*module)), "");
  EXPECT_EQ(std::vector<uint16_t>(y, y + 14), x);
  const uint64_t sum = (uint64_t(1) << 40) + 10;
  EXPECT_EQ(counter[0], sum);
  EXPECT_EQ(counter[1], sum - 5 + sum);
}
