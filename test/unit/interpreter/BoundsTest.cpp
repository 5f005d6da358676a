//===- BoundsTest.cpp - Bounds against evaluations in float ---------------===//
//
// No evaluation in an order that ir/README.md permits may leave the bounds: on
// random programs, and on each op by itself with the operands that are hardest
// on it.
//
//===----------------------------------------------------------------------===//

#include "FloatScalar.h"
#include "InterpreterTestUtils.h"
#include "RandomProgram.h"
#include "fuse/ir/ScalarFn.h"

using namespace fuse;
using namespace fuse::test;

namespace {
/// What comparing many results with their references found.
class Statistics {
public:
  /// Expects `got` to be within the bounds of `want`.
  void add(const Tensor &want, ArrayRef<double> got, const std::string &what) {
    Verdict verdict = judge(want, got, Criterion());
    EXPECT_EQ(verdict.numFailed, 0) << verdict.str() << "\n" << what;
    numElements += want.size();
    bool hasBound = false;
    for (double bound : want.bound) {
      EXPECT_FALSE(std::isnan(bound)) << what;
      numUnbounded += !std::isfinite(bound);
      hasBound |= std::isfinite(bound) && bound > 0;
    }
    if (hasBound)
      ratios.push_back(verdict.ratio);
  }
  /// Over all results, what the worst elements have of their bounds.
  double worstRatio() const { return *llvm::max_element(ratios); }
  double medianRatio() {
    auto middle = ratios.begin() + ratios.size() / 2;
    std::nth_element(ratios.begin(), middle, ratios.end());
    return *middle;
  }
  /// The part of elements about which something is said.
  double judged() const {
    return 1 - double(numUnbounded) / double(numElements);
  }

private:
  int64_t numElements = 0, numUnbounded = 0;
  std::vector<double> ratios;
};
} // namespace

//===----------------------------------------------------------------------===//
// Random programs
//===----------------------------------------------------------------------===//

namespace {
class RandomBounds : public ::testing::TestWithParam<int> {};
constexpr int numPrograms = 4000, numShards = 8;
} // namespace

TEST_P(RandomBounds, HoldForPermittedOrders) {
  Statistics statistics;
  ArrayRef<EvaluationOrder> orders = EvaluationOrder::all();
  for (int seed = GetParam(); seed < numPrograms; seed += numShards) {
    RandomProgram random = generateProgram(seed);
    TestProgram program(random.text);
    ASSERT_TRUE(program.isValid()) << "seed " << seed;
    SmallVector<Tensor> want = program.run(random.arguments);
    // Two of the orders, not always the same two.
    size_t turn = seed / numShards;
    for (size_t which : {turn, turn + 1 + turn / orders.size()}) {
      const EvaluationOrder &order = orders[which % orders.size()];
      TensorValues got = program.runInFloat(random.arguments, order);
      ASSERT_EQ(got.size(), want.size());
      for (auto [reference, elements] : llvm::zip_equal(want, got))
        statistics.add(reference, elements,
                       "seed " + std::to_string(seed) + ", " + order.str() +
                           "\n" + random.text);
    }
    if (HasFailure())
      return;
  }
  RecordProperty("worstRatio", std::to_string(statistics.worstRatio()));
  RecordProperty("medianRatio", std::to_string(statistics.medianRatio()));
  // The bounds say something, and are not many times what they must be.
  EXPECT_GT(statistics.judged(), 0.95);
  EXPECT_GT(statistics.medianRatio(), 0.05);
  EXPECT_GT(statistics.worstRatio(), 0.9);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomBounds, ::testing::Range(0, numShards));

//===----------------------------------------------------------------------===//
// Hard operands
//===----------------------------------------------------------------------===//

namespace {
/// Operands on which roundings and ranges are worst.
enum class Operands { Normal, NearPowersOfTwo, Wide, FullRange, Special };
constexpr int numKinds = 5;
} // namespace

static double draw(rt::SplitMix64 &generator, Operands kind) {
  auto below = [&](int count) { return int(generator.next() % count); };
  double sign = below(2) ? 1 : -1, significand = 1 + rt::drawUniform(generator);
  switch (kind) {
  case Operands::Normal:
    return rt::drawNormal(generator);
  case Operands::NearPowersOfTwo:
    return sign * std::ldexp(1 + (below(9) - 4) * 0x1p-24, below(6) - 3);
  case Operands::Wide:
    return sign * std::ldexp(significand, below(40) - 20);
  case Operands::FullRange:
    return sign * std::ldexp(significand, below(250) - 125);
  case Operands::Special: {
    constexpr double values[] = {0.0,       -0.0,     1,     -1,     infinity,
                                 -infinity, quietNan, 1e-40, -1e-42, 1e30,
                                 3e38,      1e-30,    0.5};
    return values[below(std::size(values))];
  }
  }
  return 0;
}

