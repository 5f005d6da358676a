//===- ContractionTest.cpp - einsum, linear and reduce against formulas ---===//
//
// Elements are small whole numbers, so that every sum is exact and results must
// be equal. What roundings do to a sum is in SemanticsSumsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "InterpreterTestUtils.h"
#include <map>

using namespace fuse;
using namespace fuse::test;

static std::vector<double> drawWholeNumbers(int64_t count) {
  return *rc::gen::container<std::vector<double>>(
      count, rc::gen::cast<double>(rc::gen::inRange(-4, 5)));
}

//===----------------------------------------------------------------------===//
// einsum
//===----------------------------------------------------------------------===//

namespace {
struct Einsum {
  std::vector<std::string> operands;
  std::string result;
  std::map<char, int64_t> extents;

  Shape shapeOf(const std::string &letters) const {
    Shape shape;
    for (char letter : letters)
      shape.push_back(extents.at(letter));
    return shape;
  }
  std::string indices() const {
    std::string text = operands[0];
    for (size_t i = 1; i < operands.size(); ++i)
      text += "," + operands[i];
    return text + "->" + result;
  }
  std::string program() const;
  /// The sum over every value of every letter, added where it belongs.
  std::vector<double> evaluate(const TensorValues &arguments) const;
};
} // namespace

std::string Einsum::program() const {
  std::string arguments, names, types,
      result = tensorText(shapeOf(this->result));
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string type = tensorText(shapeOf(operands[i]));
    std::string name = "%a" + std::to_string(i), comma = i ? ", " : "";
    arguments += comma + name + ": " + type;
    names += comma + name;
    types += comma + type;
  }
  return "func.func @main(" + arguments + ") -> " + result +
         " {\n  %y = fuse.einsum \"" + indices() + "\" " + names + " : (" +
         types + ") -> " + result + "\n  return %y : " + result + "\n}\n";
}

std::vector<double> Einsum::evaluate(const TensorValues &arguments) const {
  std::string letters;
  for (auto [letter, extent] : extents)
    letters += letter;
  std::vector<double> sums(countElements(shapeOf(result)), 0.0);
  forEachIndex(shapeOf(letters), [&](ArrayRef<int64_t> index) {
    auto position = [&](const std::string &axes) {
      Shape at;
      for (char axis : axes)
        at.push_back(index[letters.find(axis)]);
      return positionOf(at, shapeOf(axes));
    };
    double product = 1;
    for (size_t i = 0; i < operands.size(); ++i)
      product *= arguments[i][position(operands[i])];
    sums[position(result)] += product;
  });
  return sums;
}

/// Letters in any order and number, repeated ones among them.
static Einsum drawEinsum(unsigned numOperands) {
  Einsum einsum;
  std::string used;
  for (unsigned i = 0; i < numOperands; ++i) {
    auto letters = *rc::gen::container<std::string>(
        *rc::gen::inRange<size_t>(0, 4),
        rc::gen::elementOf(std::string("abcd")));
    einsum.operands.push_back(letters);
    for (char letter : letters)
      if (einsum.extents
              .emplace(letter, *rc::gen::weightedElement<int64_t>(
                                   {{1, 0}, {3, 1}, {4, 2}, {4, 3}}))
              .second)
        used += letter;
  }
  while (!used.empty() && *rc::gen::inRange(0, 3) > 0) {
    size_t at = *rc::gen::inRange<size_t>(0, used.size());
    einsum.result += used[at];
    used.erase(at, 1);
  }
  return einsum;
}

TEST(Contraction, EinsumSumsOverAbsentIndices) {
  for (unsigned numOperands : {1u, 2u}) {
    EXPECT_TRUE(rc::check([numOperands] {
      Einsum einsum = drawEinsum(numOperands);
      TensorValues arguments;
      for (const std::string &operand : einsum.operands)
        arguments.push_back(
            drawWholeNumbers(countElements(einsum.shapeOf(operand))));
      ResultTensor y = evaluateProgram(einsum.program(), arguments);
      std::vector<double> want = einsum.evaluate(arguments);
      RC_LOG() << einsum.indices();
      RC_ASSERT(y.value == want);
      RC_ASSERT(passes(y, want));
      // An index map of one operand is exact.
      bool sums = einsum.result.size() < einsum.extents.size();
      if (numOperands == 1 && !sums)
        RC_ASSERT(y.bound == std::vector<double>(want.size(), 0.0));
    }));
  }
}

TEST(Contraction, EinsumExamples) {
  Einsum trace{{"ii"}, "", {{'i', 3}}};
  EXPECT_EQ(
      evaluateProgram(trace.program(), {{1, 2, 3, 4, 5, 6, 7, 8, 9}}).value,
      std::vector<double>({15}));
  Einsum outer{{"i", "j"}, "ji", {{'i', 2}, {'j', 3}}};
  EXPECT_EQ(evaluateProgram(outer.program(), {{1, 2}, {3, 4, 5}}).value,
            std::vector<double>({3, 6, 4, 8, 5, 10}));
  Einsum batched{
      {"bik", "bkj"}, "bij", {{'b', 2}, {'i', 1}, {'k', 2}, {'j', 1}}};
  EXPECT_EQ(
      evaluateProgram(batched.program(), {{1, 2, 3, 4}, {5, 6, 7, 8}}).value,
      std::vector<double>({17, 53}));
}

