//===- SampleTest.cpp - Single elements, decompositions, explanations -----===//

#include "InterpreterTestUtils.h"
#include "RandomProgram.h"
#include "fuse/ir/FuseOps.h"

using namespace fuse;
using namespace fuse::test;

/// Calls `fn(program, arguments)` for random programs.
static void
forPrograms(uint64_t count,
            function_ref<void(TestProgram &, const RandomProgram &)> fn) {
  for (uint64_t seed = 0; seed < count; ++seed) {
    RandomProgram random = generateProgram(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + random.text);
    TestProgram program(random.text);
    ASSERT_TRUE(program.isValid());
    fn(program, random);
    if (::testing::Test::HasFailure())
      return;
  }
}

TEST(Sample, ElementsAreThoseOfTheFullRun) {
  rt::SplitMix64 generator(3);
  int64_t numElements = 0;
  forPrograms(400, [&](TestProgram &program, const RandomProgram &random) {
    SmallVector<Tensor> full = program.run(random.arguments);
    SmallVector<Tensor> arguments = program.makeArguments(random.arguments);
    for (auto [number, result] : llvm::enumerate(full)) {
      for (int i = 0; i < 3 && result.size() > 0; ++i) {
        Shape index;
        for (int64_t extent : result.box.extent)
          index.push_back(generator.next() % extent);
        FailureOr<Tensor> element =
            program.getInterpreter().runElement(arguments, number, index);
        ASSERT_TRUE(succeeded(element));
        int64_t at = result.position(index);
        ASSERT_EQ(element->box, Box::element(index));
        EXPECT_TRUE(sameBits(element->value, {result.value[at]}));
        EXPECT_TRUE(sameBits(element->bound, {result.bound[at]}));
        EXPECT_EQ(element->isUndecided(0), result.isUndecided(at));
        ++numElements;
      }
    }
  });
  EXPECT_GT(numElements, 1000);
}

TEST(Sample, DecompositionsAgreeWithinTheirBounds) {
  int64_t numComposites = 0, numCompared = 0;
  forPrograms(600, [&](TestProgram &program, const RandomProgram &random) {
    TensorValues arguments = random.arguments;
    for (std::vector<double> &elements : arguments)
      for (double &element : elements)
        element = std::isinf(element) ? 1 : element;
    SmallVector<Tensor> composite = program.run(arguments);
    program.getFunction()->walk([&](mlir::Operation *op) {
      numComposites +=
          isa<LinearOp, LayerNormOp, RmsNormOp, SoftmaxOp, AttentionOp>(op);
    });
    program.decompose();
    ASSERT_TRUE(program.isValid());
    program.getFunction()->walk([&](mlir::Operation *op) {
      bool isComposite =
          isa<LinearOp, LayerNormOp, RmsNormOp, SoftmaxOp, AttentionOp>(op);
      EXPECT_FALSE(isComposite);
    });
    SmallVector<Tensor> core = program.run(arguments);
    ASSERT_EQ(core.size(), composite.size());
    for (auto [lhs, rhs] : llvm::zip_equal(composite, core)) {
      ASSERT_EQ(lhs.box, rhs.box);
      for (int64_t i = 0; i < lhs.size(); ++i) {
        double a = lhs.value[i], b = rhs.value[i];
        double bounds = lhs.bound[i] + rhs.bound[i];
        if (a == b || std::isinf(bounds) || (std::isnan(a) && std::isnan(b)))
          continue;
        EXPECT_LE(std::fabs(a - b), bounds) << a << " and " << b;
        ++numCompared;
      }
    }
  });
  EXPECT_GT(numComposites, 500);
  EXPECT_GT(numCompared, 10000);
}

//===----------------------------------------------------------------------===//
// What a bound comes from
//===----------------------------------------------------------------------===//

TEST(Sample, ExplainsBoundsByTheirLargestRounding) {
  TestProgram program(R"(
    func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>, %z: tensor<2xbf16>)
        -> tensor<2xf32> {
      %a = fuse.map mul %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %b = fuse.map add %z, %z
          : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
      %c = fuse.cast %b : tensor<2xbf16> -> tensor<2xf32>
      %d = fuse.map add %a, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %unused = fuse.map exp %x : (tensor<2xf32>) -> tensor<2xf32>
      return %d : tensor<2xf32>
    })");
  SmallVector<Tensor> arguments =
      program.makeArguments({{1.5, 3}, {0.75, 5}, {1, 0}});
  auto shares = program.getInterpreter().explainBound(arguments, 0, {0});
  ASSERT_TRUE(succeeded(shares));
  ASSERT_EQ(shares->size(), 3u); // the cast adds nothing
  auto first = dyn_cast<MapOp>((*shares)[0].first);
  ASSERT_TRUE(first && first.getType().getElementType().isBF16());
  EXPECT_GT((*shares)[0].second, 0.99);
  EXPECT_LT((*shares)[1].second, 0.01);
  // Roundings of one size, added: half each.
  TestProgram both(R"(
    func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
      %a = fuse.map add %x, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %b = fuse.map add %a, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %b : tensor<f32>
    })");
  shares = both.getInterpreter().explainBound(both.makeArguments({{2}, {0.5}}),
                                              0, {});
  ASSERT_TRUE(succeeded(shares));
  ASSERT_EQ(shares->size(), 2u);
  for (auto &[op, share] : *shares)
    EXPECT_NEAR(share, 0.5, 1e-12);
}

TEST(Sample, ExplainsInsideRegions) {
  TestProgram program(R"(
    func.func @main(%q: tensor<1x1xf32>, %k: tensor<2x1xf32>,
                    %v: tensor<2x1xf32>) -> tensor<1x1xf32> {
      %o = fuse.attention %q, %k, %v "t c, s c, s d -> t d" scores "t s" {
      ^bb0(%s: tensor<1x2xf32>):
        %big = fuse.constant 4096.0 : tensor<f32>
        %m = fuse.map add %s, %big
            : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
        fuse.yield %m : tensor<1x2xf32>
      } : (tensor<1x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
      return %o : tensor<1x1xf32>
    })");
  auto shares = program.getInterpreter().explainBound(
      program.makeArguments({{1}, {1, 2}, {3, 4}}), 0, {0, 0});
  ASSERT_TRUE(succeeded(shares));
  ASSERT_FALSE(shares->empty());
  EXPECT_TRUE(isa<MapOp>((*shares)[0].first)); // 2^-12 of a score
  EXPECT_GT((*shares)[0].second, 0.9);
}

TEST(Sample, SharesAreFractions) {
  int64_t numShares = 0;
  forPrograms(150, [&](TestProgram &program, const RandomProgram &random) {
    SmallVector<Tensor> arguments = program.makeArguments(random.arguments);
    Shape shape = program.getInterpreter().getResultShape(0);
    if (countElements(shape) == 0)
      return;
    auto shares = program.getInterpreter().explainBound(arguments, 0,
                                                        Shape(shape.size(), 0));
    ASSERT_TRUE(succeeded(shares));
    double previous = 1;
    for (auto &[op, share] : *shares) {
      EXPECT_GT(share, 0);
      EXPECT_LE(share, previous); // the largest first
      previous = share;
      ++numShares;
    }
  });
  EXPECT_GT(numShares, 200);
}
