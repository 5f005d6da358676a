//===- ValuesTest.cpp - limits, exact values and laws ---------------------===//

#include "MathTest.h"
#include "device/math.h"

#include "gtest/gtest.h"

// After gtest, which it extends.
#include "rapidcheck/gtest.h"

#include <random>

using namespace fuse::test;

template <class Real>
using Bits = typename fuse::RealFormat<Real>::Bits;

/// Two reals are the same: in every bit, or both NaN.
template <class Real>
static bool isSame(Real a, Real b) {
  return (std::isnan(a) && std::isnan(b)) ||
         bitCast<Bits<Real>>(a) == bitCast<Bits<Real>>(b);
}

template <class Real>
static ::testing::AssertionResult same(Real got, Real want) {
  if (isSame(got, want))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "expects " << want << ", but got " << got;
}

namespace {

template <class Real>
class ValuesTest : public ::testing::Test {
protected:
  using Limits = std::numeric_limits<Real>;
  static constexpr Real inf = Limits::infinity(), nan = Limits::quiet_NaN();
  static constexpr Real least = Limits::denorm_min(), most = Limits::max();

  /// Arguments at which something can go wrong, of both signs.
  static std::vector<Real> edges() {
    std::vector<Real> result = {nan};
    for (Real x : {Real(0), least, Limits::min(), Limits::min() / 2, Real(0.5),
                   Real(1), Real(1) - Limits::epsilon() / 2,
                   Real(1) + Limits::epsilon(), Real(1.5), Real(2), Real(3),
                   1 / Limits::epsilon() - 1, 1 / Limits::epsilon() + 1,
                   2 / Limits::epsilon(), Real(1e30), most, inf})
      result.insert(result.end(), {x, -x});
    return result;
  }
};

struct RealNames {
  template <class Real>
  // NOLINTNEXTLINE(readability-identifier-naming): gtest calls it.
  static std::string GetName(int) {
    return sizeof(Real) == 4 ? "f32" : "f64";
  }
};
} // namespace

using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ValuesTest, Reals, RealNames);

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

TYPED_TEST(ValuesTest, Exponentials) {
  using Real = TypeParam;
  const Real inf = this->inf, least = this->least;
  EXPECT_TRUE(same(fuse::exp(-inf), Real(0)));
  EXPECT_TRUE(same(fuse::exp(Real(0)), Real(1)));
  EXPECT_TRUE(same(fuse::exp(Real(-0.0)), Real(1)));
  EXPECT_TRUE(same(fuse::exp(inf), inf));
  EXPECT_TRUE(same(fuse::exp2(-inf), Real(0)));
  EXPECT_TRUE(same(fuse::exp2(inf), inf));
  EXPECT_TRUE(same(fuse::expm1(-inf), Real(-1)));
  EXPECT_TRUE(same(fuse::expm1(inf), inf));
  EXPECT_TRUE(same(fuse::expm1(Real(-0.0)), Real(-0.0)));
  EXPECT_TRUE(same(fuse::expm1(least), least));
  EXPECT_TRUE(same(fuse::expm1(-3 * least), -3 * least));
}

TYPED_TEST(ValuesTest, PowersOfTwoAreExact) {
  using Real = TypeParam;
  using Limits = std::numeric_limits<Real>;
  const int lowest = Limits::min_exponent - Limits::digits;
  for (int n = lowest; n < Limits::max_exponent; ++n) {
    EXPECT_TRUE(same(fuse::exp2(Real(n)), std::ldexp(Real(1), n)));
    EXPECT_TRUE(same(fuse::log2(std::ldexp(Real(1), n)), Real(n)));
  }
  EXPECT_TRUE(same(fuse::exp2(Real(Limits::max_exponent)), Limits::infinity()));
  EXPECT_TRUE(same(fuse::exp2(Real(lowest - 2)), Real(0)));
}

TEST(Values, ExpLeavesTheRangeWhereItShould) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(same(fuse::exp(89.0f), inf));
  EXPECT_TRUE(same(fuse::exp(0x1.62e43p+6f), inf));
  EXPECT_TRUE(std::isfinite(fuse::exp(0x1.62e42ep+6f)));
  EXPECT_TRUE(same(fuse::exp(-103.9f), 0x1p-149f));
  EXPECT_TRUE(same(fuse::exp(-104.0f), 0.0f));
  EXPECT_TRUE(same(fuse::exp(710.0), double(inf)));
  EXPECT_TRUE(std::isfinite(fuse::exp(709.78)));
  EXPECT_TRUE(same(fuse::exp(-745.1), 0x1p-1074));
  EXPECT_TRUE(same(fuse::exp(-746.0), 0.0));
}