TEST(Contraction, SixteenBitOperandsSumInF32) {
  // 2^11 + 1 is no f16; the sum may be f32 all the same.
  const std::string text = R"(
    func.func @main(%a: tensor<2xf16>) -> (tensor<f32>, tensor<f16>) {
      %x = fuse.einsum "k->" %a : (tensor<2xf16>) -> tensor<f32>
      %y = fuse.einsum "k->" %a : (tensor<2xf16>) -> tensor<f16>
      return %x, %y : tensor<f32>, tensor<f16>
    })";
  TestProgram program(text);
  SmallVector<Tensor> results = program.run({{2048, 1}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(passes(results[0], {2049.0}));
  EXPECT_FALSE(passes(results[0], {2048.0}));
  EXPECT_TRUE(passes(results[1], {2048.0}));
}

//===----------------------------------------------------------------------===//
// linear
//===----------------------------------------------------------------------===//

TEST(Contraction, LinearContractsTheLastAxes) {
  EXPECT_TRUE(rc::check([] {
    auto rows = *rc::gen::container<std::vector<int64_t>>(
        *rc::gen::inRange<size_t>(0, 4), rc::gen::inRange<int64_t>(0, 4));
    auto inputs = *rc::gen::inRange<int64_t>(0, 5);
    auto outputs = *rc::gen::inRange<int64_t>(1, 4);
    bool hasBias = *rc::gen::arbitrary<bool>();
    Shape x(rows.begin(), rows.end()), y(x);
    x.push_back(inputs);
    y.push_back(outputs);
    std::string types = tensorText(x) + ", " + tensorText({outputs, inputs});
    std::string text = "func.func @main(%x: " + tensorText(x) +
                       ", %w: " + tensorText({outputs, inputs});
    TensorValues values{drawWholeNumbers(countElements(x)),
                        drawWholeNumbers(outputs * inputs)};
    if (hasBias) {
      text += ", %b: " + tensorText({outputs});
      types += ", " + tensorText({outputs});
      values.push_back(drawWholeNumbers(outputs));
    }
    text += ") -> " + tensorText(y) + " {\n  %y = fuse.linear %x, %w " +
            (hasBias ? "bias %b " : "") + ": (" + types + ") -> " +
            tensorText(y) + "\n  return %y : " + tensorText(y) + "\n}";
    std::vector<double> want;
    for (int64_t row = 0; row < countElements(rows); ++row) {
      for (int64_t o = 0; o < outputs; ++o) {
        double sum = hasBias ? values[2][o] : 0;
        for (int64_t k = 0; k < inputs; ++k)
          sum += values[0][row * inputs + k] * values[1][o * inputs + k];
        want.push_back(sum);
      }
    }
    ResultTensor got = evaluateProgram(text, values);
    RC_ASSERT(got.value == want);
    RC_ASSERT(passes(got, want));
  }));
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

TEST(Contraction, ReduceRemovesAxes) {
  EXPECT_TRUE(rc::check([] {
    auto shape = *rc::gen::container<std::vector<int64_t>>(
        *rc::gen::inRange<size_t>(1, 5), rc::gen::inRange<int64_t>(0, 4));
    auto kind =
        *rc::gen::elementOf(std::vector<std::string>{"sum", "max", "min"});
    auto type = *rc::gen::elementOf(std::vector<std::string>{"f32", "i32"});
    Shape kept, keptAxes;
    std::string axes;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (*rc::gen::arbitrary<bool>()) {
        kept.push_back(shape[axis]);
        keptAxes.push_back(axis);
      } else { // in any order
        axes = std::to_string(axis) + (axes.empty() ? "" : ", ") + axes;
      }
    }
    std::vector<double> x = drawWholeNumbers(countElements(shape));
    bool isInteger = type == "i32";
    double empty = kind == "sum"   ? 0
                   : kind == "max" ? (isInteger ? INT32_MIN : -infinity)
                                   : (isInteger ? INT32_MAX : infinity);
    std::vector<double> want(countElements(kept), empty);
    size_t position = 0;
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      Shape at;
      for (int64_t axis : keptAxes)
        at.push_back(index[axis]);
      double &result = want[positionOf(at, kept)];
      double element = x[position++];
      result = kind == "sum"   ? result + element
               : kind == "max" ? std::max(result, element)
                               : std::min(result, element);
    });
    std::string source = tensorText(shape, type),
                target = tensorText(kept, type);
    ResultTensor y = evaluateProgram(
        "func.func @main(%x: " + source + ") -> " + target +
            " {\n  %y = fuse.reduce " + kind + " %x axes [" + axes + "] : (" +
            source + ") -> " + target + "\n  return %y : " + target + "\n}",
        {x});
    RC_ASSERT(y.value == want);
    if (kind != "sum" || isInteger)
      RC_ASSERT(y.bound == std::vector<double>(want.size(), 0.0));
  }));
}
