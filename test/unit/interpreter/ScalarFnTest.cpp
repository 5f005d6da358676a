//===- ScalarFnTest.cpp - Values of the scalar functions ------------------===//
//
// Each function of ScalarFn.def against a formula in long double, and at the
// ends of its domain against known values.
//
//===----------------------------------------------------------------------===//

#include "EvaluateScalar.h"
#include "InterpreterTestUtils.h"

using namespace fuse;
using namespace fuse::test;

using Long = long double;

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

static Long larger(Long a, Long b) { return a < b ? b : a; }
static Long smaller(Long a, Long b) { return a < b ? a : b; }
static Long logistic(Long x) { return 1 / (1 + std::exp(-x)); }

namespace {
struct Reference {
  const char *spelling;
  /// Where operands are drawn.
  double low, high;
  Long (*fn)(const Long *operands);
};
} // namespace

// One a function, in another formula than the interpreter's where there is one.
static const Reference references[] = {
    {"neg", -1e3, 1e3, [](auto x) { return 0 - x[0]; }},
    {"abs", -1e3, 1e3, [](auto x) { return larger(x[0], -x[0]); }},
    {"add", -1e3, 1e3, [](auto x) { return x[0] + x[1]; }},
    {"sub", -1e3, 1e3, [](auto x) { return x[0] - x[1]; }},
    {"mul", -1e3, 1e3, [](auto x) { return x[0] * x[1]; }},
    {"div", -1e3, 1e3, [](auto x) { return x[0] / x[1]; }},
    {"min", -1e3, 1e3, [](auto x) { return smaller(x[0], x[1]); }},
    {"max", -1e3, 1e3, [](auto x) { return larger(x[0], x[1]); }},
    {"clamp", -9, 9, [](auto x) { return smaller(larger(x[0], x[1]), x[2]); }},
    {"pow", 0, 9, [](auto x) { return std::exp2(x[1] * std::log2(x[0])); }},
    {"sqrt", 0, 1e3, [](auto x) { return std::pow(x[0], Long(0.5)); }},
    {"rsqrt", 0, 1e3, [](auto x) { return std::pow(x[0], Long(-0.5)); }},
    {"exp", -9, 9, [](auto x) { return std::pow(std::exp(Long(1)), x[0]); }},
    {"exp2", -99, 99, [](auto x) { return std::pow(Long(2), x[0]); }},
    {"expm1", -9, 9,
     [](auto x) { return 2 * std::exp(x[0] / 2) * std::sinh(x[0] / 2); }},
    {"log", 0, 1e3,
     [](auto x) { return std::log10(x[0]) * std::log(Long(10)); }},
    {"log2", 0, 1e3, [](auto x) { return std::log(x[0]) / std::log(Long(2)); }},
    {"log1p", -1, 1e2,
     [](auto x) { return 2 * std::atanh(x[0] / (2 + x[0])); }},
    {"sin", -9, 9,
     [](auto x) { return 2 * std::sin(x[0] / 2) * std::cos(x[0] / 2); }},
    {"cos", -9, 9,
     [](auto x) { return 1 - 2 * std::sin(x[0] / 2) * std::sin(x[0] / 2); }},
    {"tanh", -9, 9,
     [](auto x) { return std::expm1(2 * x[0]) / (std::expm1(2 * x[0]) + 2); }},
    {"erf", -4, 4, [](auto x) { return 1 - std::erfc(x[0]); }},
    {"sigmoid", -9, 30, [](auto x) { return (1 + std::tanh(x[0] / 2)) / 2; }},
    {"silu", -30, 30, [](auto x) { return x[0] * logistic(x[0]); }},
    {"gelu", -3, 9,
     [](auto x) { return x[0] * std::erfc(-x[0] / std::sqrt(Long(2))) / 2; }},
    {"gelu_tanh", -6, 9,
     [](auto x) {
       const Long pi = std::acos(Long(-1));
       return x[0] * logistic(std::sqrt(8 / pi) *
                              (x[0] + Long(0.044715) * x[0] * x[0] * x[0]));
     }},
    {"softplus", -9, 30, [](auto x) { return std::log(1 + std::exp(x[0])); }},
    {"relu", -9, 9, [](auto x) { return larger(x[0], 0); }},
    {"leaky_relu", -9, 9, [](auto x) { return x[0] < 0 ? x[1] * x[0] : x[0]; }},
    {"elu", -9, 9,
     [](auto x) { return x[0] < 0 ? x[1] * (std::exp(x[0]) - 1) : x[0]; }},
    {"floor", -9, 9, [](auto x) { return std::floor(x[0]); }},
    {"ceil", -9, 9, [](auto x) { return -std::floor(-x[0]); }},
    {"round", -9, 9, [](auto x) { return std::floor(x[0] + Long(0.5)); }}};

