//===- DimInferenceTest.cpp - Requirements of shape rules, and patterns ---===//

#include "IRTest.h"

#include "fuse/ir/DimInference.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace fuse;

namespace {

using Kind = DimConstraint::Kind;

DimExpr dim(StringRef text) {
  std::string error;
  std::optional<DimExpr> expr = DimExpr::parse(text, error);
  EXPECT_TRUE(expr) << error;
  return expr.value_or(DimExpr());
}

DimVector dims(std::initializer_list<StringRef> texts) {
  DimVector result;
  for (StringRef text : texts)
    result.push_back(dim(text));
  return result;
}

class DimInferenceTest : public IRTest {
protected:
  DimInference::ErrorFn emitter() {
    return [this] { return mlir::emitError(mlir::UnknownLoc::get(&context)); };
  }

  /// `what: lhs relation rhs` of each constraint noted since the last call.
  std::string takeConstraints() {
    std::string text;
    for (const DimConstraint &constraint : constraints) {
      static const char *const relations[] = {" == ", " % ", " <= ", " >= "};
      text += (text.empty() ? "" : "; ") + constraint.what + ": " +
              constraint.lhs.str() +
              relations[static_cast<int>(constraint.kind)] +
              constraint.rhs.str();
    }
    constraints.clear();
    return text;
  }

