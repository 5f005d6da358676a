//===- DimFactsTest.cpp - What facts say of expressions -------------------===//

#include "fuse/ir/DimAnalysis.h"
#include "gtest/gtest.h"

// After gtest, which it extends.
#include "rapidcheck/gtest.h"

using namespace fuse;

namespace {

using Kind = DimConstraint::Kind;
using Range = std::pair<int64_t, std::optional<int64_t>>;

DimExpr dim(StringRef text) {
  std::string error;
  std::optional<DimExpr> expr = DimExpr::parse(text, error);
  EXPECT_TRUE(expr) << error;
  return expr.value_or(DimExpr());
}

DimFacts facts(std::initializer_list<StringRef> texts) {
  DimFacts result;
  for (StringRef text : texts) {
    std::string error;
    std::optional<DimConstraint> fact = parseDimFact(text, error);
    EXPECT_TRUE(fact) << error;
    if (fact)
      result.add(*fact);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(DimFacts, Parses) {
  struct Row {
    StringRef text;
    Kind kind;
    StringRef lhs, rhs, what;
  };
  const Row rows[] = {
      {"N == 2*M", Kind::Equal, "N", "2*M", "N"},
      {" N + 1<=M ", Kind::AtMost, "N + 1", "M", "N + 1"},
      {"N >= 4", Kind::AtLeast, "N", "4", "N"},
      {"Hq % Hkv == 0", Kind::Divides, "Hq", "Hkv", "Hq"},
      {"(H*D)%(2*H)==0", Kind::Divides, "D*H", "2*H", "(H*D)"},
  };
  for (const Row &row : rows) {
    std::string error;
    std::optional<DimConstraint> fact = parseDimFact(row.text, error);
    ASSERT_TRUE(fact) << error;
    EXPECT_EQ(fact->kind, row.kind) << row.text.str();
    EXPECT_EQ(fact->lhs.str(), row.lhs);
    EXPECT_EQ(fact->rhs.str(), row.rhs);
    EXPECT_EQ(fact->what, row.what);
  }
}

TEST(DimFacts, ParseErrors) {
  const std::pair<StringRef, StringRef> rows[] = {
      {"N", "expects a relation '==', '<=' or '>=', but got 'N'"},
      {"N = 4", "expects a relation '==', '<=' or '>=', but got 'N = 4'"},
      {"N % 4 == 1", "expects '== 0' after '%', but got 'N % 4 == 1'"},
      {"N % 4 >= 0", "expects '== 0' after '%', but got 'N % 4 >= 0'"},
      {"n == 4",
       "expects symbols with an upper-case initial, but got 'n' in 'n == 4'"},
      {"N == $",
       "expects symbols with an upper-case initial, but got '$' in 'N == $'"},
      {"N == ", "expects a number or a name in dim expression ' ', but got its "
                "end"},
      {"N == M % 4",
       "expects an operator in dim expression ' M % 4', but got '% 4'"},
      {"N <= M <= K",
       "expects an operator in dim expression ' M <= K', but got '<= K'"},
  };
  for (const auto &[text, expected] : rows) {
    std::string error;
    EXPECT_FALSE(parseDimFact(text, error)) << text.str();
    EXPECT_EQ(error, expected);
  }
}

//===----------------------------------------------------------------------===//
// Equality
//===----------------------------------------------------------------------===//

TEST(DimFacts, Equality) {
  DimFacts known = facts({"N == 2*M", "M == K + 1", "L == N"});
  EXPECT_TRUE(known.isEqual(dim("N"), dim("N")));
  EXPECT_TRUE(known.isEqual(dim("N"), dim("2*M")));
  EXPECT_TRUE(known.isEqual(dim("N"), dim("2*K + 2")));
  EXPECT_TRUE(known.isEqual(dim("L*L"), dim("4*M*M")));
  EXPECT_FALSE(known.isEqual(dim("N"), dim("M")));
  EXPECT_FALSE(known.isEqual(dim("N"), dim("X")));
  EXPECT_TRUE(known.isDifferent(dim("L"), dim("2*K + 3")));
  EXPECT_FALSE(known.isDifferent(dim("N"), dim("M")));
  EXPECT_FALSE(known.isDifferent(dim("N"), dim("2*M")));
}

// The order of facts and of their sides does not matter.
TEST(DimFacts, EqualityIsAnEquivalence) {
  for (DimFacts known : {facts({"A == B", "B == C", "C == 4"}),
                         facts({"4 == C", "B == A", "C == B"}),
                         facts({"B == C", "C == 4", "A == B"}),
                         facts({"A == 4", "B == 4", "C == 4"})}) {
    for (StringRef symbol : {"A", "B", "C"}) {
      EXPECT_TRUE(known.isEqual(dim(symbol), dim("4")));
      EXPECT_TRUE(known.isEqual(dim("A"), dim(symbol)));
      EXPECT_TRUE(known.isDifferent(dim(symbol), dim("5")));
      EXPECT_EQ(known.range(dim(symbol)), Range(4, 4));
    }
  }
}

TEST(DimFacts, CyclesEnd) {
  DimFacts known = facts({"A == B*C", "B == A*D", "N == N", "X == X + 1"});
  EXPECT_TRUE(known.isEqual(dim("A"), dim("B*C")));
  EXPECT_FALSE(known.isEqual(dim("A"), dim("X")));
  EXPECT_EQ(known.range(dim("A")), Range(0, std::nullopt));
  EXPECT_EQ(known.range(dim("N*X")), Range(0, std::nullopt));
}

//===----------------------------------------------------------------------===//
// Divisibility
//===----------------------------------------------------------------------===//

TEST(DimFacts, Divisibility) {
  DimFacts known = facts({"Hq % Hkv == 0", "D % 8 == 0", "N == 4*M"});
  EXPECT_TRUE(known.isMultipleOf(dim("6*N"), dim("3")));
  EXPECT_TRUE(known.isMultipleOf(dim("N*M"), dim("M")));
  EXPECT_TRUE(known.isMultipleOf(dim("N"), dim("4")));
  EXPECT_TRUE(known.isMultipleOf(dim("N"), dim("M")));
  EXPECT_TRUE(known.isMultipleOf(dim("Hq"), dim("Hkv")));
  EXPECT_TRUE(known.isMultipleOf(dim("3*Hq*T"), dim("Hkv")));
  EXPECT_TRUE(known.isMultipleOf(dim("D"), dim("4")));
  EXPECT_TRUE(known.isMultipleOf(dim("0"), dim("N")));
  EXPECT_FALSE(known.isMultipleOf(dim("D"), dim("16")));
  EXPECT_FALSE(known.isMultipleOf(dim("Hkv"), dim("Hq")));
  EXPECT_FALSE(known.isMultipleOf(dim("N"), dim("3")));
  EXPECT_FALSE(known.isMultipleOf(dim("N + 1"), dim("4")));
  EXPECT_FALSE(known.isMultipleOf(dim("X"), dim("0")));
}

// What holds for a symbol holds for those that equal it.
TEST(DimFacts, DivisibilityOfEquals) {
  DimFacts known = facts({"N % 8 == 0", "M == N", "N == L", "K == 2*L"});
  for (StringRef symbol : {"N", "M", "L", "K"})
    EXPECT_TRUE(known.isMultipleOf(dim(symbol), dim("8"))) << symbol.str();
  for (StringRef symbol : {"N", "M", "L"})
    for (StringRef other : {"N", "M", "L"})
      EXPECT_TRUE(known.isMultipleOf(dim(symbol), dim(other)));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

TEST(DimFacts, Range) {
  DimFacts known = facts({"N <= 256", "N >= 2", "3 <= M", "100 >= M",
                          "N <= 512", "D == N", "H*K <= 50", "H >= 2"});
  EXPECT_EQ(known.range(dim("7")), Range(7, 7));
  EXPECT_EQ(known.range(dim("N")), Range(2, 256));
  EXPECT_EQ(known.range(dim("M")), Range(3, 100));
  EXPECT_EQ(known.range(dim("D")), Range(2, 256));
  EXPECT_EQ(known.range(dim("X")), Range(0, std::nullopt));
  EXPECT_EQ(known.range(dim("2*N*M")), Range(12, 51200));
  EXPECT_EQ(known.range(dim("N*N")), Range(4, 65536));
  EXPECT_EQ(known.range(dim("N*X")), Range(0, std::nullopt));
  EXPECT_EQ(known.range(dim("H*K")), Range(0, 50));
  EXPECT_EQ(known.range(dim("N + M")), Range(0, std::nullopt));
  EXPECT_EQ(known.range(dim("N/2")), Range(0, std::nullopt));
  EXPECT_EQ(known.range(dim("0 - N")), Range(0, std::nullopt));
}

TEST(DimFacts, RangeSaturates) {
  DimFacts known =
      facts({"N >= 4294967296", "N <= 4294967297", "M >= 0", "M <= 1"});
  EXPECT_EQ(known.range(dim("N*N")), Range(INT64_MAX, std::nullopt));
  EXPECT_EQ(known.range(dim("N*N*M")), Range(0, std::nullopt));
}

/// Random facts that hold for random extents: no answer may be wrong.
RC_GTEST_PROP(DimFactsLaws, AnswersHold, ()) {
  const std::vector<std::string> symbols = {"A", "B", "C", "D"};
  DimBindings bindings;
  for (const std::string &symbol : symbols)
    bindings[symbol] = *rc::gen::inRange<int64_t>(1, 9);
  auto draw = [&] {
    DimExpr expr(*rc::gen::inRange<int64_t>(1, 4));
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
      expr = expr * DimExpr::symbol(*rc::gen::elementOf(symbols));
    return expr;
  };
  DimFacts known;
  for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
    DimExpr lhs = draw(), rhs = draw();
    int64_t x = *lhs.evaluate(bindings), y = *rhs.evaluate(bindings);
    if (x == y)
      known.add({Kind::Equal, lhs, rhs, ""});
    else if (x % y == 0)
      known.add({Kind::Divides, lhs, rhs, ""});
    else if (x < y)
      known.add({Kind::AtMost, lhs, DimExpr(y), ""});
    else
      known.add({Kind::AtLeast, lhs, DimExpr(y), ""});
  }
  DimExpr a = draw(), b = draw();
  int64_t x = *a.evaluate(bindings), y = *b.evaluate(bindings);
  if (known.isEqual(a, b))
    RC_ASSERT(x == y);
  if (known.isDifferent(a, b))
    RC_ASSERT(x != y);
  if (known.isMultipleOf(a, b))
    RC_ASSERT(x % y == 0);
  auto [low, high] = known.range(a);
  RC_ASSERT(low <= x);
  RC_ASSERT(!high || x <= *high);
}

} // namespace
