//===- SharedRowsTest.cpp - Errors of rows through gates and products -----===//
//
// What the mean and scale of a norm leave in its images, given here as errors
// of the arguments: two of each row, which move all its elements together. In
// f64 nothing else counts, so that what the results move by is to be covered by
// their bounds, and to come near them.
//
//===----------------------------------------------------------------------===//

#include "InterpreterTestUtils.h"
#include "SharedErrors.h"

using namespace fuse;
using namespace fuse::test;

namespace {
struct SharedRowsCase {
  const char *name, *body, *result;
  /// How near to its bound the worst direction moves an element at least.
  double tightness;
};

std::ostream &operator<<(std::ostream &os, const SharedRowsCase &test) {
  return os << test.name;
}

/// `%p` and `%g` are images of the same rows, `%q` is one of others.
class SharedRowsBounds : public ::testing::TestWithParam<SharedRowsCase> {
protected:
  using Field = RowErrors::Field;
  static constexpr int64_t length = 6;

  void SetUp() override {
    const std::string result =
        "tensor<" + std::string(GetParam().result) + "f64>";
    program.emplace("func.func @main(%p: tensor<3x3x6xf64>, "
                    "%g: tensor<3x3x6xf64>, %q: tensor<3x2x6xf64>, "
                    "%w: tensor<5x6xf64>) -> " +
                    result + " {\n" + GetParam().body +
                    "\n  return %y : " + result + "\n}\n");
    ASSERT_TRUE(program->isValid());
    TensorValues values;
    for (int64_t size : {54, 54, 36, 30})
      for (double &value : values.emplace_back(size))
        value = rt::drawNormal(generator);
    for (const Tensor &tensor : program->makeArguments(values))
      arguments.push_back(tensor);
  }

  /// Errors of this size beside elements of about 1; `alone` is the part of it
  /// that each element has apart from its row.
  void setErrors(double size, double alone) {
    auto norm = std::make_shared<char>();
    for (auto [argument, firstCause] : {std::pair(0, 1), {1, 1}, {2, 10}}) {
      Tensor &tensor = arguments[argument];
      auto errors = std::make_shared<RowErrors>(tensor.size(), norm);
      for (int64_t i = 0; i < tensor.size(); ++i) {
        const double shift = size * rt::drawNormal(generator);
        const double scale = size * rt::drawNormal(generator);
        errors->fields[Field::Shift][i] = shift;
        errors->fields[Field::Scale][i] = scale;
        const int64_t row = i / length;
        errors->fields[Field::Cause][i] = double(firstCause + row);
        errors->fields[Field::Amount][i] = std::fabs(shift) + std::fabs(scale);
        tensor.bound[i] = errors->amount(i) + alone * size;
      }
      tensor.shared = std::move(errors);
      tensor.sharedAxis = 2;
    }
  }
  static constexpr int64_t numErrors = 2 * (3 * 3 + 3 * 2);

  Tensor run(ArrayRef<Tensor> of) {
    return std::move(program->getInterpreter().run(of)->front());
  }
  /// The result if each row's errors are these parts of what they may be, and
  /// `alone(argument, element)` that of what elements have apart.
  template <typename Fn>
  Tensor runMoved(ArrayRef<double> parts, Fn alone) {
    SmallVector<Tensor> moved(arguments);
    for (auto [argument, tensor] : llvm::enumerate(moved)) {
      auto shared = std::exchange(tensor.shared, nullptr);
      const RowErrors *errors = shared ? shared->asRows() : nullptr;
      for (int64_t i = 0; errors && i < tensor.size(); ++i) {
        const int64_t cause = int64_t(errors->fields[Field::Cause][i]) - 1;
        tensor.value[i] +=
            parts[2 * cause] * errors->fields[Field::Shift][i] +
            parts[2 * cause + 1] * errors->fields[Field::Scale][i] +
            alone(argument, i) * (tensor.bound[i] - errors->amount(i));
        tensor.bound[i] = 0;
      }
    }
    return run(moved);
  }
  Tensor runMoved(ArrayRef<double> parts) {
    return runMoved(parts, [](size_t, int64_t) { return 0.0; });
  }

  std::optional<TestProgram> program;
  SmallVector<Tensor> arguments;
  rt::SplitMix64 generator{17};
};
} // namespace

TEST_P(SharedRowsBounds, CoverRowsMovedAtRandom) {
  for (double size : {1e-9, 1e-4, 1e-2, 0.2, 2.0}) {
    setErrors(size, 0.1);
    const Tensor want = run(arguments);
    for (int repetition = 0; repetition < 200; ++repetition) {
      bool isExtreme = repetition % 2;
      auto draw = [&] {
        double part = 2 * rt::drawUniform(generator) - 1;
        return isExtreme ? (part < 0 ? -1.0 : 1.0) : part;
      };
      std::vector<double> parts(numErrors);
      std::generate(parts.begin(), parts.end(), draw);
      Tensor got = runMoved(parts, [&](size_t, int64_t) { return draw(); });
      EXPECT_TRUE(passes(want, got.value))
          << size << ": " << judge(want, got.value, Criterion()).str();
    }
  }
}

