//===- SemanticsTest.cpp - The table of ir/README.md: elements ------------===//
//
// One test a row, under the name that the row gives. Rows about sums and rows
// of tensors are in SemanticsSumsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "InterpreterTestUtils.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/ir/ScalarFn.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace fuse;
using namespace fuse::test;

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

namespace {
struct FloatType {
  const char *name;
  int precision;
};
constexpr FloatType floatTypes[] = {
    {"f16", 11}, {"bf16", 8}, {"f32", 24}, {"f64", 53}};
} // namespace

TEST(Semantics, RoundsAtEveryOp) {
  // The sum is an odd number of half units above 1: a tie between neighbours.
  for (auto [type, precision] : floatTypes) {
    double unit = std::ldexp(1.0, 1 - precision);
    ResultTensor sum = evaluateMap("add", type, {1 + unit, 0.5 * unit});
    EXPECT_TRUE(passes(sum, {1 + 2 * unit})) << type; // to even
    EXPECT_TRUE(passes(sum, {1 + unit})) << type;
    if (precision == 53)
      continue; // there the reference has rounded, too
    EXPECT_EQ(sum.value[0], 1 + 1.5 * unit) << type;
    EXPECT_FALSE(passes(sum, {1.0})) << type;
    EXPECT_FALSE(passes(sum, {1 + 3 * unit})) << type;
  }
  // Each of two ops rounds: 2^-8 is lost twice in bf16, unless relaxed.
  for (const char *attribute : {"", "attributes {fuse.relax_rounding} "}) {
    ResultTensor twice = evaluateProgram(
        std::string("func.func @main(%x: tensor<bf16>, %y: tensor<bf16>) -> "
                    "tensor<bf16> ") +
            attribute + R"({
      %a = fuse.map add %x, %y : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      %b = fuse.map add %a, %y : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      return %b : tensor<bf16>
    })",
        {{1.0}, {0x1p-8}});
    EXPECT_TRUE(passes(twice, {1.0}));           // rounded at every op
    EXPECT_TRUE(passes(twice, {1.0 + 0x1p-7}));  // f32 in between
    EXPECT_FALSE(passes(twice, {1.0 + 0x1p-5})); // neither
  }
}

TEST(Semantics, CastRounds) {
  auto cast = [](const char *from, const char *to, double x) {
    ResultTensor y = evaluateCastOp(from, to, x);
    EXPECT_EQ(y.bound[0], 0) << from << " to " << to;
    return y.value[0];
  };
  EXPECT_EQ(cast("f32", "bf16", 1 + 0x1p-8), 1);          // tie
  EXPECT_EQ(cast("f32", "bf16", 1 + 0x3p-8), 1 + 0x1p-6); // tie
  EXPECT_EQ(cast("f32", "bf16", 1 + 0x1p-8 + 0x1p-23), 1 + 0x1p-7);
  EXPECT_EQ(cast("f32", "f16", 1 + 0x1p-11), 1);
  EXPECT_EQ(cast("f32", "f16", 65519.996), 65504);
  EXPECT_EQ(cast("f32", "f16", 65520), infinity);
  EXPECT_EQ(cast("f32", "f16", 0x3p-26), 0x1p-24);
  EXPECT_EQ(cast("f64", "f32", 1 + 0x1p-24), 1);
  EXPECT_EQ(cast("f64", "f32", 0x1.fffffefp127), 0x1.fffffep127);
  EXPECT_EQ(cast("f64", "f32", 0x1.ffffffp127), infinity);
  // From double in one step: through f32 it would be a tie, and go down.
  EXPECT_EQ(cast("f64", "bf16", 1 + 0x1p-8 + 0x1p-40), 1 + 0x1p-7);
  EXPECT_TRUE(std::signbit(cast("f32", "f16", -1e-20)));
  EXPECT_TRUE(std::isnan(cast("f32", "bf16", quietNan)));
}

