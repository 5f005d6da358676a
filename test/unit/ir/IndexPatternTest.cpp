//===- IndexPatternTest.cpp - Named-axis patterns and einsum strings ------===//

#include "fuse/ir/IndexPattern.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

// After gtest, which it extends.
#include "rapidcheck/gtest.h"

using namespace fuse;

namespace {

IndexPattern parse(StringRef text) {
  std::string error;
  std::optional<IndexPattern> pattern = IndexPattern::parse(text, error);
  EXPECT_TRUE(pattern) << error;
  return pattern.value_or(IndexPattern());
}

std::string parseError(StringRef text) {
  std::string error;
  EXPECT_FALSE(IndexPattern::parse(text, error)) << text.str();
  return error;
}

//===----------------------------------------------------------------------===//
// IndexPattern
//===----------------------------------------------------------------------===//

TEST(IndexPattern, Axes) {
  IndexPattern pattern = parse(" b n (H d 4) 1 ");
  ASSERT_EQ(pattern.getRank(), 4u);
  EXPECT_EQ(pattern.axes[0], AxisFactors({"b"}));
  EXPECT_EQ(pattern.axes[2], AxisFactors({"H", "d", "4"}));
  EXPECT_EQ(pattern.axes[3], AxisFactors({"1"}));
  EXPECT_EQ(pattern.flat(),
            (SmallVector<std::string>{"b", "n", "H", "d", "4", "1"}));
  EXPECT_EQ(pattern.str(), "b n (H d 4) 1");
}

TEST(IndexPattern, OddSpacing) {
  EXPECT_EQ(parse("a(b c)d").str(), "a (b c) d");
  EXPECT_EQ(parse("\ta\n( b  c )").str(), "a (b c)");
  EXPECT_EQ(parse("(a)").str(), "a");
  EXPECT_EQ(parse("").getRank(), 0u);
  EXPECT_EQ(parse("  ").str(), "");
}

TEST(IndexPattern, Errors) {
  EXPECT_EQ(parseError("a (b (c))"),
            "expects groups that do not nest in pattern 'a (b (c))'");
  EXPECT_EQ(parseError("a b)"), "expects '(' before ')' in pattern 'a b)'");
  EXPECT_EQ(parseError("(a b"), "expects ')' in pattern '(a b'");
  EXPECT_EQ(parseError("a ()"), "expects a factor inside '()'; write 1 for an "
                                "axis of extent one in pattern 'a ()'");
  EXPECT_EQ(parseError(" a 2n "),
            "expects a name or a number, but got '2n' in pattern 'a 2n'");
  EXPECT_EQ(parseError("a-b"),
            "expects a name or a number, but got 'a-b' in pattern 'a-b'");
  EXPECT_EQ(parseError("9223372036854775808"),
            "expects a name or a number, but got '9223372036854775808' in "
            "pattern '9223372036854775808'");
  EXPECT_EQ(parse("9223372036854775807").getRank(), 1u);
}

TEST(IndexPattern, KindsOfFactors) {
  EXPECT_TRUE(isSymbolFactor("N"));
  EXPECT_TRUE(isSymbolFactor("Hkv_2"));
  EXPECT_TRUE(isNumberFactor("16"));
  for (const char *factor : {"n", "_N", "$", "?0", "1", ""})
    EXPECT_FALSE(isSymbolFactor(factor)) << factor;
  for (const char *factor : {"n", "N", ""})
    EXPECT_FALSE(isNumberFactor(factor)) << factor;
}

RC_GTEST_PROP(IndexPatternLaws, TextRoundTrips, ()) {
  IndexPattern pattern;
  for (int axis = *rc::gen::inRange(0, 6); axis > 0; --axis) {
    AxisFactors &factors = pattern.axes.emplace_back();
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i)
      factors.push_back(*rc::gen::elementOf(
          std::vector<std::string>{"a", "b", "N", "Hkv", "1", "16", "x_1"}));
  }
  RC_ASSERT(parse(pattern.str()).axes == pattern.axes);
}

// Whatever the text, the answer is a pattern or a sentence.
RC_GTEST_PROP(IndexPatternLaws, AnyTextHasAnAnswer, ()) {
  auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("ab N1()-> ,*\t")));
  std::string pattern, mapping, einsum;
  bool isPattern = IndexPattern::parse(text, pattern).has_value();
  bool isMapping = IndexMapping::parse(text, mapping).has_value();
  bool isEinsum = EinsumSpec::parse(text, einsum).has_value();
  RC_ASSERT(isPattern == pattern.empty());
  RC_ASSERT(isMapping == mapping.empty());
  RC_ASSERT(isEinsum == einsum.empty());
}

