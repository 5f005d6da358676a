//===- SharedErrorsTest.cpp - Errors that elements have in common ---------===//
//
// Arguments are given bounds, and moved within them, at random and in the worst
// direction for one element of the result. In f64 nothing else counts, so that
// what the results move by is to be covered by their bounds, and to come near
// them where a contraction follows the op whose errors are shared.
//
//===----------------------------------------------------------------------===//

#include "InterpreterTestUtils.h"

using namespace fuse;
using namespace fuse::test;

namespace {
struct SharedErrorsCase {
  const char *name;
  /// Shape and name of each argument, e.g. `2x3x` and `%x`. Those called
  /// `%w...` are exact.
  std::vector<std::pair<std::string, std::string>> arguments;
  std::string body, result;
  /// How near to its bound the worst direction moves an element at least.
  double tightness;
};

std::ostream &operator<<(std::ostream &os, const SharedErrorsCase &test) {
  return os << test.name;
}

class SharedErrorsBounds : public ::testing::TestWithParam<SharedErrorsCase> {
protected:
  void SetUp() override {
    std::string arguments;
    for (const auto &[shape, name] : GetParam().arguments)
      arguments +=
          (arguments.empty() ? "" : ", ") + name + ": tensor<" + shape + "f64>";
    const std::string result = "tensor<" + GetParam().result + "f64>";
    program.emplace("func.func @main(" + arguments + ") -> " + result + " {\n" +
                    GetParam().body + "\n  return %y : " + result + "\n}\n");
    ASSERT_TRUE(program->isValid());
    for (const Tensor &tensor : program->makeArguments(drawValues()))
      arguments_.push_back(tensor);
  }
  TensorValues drawValues() {
    TensorValues values;
    for (unsigned i = 0; i < GetParam().arguments.size(); ++i) {
      Shape shape = program->getInterpreter().getArgumentShape(i);
      for (double &value :
           values.emplace_back(std::vector<double>(countElements(shape))))
        value = rt::drawNormal(generator);
    }
    return values;
  }
  Tensor run(ArrayRef<Tensor> arguments) {
    return std::move(program->getInterpreter().run(arguments)->front());
  }
  /// The result if each argument's elements move by their bounds times what
  /// `sign(argument, element)` gives.
  template <typename Fn>
  Tensor runMoved(Fn sign) {
    SmallVector<Tensor> moved(arguments_);
    for (auto [argument, tensor] : llvm::enumerate(moved))
      for (int64_t i = 0; i < tensor.size(); ++i)
        tensor.value[i] +=
            sign(argument, i) * std::exchange(tensor.bound[i], 0);
    return run(moved);
  }
  void setBounds(double relative) {
    for (auto [tensor, argument] :
         llvm::zip_equal(arguments_, GetParam().arguments))
      for (int64_t i = 0; i < tensor.size(); ++i)
        tensor.bound[i] = StringRef(argument.second).starts_with("%w")
                              ? 0
                              : relative * std::fabs(tensor.value[i]);
  }
  /// The direction in which every argument raises an element of the result.
  std::vector<std::vector<double>> worstDirection(int64_t element) {
    const double value = run(arguments_).value[element];
    std::vector<std::vector<double>> signs;
    for (size_t argument = 0; argument < arguments_.size(); ++argument) {
      auto &sign = signs.emplace_back(arguments_[argument].size());
      for (size_t i = 0; i < sign.size(); ++i) {
        Tensor moved = runMoved([&](size_t which, int64_t at) {
          return which == argument && at == int64_t(i) ? 1.0 : 0.0;
        });
        sign[i] = moved.value[element] < value ? -1 : 1;
      }
    }
    return signs;
  }

  std::optional<TestProgram> program;
  SmallVector<Tensor> arguments_;
  rt::SplitMix64 generator{11};
};
} // namespace

TEST_P(SharedErrorsBounds, CoverArgumentsMovedAtRandom) {
  for (double relative : {1e-9, 1e-4, 1e-2, 0.2}) {
    setBounds(relative);
    const Tensor want = run(arguments_);
    for (int repetition = 0; repetition < 100; ++repetition) {
      bool isExtreme = repetition % 2;
      Tensor got = runMoved([&](size_t, int64_t) {
        double sign = 2 * rt::drawUniform(generator) - 1;
        return isExtreme ? (sign < 0 ? -1.0 : 1.0) : sign;
      });
      EXPECT_TRUE(passes(want, got.value))
          << relative << ": " << judge(want, got.value, Criterion()).str();
    }
  }
}

TEST_P(SharedErrorsBounds, AreReachedInTheWorstDirection) {
  setBounds(1e-6);
  const Tensor want = run(arguments_);
  for (int64_t element : {int64_t(0), want.size() / 2, want.size() - 1}) {
    auto signs = worstDirection(element);
    Tensor got = runMoved(
        [&](size_t argument, int64_t i) { return signs[argument][i]; });
    EXPECT_TRUE(passes(want, got.value));
    double moved = std::fabs(got.value[element] - want.value[element]);
    EXPECT_GE(moved, GetParam().tightness * want.bound[element]) << element;
  }
}