TEST(Semantics, CastRoundsThoughItComesBack) {
  TestProgram program(R"(
    func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<bf16>) {
      %a = fuse.cast %x : tensor<f32> -> tensor<bf16>
      %b = fuse.cast %a : tensor<bf16> -> tensor<f32>
      %c = fuse.cast %b : tensor<f32> -> tensor<bf16>
      return %b, %c : tensor<f32>, tensor<bf16>
    })");
  mlir::PassManager manager(program.getContext().get());
  manager.addPass(mlir::createCanonicalizerPass());
  ASSERT_TRUE(succeeded(manager.run(program.getModule())));
  program.prepareAgain();
  unsigned casts = 0;
  program.getFunction()->walk([&](CastOp) { ++casts; });
  EXPECT_EQ(casts, 2u); // only the cast that loses nothing is gone
  SmallVector<Tensor> results = program.run({{1 + 0x1p-8}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].value[0], 1);
  EXPECT_EQ(results[1].value[0], 1);
}

/// Both orders are within the bound; one whose factor is wrong is not.
TEST(Semantics, FactorsMayLeaveASum) {
  const std::vector<double> x = {3, -1.25, 0.1f, 7}, w = {0.3f, 2, -5, 0.7f};
  ResultTensor result = evaluateProgram(R"(
    func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<f32> {
      %q = fuse.map mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %s = fuse.reduce sum %q axes [0] : (tensor<4xf32>) -> tensor<f32>
      %h = fuse.map rsqrt %s : (tensor<f32>) -> tensor<f32>
      %n = fuse.map mul %x, %h : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %y = fuse.einsum "k,k->" %n, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
      return %y : tensor<f32>
    })",
                                        {x, w});
  float squares = 0;
  for (double value : x)
    squares += static_cast<float>(value) * static_cast<float>(value);
  const float h = 1 / std::sqrt(squares);
  float terms = 0, sum = 0;
  for (size_t k = 0; k < x.size(); ++k) {
    terms =
        std::fma(static_cast<float>(x[k]) * h, static_cast<float>(w[k]), terms);
    sum = std::fma(static_cast<float>(x[k]), static_cast<float>(w[k]), sum);
  }
  EXPECT_TRUE(passes(result, {terms}));
  const float after = sum * h;
  EXPECT_TRUE(passes(result, {after}));
  const float wrong = sum * (h * (1 + 0x1p-16f));
  EXPECT_FALSE(passes(result, {wrong}));
}

TEST(Semantics, NoReassociationAcrossOps) {
  // (x - y) * z is exact to a unit; x * z - y * z has lost the difference.
  ResultTensor product = evaluateProgram(R"(
    func.func @main(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>)
        -> tensor<f32> {
      %d = fuse.map sub %x, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %p = fuse.map mul %d, %z : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %p : tensor<f32>
    })",
                                         {{1 + 0x1p-23}, {1}, {1.0f / 3}});
  const float x = 1 + 0x1p-23f, y = 1, z = 1.0f / 3;
  EXPECT_TRUE(passes(product, {(x - y) * z}));
  const float xz = x * z, yz = y * z;
  EXPECT_FALSE(passes(product, {xz - yz}));

  // z + (x + y) with x = -y keeps z; (z + x) + y loses it.
  ResultTensor sum = evaluateProgram(R"(
    func.func @main(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>)
        -> tensor<f32> {
      %a = fuse.map add %x, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %b = fuse.map add %z, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %b : tensor<f32>
    })",
                                     {{0x1p20 + 1}, {-0x1p20}, {0x1p-10}});
  EXPECT_TRUE(passes(sum, {1 + 0x1p-10}));
  EXPECT_FALSE(passes(sum, {1.0}));
}

//===----------------------------------------------------------------------===//
// Scalar functions
//===----------------------------------------------------------------------===//

TEST(Semantics, ScalarFunctionsWithinUlps) {
  for (StringRef spelling : scalarFnSpellings()) {
    const ScalarFnInfo &info = getInfo(*symbolizeScalarFn(spelling));
    if (info.operands != ScalarOperands::Float &&
        info.operands != ScalarOperands::Number)
      continue;
    const double x[] = {1.71875, 0.40625, 0.90625};
    ResultTensor y =
        evaluateMap(spelling.str(), "f32", ArrayRef(x).take_front(info.arity));
    double ulp = std::ldexp(1.0, std::ilogb(y.value[0]) - 23);
    for (double sign : {-1.0, 1.0}) {
      double inside = y.value[0] + sign * 0.999 * info.ulps * ulp;
      double outside = y.value[0] + sign * (1.001 * info.ulps + 1e-6) * ulp;
      EXPECT_TRUE(passes(y, {inside})) << spelling.str();
      EXPECT_FALSE(passes(y, {outside})) << spelling.str();
    }
    EXPECT_FALSE(y.isUndecided(0)) << spelling.str();
  }
}

