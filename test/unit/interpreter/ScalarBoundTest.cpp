//===- ScalarBoundTest.cpp - Errors through scalar functions --------------===//

#include "EvaluateScalar.h"
#include "InterpreterTestUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

using namespace fuse;
using namespace fuse::test;

namespace {
class ScalarBound : public ::testing::Test {
protected:
  ScalarBound() : context(mlir::MLIRContext::Threading::DISABLED) {}

  mlir::Type f32() { return mlir::Float32Type::get(&context); }
  mlir::Type bf16() { return mlir::BFloat16Type::get(&context); }
  mlir::Type integer(unsigned width) {
    return mlir::IntegerType::get(&context, width);
  }
  OpRounding rounding() { return {FloatFormat::of(f32())}; }
  Scalar evaluate(StringRef fn, ArrayRef<Scalar> operands) {
    return evaluateFloat(*symbolizeScalarFn(fn), operands, rounding());
  }

  mlir::MLIRContext context;
};

/// A value that an evaluation may have instead of the reference.
struct Perturbed {
  Scalar reference;
  double value;
};
} // namespace

/// A value of moderate size near which functions turn and jump, with an error
/// between nothing and its own size.
static Perturbed drawPerturbed() {
  double value = *rc::gen::inRange(-4096, 4097) / 512.0;
  double bound = *rc::gen::inRange(0, 5) == 0
                     ? 0.0
                     : std::ldexp(*rc::gen::inRange(0, 256) / 64.0,
                                  *rc::gen::inRange(-20, 2));
  double fraction = *rc::gen::inRange(-64, 65) / 64.0;
  return {{value, bound}, value + fraction * bound};
}

TEST_F(ScalarBound, CoversEveryOperandInReach) {
  for (StringRef spelling : scalarFnSpellings()) {
    ScalarFn fn = *symbolizeScalarFn(spelling);
    const ScalarFnInfo &info = getInfo(fn);
    if (info.operands != ScalarOperands::Float &&
        info.operands != ScalarOperands::Number)
      continue;
    EXPECT_TRUE(rc::check(spelling.str(), [&] {
      SmallVector<Scalar, 3> references;
      SmallVector<double, 3> values;
      for (unsigned i = 0; i < info.arity; ++i) {
        Perturbed operand = drawPerturbed();
        references.push_back(operand.reference);
        values.push_back(operand.value);
      }
      Scalar result = evaluateFloat(fn, references, rounding());
      double got = fuse::evaluate(fn, values);
      RC_CLASSIFY(std::isinf(result.bound), "no bound");
      if (std::isinf(result.bound))
        return;
      RC_ASSERT(std::isnan(got) == std::isnan(result.value));
      RC_ASSERT(gap(got, result.value) <= result.bound || std::isnan(got));
    })) << spelling.str();
  }
}

TEST_F(ScalarBound, IsNoLargerThanItMustBe) {
  // Where the function is monotone, the ends of the interval are reached.
  for (const char *fn :
       {"exp", "log", "sqrt", "rsqrt", "tanh", "erf", "sigmoid", "softplus",
        "expm1", "log1p", "relu", "silu", "gelu", "gelu_tanh", "abs", "neg"}) {
    Scalar x{1.5, 0x1p-8};
    Scalar y = evaluate(fn, {x});
    double reached = std::max(
        gap(fuse::evaluate(*symbolizeScalarFn(fn), {x.low()}), y.value),
        gap(fuse::evaluate(*symbolizeScalarFn(fn), {x.high()}), y.value));
    EXPECT_GE(y.bound, reached) << fn;
    EXPECT_LE(y.bound, reached + 1e-5) << fn;
  }
  // Across a turning point it is the farthest value, not that of the ends.
  Scalar bottom = evaluate("silu", {{-4.0, 3.9}});
  EXPECT_NEAR(bottom.low(), -0.2784645, 1e-6);
  EXPECT_NEAR(evaluate("abs", {{0.25, 1.0}}).bound, 1.0, 1e-6);
}