static SmallVector<ScalarFn> floatFunctions() {
  SmallVector<ScalarFn> functions;
  for (StringRef spelling : scalarFnSpellings()) {
    ScalarFn fn = *symbolizeScalarFn(spelling);
    ScalarOperands operands = getInfo(fn).operands;
    if (operands == ScalarOperands::Float || operands == ScalarOperands::Number)
      functions.push_back(fn);
  }
  return functions;
}

TEST(ScalarFn, ValuesAgreeWithFormulas) {
  rt::SplitMix64 generator(1);
  for (ScalarFn fn : floatFunctions()) {
    const ScalarFnInfo &info = getInfo(fn);
    const Reference *found = llvm::find_if(references, [&](const auto &entry) {
      return entry.spelling == info.spelling;
    });
    ASSERT_NE(found, std::end(references)) << info.spelling.str();
    const Reference &reference = *found;
    for (int i = 0; i < 2000; ++i) {
      double x[3];
      Long exact[3];
      for (int k = 0; k < 3; ++k) {
        x[k] = reference.low +
               (reference.high - reference.low) * rt::drawUniform(generator);
        exact[k] = x[k];
      }
      Long want = reference.fn(exact);
      double got = evaluate(fn, ArrayRef(x).take_front(info.arity));
      // A few roundings of double, also of the operand where it is large; the
      // formulas above lose as much of small results.
      double scale = std::max<double>(std::fabs(want), 0x1p-10);
      EXPECT_LE(std::fabs(Long(got) - want), 0x1p-49 * scale)
          << info.spelling.str() << " of " << x[0] << ", " << x[1] << ", "
          << x[2];
    }
  }
}

//===----------------------------------------------------------------------===//
// Ends of domains
//===----------------------------------------------------------------------===//

static ::testing::AssertionResult has(const char *spelling,
                                      ArrayRef<double> operands, double want) {
  double got = evaluate(*symbolizeScalarFn(spelling), operands);
  return sameBits({got}, {want}) ? ::testing::AssertionSuccess()
                                 : ::testing::AssertionFailure()
                                       << spelling << " of " << operands[0]
                                       << " is " << got << " instead of "
                                       << want;
}

TEST(ScalarFn, NanGivesNan) {
  for (ScalarFn fn : floatFunctions()) {
    const ScalarFnInfo &info = getInfo(fn);
    for (unsigned at = 0; at < info.arity; ++at) {
      double x[] = {-0.5, 1, 1};
      x[at] = quietNan;
      EXPECT_TRUE(std::isnan(evaluate(fn, ArrayRef(x).take_front(info.arity))))
          << info.spelling.str() << " with NaN in operand " << at;
    }
  }
}

