//===- FactorTest.cpp - How sums depend on other reductions ---------------===//

#include "IndexFormTest.h"

#include "CheckFactor.h"

namespace fuse {
namespace {

using Kind = Factor::Kind;

/// Terms of a sum over the columns of `x`, from the row's maximum `%r`, which
/// is `%all` along the row.
class FactorTest : public IndexFormTest {
protected:
  std::optional<Factor> find(StringRef terms) {
    compute((R"mlir(
      func.func @f(%x: tensor<?x?xf32> {fuse.dims = ["N", "M"]},
                   %row: tensor<?xf32> {fuse.dims = ["N"]}) -> tensor<?xf32> {
        %r = fuse.reduce max %x axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
        %all = fuse.broadcast %r "n -> n m" like %x : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
        %c = fuse.broadcast %row "n -> n m" like %x : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
)mlir" + terms +
             R"mlir(
        %s = fuse.reduce sum %t axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
        return %s : tensor<?xf32>
      })mlir")
                .str());
    EXPECT_TRUE(form);
    if (!form)
      return std::nullopt;
    ReduceOp sum;
    for (auto reduce : kernel.getOps<ReduceOp>())
      sum = reduce;
    mlir::OpOperand &term = sum->getOpOperand(0);
    IndexId streamed = form->getIndices(term).back();
    auto factor = findFactor(term, op(0).getResult(0), streamed, *form);
    EXPECT_TRUE(!factor ||
                holdsFactor(term.get(), op(0).getResult(0), *factor));
    termOfSum = term.get();
    return factor;
  }
  mlir::Value termOfSum;
  /// `%name = fuse.map fn operands` on whole tensors.
  static std::string map(StringRef name, StringRef fn, StringRef operands) {
    bool isBinary = operands.contains(',');
    return ("%" + name + " = fuse.map " + fn + " " + operands + " : (" +
            (isBinary ? "tensor<?x?xf32>, " : "") +
            "tensor<?x?xf32>) -> tensor<?x?xf32>\n")
        .str();
  }
};

TEST_F(FactorTest, ExponentialOfADifference) {
  auto factor = find(map("d", "sub", "%x, %all") + map("t", "exp", "%d"));
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->kind, Kind::Exponential);
  EXPECT_EQ(factor->base, ScalarFn::Exp);
  ASSERT_EQ(factor->steps.size(), 1u);
  EXPECT_EQ(factor->steps[0].fn, ScalarFn::Neg);
}

// A temperature that is one for the row belongs to the exponent.
TEST_F(FactorTest, ScaledExponent) {
  auto factor = find(map("d", "sub", "%x, %all") + map("e", "mul", "%d, %c") +
                     map("p", "exp2", "%e") + map("t", "mul", "%p, %x"));
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->kind, Kind::Exponential);
  EXPECT_EQ(factor->base, ScalarFn::Exp2);
  ASSERT_EQ(factor->steps.size(), 2u);
  EXPECT_EQ(factor->steps[1].fn, ScalarFn::Mul);
}

TEST_F(FactorTest, Quotient) {
  auto factor = find(map("t", "div", "%x, %all"));
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->kind, Kind::Reciprocal);
  factor = find(map("t", "mul", "%all, %x"));
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->kind, Kind::Proportional);
}

// What is computed from r before it is spread along the row is one factor.
TEST_F(FactorTest, FunctionOfTheResult) {
  const std::string one = R"mlir(
        %v = fuse.map rsqrt %r : (tensor<?xf32>) -> tensor<?xf32>
        %h = fuse.map mul %v, %row : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        %one = fuse.broadcast %h "n -> n m" like %x : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
)mlir";
  auto factor =
      find(one + map("d", "mul", "%x, %one") + map("t", "mul", "%d, %x"));
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->kind, Kind::Proportional);
  EXPECT_NE(factor->value, op(0).getResult(0));
  factor = find(one + map("t", "div", "%x, %one"));
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->kind, Kind::Reciprocal);
  EXPECT_FALSE(find(one + map("t", "div", "%one, %one")));
}

// What checks factors knows wrong ones.
TEST_F(FactorTest, WrongFactorsDoNotHold) {
  auto factor = find(map("d", "sub", "%x, %all") + map("e", "mul", "%d, %c") +
                     map("t", "exp", "%e"));
  ASSERT_TRUE(factor);
  mlir::Value r = op(0).getResult(0);
  Factor wrong = *factor;
  wrong.base = ScalarFn::Exp2;
  EXPECT_FALSE(holdsFactor(termOfSum, r, wrong));
  wrong = *factor;
  wrong.steps.pop_back();
  EXPECT_FALSE(holdsFactor(termOfSum, r, wrong));
  EXPECT_FALSE(holdsFactor(termOfSum, r, Factor()));
  EXPECT_FALSE(holdsFactor(termOfSum, r, Factor{Kind::Proportional, r}));
  factor = find(map("t", "div", "%x, %all"));
  ASSERT_TRUE(factor);
  wrong = *factor;
  wrong.kind = Kind::Proportional;
  EXPECT_FALSE(holdsFactor(termOfSum, op(0).getResult(0), wrong));
}

TEST_F(FactorTest, Independent) {
  auto factor = find(map("t", "exp", "%x"));
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->kind, Kind::None);
}

// A sum, an exponent whose scale changes along the row, and what is not linear
// in the exponent.
TEST_F(FactorTest, NoFactor) {
  EXPECT_FALSE(find(map("t", "sub", "%x, %all")));
  EXPECT_FALSE(find(map("d", "sub", "%x, %all") + map("e", "mul", "%d, %x") +
                    map("t", "exp", "%e")));
  EXPECT_FALSE(find(map("d", "max", "%x, %all") + map("t", "exp", "%d")));
  EXPECT_FALSE(find(map("d", "sub", "%x, %all") + map("t", "tanh", "%d")));
  EXPECT_FALSE(find(map("d", "mul", "%all, %all") + map("t", "mul", "%d, %x")));
}

} // namespace
} // namespace fuse