TYPED_TEST(ValuesTest, Logarithms) {
  using Real = TypeParam;
  const Real inf = this->inf, nan = this->nan, least = this->least;
  for (Real zero : {Real(0), Real(-0.0)}) {
    EXPECT_TRUE(same(fuse::log(zero), -inf));
    EXPECT_TRUE(same(fuse::log2(zero), -inf));
    EXPECT_TRUE(same(fuse::log1p(zero), zero));
  }
  EXPECT_TRUE(same(fuse::log(Real(1)), Real(0)));
  EXPECT_TRUE(same(fuse::log2(Real(1)), Real(0)));
  EXPECT_TRUE(same(fuse::log1p(Real(-1)), -inf));
  EXPECT_TRUE(same(fuse::log1p(least), least));
  for (Real negative : {-least, -inf, Real(-1)}) {
    EXPECT_TRUE(same(fuse::log(negative), nan));
    EXPECT_TRUE(same(fuse::log2(negative), nan));
    EXPECT_TRUE(same(fuse::log1p(negative - 1), nan) || negative == -least);
  }
  EXPECT_TRUE(same(fuse::log(inf), inf));
  EXPECT_TRUE(same(fuse::log2(inf), inf));
  EXPECT_TRUE(same(fuse::log1p(inf), inf));
}

TYPED_TEST(ValuesTest, Roots) {
  using Real = TypeParam;
  const Real inf = this->inf, nan = this->nan;
  EXPECT_TRUE(same(fuse::sqrt_rn(Real(-0.0)), Real(-0.0)));
  EXPECT_TRUE(same(fuse::sqrt_rn(Real(-1)), nan));
  EXPECT_TRUE(same(fuse::sqrt_rn(inf), inf));
  EXPECT_TRUE(same(fuse::rsqrt(Real(0)), inf));
  EXPECT_TRUE(same(fuse::rsqrt(Real(-0.0)), -inf));
  EXPECT_TRUE(same(fuse::rsqrt(Real(-1)), nan));
  EXPECT_TRUE(same(fuse::rsqrt(-inf), nan));
  EXPECT_TRUE(same(fuse::rsqrt(inf), Real(0)));
}

TYPED_TEST(ValuesTest, OddFunctionsKeepSmallNumbersAndZeros) {
  using Real = TypeParam;
  const Real inf = this->inf;
  for (Real x : {Real(0), Real(-0.0), this->least, -5 * this->least}) {
    EXPECT_TRUE(same(fuse::sin(x), x));
    EXPECT_TRUE(same(fuse::tanh(x), x));
    EXPECT_TRUE(same(fuse::cos(x), Real(1)));
  }
  EXPECT_TRUE(same(fuse::erf(Real(-0.0)), Real(-0.0)));
  EXPECT_TRUE(same(fuse::sin(inf), this->nan));
  EXPECT_TRUE(same(fuse::cos(-inf), this->nan));
  for (Real x : {inf, this->most, Real(100)}) {
    EXPECT_TRUE(same(fuse::tanh(-x), Real(-1)));
    EXPECT_TRUE(same(fuse::erf(x), Real(1)));
  }
}

TYPED_TEST(ValuesTest, Activations) {
  using Real = TypeParam;
  const Real inf = this->inf;
  EXPECT_TRUE(same(fuse::sigmoid(-inf), Real(0)));
  EXPECT_TRUE(same(fuse::sigmoid(Real(-0.0)), Real(0.5)));
  EXPECT_TRUE(same(fuse::sigmoid(inf), Real(1)));
  EXPECT_TRUE(same(fuse::softplus(-inf), Real(0)));
  EXPECT_TRUE(same(fuse::softplus(inf), inf));
  for (auto function : {+[](Real x) { return fuse::silu(x); },
                        +[](Real x) { return fuse::gelu(x); },
                        +[](Real x) { return fuse::gelu_tanh(x); }}) {
    EXPECT_TRUE(same(function(-inf), Real(-0.0)));
    EXPECT_TRUE(same(function(-this->most), Real(-0.0)));
    EXPECT_TRUE(same(function(Real(-0.0)), Real(-0.0)));
    EXPECT_TRUE(same(function(Real(0)), Real(0)));
    EXPECT_TRUE(same(function(this->most), this->most));
    EXPECT_TRUE(same(function(inf), inf));
  }
}

