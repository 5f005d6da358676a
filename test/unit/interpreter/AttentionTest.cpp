//===- AttentionTest.cpp - fuse.attention against loops -------------------===//

#include "InterpreterTestUtils.h"

using namespace fuse;
using namespace fuse::test;

/// Softmax weights times values, one query: scores of -inf are masked.
static double weighted(const std::vector<double> &scores,
                       const std::vector<double> &values) {
  double max = -infinity, sum = 0, result = 0;
  for (double score : scores)
    max = std::max(max, score);
  for (double score : scores)
    sum += std::exp(score - max);
  for (size_t i = 0; i < scores.size(); ++i)
    result += std::exp(scores[i] - max) / sum * values[i];
  return result;
}

static void assertNear(const Tensor &got, const std::vector<double> &want) {
  RC_ASSERT(got.value.size() == want.size());
  for (size_t i = 0; i < want.size(); ++i)
    RC_ASSERT((std::isnan(want[i]) && std::isnan(got.value[i])) ||
              std::fabs(got.value[i] - want[i]) <=
                  1e-12 * std::max(1.0, std::fabs(want[i])));
  RC_ASSERT(passes(got, want));
}

static std::string replaced(std::string text, const std::string &from,
                            const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

static int64_t drawExtent(int64_t most) {
  return *rc::gen::inRange<int64_t>(1, most + 1);
}

TEST(Attention, CausalWithGroupedHeads) {
  EXPECT_TRUE(rc::check([] {
    const int64_t B = drawExtent(2), T = drawExtent(5), G = drawExtent(2),
                  R = drawExtent(3), D = drawExtent(4), H = G * R;
    const Shape q{B, T, H, D}, k{B, T, G, D};
    TensorValues x{drawFloats(countElements(q)), drawFloats(countElements(k)),
                   drawFloats(countElements(k))};
    TestProgram program(R"(
      func.func @main(%q: tensor<?x?x?x?xf32> {fuse.dims = ["B", "T", "H", "D"]},
                      %k: tensor<?x?x?x?xf32> {fuse.dims = ["B", "T", "G", "D"]},
                      %v: tensor<?x?x?x?xf32> {fuse.dims = ["B", "T", "G", "D"]})
          -> tensor<?x?x?x?xf32> {
        %half = fuse.constant 0.5 : tensor<f32>
        %lowest = fuse.constant -inf : tensor<f32>
        %o = fuse.attention %q, %k, %v
            "b t (g r) d, b s g d, b s g d -> b t (g r) d"
            scores "b (g r) t s" {
        ^bb0(%s: tensor<?x?x?x?xf32>):
          %scaled = fuse.map mul %s, %half
              : (tensor<?x?x?x?xf32>, tensor<f32>) -> tensor<?x?x?x?xf32>
          %row = fuse.iota axis 2 like %s
              : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xi32>
          %col = fuse.iota axis 3 like %s
              : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xi32>
          %off = fuse.compare gt %col, %row
              : (tensor<?x?x?x?xi32>, tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi1>
          %m = fuse.select %off, %lowest, %scaled
              : (tensor<?x?x?x?xi1>, tensor<f32>, tensor<?x?x?x?xf32>)
              -> tensor<?x?x?x?xf32>
          fuse.yield %m : tensor<?x?x?x?xf32>
        } : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>)
            -> tensor<?x?x?x?xf32>
        return %o : tensor<?x?x?x?xf32>
      })",
                        {q, k, k});
    std::vector<double> want;
    forEachIndex(q, [&](ArrayRef<int64_t> at) {
      const int64_t b = at[0], t = at[1], h = at[2], g = h / R;
      std::vector<double> scores, values;
      for (int64_t s = 0; s <= t; ++s) {
        double dot = 0;
        for (int64_t d = 0; d < D; ++d)
          dot += x[0][positionOf({b, t, h, d}, q)] *
                 x[1][positionOf({b, s, g, d}, k)];
        scores.push_back(dot / 2);
        values.push_back(x[2][positionOf({b, s, g, at[3]}, k)]);
      }
      want.push_back(weighted(scores, values));
    });
    SmallVector<Tensor> results = program.run(x);
    RC_ASSERT(results.size() == 1u);
    assertNear(results[0], want);
  }));
}

namespace {
/// Heads are merged with channels, the value has channels of its own, the
/// result's axes are exchanged, and there are two batch axes, of which the keys
/// have only one.
struct CrossAttention {
  const int64_t A = drawExtent(2), B = drawExtent(2), T = drawExtent(3),
                S = drawExtent(4), H = drawExtent(2), C = drawExtent(3),
                E = drawExtent(3);
  const bool isZero = *rc::gen::arbitrary<bool>(); // masked rows
  const Shape q{A, B, T, H * C}, k{B, S, H * C}, v{B, H * E, S}, bias{H, T, S},
      keep{B, S}, scores{A, B, H, T, S}, result{B, A, H * E, T};

  TensorValues drawValues() const;
  std::string text() const;
  std::vector<double> evaluate(const TensorValues &x) const;
};
} // namespace

TensorValues CrossAttention::drawValues() const {
  TensorValues x;
  for (const Shape &shape : {q, k, v, bias})
    x.push_back(drawFloats(countElements(shape)));
  x.push_back(*rc::gen::container<std::vector<double>>(
      countElements(keep), rc::gen::elementOf(std::vector<double>{0, 1})));
  return x;
}

std::string CrossAttention::text() const {
  std::string text = R"(
    func.func @main(%q: Q {fuse.dims = ["A", "B", "T", "H*C"]},
                    %k: K {fuse.dims = ["B", "S", "H*C"]},
                    %v: V {fuse.dims = ["B", "H*E", "S"]}, %bias: BIAS
                    {fuse.dims = ["H", "T", "S"]}, %keep: KEEP) -> RESULT {
      %lowest = fuse.constant -inf : tensor<f32>
      %o = fuse.attention %q, %k, %v
          "a b t (H c), b s (H c), b (H e) s -> b a (H e) t"
          scores "a b H t s" POLICY {
      ^bb0(%s: SCORES):
        %spread = fuse.broadcast %bias "h t s -> a b h t s" like %s
            : (BIAS, SCORES) -> SCORES
        %sum = fuse.map add %s, %spread : (SCORES, SCORES) -> SCORES
        %mask = fuse.broadcast %keep "b s -> a b h t s" like %s
            : (KEEP, SCORES) -> CHOICE
        %m = fuse.select %mask, %sum, %lowest
            : (CHOICE, SCORES, tensor<f32>) -> SCORES
        fuse.yield %m : SCORES
      } : (Q, K, V) -> RESULT
      return %o : RESULT
    })";
  text = replaced(text, "RESULT", tensorText(result));
  text = replaced(text, "SCORES", tensorText(scores));
  text = replaced(text, "CHOICE", tensorText(scores, "i1"));
  text = replaced(text, "BIAS", tensorText(bias));
  text = replaced(text, "KEEP", tensorText(keep, "i1"));
  text = replaced(text, "POLICY", isZero ? "masked_rows zero" : "");
  text = replaced(text, "Q {", tensorText(q) + " {");
  text = replaced(text, "K {", tensorText(k) + " {");
  text = replaced(text, "V {", tensorText(v) + " {");
  text = replaced(text, "(Q, K, V)",
                  "(" + tensorText(q) + ", " + tensorText(k) + ", " +
                      tensorText(v) + ")");
  return text;
}

std::vector<double> CrossAttention::evaluate(const TensorValues &x) const {
  std::vector<double> want;
  forEachIndex(result, [&](ArrayRef<int64_t> at) {
    const int64_t b = at[0], a = at[1], h = at[2] / E, t = at[3];
    std::vector<double> logits, values;
    for (int64_t s = 0; s < S; ++s) {
      double dot = x[3][positionOf({h, t, s}, bias)];
      for (int64_t c = 0; c < C; ++c)
        dot += x[0][positionOf({a, b, t, h * C + c}, q)] *
               x[1][positionOf({b, s, h * C + c}, k)];
      if (x[4][positionOf({b, s}, keep)] == 0)
        continue;
      logits.push_back(dot);
      values.push_back(x[2][positionOf({b, at[2], s}, v)]);
    }
    bool isMasked = logits.empty();
    want.push_back(isMasked ? (isZero ? 0 : quietNan)
                            : weighted(logits, values));
  });
  return want;
}

TEST(Attention, CrossWithMaskBiasAndMergedHeads) {
  EXPECT_TRUE(rc::check([] {
    const CrossAttention cross;
    const TensorValues x = cross.drawValues();
    DimBindings heads;
    heads["H"] = cross.H;
    TestProgram program(cross.text(),
                        {cross.q, cross.k, cross.v, cross.bias, cross.keep},
                        heads);
    SmallVector<Tensor> results = program.run(x);
    RC_ASSERT(results.size() == 1u);
    assertNear(results[0], cross.evaluate(x));
  }));
}

TEST(Attention, AnIndexOfTheKeysAloneIsABatchOfScores) {
  // One query for all heads; the keys and values have a head each.
  TestProgram program(R"(
    func.func @main(%q: tensor<1x2xf32>, %k: tensor<2x3x2xf32>,
                    %v: tensor<2x3xf32>) -> tensor<2x1xf32> {
      %o = fuse.attention %q, %k, %v "t c, h s c, h s -> h t"
          scores "h t s" {
      ^bb0(%s: tensor<2x1x3xf32>):
        fuse.yield %s : tensor<2x1x3xf32>
      } : (tensor<1x2xf32>, tensor<2x3x2xf32>, tensor<2x3xf32>)
          -> tensor<2x1xf32>
      return %o : tensor<2x1xf32>
    })");
  SmallVector<Tensor> results = program.run(
      {{1, 2}, {1, 0, 0, 1, 1, 1, 2, 0, 0, 2, 1, 0}, {1, 2, 3, 4, 5, 6}});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_NEAR(results[0].value[0], weighted({1, 2, 3}, {1, 2, 3}), 1e-12);
  EXPECT_NEAR(results[0].value[1], weighted({2, 4, 1}, {4, 5, 6}), 1e-12);
}