/// The program of one op: `%y = ...` of arguments `%a`, `%b`, ....
static std::string programOf(ArrayRef<std::string> types,
                             const std::string &body,
                             const std::string &result) {
  std::string arguments;
  for (size_t i = 0; i < types.size(); ++i)
    arguments += std::string(i ? ", %" : "%") + char('a' + i) + ": " + types[i];
  return "func.func @main(" + arguments + ") -> " + result + " {\n  " + body +
         "\n  return %y : " + result + "\n}\n";
}

static void tryHardOperands(const std::string &text, int repetitions,
                            Statistics &statistics) {
  TestProgram program(text);
  ASSERT_TRUE(program.isValid());
  rt::SplitMix64 generator(7);
  ArrayRef<EvaluationOrder> orders = EvaluationOrder::all();
  for (int i = 0; i < repetitions * numKinds; ++i) {
    TensorValues arguments;
    for (mlir::Type type : program.getFunction().getArgumentTypes()) {
      auto tensor = cast<mlir::RankedTensorType>(type);
      auto &elements = arguments.emplace_back(tensor.getNumElements());
      for (double &element : elements)
        element = roundTo(tensor.getElementType(),
                          draw(generator, Operands(i % numKinds)));
    }
    SmallVector<Tensor> want = program.run(arguments);
    const EvaluationOrder &order = orders[i / numKinds % orders.size()];
    statistics.add(want.front(), program.runInFloat(arguments, order).front(),
                   order.str() + "\n" + text);
    if (::testing::Test::HasFailure())
      return;
  }
}

namespace {
class HardOperands : public ::testing::TestWithParam<const char *> {
protected:
  void check(ArrayRef<std::string> types, const std::string &body,
             const std::string &result, int repetitions = 25) {
    if (!HasFailure())
      tryHardOperands(programOf(types, body, result), repetitions, statistics);
  }
  /// Something comes near its bound; in f64, where the reference may have the
  /// largest part of it, not so near.
  void expectTight(double least = 0.9) const {
    EXPECT_GT(statistics.worstRatio(),
              StringRef(GetParam()) == "f64" ? 0.05 : least);
  }
  std::string tensor(ArrayRef<int64_t> shape) const {
    return tensorText(shape, GetParam());
  }
  Statistics statistics;
};
} // namespace

TEST_P(HardOperands, Maps) {
  std::string type = tensor({64});
  for (StringRef spelling : scalarFnSpellings()) {
    const ScalarFnInfo &info = getInfo(*symbolizeScalarFn(spelling));
    if (info.operands != ScalarOperands::Float &&
        info.operands != ScalarOperands::Number)
      continue;
    // Of exact operands, and of operands with an error.
    SmallVector<std::string> types(info.arity, type);
    std::string names, moved, before, operandTypes;
    for (unsigned i = 0; i < info.arity; ++i) {
      std::string name(1, char('a' + i)), comma = i ? ", " : "";
      names += comma + "%" + name;
      moved += comma + "%m" + name;
      operandTypes += comma + type;
      before += "%m" + name + " = fuse.map mul %" + name + ", %" +
                char('a' + info.arity) + " : (" + type + ", " + type + ") -> " +
                type + "\n  ";
    }
    std::string map = "%y = fuse.map " + spelling.str() + " ";
    std::string signature = " : (" + operandTypes + ") -> " + type;
    check(types, map + names + signature, type, 10);
    types.push_back(type);
    check(types, before + map + moved + signature, type, 10);
  }
  expectTight();
}

TEST_P(HardOperands, Contractions) {
  for (int64_t k : {1, 2, 3, 4, 8, 33, 70}) {
    std::string a = tensor({2, k}), y = tensor({2, 2}), b = tensor({2});
    std::string types = " : (" + a + ", " + a + ") -> " + y;
    check({a, a}, "%y = fuse.einsum \"ik,jk->ij\" %a, %b" + types, y);
    check({a}, "%y = fuse.einsum \"ik->i\" %a : (" + a + ") -> " + b, b);
    check({a, a, b},
          "%y = fuse.linear %a, %b bias %c : (" + a + ", " + a + ", " + b +
              ") -> " + y,
          y);
    check({a, a, a},
          "%z = fuse.map mul %a, %b : (" + a + ", " + a + ") -> " + a +
              "\n  %y = fuse.einsum \"ik,jk->ij\" %z, %c" + types,
          y);
    // The errors of a norm, which a row shares.
    check({a, a, a},
          "%z = fuse.map mul %a, %b : (" + a + ", " + a + ") -> " + a +
              "\n  %n = fuse.layer_norm %z axis 1 : (" + a + ") -> " + a +
              "\n  %y = fuse.linear %n, %c" + types,
          y);
    if (StringRef(GetParam()) != "f32")
      continue;
    for (std::string precision : {"tf32", "bf16", "bf16x3", "bf16x6"}) {
      std::string product = " precision " + precision + types;
      check({a, a}, "%y = fuse.einsum \"ik,jk->ij\" %a, %b" + product, y);
      check({a, a},
            "%n = fuse.layer_norm %a axis 1 : (" + a + ") -> " + a +
                "\n  %y = fuse.linear %n, %b" + product,
            y);
    }
  }
  expectTight();
}

