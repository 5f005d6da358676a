//===- JudgeTest.cpp - Verdicts on results --------------------------------===//

#include "InterpreterTestUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

using namespace fuse;
using namespace fuse::test;

namespace {
class Judge : public ::testing::Test {
protected:
  Judge() : context(mlir::MLIRContext::Threading::DISABLED) {}

  Tensor reference(std::vector<double> value, std::vector<double> bound) {
    Tensor tensor(mlir::Float32Type::get(&context),
                  Box::whole({int64_t(value.size())}));
    tensor.value = std::move(value);
    tensor.bound = std::move(bound);
    return tensor;
  }
  /// Of one element.
  Verdict judgeOne(double want, double bound, double got,
                   Criterion criterion = {}) {
    return judge(reference({want}, {bound}), {got}, criterion);
  }

  mlir::MLIRContext context;
};
} // namespace

TEST_F(Judge, BoundIsInclusiveAndHasOneSubnormalMore) {
  EXPECT_TRUE(judgeOne(1, 0.25, 1.25).passed);
  EXPECT_TRUE(judgeOne(1, 0.25, 0.75).passed);
  EXPECT_FALSE(judgeOne(1, 0.25, 1.2500001).passed);
  EXPECT_TRUE(judgeOne(0, 0, 0x1p-149).passed);
  EXPECT_FALSE(judgeOne(0, 0, 0x1p-148).passed);
}

TEST_F(Judge, NanAndInfinityMatchThemselvesAlone) {
  for (double value : {quietNan, infinity, -infinity}) {
    for (double got : {quietNan, infinity, -infinity, 1.0}) {
      bool same = got == value || (std::isnan(got) && std::isnan(value));
      EXPECT_EQ(judgeOne(value, 0, got).passed, same) << value << got;
    }
    EXPECT_FALSE(judgeOne(1, 1e30, value).passed) << value;
  }
}

TEST_F(Judge, ElementsWithoutBoundAreUndecided) {
  Verdict verdict = judgeOne(1, infinity, quietNan);
  EXPECT_EQ(verdict.numUndecided, 1);
  EXPECT_EQ(verdict.numFailed, 0);
  EXPECT_FALSE(verdict.passed); // nothing has been judged
}

TEST_F(Judge, OneUndecidedElementInAHundredIsAllowed) {
  std::vector<double> zeros(200, 0.0);
  Tensor want = reference(zeros, zeros);
  want.setUndecided(3);
  want.setUndecided(5);
  EXPECT_TRUE(judge(want, zeros, {}).passed);
  want.setUndecided(7);
  Verdict verdict = judge(want, zeros, {});
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.numUndecided, 3);
  EXPECT_EQ(verdict.numFailed, 0);
  // Other criteria have no undecided elements.
  EXPECT_TRUE(judge(want, zeros, {Criterion::Kind::Exact}).passed);
}

TEST_F(Judge, UndecidedElementsMustBeWithinTheirBound) {
  std::vector<double> zeros(200, 0.0), got(zeros);
  Tensor want = reference(zeros, zeros);
  want.bound[3] = 1;
  want.setUndecided(3);
  got[3] = 1;
  EXPECT_TRUE(judge(want, got, {}).passed);
  got[3] = 2;
  EXPECT_FALSE(judge(want, got, {}).passed);
}

TEST_F(Judge, ExactComparesWithTheRoundedReference) {
  Criterion exact{Criterion::Kind::Exact};
  EXPECT_TRUE(judgeOne(0.1, 1, 0.1f, exact).passed);
  EXPECT_FALSE(judgeOne(0.1, 1, std::nextafter(0.1f, 1.0f), exact).passed);
  EXPECT_TRUE(judgeOne(quietNan, 0, quietNan, exact).passed);
}

TEST_F(Judge, ExactTellsZerosApart) {
  Criterion exact{Criterion::Kind::Exact};
  EXPECT_TRUE(judgeOne(0.0, 0, 0.0, exact).passed);
  EXPECT_TRUE(judgeOne(-0.0, 0, -0.0, exact).passed);
  EXPECT_FALSE(judgeOne(0.0, 0, -0.0, exact).passed);
  EXPECT_FALSE(judgeOne(-0.0, 0, 0.0, exact).passed);
  EXPECT_TRUE(judgeOne(0.0, 0, -0.0, {}).passed);
}

TEST_F(Judge, CloseIsRelativeAndAbsolute) {
  Criterion close{Criterion::Kind::Close, /*rtol=*/0x1p-8, /*atol=*/0x1p-4};
  EXPECT_TRUE(judgeOne(16, 0, 16.125, close).passed);
  EXPECT_FALSE(judgeOne(16, 0, 16.126, close).passed);
  EXPECT_TRUE(judgeOne(0, 0, -0x1p-4, close).passed);
}

TEST_F(Judge, ReportsTheWorstElement) {
  Tensor want = reference({1, 2, 4, 8}, {1, 1e-3, 0.5, 8});
  Verdict verdict = judge(want, {1.5, 2, 4.75, 8.016}, {});
  EXPECT_EQ(verdict.numElements, 4);
  EXPECT_EQ(verdict.numFailed, 1);
  EXPECT_EQ(verdict.worstIndex, (SmallVector<int64_t, 4>{2}));
  EXPECT_EQ(verdict.got, 4.75);
  EXPECT_EQ(verdict.want, 4);
  EXPECT_EQ(verdict.bound, 0.5);
  EXPECT_NEAR(verdict.ratio, 1.5, 1e-12);
  EXPECT_EQ(verdict.ulps, 0.75 / 0x1p-21);
  // By ratio: 0, 2e-3, 0.5 and 1.5.
  const int64_t histogram[] = {1, 0, 1, 0, 1, 1};
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(verdict.histogram[i], histogram[i]) << i;
  EXPECT_EQ(verdict.str(),
            "worst [2]: got 4.75, want 4, 1.5 of what is allowed, 1.57e+06 "
            "ulps; 1 of 4 elements failed");
}

TEST_F(Judge, IndicesAreThoseOfTheTensor) {
  Tensor block(mlir::Float32Type::get(&context), Box{{4, 7}, {2, 3}});
  Verdict verdict = judge(block, {0, 0, 0, 0, 1, 0}, {});
  EXPECT_EQ(verdict.worstIndex, (SmallVector<int64_t, 4>{5, 8}));
}

TEST_F(Judge, NoElementsPass) {
  Verdict verdict = judge(reference({}, {}), {}, {});
  EXPECT_TRUE(verdict.passed);
  EXPECT_EQ(verdict.str(), "no elements");
}