//===----------------------------------------------------------------------===//
// IndexMapping
//===----------------------------------------------------------------------===//

TEST(IndexMapping, OperandsAndResult) {
  std::string error;
  std::optional<IndexMapping> mapping =
      IndexMapping::parse("b n (h d), h p -> b h n d", error);
  ASSERT_TRUE(mapping) << error;
  ASSERT_EQ(mapping->operands.size(), 2u);
  EXPECT_EQ(mapping->operands[0].str(), "b n (h d)");
  EXPECT_EQ(mapping->operands[1].str(), "h p");
  EXPECT_EQ(mapping->result.str(), "b h n d");
}

TEST(IndexMapping, RankZero) {
  std::string error;
  std::optional<IndexMapping> mapping = IndexMapping::parse("->", error);
  ASSERT_TRUE(mapping) << error;
  ASSERT_EQ(mapping->operands.size(), 1u);
  EXPECT_EQ(mapping->operands[0].getRank(), 0u);
  EXPECT_EQ(mapping->result.getRank(), 0u);
}

TEST(IndexMapping, Errors) {
  std::string error;
  EXPECT_FALSE(IndexMapping::parse("a b", error));
  EXPECT_EQ(error, "expects '->' in pattern 'a b'");
  EXPECT_FALSE(IndexMapping::parse("a, (b -> a", error));
  EXPECT_EQ(error, "expects ')' in pattern '(b'");
  EXPECT_FALSE(IndexMapping::parse("a -> a, b", error));
  EXPECT_EQ(error, "expects a name or a number, but got 'a,' in pattern "
                   "'a, b'");
  EXPECT_FALSE(IndexMapping::parse("a -> b -> c", error));
  EXPECT_EQ(error, "expects a name or a number, but got '->' in pattern "
                   "'b -> c'");
}

//===----------------------------------------------------------------------===//
// EinsumSpec
//===----------------------------------------------------------------------===//

std::string einsumError(StringRef text) {
  std::string error;
  EXPECT_FALSE(EinsumSpec::parse(text, error)) << text.str();
  return error;
}

EinsumSpec einsum(StringRef text) {
  std::string error;
  std::optional<EinsumSpec> spec = EinsumSpec::parse(text, error);
  EXPECT_TRUE(spec) << error;
  return spec.value_or(EinsumSpec());
}

TEST(EinsumSpec, Parts) {
  EinsumSpec spec = einsum("bkih, bkjh -> bijh");
  EXPECT_EQ(spec.operands, (SmallVector<std::string, 2>{"bkih", "bkjh"}));
  EXPECT_EQ(spec.result, "bijh");
  EXPECT_EQ(spec.reduced(), "k");
}

TEST(EinsumSpec, Reduced) {
  EXPECT_EQ(einsum("ij->ij").reduced(), "");
  EXPECT_EQ(einsum("ii->i").reduced(), "");
  EXPECT_EQ(einsum("ii->").reduced(), "i");
  EXPECT_EQ(einsum("ab,cd->").reduced(), "abcd");
  EXPECT_EQ(einsum("ba,ca->b").reduced(), "ac");
  EXPECT_EQ(einsum("->").reduced(), "");
  EXPECT_EQ(einsum(",->").operands, (SmallVector<std::string, 2>{"", ""}));
  EXPECT_EQ(einsum("aA->a").reduced(), "A");
}

TEST(EinsumSpec, Errors) {
  EXPECT_EQ(einsumError("ij"), "expects '->' in einsum string 'ij'");
  EXPECT_EQ(einsumError("...i->i"), "expects every axis to be named, but got "
                                    "'...' in einsum string '...i->i'");
  EXPECT_EQ(einsumError("a,b,c->"), "expects one or two operands, but got 3 in "
                                    "einsum string 'a,b,c->'");
  EXPECT_EQ(einsumError("a b->"), "expects letters only, but got ' ' in einsum "
                                  "string 'a b->'");
  EXPECT_EQ(einsumError("a,1->"), "expects letters only, but got '1' in einsum "
                                  "string 'a,1->'");
  EXPECT_EQ(einsumError("a->a->"), "expects letters only, but got '-' in "
                                   "einsum string 'a->a->'");
  EXPECT_EQ(einsumError("ab->aba"), "expects each result index once, but 'a' "
                                    "is repeated in einsum string 'ab->aba'");
  EXPECT_EQ(einsumError("ab->abc"), "expects each result index in an operand, "
                                    "but 'c' is in none in einsum string "
                                    "'ab->abc'");
}

} // namespace