  SmallVector<DimVector> operands = {dims({"N", "4"}), {}};
  SmallVector<DimConstraint> constraints;
  DimInference infer{operands, emitter(), &constraints};
};

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

TEST_F(DimInferenceTest, Operands) {
  EXPECT_EQ(infer.getRank(0), 2u);
  EXPECT_EQ(infer.getRank(1), 0u);
  EXPECT_EQ(infer.operand(0)[1], DimExpr(4));
}

TEST_F(DimInferenceTest, Equal) {
  EXPECT_TRUE(succeeded(infer.requireEqual(dim("N"), dim("N"), "x")));
  EXPECT_EQ(takeConstraints(), "");
  EXPECT_TRUE(succeeded(infer.requireEqual(dim("N"), dim("2*M"), "x")));
  EXPECT_EQ(takeConstraints(), "x: N == 2*M");
  EXPECT_TRUE(failed(infer.requireEqual(dim("N"), dim("N + 1"), "x")));
  EXPECT_EQ(takeDiagnostics(), "expects x to be N + 1, but got N");
}

TEST_F(DimInferenceTest, SameDims) {
  EXPECT_TRUE(succeeded(
      infer.requireSameDims(dims({"N", "4"}), dims({"N", "M"}), "x")));
  EXPECT_EQ(takeConstraints(), "axis 1 of x: 4 == M");
  EXPECT_TRUE(failed(infer.requireSameDims(dims({"N"}), {}, "x")));
  EXPECT_EQ(takeDiagnostics(), "expects x to have rank 0, but got 1");
  EXPECT_TRUE(
      failed(infer.requireSameDims(dims({"N", "4"}), dims({"N", "5"}), "x")));
  EXPECT_EQ(takeDiagnostics(), "expects axis 1 of x to be 5, but got 4");
}

TEST_F(DimInferenceTest, Divides) {
  EXPECT_TRUE(succeeded(infer.requireDivides(12, 4, "x")));
  EXPECT_TRUE(succeeded(infer.requireDivides(dim("N"), 1, "x")));
  EXPECT_TRUE(succeeded(infer.requireDivides(dim("N"), dim("N"), "x")));
  EXPECT_EQ(takeConstraints(), "");
  EXPECT_TRUE(succeeded(infer.requireDivides(dim("N"), 4, "x")));
  EXPECT_TRUE(succeeded(infer.requireDivides(12, dim("H"), "x")));
  EXPECT_EQ(takeConstraints(), "x: N % 4; x: 12 % H");
  EXPECT_TRUE(failed(infer.requireDivides(12, 5, "x")));
  EXPECT_EQ(takeDiagnostics(), "expects x to be a multiple of 5, but got 12");
  EXPECT_TRUE(failed(infer.requireDivides(dim("N"), 0, "x")));
  EXPECT_EQ(takeDiagnostics(), "expects x to be a multiple of 0, but got N");
}

TEST_F(DimInferenceTest, Bounds) {
  EXPECT_TRUE(succeeded(infer.requireAtMost(3, 3, "x")));
  EXPECT_TRUE(succeeded(infer.requireAtMost(dim("N"), dim("N + 1"), "x")));
  EXPECT_TRUE(succeeded(infer.requireAtLeast(3, 3, "x")));
  EXPECT_TRUE(succeeded(infer.requireAtLeast(dim("N + 1"), dim("N"), "x")));
  EXPECT_EQ(takeConstraints(), "");
  EXPECT_TRUE(succeeded(infer.requireAtMost(dim("N"), 3, "x")));
  EXPECT_TRUE(succeeded(infer.requireAtLeast(dim("N"), 3, "x")));
  EXPECT_EQ(takeConstraints(), "x: N <= 3; x: N >= 3");
  EXPECT_TRUE(failed(infer.requireAtMost(4, 3, "x")));
  EXPECT_EQ(takeDiagnostics(), "expects x to be at most 3, but got 4");
  EXPECT_TRUE(failed(infer.requireAtLeast(dim("N - 1"), dim("N"), "x")));
  EXPECT_EQ(takeDiagnostics(), "expects x to be at least N, but got N - 1");
}

TEST_F(DimInferenceTest, RanksAndAxes) {
  EXPECT_TRUE(succeeded(infer.requireRank(0, 2, "x")));
  EXPECT_TRUE(failed(infer.requireRank(1, 2, "x")));
  EXPECT_EQ(takeDiagnostics(), "expects x to have rank 2, but got 0");
  EXPECT_TRUE(succeeded(infer.requireAxis(0, 2)));
  EXPECT_TRUE(succeeded(infer.requireAxis(1, 2)));
  EXPECT_TRUE(failed(infer.requireAxis(2, 2)));
  EXPECT_EQ(takeDiagnostics(), "expects an axis from 0 to 1, but got 2");
  EXPECT_TRUE(failed(infer.requireAxis(-1, 2)));
  EXPECT_EQ(takeDiagnostics(), "expects an axis from 0 to 1, but got -1");
  EXPECT_TRUE(failed(infer.requireAxis(0, 0)));
  EXPECT_EQ(takeDiagnostics(), "expects a tensor with an axis, but got rank 0");
}

// Without a list of constraints only what is provably wrong is an error.
TEST_F(DimInferenceTest, NoConstraints) {
  DimInference lenient(operands, emitter());
  EXPECT_TRUE(succeeded(lenient.requireEqual(dim("N"), dim("M"), "x")));
  EXPECT_TRUE(succeeded(lenient.requireDivides(dim("N"), 4, "x")));
  EXPECT_TRUE(succeeded(lenient.requireAtMost(dim("N"), 4, "x")));
  EXPECT_TRUE(succeeded(lenient.requireAtLeast(dim("N"), 4, "x")));
  EXPECT_TRUE(failed(lenient.requireEqual(3, 4, "x")));
  EXPECT_EQ(takeDiagnostics(), "expects x to be 4, but got 3");
}

//===----------------------------------------------------------------------===//
// Expressions in attributes
//===----------------------------------------------------------------------===//

TEST_F(DimInferenceTest, Parse) {
  FailureOr<DimExpr> expr = infer.parse("H*D/2");
  ASSERT_TRUE(succeeded(expr));
  EXPECT_EQ(*expr, dim("H*D/2"));
  EXPECT_EQ(takeConstraints(), "the dividend in 'H*D/2': D*H % 2");
  EXPECT_TRUE(failed(infer.parse("H*")));
  EXPECT_EQ(takeDiagnostics(),
            "expects a number or a name in dim expression 'H*', but got its "
            "end");
  EXPECT_TRUE(failed(infer.parse("H + d")));
  EXPECT_EQ(takeDiagnostics(), "expects symbols with an upper-case initial in "
                               "dim expression 'H + d', but got 'd'");
  EXPECT_TRUE(failed(infer.parse("$")));
  EXPECT_EQ(takeDiagnostics(), "expects symbols with an upper-case initial in "
                               "dim expression '$', but got '$'");
  EXPECT_TRUE(failed(infer.parse("9/2")));
  EXPECT_EQ(takeDiagnostics(),
            "expects the dividend in '9/2' to be a multiple of 2, but got 9");
}

TEST_F(DimInferenceTest, ParseWithSelf) {
  DimExpr self = dim("2*N"), sum = dim("N + 1");
  FailureOr<DimExpr> expr = infer.parse("$/2 + 1", &self);
  ASSERT_TRUE(succeeded(expr));
  EXPECT_EQ(*expr, dim("N + 1"));
  EXPECT_EQ(takeConstraints(), "the dividend in '$/2 + 1': 2*N % 2");
  EXPECT_TRUE(failed(infer.parse("n", &self)));
  EXPECT_EQ(takeDiagnostics(), "expects symbols with an upper-case initial or "
                               "'$' in dim expression 'n', but got 'n'");
  EXPECT_TRUE(failed(infer.parse("8/$", &sum)));
  EXPECT_EQ(takeDiagnostics(),
            "expects no division by a sum in dim expression '8/$'");
  EXPECT_TRUE(failed(infer.parse("9223372036854775807*$", &self)));
  EXPECT_EQ(takeDiagnostics(), "expects numbers below 2^63 in dim expression "
                               "'9223372036854775807*$'");
}

//===----------------------------------------------------------------------===//
// IndexBinder
//===----------------------------------------------------------------------===//

class IndexBinderTest : public DimInferenceTest {
protected:
  /// Matches `text`, a mapping, with the dims of its operands, and returns
  /// those of its result; or nothing, with a diagnostic.
  std::string run(StringRef text, ArrayRef<DimVector> operandDims) {
    std::string message;
    std::optional<IndexMapping> mapping = IndexMapping::parse(text, message);
    EXPECT_TRUE(mapping) << message;
    SmallVector<std::string> names;
    for (size_t index = 0; index < operandDims.size(); ++index)
      names.push_back(std::string(1, 'x' + index));
    IndexBinder binder(infer);
    if (failed(binder.bind(mapping->operands, operandDims, names)))
      return "";
    FailureOr<DimVector> result = binder.dims(mapping->result);
    if (failed(result))
      return "";
    std::string shape;
    for (const DimExpr &dim : *result)
      shape += (shape.empty() ? "" : " x ") + dim.str();
    return shape;
  }
};

TEST_F(IndexBinderTest, SingleAxes) {
  EXPECT_EQ(run("a b -> b a", {dims({"N", "4"})}), "4 x N");
  EXPECT_EQ(run("a -> a 3 H (2 a)", {dims({"N"})}), "N x 3 x H x 2*N");
  EXPECT_EQ(run("->", {{}}), "");
  EXPECT_EQ(takeConstraints(), "");
}

TEST_F(IndexBinderTest, OneFactorFollows) {
  EXPECT_EQ(run("(4 d) -> 4 d", {dims({"96"})}), "4 x 24");
  EXPECT_EQ(run("(H d) -> d", {dims({"H*D"})}), "D");
  EXPECT_EQ(takeConstraints(), "axis 0 of x: D*H % H");
  EXPECT_EQ(run("(h d), h -> d", {dims({"N"}), dims({"8"})}), "N/8");
  EXPECT_EQ(takeConstraints(), "axis 0 of x: N % 8");
}

// Groups wait for what later groups find.
TEST_F(IndexBinderTest, ChainsOfGroups) {
  EXPECT_EQ(run("(a b), (b c), c -> a b c",
                {dims({"24"}), dims({"12"}), dims({"3"})}),
            "6 x 4 x 3");
}

TEST_F(IndexBinderTest, KnownFactorsAreChecked) {
  EXPECT_EQ(run("n 4 -> n", {dims({"N", "M"})}), "N");
  EXPECT_EQ(takeConstraints(), "axis 1 of x: M == 4");
  EXPECT_EQ(run("n, n -> n", {dims({"N"}), dims({"M"})}), "N");
  EXPECT_EQ(takeConstraints(), "axis 0 of y: M == N");
  EXPECT_EQ(run("(a b), a b -> ", {dims({"N"}), dims({"2", "3"})}), "");
  EXPECT_EQ(takeConstraints(), "axis 0 of x: N == 6");
  EXPECT_EQ(run("n 4 -> n", {dims({"N", "5"})}), "");
  EXPECT_EQ(takeDiagnostics(), "expects axis 1 of x to be 4, but got 5");
}

TEST_F(IndexBinderTest, Errors) {
  EXPECT_EQ(run("a b -> a", {dims({"N"})}), "");
  EXPECT_EQ(takeDiagnostics(),
            "expects pattern 'a b' to name 1 axes of x, but got 2");
  EXPECT_EQ(run("a -> b", {dims({"N"})}), "");
  EXPECT_EQ(takeDiagnostics(),
            "expects index 'b' to have a known extent: name it in an operand, "
            "or use a number or a symbol");
  EXPECT_EQ(run("(a b c) -> a", {dims({"N"})}), "");
  EXPECT_EQ(takeDiagnostics(), "expects at most one factor of (a b c) without "
                               "a known extent, but got 'a' and 'b'");
  EXPECT_EQ(run("(5 a) -> a", {dims({"12"})}), "");
  EXPECT_EQ(takeDiagnostics(),
            "expects axis 0 of x to be a multiple of 5, but got 12");
}

// No expression is the quotient, so it gets a name, and an equation.
TEST_F(IndexBinderTest, QuotientBySum) {
  EXPECT_EQ(run("(h a), h -> a", {dims({"N"}), dims({"M + 1"})}),
            "?(N)/(M + 1)");
  EXPECT_EQ(takeConstraints(),
            "axis 0 of x: N % M + 1; axis 0 of x: N == "
            "?(N)/(M + 1) + ?(N)/(M + 1)*M; axis 0 of x: N == "
            "?(N)/(M + 1) + ?(N)/(M + 1)*M");
  EXPECT_EQ(run("(h a), h -> a", {dims({"2*M*D + 2*D"}), dims({"M + 1"})}),
            "2*D");
  takeConstraints();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

TEST_F(DimInferenceTest, DimsOfTypes) {
  mlir::Builder builder(&context);
  auto type = mlir::RankedTensorType::get({4, mlir::ShapedType::kDynamic},
                                          builder.getF32Type());
  DimVector found = dimsOfType(type, 3);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], DimExpr(4));
  EXPECT_EQ(found[1], DimExpr::symbol("?3.1"));
  EXPECT_EQ(typeOfDims(found, builder.getF32Type()), type);
  EXPECT_EQ(typeOfDims(dims({"N", "0", "2*3"}), builder.getI1Type()),
            mlir::RankedTensorType::get({mlir::ShapedType::kDynamic, 0, 6},
                                        builder.getI1Type()));
}

} // namespace