TEST(ScalarFn, Infinities) {
  struct {
    const char *fn;
    double ofMinus, ofPlus;
  } cases[] = {{"neg", infinity, -infinity},
               {"abs", infinity, infinity},
               {"sqrt", quietNan, infinity},
               {"rsqrt", quietNan, 0},
               {"exp", 0, infinity},
               {"exp2", 0, infinity},
               {"expm1", -1, infinity},
               {"log", quietNan, infinity},
               {"log2", quietNan, infinity},
               {"log1p", quietNan, infinity},
               {"sin", quietNan, quietNan},
               {"cos", quietNan, quietNan},
               {"tanh", -1, 1},
               {"erf", -1, 1},
               {"sigmoid", 0, 1},
               {"silu", -0.0, infinity},
               {"gelu", -0.0, infinity},
               {"gelu_tanh", -0.0, infinity},
               {"softplus", 0, infinity},
               {"relu", 0, infinity},
               {"floor", -infinity, infinity},
               {"ceil", -infinity, infinity},
               {"round", -infinity, infinity}};
  for (auto [fn, ofMinus, ofPlus] : cases) {
    EXPECT_TRUE(has(fn, {-infinity}, ofMinus));
    EXPECT_TRUE(has(fn, {infinity}, ofPlus));
  }
  EXPECT_TRUE(has("elu", {-infinity, 0.5}, -0.5));
  EXPECT_TRUE(has("leaky_relu", {-infinity, 0.5}, -infinity));
  EXPECT_TRUE(has("leaky_relu", {infinity, -3}, infinity));
  EXPECT_TRUE(has("sub", {infinity, infinity}, quietNan));
  EXPECT_TRUE(has("mul", {infinity, 0}, quietNan));
  EXPECT_TRUE(has("div", {infinity, infinity}, quietNan));
  EXPECT_TRUE(has("clamp", {infinity, -1, 2}, 2));
  EXPECT_TRUE(has("pow", {2, -infinity}, 0));
}

TEST(ScalarFn, ZerosKeepTheirSign) {
  for (const char *fn : {"expm1", "log1p", "sin", "tanh", "erf", "silu", "gelu",
                         "gelu_tanh", "floor", "ceil", "round", "sqrt"})
    for (double zero : {0.0, -0.0})
      EXPECT_TRUE(has(fn, {zero}, zero));
  EXPECT_TRUE(has("neg", {0.0}, -0.0));
  EXPECT_TRUE(has("abs", {-0.0}, 0.0));
  EXPECT_TRUE(has("relu", {-0.0}, 0.0)); // the maximum with 0
  EXPECT_TRUE(has("add", {-0.0, 0.0}, 0.0));
  EXPECT_TRUE(has("add", {-0.0, -0.0}, -0.0));
  EXPECT_TRUE(has("round", {-0.25}, -0.0));
  EXPECT_TRUE(has("ceil", {-0.5}, -0.0));
  EXPECT_TRUE(has("div", {1, -0.0}, -infinity));
  EXPECT_TRUE(has("rsqrt", {0.0}, infinity));
  EXPECT_TRUE(has("log", {-0.0}, -infinity));
  EXPECT_TRUE(has("log2", {0.0}, -infinity));
  EXPECT_TRUE(has("log1p", {-1.0}, -infinity));
  for (double zero : {0.0, -0.0}) {
    EXPECT_TRUE(has("exp", {zero}, 1));
    EXPECT_TRUE(has("cos", {zero}, 1));
    EXPECT_TRUE(has("sigmoid", {zero}, 0.5));
    EXPECT_TRUE(has("pow", {zero, 0}, 1));
  }
}