TEST(Semantics, VanishingActivationsHaveLeave) {
  // Of a negative x: four ulps of x/2, by which 1 + erf(x) may be wrong.
  for (const char *fn : {"gelu", "gelu_tanh"}) {
    ResultTensor y = evaluateMap(fn, "f32", {-5.0});
    double ulp = 0x1p-22; // of 2.5
    EXPECT_TRUE(passes(y, {y.value[0] + 3.9 * ulp})) << fn;
    EXPECT_FALSE(passes(y, {y.value[0] + 4.1 * ulp})) << fn;
  }
  // Results that may be flushed: x times what is below the smallest normal.
  EXPECT_TRUE(passes(evaluateMap("sigmoid", "f32", {-88.0}), {0.0}));
  EXPECT_FALSE(passes(evaluateMap("sigmoid", "f32", {-80.0}), {0.0}));
  EXPECT_TRUE(passes(evaluateMap("silu", "f32", {-88.0}), {-0.0}));
  EXPECT_FALSE(passes(evaluateMap("silu", "f32", {-80.0}), {-0.0}));
}

TEST(Semantics, MaxPropagatesNan) {
  auto value = [](const char *fn, double x, double y) {
    ResultTensor result = evaluateMap(fn, "f32", {x, y});
    EXPECT_EQ(result.bound[0], 0);
    return result.value[0];
  };
  for (const char *fn : {"max", "min"}) {
    EXPECT_TRUE(std::isnan(value(fn, quietNan, 1)));
    EXPECT_TRUE(std::isnan(value(fn, 1, quietNan)));
    EXPECT_TRUE(std::isnan(value(fn, infinity, quietNan)));
    bool isMax = StringRef(fn) == "max";
    for (auto [x, y] : {std::pair(-0.0, 0.0), std::pair(0.0, -0.0)})
      EXPECT_EQ(std::signbit(value(fn, x, y)), !isMax) << fn;
    for (std::vector<double> row : {std::vector{-0.0, 0.0},
                                    {0.0, -0.0},
                                    {1.0, quietNan},
                                    {quietNan, 1.0}}) {
      ResultTensor y = evaluateProgram(
          std::string("func.func @main(%x: tensor<2xf32>) -> tensor<f32> {\n"
                      "  %y = fuse.reduce ") +
              fn + R"( %x axes [0] : (tensor<2xf32>) -> tensor<f32>
          return %y : tensor<f32>
        })",
          {row});
      double want =
          std::isnan(row[0] + row[1]) ? quietNan : (isMax ? 0.0 : -0.0);
      EXPECT_TRUE(sameBits(y.value, {want})) << fn;
      EXPECT_EQ(y.bound[0], 0);
    }
  }
  ResultTensor p = evaluateProgram(R"(
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = fuse.softmax %x axis 0 : (tensor<3xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    })",
                                   {{1, quietNan, 2}});
  EXPECT_TRUE(sameBits(p.value, {quietNan, quietNan, quietNan}));
}

static ResultTensor compare(const std::string &comparison, double x, double y) {
  return evaluateScalarOp("compare " + comparison + " %a0, %a1", {"f32", "f32"},
                          "(tensor<f32>, tensor<f32>) -> tensor<i1>", "i1",
                          {x, y});
}