static const SharedErrorsCase cases[] = {
    {"LayerNormLinear",
     {{"3x8x", "%x"}, {"8x", "%wg"}, {"8x", "%wb"}, {"5x8x", "%w"}},
     R"mlir(
  %n = fuse.layer_norm %x gamma %wg beta %wb axis 1
      : (tensor<3x8xf64>, tensor<8xf64>, tensor<8xf64>) -> tensor<3x8xf64>
  %y = fuse.linear %n, %w : (tensor<3x8xf64>, tensor<5x8xf64>) -> tensor<3x5xf64>)mlir",
     "3x5x",
     0.99},
    {"RmsNormEinsum",
     {{"8x3x", "%x"}, {"8x5x", "%w"}},
     R"mlir(
  %n = fuse.rms_norm %x axis 0 : (tensor<8x3xf64>) -> tensor<8x3xf64>
  %y = fuse.einsum "ki,ko->oi" %n, %w
      : (tensor<8x3xf64>, tensor<8x5xf64>) -> tensor<5x3xf64>)mlir",
     "5x3x",
     0.99},
    {"SoftmaxEinsum",
     {{"2x7x", "%x"}, {"7x4x", "%w"}},
     R"mlir(
  %p = fuse.softmax %x axis 1 : (tensor<2x7xf64>) -> tensor<2x7xf64>
  %y = fuse.einsum "ij,jc->ic" %p, %w
      : (tensor<2x7xf64>, tensor<7x4xf64>) -> tensor<2x4xf64>)mlir",
     "2x4x",
     0.99},
    {"SoftmaxEinsumLinear", // each weight moves all channels of its mean
     {{"2x7x", "%x"}, {"7x4x", "%w"}, {"3x4x", "%wo"}},
     R"mlir(
  %p = fuse.softmax %x axis 1 : (tensor<2x7xf64>) -> tensor<2x7xf64>
  %m = fuse.einsum "ij,jc->ic" %p, %w
      : (tensor<2x7xf64>, tensor<7x4xf64>) -> tensor<2x4xf64>
  %y = fuse.linear %m, %wo : (tensor<2x4xf64>, tensor<3x4xf64>) -> tensor<2x3xf64>)mlir",
     "2x3x",
     0.99},
    {"AttentionLinear", // two heads a key head
     {{"2x3x8x", "%q"},
      {"2x5x2x2x", "%wk"},
      {"2x5x2x3x", "%v"},
      {"4x12x", "%wo"}},
     R"mlir(
  %o = fuse.attention %q, %wk, %v
      "b i (H g c), b j H c, b j H d -> b i (H g d)" scores "b H g i j" {
  ^bb0(%s: tensor<2x2x2x3x5xf64>):
    fuse.yield %s : tensor<2x2x2x3x5xf64>
  } : (tensor<2x3x8xf64>, tensor<2x5x2x2xf64>, tensor<2x5x2x3xf64>)
      -> tensor<2x3x12xf64>
  %y = fuse.linear %o, %wo : (tensor<2x3x12xf64>, tensor<4x12xf64>) -> tensor<2x3x4xf64>)mlir",
     "2x3x4x",
     0.5},
    {"NormAttentionLinear", // the values share errors, too
     {{"1x4x6x", "%x"}, {"6x6x", "%wv"}, {"3x6x", "%wo"}, {"4x4x", "%ws"}},
     R"mlir(
  %n = fuse.layer_norm %x axis 2 : (tensor<1x4x6xf64>) -> tensor<1x4x6xf64>
  %v = fuse.linear %n, %wv : (tensor<1x4x6xf64>, tensor<6x6xf64>) -> tensor<1x4x6xf64>
  %o = fuse.attention %n, %v, %v
      "b i (H d), b j (H d), b j (H d) -> b i (H d)" scores "b H i j" {
  ^bb0(%s: tensor<1x2x4x4xf64>):
    %t = fuse.broadcast %ws "i j -> b H i j" like %s
        : (tensor<4x4xf64>, tensor<1x2x4x4xf64>) -> tensor<1x2x4x4xf64>
    %u = fuse.map add %s, %t
        : (tensor<1x2x4x4xf64>, tensor<1x2x4x4xf64>) -> tensor<1x2x4x4xf64>
    fuse.yield %u : tensor<1x2x4x4xf64>
  } : (tensor<1x4x6xf64>, tensor<1x4x6xf64>, tensor<1x4x6xf64>)
      -> tensor<1x4x6xf64>
  %y = fuse.linear %o, %wo : (tensor<1x4x6xf64>, tensor<3x6xf64>) -> tensor<1x4x3xf64>)mlir",
     "1x4x3x",
     0.25},
};

INSTANTIATE_TEST_SUITE_P(Programs, SharedErrorsBounds,
                         ::testing::ValuesIn(cases), [](const auto &info) {
                           return std::string(info.param.name);
                         });
