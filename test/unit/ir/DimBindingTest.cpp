//===- DimBindingTest.cpp - Extents of a call, found and checked ----------===//

#include "IRTest.h"

#include "fuse/ir/DimAnalysis.h"
#include "llvm/ADT/StringExtras.h"

using namespace fuse;

namespace {

using Shape = std::optional<SmallVector<int64_t>>;

Shape shape(std::initializer_list<int64_t> extents) {
  return SmallVector<int64_t>(extents);
}

class DimBindingTest : public IRTest {
protected:
  void program(StringRef text) {
    function = parseFunction(text);
    if (!function)
      return;
    FailureOr<DimAnalysis> result = DimAnalysis::compute(function);
    ASSERT_TRUE(succeeded(result)) << takeDiagnostics();
    analysis = std::move(*result);
  }

  /// The extents of named dims in a call, as `B=2 N=3`; or the diagnostic.
  std::string
  call(std::initializer_list<Shape> shapes,
       std::initializer_list<std::pair<StringRef, int64_t>> given = {}) {
    DimBindings bindings;
    for (auto [symbol, extent] : given)
      bindings[symbol] = extent;
    if (failed(analysis->bindDims(function, ArrayRef(shapes), bindings)))
      return takeDiagnostics();
    SmallVector<std::string> parts;
    for (const auto &binding : bindings)
      if (isSymbolFactor(binding.getKey()))
        parts.push_back(binding.getKey().str() + "=" +
                        std::to_string(binding.getValue()));
    llvm::sort(parts);
    return llvm::join(parts, " ");
  }

  mlir::FunctionOpInterface function;
  std::optional<DimAnalysis> analysis;
};

/// One argument with the given dims.
std::string withDims(StringRef type, StringRef dims,
                     StringRef attributes = "") {
  return ("func.func @f(%x: " + type + " {fuse.dims = " + dims +
          ", fuse.name = \"x\"}) attributes {" + attributes + "} { return }")
      .str();
}

//===----------------------------------------------------------------------===//
// Successes
//===----------------------------------------------------------------------===//

TEST_F(DimBindingTest, FromShapes) {
  program(withDims("tensor<?x?x4xf32>", R"(["B", "2*N + 1", "D"])"));
  EXPECT_EQ(call({shape({3, 7, 4})}), "B=3 D=4 N=3");
  EXPECT_EQ(call({shape({0, 1, 4})}), "B=0 D=4 N=0");
}

TEST_F(DimBindingTest, FromNames) {
  program(withDims("tensor<?x?xf32>", R"(["B", "2*N"])"));
  EXPECT_EQ(call({std::nullopt}, {{"B", 3}, {"N", 4}}), "B=3 N=4");
  EXPECT_EQ(call({shape({3, 8})}, {{"B", 3}}), "B=3 N=4");
}

// An equation waits for those that give its other symbols.
TEST_F(DimBindingTest, FromEachOther) {
  program(withDims("tensor<?x?x?x?xf32>", R"(["H*D*E", "D*E", "E", "M"])",
                   R"(fuse.facts = ["M == 2*K", "K == L + 1"])"));
  EXPECT_EQ(call({shape({24, 12, 4, 10})}), "D=3 E=4 H=2 K=5 L=4 M=10");
}

// Equalities that ops demand give extents too, to dims without a name as well.
TEST_F(DimBindingTest, FromOps) {
  program(R"mlir(
    func.func @f(%x: tensor<?xf32> {fuse.dims = ["N"]}, %y: tensor<?xf32>,
                 %z: tensor<?xf32> {fuse.dims = ["M"]}) {
      %0 = fuse.map add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %1 = fuse.concat %0, %y axis 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %2 = fuse.map add %1, %z : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      return
    })mlir");
  EXPECT_EQ(call({shape({3}), std::nullopt, std::nullopt}), "M=6 N=3");
  EXPECT_EQ(call({std::nullopt, shape({3}), std::nullopt}), "M=6 N=3");
  EXPECT_EQ(call({std::nullopt, std::nullopt, shape({6})}, {{"N", 3}}),
            "M=6 N=3");
}

TEST_F(DimBindingTest, ScalarsAndOthers) {
  program(R"mlir(
    func.func @f(%x: tensor<f32>, %n: i32, %y: tensor<?xi64>) {
      return
    })mlir");
  EXPECT_EQ(call({shape({}), std::nullopt, shape({5})}), "");
}

//===----------------------------------------------------------------------===//
// Names and ranks
//===----------------------------------------------------------------------===//

TEST_F(DimBindingTest, UnknownName) {
  program(withDims("tensor<?x?xf32>", R"(["B", "2*N"])",
                   R"(fuse.facts = ["K <= 4"])"));
  EXPECT_EQ(call({shape({1, 2})}, {{"M", 3}}),
            "has no dim 'M'; its dims are B, N, K");
}

TEST_F(DimBindingTest, NoNames) {
  program("func.func @f(%x: tensor<?xf32>) { return }");
  EXPECT_EQ(call({shape({1})}, {{"M", 3}}), "has no dim 'M'");
}

// Dims that only ops name are dims of the program.
TEST_F(DimBindingTest, NamesOfOps) {
  program(R"mlir(
    func.func @f(%x: tensor<?xf32>) {
      %0 = fuse.iota axis 0 shape "K" : tensor<?xi32>
      %1 = fuse.dim "L" : tensor<i32>
      %2 = fuse.slice %x axis 0 from "0" to "M" : (tensor<?xf32>) -> tensor<?xf32>
      return
    })mlir");
  EXPECT_EQ(call({shape({5})}, {{"K", 1}, {"L", 2}, {"M", 3}}), "K=1 L=2 M=3");
  EXPECT_EQ(call({shape({5})}, {{"K", 1}, {"M", 3}}),
            "dim 'L' has no extent, needed for the value; give one with "
            "--dims=L=..., or an input that has it");
  EXPECT_EQ(call({shape({5})}, {{"L", 1}, {"M", 3}}),
            "dim 'K' has no extent, needed for the dim 'K'; give one with "
            "--dims=K=..., or an input that has it");
  EXPECT_EQ(call({shape({5})}, {{"X", 1}}),
            "has no dim 'X'; its dims are K, M, L");
}

TEST_F(DimBindingTest, Rank) {
  program(withDims("tensor<?x?xf32>", R"(["B", "N"])"));
  EXPECT_EQ(call({shape({3})}),
            "expects argument 'x' to have rank 2, but got 1");
}

//===----------------------------------------------------------------------===//
// Shapes against dims
//===----------------------------------------------------------------------===//

TEST_F(DimBindingTest, TwoExtentsForOneName) {
  program(withDims("tensor<?x?xf32>", R"(["N", "N"])"));
  EXPECT_EQ(call({shape({3, 3})}), "N=3");
  EXPECT_EQ(call({shape({3, 4})}),
            "expects axis 1 of argument 'x' to be N = 3, but got 4");
  EXPECT_EQ(call({shape({3, 3})}, {{"N", 5}}),
            "expects axis 0 of argument 'x' to be N = 5, but got 3");
}

TEST_F(DimBindingTest, StaticExtent) {
  program(withDims("tensor<4xf32>", R"(["N"])"));
  EXPECT_EQ(call({shape({5})}),
            "expects axis 0 of argument 'x' to be 4, but got 5");
  EXPECT_EQ(call({std::nullopt}), "N=4");
  EXPECT_EQ(call({std::nullopt}, {{"N", 5}}),
            "expects axis 0 of argument 'x' to be 4, but got 5 (N = 5)");
}

TEST_F(DimBindingTest, ExpressionOfKnownSymbols) {
  program(withDims("tensor<?x?x?xf32>", R"(["N", "M", "2*N + M"])"));
  EXPECT_EQ(call({shape({3, 4, 10})}), "M=4 N=3");
  EXPECT_EQ(call({shape({3, 4, 11})}),
            "expects axis 2 of argument 'x' to be M + 2*N = 10, but got 11 "
            "(M = 4, N = 3)");
}

TEST_F(DimBindingTest, NoSolution) {
  program(withDims("tensor<?xf32>", R"(["2*N + 4"])"));
  EXPECT_EQ(call({shape({7})}),
            "expects axis 0 of argument 'x' to be 2*N + 4, but got 7, from "
            "which no extent of 'N' follows");
  EXPECT_EQ(call({shape({2})}),
            "expects axis 0 of argument 'x' to be 2*N + 4, but got 2, from "
            "which no extent of 'N' follows");
}

TEST_F(DimBindingTest, NoWholeNumber) {
  program(withDims("tensor<?x?xf32>", R"(["D", "D/3"])"));
  EXPECT_EQ(call({shape({9, 3})}), "D=9");
  EXPECT_EQ(call({shape({10, 3})}),
            "expects axis 1 of argument 'x' to be D/3, but got 3 (D = 10)");
  EXPECT_EQ(call({std::nullopt}, {{"D", 10}}),
            "axis 1 of argument 'x' is D/3, which is no whole number below "
            "2^63 (D = 10)");
}

//===----------------------------------------------------------------------===//
// Missing extents
//===----------------------------------------------------------------------===//

TEST_F(DimBindingTest, MissingExtents) {
  program(withDims("tensor<?x?xf32>", R"(["B", "H*D"])"));
  EXPECT_EQ(call({std::nullopt}),
            "dim 'B' has no extent, needed for axis 0 of argument 'x'; give "
            "one with --dims=B=..., or an input that has it");
  EXPECT_EQ(call({shape({3, 8})}),
            "dim 'D' has no extent, needed for axis 1 of argument 'x'; give "
            "one with --dims=D=..., or an input that has it");
  EXPECT_EQ(call({shape({3, 8})}, {{"H", 2}}), "B=3 D=4 H=2");
}

TEST_F(DimBindingTest, MissingWithoutName) {
  program("func.func @f(%x: tensor<?xf32>) { return }");
  EXPECT_EQ(call({std::nullopt}), "axis 0 of argument 'arg0' has no extent; "
                                  "give an input that has it");
}

TEST_F(DimBindingTest, MissingInFacts) {
  program(withDims("tensor<?xf32>", R"(["N"])", R"(fuse.facts = ["N <= M"])"));
  EXPECT_EQ(call({shape({3})}),
            "dim 'M' has no extent, needed for N; give one with --dims=M=..., "
            "or an input that has it");
  EXPECT_EQ(call({shape({3})}, {{"M", 3}}), "M=3 N=3");
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

TEST_F(DimBindingTest, Facts) {
  program(withDims(
      "tensor<?x?xf32>", R"(["N", "M"])",
      R"(fuse.facts = ["N <= 8", "N >= 2", "M % N == 0", "M == 4*K"])"));
  EXPECT_EQ(call({shape({4, 8})}), "K=2 M=8 N=4");
  EXPECT_EQ(call({shape({9, 9})}),
            "expects N to be at most 8, but got 9 (N = 9)");
  EXPECT_EQ(call({shape({1, 8})}),
            "expects N to be at least 2, but got 1 (N = 1)");
  EXPECT_EQ(call({shape({3, 8})}),
            "expects M to be a multiple of 3, but got 8 (M = 8, N = 3)");
  EXPECT_EQ(call({shape({4, 8})}, {{"K", 3}}),
            "expects M to be 12, but got 8 (M = 8, K = 3)");
  EXPECT_EQ(call({shape({2, 6})}),
            "dim 'K' has no extent, needed for M; give one with --dims=K=..., "
            "or an input that has it");
}

TEST_F(DimBindingTest, DivisionByZero) {
  program(withDims("tensor<?x?xf32>", R"(["N", "M"])",
                   R"(fuse.facts = ["M % N == 0"])"));
  EXPECT_EQ(call({shape({0, 0})}),
            "expects M to be a multiple of 0, but got 0 (M = 0, N = 0)");
}

// Whoever writes a quotient states that it is exact, also where it cancels.
TEST_F(DimBindingTest, QuotientsThatCancel) {
  program(withDims("tensor<?xf32>", "[\"N/2*2\"]"));
  EXPECT_EQ(call({shape({6})}), "N=6");
  EXPECT_EQ(call({shape({5})}), "expects the dividend in 'N/2*2' to be a "
                                "multiple of 2, but got 5 (N = 5)");
  program(withDims("tensor<?xf32>", "[\"N\"]",
                   "fuse.facts = [\"N/4 + M == N/4 + 3\"]"));
  EXPECT_EQ(call({shape({8})}), "M=3 N=8");
  EXPECT_EQ(call({shape({6})}),
            "expects the dividend in 'N/4 + M == N/4 + 3' to be a multiple of "
            "4, but got 6 (N = 6)");
}

// A group with a factor that is a sum.
TEST_F(DimBindingTest, QuotientsBySums) {
  program(R"(
    func.func @f(%x: tensor<?xf32> {fuse.dims = ["E"]},
                 %y: tensor<?xf32> {fuse.dims = ["H + 1"]}) {
      %0 = fuse.reshape %x like %y "(h d), h -> h d"
          : (tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
      return
    })");
  EXPECT_EQ(call({shape({12}), shape({3})}), "E=12 H=2");
  EXPECT_EQ(call({shape({13}), shape({3})}),
            "expects axis 0 of the source to be a multiple of 3, but got 13 "
            "(E = 13, H = 2)");
}

TEST_F(DimBindingTest, GroupedHeads) {
  program(R"mlir(
    func.func @f(%q: tensor<?x?x?x32xf32> {fuse.dims = ["B", "T", "Hq", "D"]},
                 %k: tensor<?x?x?x32xf32> {fuse.dims = ["B", "T", "Hkv", "D"]}) {
      %o = fuse.attention %q, %k, %k "b t (g r) d, b s g d, b s g d -> b t (g r) d" scores "b (g r) t s" {
      ^bb0(%s: tensor<?x?x?x?xf32>):
        fuse.yield %s : tensor<?x?x?x?xf32>
      } : (tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>) -> tensor<?x?x?x32xf32>
      return
    })mlir");
  EXPECT_EQ(call({shape({1, 4, 6, 32}), shape({1, 4, 2, 32})}),
            "B=1 D=32 Hkv=2 Hq=6 T=4");
  EXPECT_EQ(call({shape({1, 4, 7, 32}), shape({1, 4, 2, 32})}),
            "expects axis 2 of the query to be a multiple of 2, but got 7 "
            "(Hq = 7, Hkv = 2)");
}

TEST_F(DimBindingTest, ConstraintsOfOps) {
  program(R"mlir(
    func.func @f(%x: tensor<?xf32> {fuse.dims = ["N"]},
                 %y: tensor<?xf32> {fuse.dims = ["M"]})
        -> (tensor<?xf32> {fuse.dims = ["K"]}) {
      %0 = fuse.map add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %1 = fuse.slice %0 axis 0 from "$ - 4" to "$" : (tensor<?xf32>) -> tensor<?xf32>
      %2 = fuse.slice %0 axis 0 from "1" to "L" step 2 : (tensor<?xf32>) -> tensor<?xf32>
      return %2 : tensor<?xf32>
    })mlir");
  EXPECT_EQ(call({shape({8}), shape({8})}, {{"L", 7}}), "K=3 L=7 M=8 N=8");
  EXPECT_EQ(call({shape({8}), shape({9})}, {{"L", 7}}),
            "expects axis 0 of operand #1 to be 8, but got 9 (M = 9, N = 8)");
  EXPECT_EQ(call({shape({3}), shape({3})}, {{"L", 3}}),
            "expects the start to be at least 0, but got -1 (N = 3)");
  EXPECT_EQ(call({shape({8}), shape({8})}, {{"L", 9}}),
            "expects the stop to be at most 8, but got 9 (L = 9, N = 8)");
  EXPECT_EQ(call({shape({8}), shape({8})}, {{"L", 0}}),
            "expects the start to be at most 0, but got 1 (L = 0)");
  EXPECT_EQ(call({shape({8}), shape({8})}, {{"L", 8}}),
            "expects the length of the range to be a multiple of 2, but got 7 "
            "(L = 8)");
  EXPECT_EQ(call({shape({8}), shape({8})}, {{"L", 7}, {"K", 2}}),
            "expects axis 0 of result 'result0' to be 2, but got 3 (L = 7, "
            "K = 2)");
}

// The yielded scores are as large as the scores.
TEST_F(DimBindingTest, YieldedScores) {
  program(R"mlir(
    func.func @f(%x: tensor<?x8xf32> {fuse.dims = ["T", "D"]},
                 %outer: tensor<?x?xf32> {fuse.dims = ["T", "S"]}) {
      %o = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
      ^bb0(%s: tensor<?x?xf32>):
        fuse.yield %outer : tensor<?x?xf32>
      } : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
      return
    })mlir");
  EXPECT_EQ(call({shape({4, 8}), shape({4, 4})}), "D=8 S=4 T=4");
  EXPECT_EQ(call({shape({4, 8}), shape({4, 5})}),
            "expects axis 1 of the yielded scores to be 4, but got 5 (S = 5, "
            "T = 4)");
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

TEST_F(DimBindingTest, NegativeExtents) {
  program(R"mlir(
    func.func @f(%x: tensor<?xf32> {fuse.dims = ["N - 4"], fuse.name = "x"}) {
      %0 = fuse.iota axis 0 shape "N-8" : tensor<?xi32>
      return
    })mlir");
  EXPECT_EQ(call({shape({4})}), "N=8");
  EXPECT_EQ(call({std::nullopt}, {{"N", 3}}),
            "expects the dim 'N-8' to be at least 0, but got -5 (N = 3)");
  program(withDims("tensor<?x?xf32>", R"(["B", "N - 4"])"));
  EXPECT_EQ(call({std::nullopt}, {{"B", 1}, {"N", 3}}),
            "expects axis 1 of argument 'x' to be at least 0, but got -1 "
            "(N = 3)");
  EXPECT_EQ(call({std::nullopt}, {{"B", -1}, {"N", 4}}),
            "expects axis 0 of argument 'x' to be at least 0, but got -1 "
            "(B = -1)");
}

TEST_F(DimBindingTest, LargeTensors) {
  program(R"mlir(
    func.func @f(%x: tensor<?xi1> {fuse.dims = ["N"], fuse.name = "x"},
                 %y: tensor<?xi1> {fuse.dims = ["M"]}) {
      %0 = fuse.broadcast %x "n -> n M" : (tensor<?xi1>) -> tensor<?x?xi1>
      %1 = fuse.cast %0 : tensor<?x?xi1> -> tensor<?x?xf64>
      return
    })mlir");
  // i1 has a byte an element, f64 eight.
  int64_t large = int64_t(1) << 30;
  EXPECT_EQ(call({shape({large}), shape({large - 1})}),
            "M=1073741823 N=1073741824");
  EXPECT_EQ(call({shape({large}), shape({large})}),
            "the result would be a tensor of 2^63 bytes or more (N = "
            "1073741824, M = 1073741824)");
  EXPECT_EQ(call({shape({4 * large}), shape({2 * large})}),
            "the result would be a tensor of 2^63 bytes or more (N = "
            "4294967296, M = 2147483648)");
  program(withDims("tensor<?x?xf32>", R"(["N", "N"])"));
  EXPECT_EQ(call({std::nullopt}, {{"N", 2 * large}}),
            "argument 'x' would be a tensor of 2^63 bytes or more (N = "
            "2147483648)");
  EXPECT_EQ(call({std::nullopt}, {{"N", large}}), "N=1073741824");
}

// Of the scores too, though no op of the program has them as its result.
TEST_F(DimBindingTest, LargeScores) {
  program(R"mlir(
    func.func @f(%x: tensor<?x1xf32> {fuse.dims = ["T", 1]}) {
      %o = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
      ^bb0(%s: tensor<?x?xf32>):
        fuse.yield %s : tensor<?x?xf32>
      } : (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x1xf32>
      return
    })mlir");
  EXPECT_EQ(call({shape({int64_t(1) << 31, 1})}),
            "an argument of the region would be a tensor of 2^63 bytes or more "
            "(T = 2147483648)");
}

TEST_F(DimBindingTest, OverflowingExtent) {
  program(withDims("tensor<?x?xf32>", R"(["N", "4611686018427387904*N"])"));
  EXPECT_EQ(call({std::nullopt}, {{"N", 2}}),
            "axis 1 of argument 'x' is 4611686018427387904*N, which is no "
            "whole number below 2^63 (N = 2)");
}

} // namespace