TEST_F(ScalarBound, DomainsAndPoles) {
  const Scalar nearZero{0.5, 1.0};
  for (const char *fn : {"log", "log2", "sqrt", "rsqrt"})
    EXPECT_EQ(evaluate(fn, {nearZero}).bound, infinity) << fn;
  EXPECT_EQ(evaluate("div", {{1.0}, nearZero}).bound, infinity);
  EXPECT_EQ(evaluate("pow", {nearZero, {0.5}}).bound, infinity);
  EXPECT_LT(evaluate("pow", {nearZero, {2}}).bound, 3);
  EXPECT_LT(evaluate("div", {nearZero, {1.0}}).bound, 1.1);
  EXPECT_EQ(evaluate("log1p", {{-0.5, 0.5}}).bound, infinity);
  // What may leave the range of the type has no bound.
  EXPECT_EQ(evaluate("mul", {{3e38}, {1.5}}).bound, infinity);
  EXPECT_EQ(evaluate("exp", {{88.7, 0.1}}).bound, infinity);
  EXPECT_LT(evaluate("exp", {{88.0, 0.1}}).bound, 1e38);
  // Sine and cosine move by no more than 2.
  EXPECT_LE(evaluate("sin", {{1e6, 100}}).bound, 2.001);
}

TEST_F(ScalarBound, NonFiniteValuesAreExact) {
  EXPECT_EQ(evaluate("exp", {{infinity}}).bound, 0);
  EXPECT_EQ(evaluate("log", {{-1}}).bound, 0);
  EXPECT_EQ(evaluate("add", {{quietNan}, {1, 0.5}}).bound, 0);
  EXPECT_EQ(evaluate("mul", {{infinity}, {2, 0.5}}).bound, 0);
  EXPECT_EQ(evaluate("mul", {{infinity}, {0.25, 0.5}}).bound, infinity);
  EXPECT_EQ(evaluate("div", {{infinity}, {2, 0.5}}).bound, 0);
  EXPECT_EQ(evaluate("div", {{infinity}, {0.25, 0.5}}).bound, infinity);
  // What has no bound may be NaN; nothing brings it back.
  EXPECT_EQ(evaluate("add", {{1, infinity}, {1}}).bound, infinity);
  EXPECT_EQ(evaluate("clamp", {{1, infinity}, {0}, {2}}).bound, infinity);
  EXPECT_EQ(evaluate("max", {{1, infinity}, {2}}).bound, infinity);
  EXPECT_EQ(evaluate("sigmoid", {{1, infinity}}).bound, infinity);
  EXPECT_EQ(evaluate("sin", {{1, infinity}}).bound, infinity);
  EXPECT_EQ(evaluate("mul", {{1, infinity}, {0}}).bound, infinity);
}