TEST_P(SharedRowsBounds, AreReachedInTheWorstDirection) {
  setErrors(1e-6, 0);
  const Tensor want = run(arguments);
  for (int64_t element : {int64_t(0), want.size() / 2, want.size() - 1}) {
    std::vector<double> worst;
    for (int64_t error = 0; error < numErrors; ++error) {
      std::vector<double> parts(numErrors);
      parts[error] = 1;
      worst.push_back(runMoved(parts).value[element] < want.value[element] ? -1
                                                                           : 1);
    }
    Tensor got = runMoved(worst);
    EXPECT_TRUE(passes(want, got.value));
    double moved = std::fabs(got.value[element] - want.value[element]);
    EXPECT_GE(moved, GetParam().tightness * want.bound[element]) << element;
  }
}

static const SharedRowsCase cases[] = {
    {"GatesByMap",
     R"mlir(
  %n = fuse.map neg %g : (tensor<3x3x6xf64>) -> tensor<3x3x6xf64>
  %s = fuse.map sigmoid %n : (tensor<3x3x6xf64>) -> tensor<3x3x6xf64>
  %t = fuse.map silu %g : (tensor<3x3x6xf64>) -> tensor<3x3x6xf64>
  %u = fuse.map gelu %p : (tensor<3x3x6xf64>) -> tensor<3x3x6xf64>
  %a = fuse.map mul %p, %s : (tensor<3x3x6xf64>, tensor<3x3x6xf64>) -> tensor<3x3x6xf64>
  %b = fuse.map add %a, %t : (tensor<3x3x6xf64>, tensor<3x3x6xf64>) -> tensor<3x3x6xf64>
  %y = fuse.map sub %b, %u : (tensor<3x3x6xf64>, tensor<3x3x6xf64>) -> tensor<3x3x6xf64>)mlir",
     "3x3x6x", 0.99},
    {"GatesThenLinear", R"mlir(
  %s = fuse.map silu %g : (tensor<3x3x6xf64>) -> tensor<3x3x6xf64>
  %a = fuse.map mul %p, %s : (tensor<3x3x6xf64>, tensor<3x3x6xf64>) -> tensor<3x3x6xf64>
  %y = fuse.linear %a, %w : (tensor<3x3x6xf64>, tensor<5x6xf64>) -> tensor<3x3x5xf64>)mlir",
     "3x3x5x", 0.99},
    {"RowsOfOtherCauses", // but for the diagonal
     R"mlir(
  %t = fuse.einsum "kih,oh->iko" %p, %w
      : (tensor<3x3x6xf64>, tensor<5x6xf64>) -> tensor<3x3x5xf64>
  %u = fuse.linear %g, %w : (tensor<3x3x6xf64>, tensor<5x6xf64>) -> tensor<3x3x5xf64>
  %y = fuse.map mul %t, %u : (tensor<3x3x5xf64>, tensor<3x3x5xf64>) -> tensor<3x3x5xf64>)mlir",
     "3x3x5x", 0.99},
    {"SumOfProducts", R"mlir(
  %t = fuse.einsum "kih,kjh->ijh" %p, %q
      : (tensor<3x3x6xf64>, tensor<3x2x6xf64>) -> tensor<3x2x6xf64>
  %y = fuse.linear %t, %w : (tensor<3x2x6xf64>, tensor<5x6xf64>) -> tensor<3x2x5xf64>)mlir",
     "3x2x5x", 0.99},
    {"OneFactorOfProducts", R"mlir(
  %t = fuse.einsum "oh,kih->hkoi" %w, %p
      : (tensor<5x6xf64>, tensor<3x3x6xf64>) -> tensor<6x3x5x3xf64>
  %y = fuse.einsum "hkoi,oh->iko" %t, %w
      : (tensor<6x3x5x3xf64>, tensor<5x6xf64>) -> tensor<3x3x5xf64>)mlir",
     "3x3x5x", 0.99},
    {"TriangleUpdate", R"mlir(
  %s = fuse.map sigmoid %g : (tensor<3x3x6xf64>) -> tensor<3x3x6xf64>
  %a = fuse.map mul %p, %s : (tensor<3x3x6xf64>, tensor<3x3x6xf64>) -> tensor<3x3x6xf64>
  %t = fuse.einsum "kih,kjh->ijh" %a, %q
      : (tensor<3x3x6xf64>, tensor<3x2x6xf64>) -> tensor<3x2x6xf64>
  %n = fuse.layer_norm %t axis 2 : (tensor<3x2x6xf64>) -> tensor<3x2x6xf64>
  %y = fuse.linear %n, %w : (tensor<3x2x6xf64>, tensor<5x6xf64>) -> tensor<3x2x5xf64>)mlir",
     "3x2x5x", 0.99},
};

INSTANTIATE_TEST_SUITE_P(Programs, SharedRowsBounds, ::testing::ValuesIn(cases),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });
