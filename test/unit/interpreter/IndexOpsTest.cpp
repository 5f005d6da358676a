//===- IndexOpsTest.cpp - Index maps against index arithmetic -------------===//
//
// Elements are all different, so that a wrong position is a wrong value. Errors
// and undecided marks travel with the elements: SampleTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "InterpreterTestUtils.h"
#include <numeric>

using namespace fuse;
using namespace fuse::test;

static std::vector<double> countUp(ArrayRef<int64_t> shape, double from = 0) {
  std::vector<double> values(countElements(shape));
  std::iota(values.begin(), values.end(), from);
  return values;
}

static Shape drawShape(size_t minRank, size_t maxRank, int64_t maxExtent) {
  auto shape = *rc::gen::container<std::vector<int64_t>>(
      *rc::gen::inRange(minRank, maxRank + 1),
      rc::gen::inRange<int64_t>(0, maxExtent + 1));
  return Shape(shape.begin(), shape.end());
}

static Shape drawPermutation(size_t size) {
  std::vector<int64_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = size; i > 1; --i)
    std::swap(order[i - 1], order[*rc::gen::inRange<size_t>(0, i)]);
  return Shape(order.begin(), order.end());
}

/// `fuse.<op> : (types) -> result` of arguments `%0`, `%1`, ...
static std::vector<double>
evaluateOp(const std::string &op, ArrayRef<Shape> operands, const Shape &result,
           const TensorValues &values, const std::string &element = "f32") {
  std::string arguments, types;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string comma = i ? ", " : "", type = tensorText(operands[i], element);
    arguments += comma + "%a" + std::to_string(i) + ": " + type;
    types += comma + type;
  }
  std::string type = tensorText(result, element);
  ResultTensor y =
      evaluateProgram("func.func @main(" + arguments + ") -> " + type +
                          " {\n  %y = fuse." + op + " : (" + types + ") -> " +
                          type + "\n  return %y : " + type + "\n}",
                      values);
  EXPECT_EQ(y.bound, std::vector<double>(y.value.size(), 0.0));
  return y.value;
}

TEST(IndexOps, TransposePermutesAxes) {
  EXPECT_TRUE(rc::check([] {
    Shape source = drawShape(0, 5, 4), order = drawPermutation(source.size());
    Shape result;
    std::string text;
    for (int64_t axis : order) {
      result.push_back(source[axis]);
      text += (text.empty() ? "" : ", ") + std::to_string(axis);
    }
    std::vector<double> x = countUp(source), want;
    forEachIndex(result, [&](ArrayRef<int64_t> index) {
      Shape at(source.size());
      for (size_t axis = 0; axis < order.size(); ++axis)
        at[order[axis]] = index[axis];
      want.push_back(x[positionOf(at, source)]);
    });
    RC_ASSERT(evaluateOp("transpose %a0 [" + text + "]", {source}, result,
                         {x}) == want);
  }));
}

TEST(IndexOps, BroadcastRepeatsAlongNewAxes) {
  EXPECT_TRUE(rc::check([] {
    Shape result = drawShape(0, 4, 3);
    bool hasLike = *rc::gen::arbitrary<bool>();
    Shape kept;
    std::string resultPattern, sourcePattern;
    for (size_t axis = 0; axis < result.size(); ++axis) {
      bool isKept = *rc::gen::arbitrary<bool>();
      if (isKept)
        kept.push_back(axis);
      resultPattern += " " + (isKept || hasLike ? "a" + std::to_string(axis)
                                                : std::to_string(result[axis]));
    }
    Shape order = drawPermutation(kept.size()), source;
    for (int64_t at : order) {
      source.push_back(result[kept[at]]);
      sourcePattern += "a" + std::to_string(kept[at]) + " ";
    }
    std::vector<double> x = countUp(source), want;
    forEachIndex(result, [&](ArrayRef<int64_t> index) {
      Shape at;
      for (int64_t axis : order)
        at.push_back(index[kept[axis]]);
      want.push_back(x[positionOf(at, source)]);
    });
    std::string pattern = "\"" + sourcePattern + "->" + resultPattern + "\"";
    // What lends its extents is not read, not even as NaN.
    std::vector<double> lender(countElements(result), quietNan);
    std::vector<double> got =
        hasLike ? evaluateOp("broadcast %a0 " + pattern + " like %a1",
                             {source, result}, result, {x, lender})
                : evaluateOp("broadcast %a0 " + pattern, {source}, result, {x});
    RC_ASSERT(got == want);
  }));
}

