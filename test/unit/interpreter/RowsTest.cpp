//===- RowsTest.cpp - Softmax and norms against formulas ------------------===//

#include "InterpreterTestUtils.h"

using namespace fuse;
using namespace fuse::test;

using Long = long double;
using LongRow = std::vector<Long>;

/// Applies `fn` to each row of `x` along an axis, in long double.
static std::vector<double> mapRows(const std::vector<double> &x,
                                   ArrayRef<int64_t> shape, size_t axis,
                                   function_ref<LongRow(const LongRow &)> fn) {
  std::vector<double> y(x.size());
  Shape starts(shape);
  starts[axis] = 1;
  int64_t stride = stridesOf(shape)[axis];
  forEachIndex(starts, [&](ArrayRef<int64_t> index) {
    int64_t start = positionOf(index, shape);
    LongRow row;
    for (int64_t k = 0; k < shape[axis]; ++k)
      row.push_back(x[start + k * stride]);
    row = fn(row);
    for (int64_t k = 0; k < shape[axis]; ++k)
      y[start + k * stride] = double(row[k]);
  });
  return y;
}

/// Equal up to a few roundings of double, in a row of this magnitude.
static void assertNear(const std::vector<double> &got,
                       const std::vector<double> &want) {
  RC_ASSERT(got.size() == want.size());
  for (size_t i = 0; i < got.size(); ++i)
    RC_ASSERT(std::fabs(got[i] - want[i]) <=
              1e-12 * std::max(1.0, std::fabs(want[i])));
}

namespace {
struct Draw {
  Shape shape;
  size_t axis;
  std::vector<double> x;
};
} // namespace

static Draw drawRows() {
  auto shape = *rc::gen::container<std::vector<int64_t>>(
      *rc::gen::inRange<size_t>(1, 4), rc::gen::inRange<int64_t>(0, 6));
  auto axis = *rc::gen::inRange<size_t>(0, shape.size());
  return {Shape(shape.begin(), shape.end()), axis,
          drawFloats(countElements(shape))};
}

TEST(Rows, SoftmaxAlongAnyAxis) {
  EXPECT_TRUE(rc::check([] {
    Draw draw = drawRows();
    std::string type = tensorText(draw.shape);
    ResultTensor y = evaluateProgram(
        "func.func @main(%x: " + type + ") -> " + type +
            " {\n  %y = fuse.softmax %x axis " + std::to_string(draw.axis) +
            " : (" + type + ") -> " + type + "\n  return %y : " + type + "\n}",
        {draw.x});
    std::vector<double> want =
        mapRows(draw.x, draw.shape, draw.axis, [](const LongRow &row) {
          LongRow result;
          for (Long x : row) { // no shift, no common sum
            Long inverse = 0;
            for (Long other : row)
              inverse += std::exp(other - x);
            result.push_back(1 / inverse);
          }
          return result;
        });
    assertNear(y.value, want);
    RC_ASSERT(passes(y, want));
  }));
}

/// A norm's program, with gamma and beta at random. Appends their elements.
static std::string drawNorm(const std::string &op, const Draw &draw, double eps,
                            TensorValues &values, LongRow &gamma,
                            LongRow &beta) {
  int64_t length = draw.shape[draw.axis];
  std::string type = tensorText(draw.shape), vector = tensorText({length});
  std::string arguments = "%x: " + type, types = type, text = op + " %x";
  gamma.assign(length, 1);
  beta.assign(length, 0);
  for (std::string name : {"gamma", "beta"}) {
    bool isGamma = name == "gamma";
    if ((!isGamma && op == "rms_norm") || *rc::gen::arbitrary<bool>())
      continue;
    values.push_back(drawFloats(length));
    (isGamma ? gamma : beta).assign(values.back().begin(), values.back().end());
    arguments += ", %" + name + ": " + vector;
    types += ", " + vector;
    text += " " + name + " %" + name;
  }
  return "func.func @main(" + arguments + ") -> " + type + " {\n  %y = fuse." +
         text + " axis " + std::to_string(draw.axis) + " eps " +
         (eps == 1 ? "1.0" : "1.0e-5") + " : (" + types + ") -> " + type +
         "\n  return %y : " + type + "\n}";
}

static void checkNorm(const std::string &op) {
  Draw draw = drawRows();
  double eps = *rc::gen::elementOf(std::vector<double>{1, 1e-5});
  TensorValues values{draw.x};
  LongRow gamma, beta;
  std::string text = drawNorm(op, draw, eps, values, gamma, beta);
  ResultTensor y = evaluateProgram(text, values);
  std::vector<double> want =
      mapRows(draw.x, draw.shape, draw.axis, [&](const LongRow &row) {
        Long mean = 0, square = 0;
        if (op == "layer_norm")
          for (Long x : row)
            mean += x / row.size();
        for (Long x : row)
          square += (x - mean) * (x - mean) / row.size();
        LongRow result;
        for (size_t i = 0; i < row.size(); ++i)
          result.push_back(
              (row[i] - mean) / std::sqrt(square + eps) * gamma[i] + beta[i]);
        return result;
      });
  assertNear(y.value, want);
  RC_ASSERT(passes(y, want));
}

TEST(Rows, LayerNormAlongAnyAxis) {
  EXPECT_TRUE(rc::check([] { checkNorm("layer_norm"); }));
}

TEST(Rows, RmsNormAlongAnyAxis) {
  EXPECT_TRUE(rc::check([] { checkNorm("rms_norm"); }));
}

TEST(Rows, SixteenBitRowsRoundOnce) {
  // Inside is f32: a bf16 variance of these would be 0 or 1/128.
  ResultTensor y = evaluateProgram(R"(
    func.func @main(%x: tensor<4xbf16>) -> tensor<4xbf16> {
      %y = fuse.layer_norm %x axis 0 eps 0.0
          : (tensor<4xbf16>) -> tensor<4xbf16>
      return %y : tensor<4xbf16>
    })",
                                   {{1, 1, 1, 1 + 0x1p-7}});
  EXPECT_TRUE(passes(y, {-0x1.28p-1, -0x1.28p-1, -0x1.28p-1, 0x1.bcp0}));
  EXPECT_NEAR(y.value[3], std::sqrt(3.0), 1e-12);
  EXPECT_FALSE(passes(y, {-0x1.28p-1, -0x1.28p-1, -0x1.28p-1, 0x1.c4p0}));
}