TEST(Semantics, ComparisonsWithNan) {
  for (const char *comparison : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    bool isNe = StringRef(comparison) == "ne";
    for (auto [x, y] :
         {std::pair(quietNan, 1.0), std::pair(1.0, quietNan),
          std::pair(quietNan, quietNan), std::pair(quietNan, infinity)}) {
      ResultTensor result = compare(comparison, x, y);
      EXPECT_EQ(result.value[0], isNe) << comparison;
      EXPECT_FALSE(result.isUndecided(0)) << comparison;
    }
  }
  EXPECT_EQ(compare("eq", 0.0, -0.0).value[0], 1);
  EXPECT_EQ(compare("eq", infinity, infinity).value[0], 1);
  EXPECT_EQ(compare("lt", -infinity, infinity).value[0], 1);
  EXPECT_EQ(compare("ge", 1.0, 1.0).value[0], 1);
  EXPECT_EQ(compare("gt", 1.0, 1.0).value[0], 0);
}

TEST(Semantics, SelectIgnoresTheOtherSide) {
  ResultTensor y = evaluateProgram(R"(
    func.func @main(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>)
        -> tensor<4xf32> {
      %r = fuse.select %c, %x, %y
          : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    })",
                                   {{1, 0, 1, 0},
                                    {2, quietNan, 3, infinity},
                                    {quietNan, -4, -infinity, -0.0}});
  EXPECT_TRUE(sameBits(y.value, {2, -4, 3, -0.0}));
  EXPECT_TRUE(sameBits(y.bound, {0, 0, 0, 0}));
  EXPECT_TRUE(y.undecided.empty());
}

//===----------------------------------------------------------------------===//
// Integers and whole numbers
//===----------------------------------------------------------------------===//

TEST(Semantics, SubnormalsAreKept) {
  struct {
    const char *type;
    double tiny;
  } cases[] = {{"f16", 0x1p-24},
               {"bf16", 0x1p-133},
               {"f32", 0x1p-149},
               {"f64", 0x1p-1074}};
  for (auto [type, tiny] : cases) {
    EXPECT_EQ(evaluateCastOp("f64", type, 3 * tiny).value[0], 3 * tiny);
    EXPECT_EQ(evaluateCastOp(type, "f64", tiny).value[0], tiny);
    EXPECT_EQ(evaluateMap("neg", type, {tiny}).value[0], -tiny);
    // Flushed to zero: an error of 64 subnormals, of which a few are allowed.
    ResultTensor sum = evaluateMap("add", type, {60 * tiny, 4 * tiny});
    EXPECT_TRUE(passes(sum, {64 * tiny})) << type;
    EXPECT_FALSE(passes(sum, {0.0})) << type;
    ResultTensor half = evaluateMap("mul", type, {128 * tiny, 0.5});
    EXPECT_TRUE(passes(half, {64 * tiny})) << type;
    EXPECT_FALSE(passes(half, {0.0})) << type;
  }
}

static double integer(const std::string &fn, ArrayRef<double> operands) {
  ResultTensor result = evaluateMap(fn, "i32", operands);
  EXPECT_EQ(result.bound[0], 0);
  return result.value[0];
}

TEST(Semantics, IntegersWrap) {
  constexpr double lowest = INT32_MIN, highest = INT32_MAX;
  EXPECT_EQ(integer("add", {highest, 1}), lowest);
  EXPECT_EQ(integer("sub", {lowest, 1}), highest);
  EXPECT_EQ(integer("mul", {0x10001, 0x10000}), 0x10000);
  EXPECT_EQ(integer("mul", {highest, highest}), 1);
  EXPECT_EQ(integer("neg", {lowest}), lowest);
  EXPECT_EQ(integer("abs", {lowest}), lowest);
  EXPECT_EQ(integer("floordiv", {lowest, -1}), lowest);
  EXPECT_EQ(integer("floordiv", {-7, 2}), -4);
  EXPECT_EQ(integer("floordiv", {7, -2}), -4);
  EXPECT_EQ(integer("floordiv", {-7, -2}), 3);
  EXPECT_EQ(integer("mod", {-7, 2}), 1);
  EXPECT_EQ(integer("mod", {7, -2}), -1);
  EXPECT_EQ(integer("mod", {-7, -2}), -1);
  EXPECT_EQ(integer("mod", {lowest, -1}), 0);
  ResultTensor sum = evaluateProgram(R"(
    func.func @main(%x: tensor<3xi32>) -> tensor<i32> {
      %y = fuse.reduce sum %x axes [0] : (tensor<3xi32>) -> tensor<i32>
      return %y : tensor<i32>
    })",
                                     {{highest, highest, 3}});
  EXPECT_EQ(sum.value[0], 1);
}

