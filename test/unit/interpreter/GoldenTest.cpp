//===- GoldenTest.cpp - Bounds on the reference programs ------------------===//
//
// Bounds must be useful: near enough to what an evaluation in f32 errs by, and
// small enough to notice that one intermediate was rounded to bf16. What the
// programs compute is compared with their goldens in test/examples.
//
//===----------------------------------------------------------------------===//

#include "GoldenCase.h"
#include "InterpreterTestUtils.h"
#include "fuse/ir/FuseOps.h"

using namespace fuse;
using namespace fuse::test;

static GoldenCase load(const std::string &program, const std::string &name) {
  return GoldenCase(FUSE_EXAMPLES_DIR "/" + program + ".mlir",
                    FUSE_TEST_DATA_DIR "/" + program + "/" + name);
}

static double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

//===----------------------------------------------------------------------===//
// Against the error of an evaluation
//===----------------------------------------------------------------------===//

namespace {
struct Call {
  const char *program, *name;
};
class Golden : public ::testing::TestWithParam<Call> {};
} // namespace

TEST_P(Golden, BoundsAreUseful) {
  auto [program, name] = GetParam();
  GoldenCase golden = load(program, name);
  ASSERT_TRUE(golden.program && golden.program->isValid());
  const Tensor want = golden.program->run(golden.arguments).front();
  std::vector<double> bounds;
  double largestBound = 0, largestError = 0, squares = 0;
  for (const EvaluationOrder &order : EvaluationOrder::all()) {
    TensorValues got = golden.program->runInFloat(golden.arguments, order);
    EXPECT_TRUE(passes(want, got.front()))
        << judge(want, got.front(), Criterion()).str();
    for (int64_t i = 0; i < want.size(); ++i)
      if (!std::isnan(want.value[i]))
        largestError =
            std::max(largestError, std::fabs(got.front()[i] - want.value[i]));
  }
  for (int64_t i = 0; i < want.size(); ++i) {
    EXPECT_FALSE(want.isUndecided(i));
    if (std::isnan(want.value[i]))
      continue;
    squares += want.value[i] * want.value[i];
    bounds.push_back(want.bound[i]);
    largestBound = std::max(largestBound, want.bound[i]);
  }
  double rms = std::sqrt(squares / double(bounds.size()));
  EXPECT_LE(largestBound, 1e-3 * rms);
  RecordProperty("medianBoundOverLargestError",
                 std::to_string(medianOf(bounds) / largestError));
  EXPECT_LE(medianOf(bounds), 100 * largestError);
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden,
                         ::testing::Values(Call{"gqa_causal", "t33d80"},
                                           Call{"gqa_causal", "t68d24"},
                                           Call{"triangle_incoming", "n1"},
                                           Call{"triangle_incoming", "n5"},
                                           Call{"scene_graph", "n1"},
                                           Call{"scene_graph", "emptyrow"}),
                         [](const auto &info) {
                           return std::string(info.param.program) + "_" +
                                  info.param.name;
                         });

//===----------------------------------------------------------------------===//
// Planted faults
//===----------------------------------------------------------------------===//

/// Every f32 value of rank 2 or more that an op computes.
static SmallVector<mlir::Value> intermediatesOf(TestProgram &program) {
  SmallVector<mlir::Value> values;
  program.getFunction()->walk([&](mlir::Operation *op) {
    for (mlir::Value result : op->getResults()) {
      auto type = cast<mlir::RankedTensorType>(result.getType());
      if (type.getRank() >= 2 && type.getElementType().isF32())
        values.push_back(result);
    }
  });
  return values;
}

/// All uses of the value get it rounded to bf16.
static void plantRounding(mlir::Value value) {
  mlir::OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  auto narrow =
      CastOp::create(builder, value.getLoc(), value, builder.getBF16Type());
  auto wide =
      CastOp::create(builder, value.getLoc(), narrow, builder.getF32Type());
  value.replaceAllUsesExcept(wide, narrow);
}

namespace {
struct Planted {
  const char *program, *name;
  /// Values that hold nothing but zeros and ones, which bf16 keeps.
  unsigned numUnharmed;
};
class PlantedFault : public ::testing::TestWithParam<Planted> {};
} // namespace

TEST_P(PlantedFault, OneRoundingToBf16FailsTheVerdict) {
  auto [program, name, numUnharmed] = GetParam();
  GoldenCase golden = load(program, name);
  ASSERT_TRUE(golden.program && golden.program->isValid());
  const Tensor want = golden.program->run(golden.arguments).front();
  const TensorValues good = golden.program->runInFloat(golden.arguments);
  EXPECT_TRUE(passes(want, good.front()));
  unsigned unharmed = 0, numValues = intermediatesOf(*golden.program).size();
  EXPECT_GE(numValues, 3u);
  for (unsigned i = 0; i < numValues; ++i) {
    GoldenCase faulty = load(program, name);
    mlir::Value value = intermediatesOf(*faulty.program)[i];
    plantRounding(value);
    faulty.program->prepareAgain();
    TensorValues got = faulty.program->runInFloat(golden.arguments);
    if (sameBits(got.front(), good.front())) {
      ++unharmed;
      continue;
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    value.print(os);
    EXPECT_FALSE(passes(want, got.front())) << text;
  }
  EXPECT_EQ(unharmed, numUnharmed);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, PlantedFault,
    ::testing::Values(Planted{"scene_graph", "emptyrow", 0},
                      Planted{"triangle_incoming", "n5", 1}, // the mask
                      Planted{"gqa_causal", "t33d80", 0}),
    [](const auto &info) { return info.param.program; });