/// Groups neighbouring factors at random: the text, and the extent of each.
static std::string drawGroups(ArrayRef<int64_t> factors,
                              ArrayRef<int64_t> extents, Shape &shape) {
  std::string text;
  for (size_t i = 0; i < factors.size();) {
    size_t count =
        std::min<size_t>(*rc::gen::inRange(1, 4), factors.size() - i);
    shape.push_back(1);
    text += " (";
    for (size_t end = i + count; i < end; ++i) {
      text += " f" + std::to_string(factors[i]);
      shape.back() *= extents[factors[i]];
    }
    text += ")";
    if (*rc::gen::inRange(0, 6) == 0) { // an axis of one element
      text += " 1";
      shape.push_back(1);
    }
  }
  return text;
}

TEST(IndexOps, ReshapeSplitsMergesAndPermutes) {
  EXPECT_TRUE(rc::check([] {
    Shape extents = drawShape(1, 4, 3);
    for (int64_t &extent : extents)
      extent = std::max<int64_t>(extent, 1);
    Shape before = drawPermutation(extents.size());
    Shape after = drawPermutation(extents.size());
    Shape source, result;
    std::string from = drawGroups(before, extents, source);
    std::string to = drawGroups(after, extents, result);
    std::string like;
    for (size_t i = 0; i < extents.size(); ++i)
      like += " f" + std::to_string(i);
    // Element by element of the factors: where they are on both sides.
    std::vector<double> x = countUp(source), want(x.size());
    auto position = [&](ArrayRef<int64_t> order, ArrayRef<int64_t> index) {
      int64_t at = 0;
      for (int64_t factor : order)
        at = at * extents[factor] + index[factor];
      return at;
    };
    forEachIndex(extents, [&](ArrayRef<int64_t> index) {
      want[position(after, index)] = x[position(before, index)];
    });
    std::vector<double> lender(x.size(), quietNan);
    RC_LOG() << from << " ->" << to;
    RC_ASSERT(evaluateOp("reshape %a0 like %a1 \"" + from + "," + like + " ->" +
                             to + "\"",
                         {source, extents}, result, {x, lender}) == want);
  }));
}

TEST(IndexOps, ReshapeByNumbersAndSymbols) {
  const std::vector<double> x = countUp({2, 6});
  EXPECT_EQ(
      evaluateOp("reshape %a0 \"n (3 d) -> 3 (n d)\"", {{2, 6}}, {3, 4}, {x}),
      std::vector<double>({0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11}));
  TestProgram program(R"(
    func.func @main(%x: tensor<?x?xf32> {fuse.dims = ["N", "H*D"]},
                    %y: tensor<?xf32> {fuse.dims = ["H"]})
        -> tensor<?x?x?xf32> {
      %z = fuse.reshape %x "n (H D) -> H n D"
          : (tensor<?x?xf32>) -> tensor<?x?x?xf32>
      return %z : tensor<?x?x?xf32>
    })",
                      {{2, 6}, {3}});
  SmallVector<Tensor> results = program.run({x, {0, 0, 0}});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].value,
            std::vector<double>({0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11}));
}

TEST(IndexOps, SliceTakesEveryStep) {
  EXPECT_TRUE(rc::check([] {
    Shape source = drawShape(1, 4, 7);
    auto axis = *rc::gen::inRange<size_t>(0, source.size());
    auto start = *rc::gen::inRange<int64_t>(0, source[axis] + 1);
    auto stop = *rc::gen::inRange<int64_t>(start, source[axis] + 1);
    auto step = *rc::gen::inRange<int64_t>(1, 4);
    Shape result(source);
    result[axis] = 0;
    for (int64_t at = start; at < stop; at += step)
      ++result[axis];
    std::vector<double> x = countUp(source), want;
    forEachIndex(result, [&](ArrayRef<int64_t> index) {
      Shape at(index);
      at[axis] = start + index[axis] * step;
      want.push_back(x[positionOf(at, source)]);
    });
    RC_ASSERT(evaluateOp("slice %a0 axis " + std::to_string(axis) + " from \"" +
                             std::to_string(start) + "\" to \"" +
                             std::to_string(stop) + "\" step " +
                             std::to_string(step),
                         {source}, result, {x}) == want);
  }));
}

TEST(IndexOps, SliceBoundsMaySpeakOfTheExtent) {
  EXPECT_EQ(evaluateOp("slice %a0 axis 0 from \"$/2\" to \"$ - 1\"", {{8}}, {3},
                       {countUp({8})}),
            std::vector<double>({4, 5, 6}));
}

