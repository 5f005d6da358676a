//===- SemanticsSumsTest.cpp - The table of ir/README.md: tensors ---------===//

#include "InterpreterTestUtils.h"

using namespace fuse;
using namespace fuse::test;

static ResultTensor sumOf(const std::vector<double> &row,
                          const std::string &type) {
  std::string source = tensorText({int64_t(row.size())}, type);
  return evaluateProgram("func.func @main(%x: " + source + ") -> tensor<" +
                             type +
                             "> {\n  %y = fuse.reduce sum %x axes [0] "
                             ": (" +
                             source + ") -> tensor<" + type +
                             ">\n  return %y : tensor<" + type + ">\n}",
                         {row});
}

/// The scalar product of two rows, with their indices as in `indices`.
static ResultTensor productOf(const std::string &indices,
                              ArrayRef<int64_t> shape,
                              const std::vector<double> &a,
                              const std::vector<double> &b,
                              const std::string &precision = "") {
  std::string type = tensorText(shape);
  return evaluateProgram("func.func @main(%a: " + type + ", %b: " + type +
                             ") -> tensor<f32> {\n  %y = fuse.einsum \"" +
                             indices + "\" %a, %b " + precision + " : (" +
                             type + ", " + type +
                             ") -> tensor<f32>\n  return %y : tensor<f32>\n}",
                         {a, b});
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

TEST(Semantics, RowSumsAreShallow) {
  // In one chain of f32, no 1 after 2^24 counts.
  std::vector<double> row(1024, 1.0);
  row[0] = 0x1p24;
  ResultTensor sum = sumOf(row, "f32");
  float chain = 0;
  for (double x : row)
    chain += static_cast<float>(x);
  EXPECT_EQ(chain, 0x1p24f);
  EXPECT_EQ(sum.value[0], 0x1p24 + 1023);
  EXPECT_FALSE(passes(sum, {chain}));
  std::vector<float> floats(row.begin(), row.end());
  for (int64_t lanes : {32, 64}) {
    EvaluationOrder order;
    order.lanes = lanes;
    float shallow = sumRow<float>(floats, order);
    EXPECT_NE(shallow, sum.value[0]);
    EXPECT_TRUE(passes(sum, {shallow})) << lanes;
  }
  // Sums of 16-bit elements are formed in f32; bf16 would stop at 256.
  ResultTensor ones = sumOf(std::vector<double>(1000, 1.0), "bf16");
  EXPECT_TRUE(passes(ones, {1000.0}));
  EXPECT_FALSE(passes(ones, {256.0}));
}

TEST(Semantics, ContractionsAscend) {
  // Ascending, B and -B cancel at once and the sum of the rest is exact. If all
  // B come first, the rest is lost between them and the -B.
  const float big = 0x1p24, small = 7;
  std::vector<double> terms, ones(32, 1.0);
  for (int i = 0; i < 10; ++i) {
    terms.push_back(big);
    terms.push_back(-big);
  }
  terms.resize(32, small);
  float badly = 0;
  for (float sign : {1.0f, 0.0f, -1.0f})
    for (double x : terms)
      if (x == (sign == 0 ? small : sign * big))
        badly += static_cast<float>(x);
  ResultTensor ascending = productOf("k,k->", {32}, terms, ones);
  EXPECT_EQ(ascending.value[0], 84);
  EXPECT_TRUE(passes(ascending, {84.0}));
  EXPECT_EQ(badly, 0);
  EXPECT_FALSE(passes(ascending, {badly}));
  // With two summed indices that order is permitted.
  EXPECT_TRUE(passes(productOf("ij,ij->", {4, 8}, terms, ones), {badly}));
}

TEST(Semantics, NarrowContractionsAreShallow) {
  // Ascending, B and -B cancel at once. In eight chains that a tree joins, as
  // lanes have them, what B meets before -B is lost.
  std::vector<double> terms(64, 1.0);
  terms[0] = 0x1p24;
  terms[1] = -0x1p24;
  float chains[8] = {};
  for (int i = 0; i < 64; ++i)
    chains[i % 8] += static_cast<float>(terms[i]);
  for (int half = 4; half > 0; half /= 2)
    for (int i = 0; i < half; ++i)
      chains[i] += chains[half + i];
  auto passesWith = [&](int64_t rows, int64_t columns) {
    std::vector<double> left;
    for (int64_t row = 0; row < rows; ++row)
      left.insert(left.end(), terms.begin(), terms.end());
    std::string a = tensorText({rows, 64}), b = tensorText({columns, 64}),
                c = tensorText({rows, columns});
    ResultTensor product = evaluateProgram(
        "func.func @main(%a: " + a + ", %b: " + b + ") -> " + c +
            " {\n  %y = fuse.einsum \"mk,nk->mn\" %a, %b : (" + a + ", " + b +
            ") -> " + c + "\n  return %y : " + c + "\n}",
        {left, std::vector<double>(static_cast<size_t>(64 * columns), 1.0)});
    EXPECT_NE(product.value[0], chains[0]);
    return passes(product,
                  std::vector<double>(product.value.size(), chains[0]));
  };
  for (int64_t few : {2, 16})
    for (int64_t many : {1, 17}) {
      EXPECT_TRUE(passesWith(many, few)) << many << ", " << few;
      EXPECT_TRUE(passesWith(few, many)) << few << ", " << many;
    }
  EXPECT_FALSE(passesWith(17, 17));
  EXPECT_FALSE(passesWith(1, 17));
  EXPECT_FALSE(passesWith(1, 1));
}

TEST(Semantics, ShortContractionsMayBeOneChain) {
  // One chain loses each 1 to 2^24; of blocks only the first one does.
  auto passesAsChain = [](int64_t count) {
    std::vector<double> terms(count, 1.0);
    terms[0] = 0x1p24;
    ResultTensor sum =
        productOf("k,k->", {count}, terms, std::vector<double>(count, 1.0));
    EXPECT_EQ(sum.value[0], 0x1p24 + static_cast<double>(count - 1));
    return passes(sum, {0x1p24});
  };
  EXPECT_TRUE(passesAsChain(33));
  EXPECT_TRUE(passesAsChain(128));
  EXPECT_FALSE(passesAsChain(129));
}

TEST(Semantics, BlocksOfContractionsJoinInAnyOrder) {
  // Four blocks with sums big, small, small, -big: joined from either end, or
  // by a tree of neighbours, at most the small ones are lost.
  std::vector<double> terms(128, 0.0), ones(128, 1.0);
  terms[0] = 0x1p24;
  terms[32] = terms[64] = 1;
  terms[96] = -0x1p24;
  ResultTensor sum = productOf("k,k->", {128}, terms, ones);
  EXPECT_EQ(sum.value[0], 2);
  for (double got : {0.0, 1.0, 2.0})
    EXPECT_TRUE(passes(sum, {got}));
  EXPECT_FALSE(passes(sum, {-3.0 * 0x1p24}));
  // Inside a block only the ascending order counts: 31 additions of small
  // terms to 0 err by little, though 2^24 is near.
  std::vector<double> block(32, 1.0);
  block[31] = 0x1p24;
  ResultTensor inBlock =
      productOf("k,k->", {32}, block, std::vector<double>(32, 1.0));
  EXPECT_EQ(inBlock.value[0], 0x1p24 + 31);
  EXPECT_TRUE(passes(inBlock, {0x1p24 + 30}));
  EXPECT_FALSE(passes(inBlock, {0x1p24})); // from the other end
}

TEST(Semantics, ReducedPrecisionBound) {
  struct {
    std::string name;
    int bits;
  } classes[] = {{"tf32", 11}, {"bf16", 8}};
  for (const auto &[name, bits] : classes) {
    // One operand loses half a unit of the class, the other nothing.
    const double x = 1 + std::ldexp(1.0, -bits) - 0x1p-20;
    ResultTensor product =
        productOf("k,k->", {1}, {x}, {3}, "precision " + name);
    EXPECT_TRUE(passes(product, {3.0})) << name;
    EXPECT_TRUE(passes(product, {3 * x})) << name;
    EXPECT_FALSE(passes(product, {3 - 3 * std::ldexp(1.0, 1 - bits)})) << name;
    EXPECT_FALSE(passes(productOf("k,k->", {1}, {x}, {3}), {3.0})) << name;
    // Truncating sums: every addition may lose a whole unit.
    std::vector<double> ones(17, 1.0);
    ones[0] = 0x1p24;
    ResultTensor sum = productOf(
        "k,k->", {17}, ones, std::vector<double>(17, 1.0), "precision " + name);
    EXPECT_TRUE(passes(sum, {0x1p24})) << name;
  }
  // Beyond the range of the class nothing is said.
  ResultTensor large =
      productOf("k,k->", {1}, {0x1.fffffep127}, {0.5}, "precision bf16");
  EXPECT_EQ(large.bound[0], infinity);
}

TEST(Semantics, SplitPrecisionBound) {
  const double x = 1 + 0x1.234568p-1, y = 1 + 0x1.9abcdep-2; // all 24 bits
  auto plane = [](double value, int bits) {
    double unit = std::ldexp(1.0, std::ilogb(value) + 1 - bits);
    return std::nearbyint(value / unit) * unit;
  };
  const double x1 = plane(x, 8), x2 = plane(x - x1, 8), x3 = x - x1 - x2;
  const double y1 = plane(y, 8), y2 = plane(y - y1, 8), y3 = y - y1 - y2;
  const double three = x1 * y1 + x1 * y2 + x2 * y1;
  const double six = three + x1 * y3 + x2 * y2 + x3 * y1;
  ResultTensor of3 = productOf("k,k->", {1}, {x}, {y}, "precision bf16x3");
  ResultTensor of6 = productOf("k,k->", {1}, {x}, {y}, "precision bf16x6");
  EXPECT_TRUE(passes(of3, {three}));
  EXPECT_TRUE(passes(of6, {six}));
  EXPECT_FALSE(passes(of6, {three}));
  EXPECT_FALSE(passes(of3, {x1 * y1}));
  EXPECT_LT(of3.bound[0], 4 * 0x1p-16 * x * y);
  EXPECT_LT(of6.bound[0], 7 * 0x1p-24 * x * y);

  // Near the end of bf16's range the lower planes vanish.
  const double small = 0x1.0101p-125;
  ResultTensor lost =
      productOf("k,k->", {1}, {small}, {0x1p20}, "precision bf16x6");
  EXPECT_TRUE(passes(lost, {0x1.01p-105}));
  EXPECT_FALSE(passes(lost, {0x1.0p-105}));
  // The products of small operands are as good as those of large ones, up to
  // the end of bf16's range.
  const double scaled = x * 0x1p-110;
  ResultTensor ofSmall =
      productOf("k,k->", {1}, {scaled}, {y}, "precision bf16x3");
  EXPECT_TRUE(passes(ofSmall, {three * 0x1p-110}));
  EXPECT_FALSE(passes(ofSmall, {x1 * y1 * 0x1p-110}));
  // Above 2^127 and at infinity nothing is said; a NaN remains one.
  for (const char *precision : {"precision bf16x3", "precision bf16x6"}) {
    EXPECT_EQ(productOf("k,k->", {1}, {0x1.8p127}, {0.5}, precision).bound[0],
              infinity);
    EXPECT_EQ(productOf("k,k->", {1}, {infinity}, {0.5}, precision).bound[0],
              infinity);
    ResultTensor ofNan = productOf("k,k->", {1}, {quietNan}, {0.5}, precision);
    EXPECT_TRUE(passes(ofNan, {quietNan}));
    EXPECT_FALSE(ofNan.bound[0] > 0);
  }
}

TEST(Semantics, OneOperandHasNoClass) {
  const std::vector<double> terms{1 + 0x1p-20, 2 + 0x1p-20};
  for (std::string precision : {"", " precision tf32", " precision bf16"}) {
    ResultTensor sum =
        evaluateProgram("func.func @main(%x: tensor<2xf32>) -> tensor<f32> {\n"
                        "  %y = fuse.einsum \"k->\" %x" +
                            precision +
                            " : (tensor<2xf32>) -> tensor<f32>\n"
                            "  return %y : tensor<f32>\n}",
                        {terms});
    EXPECT_TRUE(passes(sum, {3 + 0x1p-19}));
    EXPECT_FALSE(passes(sum, {3.0})) << precision;
  }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static ResultTensor softmaxOf(const std::vector<double> &row,
                              const std::string &policy = "") {
  std::string type = tensorText({int64_t(row.size())});
  return evaluateProgram("func.func @main(%x: " + type + ") -> " + type +
                             " {\n  %y = fuse.softmax %x axis 0 " + policy +
                             " : (" + type + ") -> " + type +
                             "\n  return %y : " + type + "\n}",
                         {row});
}

TEST(Semantics, SoftmaxOfMaskedRows) {
  for (const char *policy : {"", "masked_rows nan", "masked_rows zero"}) {
    bool isZero = StringRef(policy).ends_with("zero");
    double masked = isZero ? 0 : quietNan;
    EXPECT_TRUE(sameBits(softmaxOf({-infinity, -infinity}, policy).value,
                         {masked, masked}));
    EXPECT_TRUE(
        sameBits(softmaxOf({-infinity, -infinity}, policy).bound, {0, 0}));
    EXPECT_TRUE(sameBits(softmaxOf({-infinity, 5}, policy).value, {0, 1}));
    for (double bad : {quietNan, infinity})
      EXPECT_TRUE(sameBits(softmaxOf({1, bad, -infinity}, policy).value,
                           {quietNan, quietNan, quietNan}));
  }
  // Masked elements are exactly 0, and equal ones have equal shares.
  ResultTensor y = softmaxOf({3, -infinity, 3, -infinity, 3, 3});
  EXPECT_TRUE(sameBits(y.value, {0.25, 0, 0.25, 0, 0.25, 0.25}));
  // Scores of any size: only differences count.
  ResultTensor large = softmaxOf({3e38, 3e38});
  EXPECT_TRUE(sameBits(large.value, {0.5, 0.5}));
  EXPECT_LT(large.bound[0], 1e-5);
}

TEST(Semantics, AttentionMasksBySelect) {
  const std::string text = R"(
    func.func @main(%q: tensor<1x1xf32>, %k: tensor<3x1xf32>,
                    %v: tensor<3x1xf32>, %keep: tensor<1x3xi1>)
        -> tensor<1x1xf32> {
      %lowest = fuse.constant -inf : tensor<f32>
      %o = fuse.attention %q, %k, %v "t c, s c, s d -> t d" scores "t s" {
      ^bb0(%s: tensor<1x3xf32>):
        %m = fuse.select %keep, %s, %lowest
            : (tensor<1x3xi1>, tensor<1x3xf32>, tensor<f32>) -> tensor<1x3xf32>
        fuse.yield %m : tensor<1x3xf32>
      } : (tensor<1x1xf32>, tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<1x1xf32>
      return %o : tensor<1x1xf32>
    })";
  // A masked key has no influence, whatever it is; its weight is 0.
  for (double key : {quietNan, infinity, -infinity, 1e30}) {
    ResultTensor o =
        evaluateProgram(text, {{1}, {2, 2, key}, {5, 7, 9}, {1, 1, 0}});
    EXPECT_EQ(o.value[0], 6) << key;
    EXPECT_LT(o.bound[0], 1e-5) << key;
  }
  // 0 times an infinite or NaN value is NaN, or counts for nothing.
  for (double value : {quietNan, infinity}) {
    ResultTensor o =
        evaluateProgram(text, {{1}, {2, 2, 2}, {5, 7, value}, {1, 1, 0}});
    EXPECT_TRUE(std::isnan(o.value[0]));
    EXPECT_EQ(o.bound[0], infinity);
  }
}

TEST(Semantics, ZerosOfAContractionMayCountForNothing) {
  auto isUndecided = [](const ResultTensor &o) {
    return o.bound[0] == infinity;
  };
  for (double value : {quietNan, infinity, -infinity}) {
    ResultTensor o = productOf("k,k->", {2}, {0, 3}, {value, 5});
    EXPECT_TRUE(std::isnan(o.value[0]));
    EXPECT_TRUE(isUndecided(o)) << value;
    EXPECT_TRUE(isUndecided(productOf("k,k->", {2}, {value, 5}, {-0.0, 3})));
    // Other terms are NaN without it.
    EXPECT_FALSE(
        isUndecided(productOf("k,k->", {3}, {0, quietNan, 1}, {value, 1, 5})));
    EXPECT_FALSE(isUndecided(
        productOf("k,k->", {3}, {0, infinity, 1}, {value, 1, -infinity})));
    // No zero is there.
    EXPECT_FALSE(isUndecided(productOf("k,k->", {2}, {1, 3}, {value, 5})));
  }
}

TEST(Semantics, WeightsRoundToTheValuesType) {
  // Weights 1/3 in bf16, three times 9: their common rounding is 2^-10.
  ResultTensor o = evaluateProgram(R"(
    func.func @main(%q: tensor<1x1xbf16>, %k: tensor<3x1xbf16>,
                    %v: tensor<3x1xbf16>) -> tensor<1x1xbf16> {
      %o = fuse.attention %q, %k, %v "t c, s c, s d -> t d" scores "t s" {
      ^bb0(%s: tensor<1x3xf32>):
        fuse.yield %s : tensor<1x3xf32>
      } : (tensor<1x1xbf16>, tensor<3x1xbf16>, tensor<3x1xbf16>)
          -> tensor<1x1xbf16>
      return %o : tensor<1x1xbf16>
    })",
                                   {{1}, {2, 2, 2}, {9, 9, 9}});
  EXPECT_TRUE(passes(o, {27 * 0x1.56p-2})); // 1/3 in bf16
  EXPECT_EQ(o.value[0], 9);
  EXPECT_FALSE(passes(o, {9 + 0x1p-2}));
}

static ResultTensor normOf(const std::string &op,
                           const std::vector<double> &row) {
  std::string type = tensorText({int64_t(row.size())});
  return evaluateProgram("func.func @main(%x: " + type + ") -> " + type +
                             " {\n  %y = fuse." + op + " %x axis 0 : (" + type +
                             ") -> " + type + "\n  return %y : " + type + "\n}",
                         {row});
}

TEST(Semantics, NormsOfBadRows) {
  for (const char *op : {"layer_norm", "rms_norm"}) {
    for (double bad : {quietNan, infinity, -infinity}) {
      ResultTensor y = normOf(op, {1, bad, 3});
      EXPECT_TRUE(sameBits(y.value, {quietNan, quietNan, quietNan}))
          << op << bad;
      EXPECT_TRUE(sameBits(y.bound, {0, 0, 0})) << op << bad;
    }
    // eps is inside the root: a row of zeros stays one.
    EXPECT_TRUE(sameBits(normOf(op, {0, 0, 0}).value, {0, 0, 0})) << op;
    // Squares beyond the range of f32: an evaluation gives 0, not 1.
    ResultTensor huge = normOf(op, {1e25, -1e25, 1e25, -1e25});
    EXPECT_TRUE(passes(huge, {1, -1, 1, -1})) << op;
    EXPECT_TRUE(passes(huge, {0, 0, 0, 0})) << op;
  }
  EXPECT_TRUE(sameBits(normOf("layer_norm", {5}).value, {0}));
  // Variance of centred values: that of E[x^2] - E[x]^2 in f32 would be 0.
  ResultTensor shifted = normOf("layer_norm", {4097, 4096, 4095, 4096});
  EXPECT_NEAR(shifted.value[0], std::sqrt(2.0), 1e-4);
  EXPECT_LT(shifted.bound[0], 1e-2);
}

//===----------------------------------------------------------------------===//
// Degenerate shapes
//===----------------------------------------------------------------------===//

TEST(Semantics, EmptyReductions) {
  for (const char *type : {"f32", "bf16", "i32"}) {
    bool isInteger = StringRef(type) == "i32";
    for (const auto &[kind, want] :
         {std::pair<std::string, double>("sum", 0.0),
          {"max", isInteger ? INT32_MIN : -infinity},
          {"min", isInteger ? INT32_MAX : infinity}}) {
      std::string source = tensorText({2, 0}, type),
                  result = tensorText({2}, type);
      ResultTensor y = evaluateProgram(
          "func.func @main(%x: " + source + ") -> " + result +
              " {\n  %y = fuse.reduce " + kind + " %x axes [1] : (" + source +
              ") -> " + result + "\n  return %y : " + result + "\n}",
          {{}});
      EXPECT_TRUE(sameBits(y.value, {want, want})) << kind << type;
      EXPECT_LT(y.bound[0], 1e-39) << kind << type;
    }
  }
  ResultTensor product = productOf("k,k->", {0}, {}, {});
  EXPECT_TRUE(sameBits(product.value, {0}));
  EXPECT_TRUE(passes(product, {0.0}));
  EXPECT_FALSE(passes(product, {0x1p-140}));
  // A reduction over no axes is the identity.
  ResultTensor identity = evaluateProgram(R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = fuse.reduce sum %x axes [] : (tensor<2xf32>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    })",
                                          {{1.5, -0.25}});
  EXPECT_TRUE(sameBits(identity.value, {1.5, -0.25}));
}