TYPED_TEST(ValuesTest, AlphaCountsOnTheNegativeSideOnly) {
  using Real = TypeParam;
  const Real inf = this->inf, nan = this->nan;
  for (Real x : {Real(0), Real(-0.0), Real(3), inf})
    for (Real alpha : {nan, inf, Real(2)}) {
      EXPECT_TRUE(same(fuse::leaky_relu(x, alpha), x));
      EXPECT_TRUE(same(fuse::elu(x, alpha), x));
    }
  EXPECT_TRUE(same(fuse::leaky_relu(nan, Real(1)), nan));
  EXPECT_TRUE(same(fuse::elu(nan, Real(1)), nan));
  EXPECT_TRUE(same(fuse::leaky_relu(Real(-3), Real(0.5)), Real(-1.5)));
  EXPECT_TRUE(same(fuse::elu(-inf, Real(0.5)), Real(-0.5)));
  EXPECT_TRUE(same(fuse::elu(-inf, nan), nan));
}

TYPED_TEST(ValuesTest, EluWithinUlps) {
  using Real = TypeParam;
  using Wide = std::conditional_t<sizeof(Real) == 4, double, long double>;
  std::mt19937_64 random(1);
  Wide worst = 0;
  for (int i = 0; i < 100000; ++i) {
    Real x = -std::ldexp(Real(random()), -60 - i % 30);
    Real alpha = std::ldexp(Real(random()), -63);
    worst = std::max(
        worst, errorInUlps<Real, Wide>("elu", x, fuse::elu(x, alpha),
                                       Wide(alpha) * std::expm1(Wide(x))));
  }
  EXPECT_LE(worst, grantedUlps("elu"));
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

TYPED_TEST(ValuesTest, PowAtTheEdges) {
  using Real = TypeParam;
  using Wide = std::conditional_t<sizeof(Real) == 4, double, long double>;
  for (Real x : this->edges())
    for (Real y : this->edges()) {
      Real got = fuse::pow(x, y);
      Wide want = std::pow(Wide(x), Wide(y));
      // An infinite operand says nothing about the error of a finite result.
      Wide error = errorInUlps<Real, Wide>("pow", 0, got, want);
      Real rounded = Real(want);
      bool isLimit = rounded == 0 || std::isinf(rounded);
      EXPECT_LE(error, grantedUlps("pow")) << x << " ^ " << y << " = " << got;
      EXPECT_TRUE(!isLimit || same(got, rounded)) << x << " ^ " << y;
    }
}

TYPED_TEST(ValuesTest, PowWithinUlps) {
  using Real = TypeParam;
  using Wide = std::conditional_t<sizeof(Real) == 4, double, long double>;
  constexpr int range = std::numeric_limits<Real>::max_exponent + 30;
  std::mt19937_64 random(1);
  Wide worst = 0;
  auto unit = [&] { return std::ldexp(Real(int64_t(random())), -63); };
  auto visit = [&](Real x) {
    // The result's exponent is uniform.
    Real y = Real(range * unit() / std::log2(Wide(x)));
    Wide want = std::pow(Wide(x), Wide(y));
    worst = std::max(worst,
                     errorInUlps<Real, Wide>("pow", x, fuse::pow(x, y), want));
  };
  for (int i = 0; i < 200000; ++i) {
    visit(std::fabs(bitCast<Real>(static_cast<Bits<Real>>(random()))));
    visit(1 + std::ldexp(unit(), -i % 20 - 1));
  }
  EXPECT_LE(worst, grantedUlps("pow"));
}

//===----------------------------------------------------------------------===//
// Choice and rounding
//===----------------------------------------------------------------------===//

TYPED_TEST(ValuesTest, NanPropagates) {
  using Real = TypeParam;
  const Real nan = this->nan;
  for (Real x : this->edges())
    for (Real bad : {nan, -nan}) {
      EXPECT_TRUE(same(fuse::minimum(x, bad), nan));
      EXPECT_TRUE(same(fuse::minimum(bad, x), nan));
      EXPECT_TRUE(same(fuse::maximum(x, bad), nan));
      EXPECT_TRUE(same(fuse::maximum(bad, x), nan));
      EXPECT_TRUE(same(fuse::clamp(bad, x, x), nan));
      EXPECT_TRUE(same(fuse::clamp(x, bad, x), nan));
      EXPECT_TRUE(same(fuse::clamp(x, x, bad), nan));
      EXPECT_TRUE(same(fuse::relu(bad), nan));
    }
}

TYPED_TEST(ValuesTest, MinusZeroIsBelowZero) {
  using Real = TypeParam;
  const Real zero = 0, minusZero = Real(-0.0);
  EXPECT_TRUE(same(fuse::minimum(zero, minusZero), minusZero));
  EXPECT_TRUE(same(fuse::minimum(minusZero, zero), minusZero));
  EXPECT_TRUE(same(fuse::maximum(zero, minusZero), zero));
  EXPECT_TRUE(same(fuse::maximum(minusZero, zero), zero));
  EXPECT_TRUE(same(fuse::relu(minusZero), zero));
}

TYPED_TEST(ValuesTest, RoundsAsTheStandardLibrary) {
  using Real = TypeParam;
  std::mt19937_64 random(1);
  std::vector<Real> values = this->edges();
  for (int i = 0; i < 200000; ++i) {
    values.push_back(bitCast<Real>(static_cast<Bits<Real>>(random())));
    values.push_back(Real(int64_t(random() % 64) - 32) / 4);
  }
  for (Real x : values) {
    ASSERT_TRUE(same(fuse::floor(x), std::floor(x)));
    ASSERT_TRUE(same(fuse::ceil(x), std::ceil(x)));
    ASSERT_TRUE(same(fuse::round(x), std::nearbyint(x)));
  }
}

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

RC_GTEST_PROP(MathLaws, ChoiceIsOrdered, (uint32_t a, uint32_t b)) {
  float x = bitCast<float>(a), y = bitCast<float>(b);
  float low = fuse::minimum(x, y), high = fuse::maximum(x, y);
  RC_ASSERT(isSame(low, fuse::minimum(y, x)));
  RC_ASSERT(isSame(high, fuse::maximum(y, x)));
  RC_ASSERT(isSame(low, -fuse::maximum(-x, -y)));
  bool isUnordered = std::isnan(x) || std::isnan(y);
  RC_ASSERT(std::isnan(low) == isUnordered);
  RC_ASSERT(isUnordered || (low <= high && (isSame(low, x) || isSame(low, y))));
}

RC_GTEST_PROP(MathLaws, OddAndEven, (uint32_t bits)) {
  float x = bitCast<float>(bits);
  RC_ASSERT(isSame(fuse::tanh(-x), -fuse::tanh(x)));
  RC_ASSERT(isSame(fuse::erf(-x), -fuse::erf(x)));
  RC_ASSERT(isSame(fuse::sin(-x), -fuse::sin(x)));
  RC_ASSERT(isSame(fuse::cos(-x), fuse::cos(x)));
}

RC_GTEST_PROP(MathLaws, DistributionsStayInTheirRange, (uint32_t bits)) {
  float x = bitCast<float>(bits);
  RC_PRE(!std::isnan(x));
  RC_ASSERT(std::fabs(fuse::tanh(x)) <= 1.0f);
  RC_ASSERT(std::fabs(fuse::erf(x)) <= 1.0f);
  RC_ASSERT(std::fabs(fuse::sin(x)) <= 1.0f || std::isinf(x));
  RC_ASSERT(fuse::sigmoid(x) >= 0.0f && fuse::sigmoid(x) <= 1.0f);
  RC_ASSERT(fuse::softplus(x) >= std::max(x, 0.0f));
}

RC_GTEST_PROP(MathLaws, IntegerDivision, (int32_t a, int32_t b)) {
  RC_PRE(b != 0);
  int32_t quotient = fuse::floordiv(a, b), rest = fuse::mod(a, b);
  int64_t wide = int64_t(b) * quotient + rest;
  RC_ASSERT(int32_t(uint32_t(wide)) == a);
  RC_ASSERT(rest == 0 || (rest < 0) == (b < 0));
  RC_ASSERT(std::abs(int64_t(rest)) < std::abs(int64_t(b)));
}

TEST(Values, IntegerDivisionAtTheEdges) {
  constexpr int32_t lowest = std::numeric_limits<int32_t>::min();
  constexpr int32_t highest = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(fuse::floordiv(7, 2), 3);
  EXPECT_EQ(fuse::floordiv(-7, 2), -4);
  EXPECT_EQ(fuse::floordiv(7, -2), -4);
  EXPECT_EQ(fuse::floordiv(-7, -2), 3);
  EXPECT_EQ(fuse::mod(-7, 2), 1);
  EXPECT_EQ(fuse::mod(7, -2), -1);
  EXPECT_EQ(fuse::floordiv(lowest, -1), lowest);
  EXPECT_EQ(fuse::mod(lowest, -1), 0);
  EXPECT_EQ(fuse::floordiv(lowest, highest), -2);
  EXPECT_EQ(fuse::floordiv(5, 0), 0);
  EXPECT_EQ(fuse::mod(5, 0), 0);
  EXPECT_EQ(fuse::clamp(7, -1, 3), 3);
  EXPECT_EQ(fuse::relu(-4), 0);
}