TEST(Semantics, IntegerDivisionByZero) {
  for (const char *fn : {"floordiv", "mod"}) {
    TestProgram program(
        std::string("func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> "
                    "tensor<2xi32> {\n  %z = fuse.map ") +
        fn + R"( %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      return %z : tensor<2xi32>
    })");
    ASSERT_TRUE(program.isValid());
    SmallVector<Tensor> arguments = program.makeArguments({{1, 2}, {1, 0}});
    EXPECT_TRUE(failed(program.getInterpreter().run(arguments)));
    EXPECT_EQ(program.getDiagnostics(), "divides an integer by zero\n");
    // Only what an element needs is evaluated.
    EXPECT_TRUE(
        succeeded(program.getInterpreter().runElement(arguments, 0, {0})));
    EXPECT_TRUE(failed(program.getInterpreter().runElement(arguments, 0, {1})));
  }
}

TEST(Semantics, CastsToIntegers) {
  auto toInt = [](double x) {
    return evaluateCastOp("f32", "i32", x).value[0];
  };
  EXPECT_EQ(toInt(1.9990234375), 1);
  EXPECT_EQ(toInt(-1.9990234375), -1);
  EXPECT_EQ(toInt(-0.5), 0);
  EXPECT_EQ(toInt(0x1p31), INT32_MAX);
  EXPECT_EQ(toInt(-0x1p31), INT32_MIN);
  EXPECT_EQ(toInt(-0x1p40), INT32_MIN);
  EXPECT_EQ(toInt(infinity), INT32_MAX);
  EXPECT_EQ(toInt(-infinity), INT32_MIN);
  EXPECT_EQ(toInt(quietNan), 0);
  auto toBool = [](const char *from, double x) {
    return evaluateCastOp(from, "i1", x).value[0];
  };
  EXPECT_EQ(toBool("f32", 0.0), 0);
  EXPECT_EQ(toBool("f32", -0.0), 0);
  EXPECT_EQ(toBool("f32", 0x1p-149), 1);
  EXPECT_EQ(toBool("f32", quietNan), 1);
  EXPECT_EQ(toBool("i32", -3), 1);
  EXPECT_EQ(toBool("i32", 0), 0);
  EXPECT_EQ(evaluateCastOp("i1", "i32", 1).value[0], 1);
  EXPECT_EQ(evaluateCastOp("i1", "bf16", 1).value[0], 1);
}

TEST(Semantics, WholeNumbersRound) {
  EXPECT_EQ(evaluateCastOp("i32", "f32", 0x1000001).value[0], 0x1000000);
  EXPECT_EQ(evaluateCastOp("i32", "f32", 0x1000003).value[0], 0x1000004);
  EXPECT_EQ(evaluateCastOp("i32", "bf16", 257).value[0], 256);
  EXPECT_EQ(evaluateCastOp("i32", "bf16", 259).value[0], 260);
  EXPECT_EQ(evaluateCastOp("i32", "f16", 65520).value[0], infinity);
  TestProgram program(R"(
    func.func @main(%x: tensor<?xi1> {fuse.dims = ["N"]})
        -> (tensor<bf16>, tensor<bf16>, tensor<i32>, tensor<?xbf16>) {
      %n = fuse.dim "N" : tensor<bf16>
      %m = fuse.dim %x axis 0 : tensor<?xi1> -> tensor<bf16>
      %i = fuse.dim "2*N + 1" : tensor<i32>
      %r = fuse.iota axis 0 like %x : tensor<?xi1> -> tensor<?xbf16>
      return %n, %m, %i, %r
          : tensor<bf16>, tensor<bf16>, tensor<i32>, tensor<?xbf16>
    })",
                      {{259}});
  SmallVector<Tensor> results = program.run({std::vector<double>(259)});
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0].value[0], 260);
  EXPECT_EQ(results[1].value[0], 260);
  EXPECT_EQ(results[2].value[0], 519);
  EXPECT_EQ(results[3].value[255], 255);
  EXPECT_EQ(results[3].value[257], 256);
  EXPECT_EQ(results[3].value[258], 258);
}