TEST(Semantics, DegenerateShapes) {
  // Rank 0 everywhere.
  ResultTensor scalar = evaluateProgram(R"(
    func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
      %a = fuse.einsum ",->" %x, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %b = fuse.transpose %a [] : (tensor<f32>) -> tensor<f32>
      %c = fuse.reduce sum %b axes [] : (tensor<f32>) -> tensor<f32>
      %d = fuse.broadcast %c " -> 1" : (tensor<f32>) -> tensor<1xf32>
      %e = fuse.softmax %d axis 0 : (tensor<1xf32>) -> tensor<1xf32>
      %f = fuse.reshape %e "1 -> " : (tensor<1xf32>) -> tensor<f32>
      %g = fuse.map add %f, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %g : tensor<f32>
    })",
                                        {{3}, {-4}});
  EXPECT_TRUE(sameBits(scalar.value, {-11}));
  // No elements: rows, contractions, index maps and attention have none.
  TestProgram program(R"(
    func.func @main(%x: tensor<0x3xf32>, %y: tensor<3x0xf32>,
                    %z: tensor<2x0xf32>, %g: tensor<0xf32>)
        -> (tensor<0x3xf32>, tensor<2x0xf32>, tensor<0x0xf32>, tensor<2x2xf32>,
            tensor<0x0xf32>, tensor<2x2xf32>) {
      %a = fuse.layer_norm %x axis 1 : (tensor<0x3xf32>) -> tensor<0x3xf32>
      %b = fuse.rms_norm %z gamma %g axis 1
          : (tensor<2x0xf32>, tensor<0xf32>) -> tensor<2x0xf32>
      %s = fuse.softmax %b axis 1 : (tensor<2x0xf32>) -> tensor<2x0xf32>
      %c = fuse.einsum "ik,kj->ij" %x, %y
          : (tensor<0x3xf32>, tensor<3x0xf32>) -> tensor<0x0xf32>
      %d = fuse.linear %z, %z : (tensor<2x0xf32>, tensor<2x0xf32>)
          -> tensor<2x2xf32>
      %t = fuse.transpose %c [1, 0] : (tensor<0x0xf32>) -> tensor<0x0xf32>
      %o = fuse.attention %z, %z, %s "t c, s c, s d -> t d" scores "t s" {
      ^bb0(%w: tensor<2x2xf32>):
        fuse.yield %w : tensor<2x2xf32>
      } : (tensor<2x0xf32>, tensor<2x0xf32>, tensor<2x0xf32>) -> tensor<2x0xf32>
      %e = fuse.einsum "ik,jk->ij" %o, %s
          : (tensor<2x0xf32>, tensor<2x0xf32>) -> tensor<2x2xf32>
      return %a, %s, %t, %d, %c, %e
          : tensor<0x3xf32>, tensor<2x0xf32>, tensor<0x0xf32>, tensor<2x2xf32>,
            tensor<0x0xf32>, tensor<2x2xf32>
    })");
  SmallVector<Tensor> results = program.run({{}, {}, {}, {}});
  ASSERT_EQ(results.size(), 6u);
  for (unsigned i : {0, 1, 2, 4})
    EXPECT_EQ(results[i].size(), 0) << i;
  EXPECT_TRUE(sameBits(results[3].value, {0, 0, 0, 0}));
  EXPECT_TRUE(sameBits(results[5].value, {0, 0, 0, 0}));
  // A result without elements passes, whatever its reference.
  EXPECT_TRUE(passes(results[0], {}));
}