TEST(ScalarFn, KnownValues) {
  EXPECT_TRUE(has("round", {2.5}, 2));
  EXPECT_TRUE(has("round", {3.5}, 4));
  EXPECT_TRUE(has("round", {-2.5}, -2));
  EXPECT_TRUE(has("round", {0x1.fffffffffffffp-2}, 0));
  EXPECT_TRUE(has("floor", {-2.5}, -3));
  EXPECT_TRUE(has("ceil", {-2.5}, -2));
  EXPECT_TRUE(has("exp2", {-149}, 0x1p-149));
  EXPECT_TRUE(has("log2", {0x1p-149}, -149));
  EXPECT_TRUE(has("pow", {-2, 3}, -8));
  EXPECT_TRUE(has("pow", {-2, 0.5}, quietNan));
  EXPECT_TRUE(has("pow", {3, -1}, 1.0 / 3));
  EXPECT_TRUE(has("sqrt", {0x1p-148}, 0x1p-74));
  EXPECT_TRUE(has("rsqrt", {0x1p-148}, 0x1p74));
  EXPECT_TRUE(has("rsqrt", {-1}, quietNan));
  EXPECT_TRUE(has("sqrt", {-0x1p-149}, quietNan));
  EXPECT_TRUE(has("log", {-1}, quietNan));
  EXPECT_TRUE(has("log1p", {-1.5}, quietNan));
  // A range whose limits cross is its upper limit.
  EXPECT_TRUE(has("clamp", {0, 3, -3}, -3));
  EXPECT_TRUE(has("leaky_relu", {-2, 0.25}, -0.5));
  EXPECT_TRUE(has("leaky_relu", {2, 0.25}, 2));
  EXPECT_TRUE(has("elu", {2, 0.25}, 2));
  // Without overflow on the way, at either end.
  EXPECT_TRUE(has("softplus", {1000}, 1000));
  EXPECT_TRUE(has("softplus", {-1000}, 0));
  EXPECT_TRUE(has("sigmoid", {1000}, 1));
  EXPECT_TRUE(has("sigmoid", {-1000}, 0));
  EXPECT_TRUE(has("silu", {-1000}, -0.0));
  EXPECT_TRUE(has("gelu", {1000}, 1000));
  EXPECT_TRUE(has("gelu_tanh", {1e30}, 1e30));
  EXPECT_TRUE(has("gelu_tanh", {-1e30}, -0.0));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static double integer(const char *spelling, ArrayRef<int64_t> operands,
                      unsigned width = 32) {
  SmallVector<Scalar> scalars;
  for (int64_t operand : operands)
    scalars.push_back({double(operand)});
  FailureOr<Scalar> result =
      evaluateInteger(*symbolizeScalarFn(spelling), scalars, width);
  EXPECT_TRUE(succeeded(result)) << spelling;
  return result->value;
}

TEST(ScalarFn, IntegersAgreeWithWiderArithmetic) {
  EXPECT_TRUE(rc::check("modulo 2^32", [](int32_t x, int32_t y) {
    auto wrapped = [](int64_t value) {
      constexpr int64_t modulus = int64_t(1) << 32, half = modulus / 2;
      return double(((value % modulus) + modulus + half) % modulus - half);
    };
    const int64_t a = x, b = y;
    RC_ASSERT(integer("add", {x, y}) == wrapped(a + b));
    RC_ASSERT(integer("sub", {x, y}) == wrapped(a - b));
    RC_ASSERT(integer("mul", {x, y}) == wrapped(a * b));
    RC_ASSERT(integer("neg", {x}) == wrapped(-a));
    RC_ASSERT(integer("abs", {x}) == wrapped(a < 0 ? -a : a));
    RC_ASSERT(integer("min", {x, y}) == std::min(x, y));
    RC_ASSERT(integer("max", {x, y}) == std::max(x, y));
    RC_ASSERT(integer("relu", {x}) == std::max(x, 0));
    RC_ASSERT(integer("clamp", {x, -5, y}) == std::min(std::max(x, -5), y));
    RC_ASSERT(integer("and", {x, y}) == (x & y));
    RC_ASSERT(integer("or", {x, y}) == (x | y));
    RC_ASSERT(integer("xor", {x, y}) == (x ^ y));
    RC_ASSERT(integer("not", {x}) == ~x);
  }));
  EXPECT_TRUE(
      rc::check("x = q y + r, r of the sign of y and below it", [](int32_t x) {
        auto y = *rc::gen::nonZero<int32_t>();
        double q = integer("floordiv", {x, y}), r = integer("mod", {x, y});
        RC_PRE(x != INT32_MIN || y != -1); // wraps
        RC_ASSERT(q * y + r == double(x));
        RC_ASSERT(r == 0 || (r < 0) == (y < 0));
        RC_ASSERT(std::fabs(r) < std::fabs(double(y)));
      }));
}

TEST(ScalarFn, Logic) {
  for (int64_t x : {0, 1}) {
    for (int64_t y : {0, 1}) {
      EXPECT_EQ(integer("and", {x, y}, 1), x && y);
      EXPECT_EQ(integer("or", {x, y}, 1), x || y);
      EXPECT_EQ(integer("xor", {x, y}, 1), x != y);
    }
    EXPECT_EQ(integer("not", {x}, 1), !x);
  }
}

TEST(ScalarFn, DivisionByZeroFails) {
  for (const char *fn : {"floordiv", "mod"})
    EXPECT_TRUE(failed(
        evaluateInteger(*symbolizeScalarFn(fn), {Scalar{1}, Scalar{0}}, 32)));
}