TEST_F(ScalarBound, JumpsAreUndecidedWithinReach) {
  for (const char *fn : {"floor", "ceil", "round"}) {
    double jump = StringRef(fn) == "round" ? 2.5 : 3.0;
    Scalar near = evaluate(fn, {{jump - 0x1p-10, 0x1p-9}});
    EXPECT_TRUE(near.undecided) << fn;
    EXPECT_EQ(near.bound, 1) << fn;
    Scalar far = evaluate(fn, {{jump - 0x1p-8, 0x1p-9}});
    EXPECT_FALSE(far.undecided) << fn;
    EXPECT_EQ(far.bound, 0) << fn;
  }
  // Once undecided, what follows is.
  EXPECT_TRUE(evaluate("add", {{1, 1, true}, {2}}).undecided);
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

static const std::pair<const char *, Comparison> comparisons[] = {
    {"eq", Comparison::Eq}, {"ne", Comparison::Ne}, {"lt", Comparison::Lt},
    {"le", Comparison::Le}, {"gt", Comparison::Gt}, {"ge", Comparison::Ge}};

TEST_F(ScalarBound, ComparisonsAreDecidedIfNoErrorMatters) {
  for (auto [name, comparison] : comparisons) {
    EXPECT_TRUE(rc::check(name, [comparison = comparison] {
      Perturbed lhs = drawPerturbed(), rhs = drawPerturbed();
      Scalar result = fuse::evaluate(comparison, lhs.reference, rhs.reference);
      RC_ASSERT(result.bound == result.undecided);
      Scalar got = fuse::evaluate(comparison, {lhs.value}, {rhs.value});
      RC_ASSERT(!got.undecided);
      if (!result.undecided)
        RC_ASSERT(got.value == result.value);
    }));
  }
  EXPECT_TRUE(fuse::evaluate(Comparison::Lt, {1, 0.5}, {1.5, 0.5}).undecided);
  EXPECT_FALSE(fuse::evaluate(Comparison::Lt, {1, 0.5}, {2.5, 0.5}).undecided);
  EXPECT_FALSE(fuse::evaluate(Comparison::Lt, {1}, {1}).undecided);
  EXPECT_TRUE(fuse::evaluate(Comparison::Lt, {1, infinity}, {5}).undecided);
  EXPECT_FALSE(fuse::evaluate(Comparison::Lt, {-infinity}, {5, 1}).undecided);
}

TEST_F(ScalarBound, SelectCoversBothSidesIfUndecided) {
  const Scalar open{1, 1, true}, yes{1}, no{0};
  Scalar both = evaluateSelect(open, {2, 0.5}, {5, 0.25});
  EXPECT_EQ(both.value, 2);
  EXPECT_EQ(both.bound, 3.25);
  EXPECT_TRUE(both.undecided);
  EXPECT_EQ(evaluateSelect(yes, {2, 0.5}, {5, 0.25}).bound, 0.5);
  EXPECT_EQ(evaluateSelect(no, {2, 0.5}, {5, 0.25}).bound, 0.25);
  // Sides that are the same decide.
  EXPECT_EQ(evaluateSelect(open, {2}, {2}).bound, 0);
  EXPECT_EQ(evaluateSelect(open, {infinity}, {infinity}).bound, 0);
  EXPECT_EQ(evaluateSelect(open, {quietNan}, {quietNan}).bound, 0);
  EXPECT_EQ(evaluateSelect(open, {2}, {quietNan}).bound, infinity);
  EXPECT_EQ(evaluateSelect(open, {2}, {-infinity}).bound, infinity);
}

TEST_F(ScalarBound, LogicIsDecidedByOneSide) {
  const Scalar open{1, 1, true}, yes{1}, no{0};
  auto logic = [](StringRef fn, ArrayRef<Scalar> operands) {
    return *evaluateInteger(*symbolizeScalarFn(fn), operands, 1);
  };
  EXPECT_FALSE(logic("and", {open, no}).undecided);
  EXPECT_TRUE(logic("and", {open, yes}).undecided);
  EXPECT_FALSE(logic("or", {yes, open}).undecided);
  EXPECT_TRUE(logic("or", {no, open}).undecided);
  EXPECT_TRUE(logic("xor", {no, open}).undecided);
  EXPECT_TRUE(logic("not", {open}).undecided);
  EXPECT_EQ(logic("or", {no, open}).bound, 1);
}

TEST_F(ScalarBound, CastsCoverBothSides) {
  auto toInt = [&](const Scalar &x) {
    return evaluateCast(x, f32(), integer(32));
  };
  EXPECT_EQ(toInt({2.5, 0.25}).bound, 0);
  EXPECT_FALSE(toInt({2.5, 0.25}).undecided);
  EXPECT_EQ(toInt({2.5, 0.75}).bound, 1);
  EXPECT_TRUE(toInt({2.5, 0.75}).undecided);
  EXPECT_EQ(toInt({1e12, 1}).bound, 0);              // saturated throughout
  EXPECT_EQ(toInt({1, infinity}).bound, 0x1p31 + 1); // down to the lowest
  auto toBool = [&](const Scalar &x) {
    return evaluateCast(x, f32(), integer(1));
  };
  EXPECT_FALSE(toBool({1, 0.5}).undecided);
  EXPECT_TRUE(toBool({1, 1}).undecided);
  EXPECT_TRUE(toBool({0, 0x1p-140}).undecided);
  EXPECT_FALSE(toBool({0, 0}).undecided);
  // To a narrower float: the neighbours that the error can reach.
  Scalar narrow = evaluateCast({1 + 0x1p-8, 0x1p-20}, f32(), bf16());
  EXPECT_EQ(narrow.value, 1);
  EXPECT_EQ(narrow.bound, 0x1p-7);
  EXPECT_FALSE(narrow.undecided);
  EXPECT_EQ(evaluateCast({1, 0x1p-20}, f32(), bf16()).bound, 0);
  EXPECT_EQ(evaluateCast({3.39e38, 1e37}, f32(), bf16()).bound, infinity);
}