TEST(IndexOps, ConcatJoinsInOrder) {
  EXPECT_TRUE(rc::check([] {
    Shape shape = drawShape(1, 4, 3);
    auto axis = *rc::gen::inRange<size_t>(0, shape.size());
    auto count = *rc::gen::inRange(1, 4);
    SmallVector<Shape> operands;
    TensorValues values;
    std::string names;
    Shape result(shape);
    result[axis] = 0;
    double next = 0;
    for (int i = 0; i < count; ++i) {
      Shape part(shape);
      part[axis] = *rc::gen::inRange<int64_t>(0, 4);
      result[axis] += part[axis];
      operands.push_back(part);
      values.push_back(countUp(part, next));
      next += countElements(part);
      names += (i ? ", %a" : "%a") + std::to_string(i);
    }
    std::vector<double> want;
    forEachIndex(result, [&](ArrayRef<int64_t> index) {
      Shape at(index);
      size_t input = 0;
      for (; at[axis] >= operands[input][axis]; ++input)
        at[axis] -= operands[input][axis];
      want.push_back(values[input][positionOf(at, operands[input])]);
    });
    RC_ASSERT(evaluateOp("concat " + names + " axis " + std::to_string(axis),
                         operands, result, values) == want);
  }));
}

TEST(IndexOps, EveryElementType) {
  for (const char *type : {"f16", "bf16", "f32", "f64", "i32"})
    EXPECT_EQ(evaluateOp("transpose %a0 [1, 0]", {{2, 2}}, {2, 2},
                         {{1, 2, 3, 4}}, type),
              std::vector<double>({1, 3, 2, 4}))
        << type;
  EXPECT_EQ(evaluateOp("transpose %a0 [1, 0]", {{2, 2}}, {2, 2}, {{1, 0, 1, 1}},
                       "i1"),
            std::vector<double>({1, 1, 0, 1}));
}

//===----------------------------------------------------------------------===//
// Values without operands
//===----------------------------------------------------------------------===//

TEST(IndexOps, IotaCountsAlongItsAxis) {
  EXPECT_TRUE(rc::check([] {
    Shape shape = drawShape(1, 4, 4);
    auto axis = *rc::gen::inRange<size_t>(0, shape.size());
    std::vector<double> want;
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      want.push_back(double(index[axis]));
    });
    std::string extents;
    for (int64_t extent : shape)
      extents += std::to_string(extent) + " ";
    std::string type = tensorText(shape, "i32");
    ResultTensor y = evaluateProgram(
        "func.func @main() -> " + type + " {\n  %y = fuse.iota axis " +
            std::to_string(axis) + " shape \"" + extents + "\" : " + type +
            "\n  return %y : " + type + "\n}",
        {});
    RC_ASSERT(y.value == want);
  }));
}

TEST(IndexOps, Constants) {
  TestProgram program(R"(
    func.func @main() -> (tensor<2x3xf32>, tensor<2xi1>, tensor<2xi32>,
                          tensor<3xbf16>, tensor<2x2xf64>) {
      %a = fuse.constant [[1.0, 0.1, -2.5], [3.0e38, -0.0, nan]] : tensor<2x3xf32>
      %b = fuse.constant [true, false] : tensor<2xi1>
      %c = fuse.constant [-7, 2147483647] : tensor<2xi32>
      %d = fuse.constant [-inf, 0.1, 1.0e-40] : tensor<3xbf16>
      %e = fuse.constant 0.1 : tensor<2x2xf64>
      return %a, %b, %c, %d, %e : tensor<2x3xf32>, tensor<2xi1>, tensor<2xi32>,
                                  tensor<3xbf16>, tensor<2x2xf64>
    })");
  SmallVector<Tensor> results = program.run({});
  ASSERT_EQ(results.size(), 5u);
  EXPECT_TRUE(sameBits(results[0].value,
                       {1, double(0.1f), -2.5, double(3e38f), -0.0, quietNan}));
  EXPECT_TRUE(sameBits(results[1].value, {1, 0}));
  EXPECT_TRUE(sameBits(results[2].value, {-7, 2147483647}));
  EXPECT_TRUE(sameBits(results[3].value, {-infinity, 0x1.9ap-4, 0x1p-133}));
  EXPECT_TRUE(sameBits(results[4].value, {0.1, 0.1, 0.1, 0.1}));
}