TEST_P(HardOperands, ContractionsOfSharedErrors) {
  // Too many columns for sums in another order, which would hide shared errors.
  for (int64_t k : {1, 2, 5, 33}) {
    std::string a = tensor({17, k}), c = tensor({18, k}), w = tensor({k, 18}),
                x = tensor({18, 18}), y = tensor({17, 18}), v = tensor({18}),
                r = tensor({17});
    std::string weights = "\n  %p = fuse.softmax %z axis 1 : (";
    std::string project = "\n  %y = fuse.einsum \"ic,c->i\" %o, %d : (" + y +
                          ", " + v + ") -> " + r;
    check({a, a, w, v},
          "%z = fuse.map mul %a, %b : (" + a + ", " + a + ") -> " + a +
              weights + a + ") -> " + a +
              "\n  %o = fuse.einsum \"ij,jc->ic\" %p, %c : (" + a + ", " + w +
              ") -> " + y + project,
          r);
    // Here the vectors that are averaged share errors, too.
    check({a, c, w, v},
          "%n = fuse.rms_norm %b axis 1 : (" + c + ") -> " + c +
              "\n  %m = fuse.einsum \"jk,kc->jc\" %n, %c : (" + c + ", " + w +
              ") -> " + x + "\n  %z = fuse.einsum \"ik,kj->ij\" %a, %c : (" +
              a + ", " + w + ") -> " + y + weights + y + ") -> " + y +
              "\n  %o = fuse.einsum \"ij,jc->ic\" %p, %m : (" + y + ", " + x +
              ") -> " + y + project,
          r);
  }
  expectTight(0.4); // after three ops
}

TEST_P(HardOperands, Rows) {
  for (int64_t k : {1, 2, 3, 4, 8, 33, 70}) {
    std::string a = tensor({2, k}), v = tensor({k}), r = tensor({2});
    std::string toSame = " : (" + a + ") -> " + a;
    for (const char *kind : {"sum", "max", "min"})
      check({a, a},
            "%z = fuse.map mul %a, %b : (" + a + ", " + a + ") -> " + a +
                "\n  %y = fuse.reduce " + kind + " %z axes [1] : (" + a +
                ") -> " + r,
            r);
    check({a}, "%y = fuse.reduce sum %a axes [1] : (" + a + ") -> " + r, r);
    check({a}, "%y = fuse.softmax %a axis 1 masked_rows zero" + toSame, a);
    check({a, a},
          "%z = fuse.map mul %a, %b : (" + a + ", " + a + ") -> " + a +
              "\n  %y = fuse.softmax %z axis 1" + toSame,
          a);
    check({a}, "%y = fuse.layer_norm %a axis 1" + toSame, a);
    check({a, v, v},
          "%y = fuse.layer_norm %a gamma %b beta %c axis 1 : (" + a + ", " + v +
              ", " + v + ") -> " + a,
          a);
    check({a, v},
          "%y = fuse.layer_norm %a beta %b axis 1 eps 1.0e-12 : (" + a + ", " +
              v + ") -> " + a,
          a);
    check({a, v},
          "%y = fuse.rms_norm %a gamma %b axis 1 : (" + a + ", " + v + ") -> " +
              a,
          a);
  }
  expectTight();
}

INSTANTIATE_TEST_SUITE_P(Types, HardOperands,
                         ::testing::Values("f16", "bf16", "f32", "f64"),
                         [](const auto &info) { return info.param; });

TEST(Bounds, CountRoundingsThatCarryASumAcrossAPowerOfTwo) {
  // Each term is rounded up, until the sum passes 1 although the exact one does
  // not; from there the roundings are twice as large.
  const double half = 0x1p-25 + 0x1p-40, unit = 0x1p-24 + 0x1p-40;
  std::vector<double> terms{1 - 20 * 0x1p-24};
  terms.insert(terms.end(), 20, half);
  terms.insert(terms.end(), 9, unit);
  TestProgram program(programOf({"tensor<30xf32>"},
                                "%y = fuse.einsum \"k->\" %a : "
                                "(tensor<30xf32>) -> tensor<f32>",
                                "tensor<f32>"));
  Tensor want = program.run({terms}).front();
  double got = program.runInFloat({terms}).front().front();
  EXPECT_LT(want.value[0], 1);
  EXPECT_EQ(got, 1 + 9 * 0x1p-23);
  EXPECT_TRUE(passes(want, {got}));
}

TEST(Bounds, PartialSumsBeyondTheRangeHaveNone) {
  const TensorValues terms{{3e38, 3e38, -3e38, -3e38}};
  for (std::string op : {"einsum \"k->\" %a", "reduce sum %a axes [0]"}) {
    ResultTensor sum = evaluateProgram(
        programOf({"tensor<4xf32>"},
                  "%y = fuse." + op + " : (tensor<4xf32>) -> tensor<f32>",
                  "tensor<f32>"),
        terms);
    EXPECT_EQ(sum.value[0], 0) << op;
    EXPECT_EQ(sum.bound[0], infinity) << op;
  }
}
