//===- AccuracyTest.cpp - ulps of the scalar functions --------------------===//
//
// FUSE_MATH_EXHAUSTIVE=1 visits every float instead of every 1021st, and 20
// times as many doubles, and prints the table at the top of
// runtime/device/math.h.
//
//===----------------------------------------------------------------------===//

#include "MathTest.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace fuse::test;

static bool isExhaustive() { return std::getenv("FUSE_MATH_EXHAUSTIVE"); }

namespace {

/// The largest error seen, and where.
template <class Real, class Wide>
class Worst {
public:
  explicit Worst(const UnaryFunction<Real, Wide> &function)
      : function(function) {}

  void visit(Real x) {
    Real got = function.evaluate(x);
    Wide error =
        errorInUlps<Real, Wide>(function.name, x, got, function.reference(x));
    if (error > ulps) {
      ulps = error;
      at = x;
      value = got;
    }
  }

  void expectGranted() const {
    if (isExhaustive())
      std::printf("%-10s %.3f at %a\n", function.name.c_str(), double(ulps),
                  double(at));
    EXPECT_LE(ulps, grantedUlps(function.name))
        << function.name << "(" << at << ") = " << value << ", but expects "
        << function.reference(at);
  }

  const UnaryFunction<Real, Wide> &function;
  Wide ulps = 0;
  Real at = 0, value = 0;
};

} // namespace

static std::string nameOf(const ::testing::TestParamInfo<std::string> &info) {
  return info.param;
}

static std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto &function : unaryFloatFunctions())
    result.push_back(function.name);
  return result;
}

template <class Functions>
static auto find(const Functions &functions, const std::string &name) {
  for (const auto &function : functions)
    if (function.name == name)
      return function;
  return typename Functions::value_type();
}

namespace {
class AccuracyTest : public ::testing::TestWithParam<std::string> {};
} // namespace

TEST_P(AccuracyTest, Float) {
  const auto function = find(unaryFloatFunctions(), GetParam());
  Worst<float, double> worst(function);
  const uint64_t stride = isExhaustive() ? 1 : 1021;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += stride)
    worst.visit(bitCast<float>(uint32_t(bits)));
  worst.expectGranted();
}

TEST_P(AccuracyTest, Double) {
  const auto function = find(unaryDoubleFunctions(), GetParam());
  Worst<double, long double> worst(function);
  // Any bits, the range in which most functions vary, and small numbers.
  std::mt19937_64 random(1);
  const int count = isExhaustive() ? 2000000 : 100000;
  for (int i = 0; i < count; ++i) {
    worst.visit(bitCast<double>(random()));
    double unit = std::ldexp(double(int64_t(random())), -63);
    worst.visit(unit * 750);
    worst.visit(unit * 8);
    worst.visit(unit);
  }
  worst.expectGranted();
}

INSTANTIATE_TEST_SUITE_P(Math, AccuracyTest, ::testing::ValuesIn(names()),
                         nameOf);
