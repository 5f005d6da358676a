//===- DimAnalysisTest.cpp - Symbolic dims of whole functions -------------===//

#include "IRTest.h"

#include "fuse/ir/DimAnalysis.h"
#include "fuse/ir/FuseOps.h"
#include "mlir/IR/Builders.h"

using namespace fuse;

namespace {

using Kind = DimConstraint::Kind;

class DimAnalysisTest : public IRTest {
protected:
  void analyse(StringRef text) {
    function = parseFunction(text);
    if (!function)
      return;
    FailureOr<DimAnalysis> result = DimAnalysis::compute(function);
    ASSERT_TRUE(succeeded(result)) << takeDiagnostics();
    analysis = std::move(*result);
  }

  std::string dims(mlir::Value value) {
    std::string text;
    for (const DimExpr &dim : analysis->getDims(value))
      text += (text.empty() ? "" : " x ") + dim.str();
    return text;
  }

  /// The dims of the only result of the `index`-th op of the function.
  std::string resultDims(unsigned index) {
    mlir::Block &body = function.getFunctionBody().front();
    return dims(std::next(body.begin(), index)->getResult(0));
  }

  mlir::FunctionOpInterface function;
  std::optional<DimAnalysis> analysis;
};

TEST_F(DimAnalysisTest, ArgumentsAndResults) {
  analyse(R"mlir(
    func.func @f(%x: tensor<?x4x?xf32> {fuse.dims = ["B", 4, "H*D"]},
                 %y: tensor<?x?xf32>, %n: i32) {
      %0 = fuse.transpose %x [2, 0, 1] : (tensor<?x4x?xf32>) -> tensor<?x?x4xf32>
      %1 = fuse.map exp %y : (tensor<?x?xf32>) -> tensor<?x?xf32>
      %2 = fuse.cast %y : tensor<?x?xf32> -> tensor<7x?xbf16>
      return
    })mlir");
  EXPECT_EQ(dims(function.getArgument(0)), "B x 4 x D*H");
  EXPECT_EQ(dims(function.getArgument(1)), "?0 x ?1");
  EXPECT_EQ(dims(function.getArgument(2)), "");
  EXPECT_EQ(resultDims(0), "D*H x B x 4");
  EXPECT_EQ(resultDims(1), "?0 x ?1");
  EXPECT_EQ(resultDims(2), "7 x ?1");
}

// Everything that must hold in a call, in program order, and who says so.
TEST_F(DimAnalysisTest, Constraints) {
  analyse(R"mlir(
    func.func @f(%x: tensor<?x8xf32> {fuse.dims = ["N", "D"]},
                 %y: tensor<?x8xf32>) -> (tensor<?xf32> {fuse.dims = ["M"]})
        attributes {fuse.facts = ["N <= 16"]} {
      %0 = fuse.map add %x, %y : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
      %1 = fuse.reshape %0 "(n H) d -> n (H d)" : (tensor<?x8xf32>) -> tensor<?x?xf32>
      %2 = fuse.reduce sum %1 axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
      return %2 : tensor<?xf32>
    })mlir");
  std::string text;
  for (const DimAnalysis::Located &located : analysis->getConstraints()) {
    static const char *const relations[] = {" == ", " % ", " <= ", " >= "};
    const DimConstraint &constraint = located.constraint;
    auto line = cast<mlir::FileLineColLoc>(located.loc).getLine();
    text += std::to_string(line) + ": " + constraint.what + ": " +
            constraint.lhs.str() +
            relations[static_cast<int>(constraint.kind)] +
            constraint.rhs.str() + "\n";
  }
  EXPECT_EQ(text, "2: N: N <= 16\n"
                  "2: axis 1 of argument 'arg0': D == 8\n"
                  "5: axis 0 of operand #1: ?0 == N\n"
                  "6: axis 0 of the source: N % H\n"
                  "8: axis 0 of result 'result0': N/H == M\n");
  EXPECT_TRUE(analysis->getFacts().isEqual(DimExpr::symbol("D"), 8));
}

// Scores have dims, the yielded ones the same, and shapes follow from extents.
TEST_F(DimAnalysisTest, Attention) {
  analyse(R"mlir(
    func.func @f(%q: tensor<?x?x?x32xf32> {fuse.dims = ["B", "T", "Hq", "D"]},
                 %k: tensor<?x?x?x32xf32> {fuse.dims = ["B", "S", "Hkv", "D"]},
                 %bias: tensor<?x?x?x?xf32>) {
      %o = fuse.attention %q, %k, %k "b t (g r) d, b s g d, b s g d -> b t (g r) d" scores "b (g r) t s" {
      ^bb0(%s: tensor<?x?x?x?xf32>):
        fuse.yield %bias : tensor<?x?x?x?xf32>
      } : (tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>) -> tensor<?x?x?x32xf32>
      return
    })mlir");
  auto attention =
      cast<AttentionOp>(function.getFunctionBody().front().front());
  mlir::Value scores = attention.getScoreBody()->getArgument(0);
  EXPECT_EQ(dims(scores), "B x Hq x T x S");
  EXPECT_EQ(dims(attention.getResult()), "B x T x Hq x 32");
  mlir::Value bias = function.getArgument(2);
  for (auto [a, b] :
       llvm::zip_equal(analysis->getDims(bias), analysis->getDims(scores)))
    EXPECT_TRUE(analysis->getFacts().isEqual(a, b));
  EXPECT_TRUE(analysis->getFacts().isMultipleOf(DimExpr::symbol("Hq"),
                                                DimExpr::symbol("Hkv")));
  DimBindings bindings;
  bindings["B"] = 2;
  bindings["T"] = 3;
  bindings["S"] = 5;
  bindings["Hq"] = 8;
  EXPECT_EQ(analysis->getShape(scores, bindings),
            (SmallVector<int64_t>{2, 8, 3, 5}));
}

TEST_F(DimAnalysisTest, Names) {
  analyse(R"mlir(
    func.func @f(%x: tensor<?xf32> {fuse.name = "q"}, %y: tensor<?xf32>)
        -> (tensor<?xf32>, tensor<?xf32> {fuse.name = "out"}) {
      return %x, %y : tensor<?xf32>, tensor<?xf32>
    })mlir");
  EXPECT_EQ(argumentName(function, 0), "q");
  EXPECT_EQ(argumentName(function, 1), "arg1");
  EXPECT_EQ(resultName(function, 0), "result0");
  EXPECT_EQ(resultName(function, 1), "out");
}

// A diagnostic stands where the constraint comes from.
TEST_F(DimAnalysisTest, Contradiction) {
  function = parseFunction(R"mlir(
    func.func @f(%x: tensor<?xf32> {fuse.dims = ["N"]},
                 %y: tensor<?xf32> {fuse.dims = ["M"]})
        attributes {fuse.facts = ["N == M + 1"]} {
      %0 = fuse.map add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      return
    })mlir");
  ASSERT_TRUE(function);
  EXPECT_TRUE(failed(DimAnalysis::compute(function)));
  EXPECT_EQ(takeDiagnostics(),
            "expects axis 0 of operand #1 to be N, but M is something else by "
            "earlier constraints");
}

// A function that nobody has verified gets a diagnostic too.
TEST_F(DimAnalysisTest, UnverifiedFacts) {
  function = parseFunction("func.func @f() { return }");
  ASSERT_TRUE(function);
  mlir::Builder builder(&context);
  function->setAttr("fuse.facts", builder.getStrArrayAttr({"N"}));
  EXPECT_TRUE(failed(DimAnalysis::compute(function)));
  EXPECT_EQ(takeDiagnostics(), "'fuse.facts' expects a relation '==', '<=' or "
                               "'>=', but got 'N'");
}

} // namespace
