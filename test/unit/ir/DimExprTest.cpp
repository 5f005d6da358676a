//===- DimExprTest.cpp - Dim expressions against plain arithmetic ---------===//

#include "fuse/ir/DimExpr.h"
#include "gtest/gtest.h"

// After gtest, which it extends.
#include "rapidcheck/gtest.h"

using namespace fuse;

namespace {

const std::vector<std::string> kSymbols = {"B", "Hq", "N"};

DimExpr parse(StringRef text) {
  std::string error;
  std::optional<DimExpr> expr = DimExpr::parse(text, error);
  EXPECT_TRUE(expr) << error;
  return expr.value_or(DimExpr());
}

std::string parseError(StringRef text) {
  std::string error;
  EXPECT_FALSE(DimExpr::parse(text, error)) << text.str();
  return error;
}

DimBindings bind(std::initializer_list<std::pair<StringRef, int64_t>> values) {
  DimBindings bindings;
  for (auto [symbol, value] : values)
    bindings[symbol] = value;
  return bindings;
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

/// A product of symbols with a small nonzero factor.
DimExpr drawTerm() {
  DimExpr term(*rc::gen::distinctFrom(rc::gen::inRange<int64_t>(-6, 7), 0));
  for (const std::string &symbol :
       *rc::gen::container<std::vector<std::string>>(
           *rc::gen::inRange<size_t>(0, 3), rc::gen::elementOf(kSymbols)))
    term = term * DimExpr::symbol(symbol);
  return term;
}

/// A sum of up to four terms, without quotients.
DimExpr drawSum() {
  DimExpr sum;
  for (int i = *rc::gen::inRange(0, 5); i > 0; --i)
    sum = sum + drawTerm();
  return sum;
}

/// A sum some of whose terms are quotients.
DimExpr drawExpr() {
  DimExpr sum = drawSum();
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
    sum = sum + *drawTerm().dividedBy(drawTerm());
  return sum;
}

DimBindings drawBindings() {
  DimBindings bindings;
  for (const std::string &symbol : kSymbols)
    bindings[symbol] = *rc::gen::inRange<int64_t>(1, 50);
  return bindings;
}

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

RC_GTEST_PROP(DimExprLaws, ArithmeticIsThatOfValues, ()) {
  DimExpr a = drawSum(), b = drawSum();
  DimBindings bindings = drawBindings();
  int64_t x = *a.evaluate(bindings), y = *b.evaluate(bindings);
  RC_ASSERT((a + b).evaluate(bindings) == x + y);
  RC_ASSERT((a - b).evaluate(bindings) == x - y);
  RC_ASSERT((a * b).evaluate(bindings) == x * y);
}

// One normal form: equal expressions are the same.
RC_GTEST_PROP(DimExprLaws, Ring, ()) {
  DimExpr a = drawExpr(), b = drawExpr(), c = drawExpr();
  RC_ASSERT(a + b == b + a);
  RC_ASSERT(a * b == b * a);
  RC_ASSERT((a + b) + c == a + (b + c));
  RC_ASSERT((a * b) * c == a * (b * c));
  RC_ASSERT(a * (b + c) == a * b + a * c);
  RC_ASSERT(a + DimExpr(0) == a);
  RC_ASSERT(a * DimExpr(1) == a);
  RC_ASSERT(a * DimExpr(0) == DimExpr());
  RC_ASSERT(a - a == DimExpr());
}

RC_GTEST_PROP(DimExprLaws, QuotientOfAProduct, ()) {
  DimExpr a = drawExpr(), divisor = drawTerm();
  RC_ASSERT((a * divisor).dividedBy(divisor) == a);
  // Whatever is divided comes back.
  RC_ASSERT(*a.dividedBy(divisor) * divisor == a);
}

RC_GTEST_PROP(DimExprLaws, QuotientOfAMultipleOfASum, ()) {
  DimExpr sum = drawSum();
  RC_PRE(sum != DimExpr());
  DimExpr factor = drawTerm();
  RC_ASSERT((sum * factor).dividedBy(sum) == factor);
}

RC_GTEST_PROP(DimExprLaws, TextRoundTrips, ()) {
  DimExpr a = drawExpr();
  std::string text = a.str();
  // There is no sign in dim expressions, but a difference has the same terms.
  RC_ASSERT(parse(text[0] == '-' ? "0 " + text : text) == a);
}

RC_GTEST_PROP(DimExprLaws, SubstitutionThenValue, ()) {
  DimExpr a = drawSum(), value = drawSum();
  std::string symbol = *rc::gen::elementOf(kSymbols);
  DimBindings bindings = drawBindings();
  std::optional<DimExpr> result = a.substitute(symbol, value);
  RC_ASSERT(result.has_value());
  RC_ASSERT(value.contains(symbol) || !result->contains(symbol));
  int64_t expected = *result->evaluate(bindings);
  bindings[symbol] = *value.evaluate(bindings);
  RC_ASSERT(a.evaluate(bindings) == expected);
}

RC_GTEST_PROP(DimExprLaws, SolutionIsTheExtent, ()) {
  // slope * N + rest, of which only N is not bound.
  DimExpr slope(*rc::gen::distinctFrom(rc::gen::inRange<int64_t>(-5, 6), 0));
  if (*rc::gen::arbitrary<bool>())
    slope = slope * DimExpr::symbol("B");
  DimExpr rest = *drawSum().substitute("N", DimExpr(3));
  DimExpr a = slope * DimExpr::symbol("N") + rest;
  DimBindings bindings = drawBindings();
  int64_t extent = bindings["N"], value = *a.evaluate(bindings);
  bindings.erase("N");
  RC_ASSERT(a.solve(value, bindings) ==
            std::make_pair(std::string("N"), extent));
}

RC_GTEST_PROP(DimExprLaws, ProvableDifferenceHolds, ()) {
  DimExpr a = drawSum(), b = *rc::gen::arbitrary<bool>()
                                 ? a + DimExpr(*rc::gen::inRange(-2, 3))
                                 : drawSum();
  DimBindings bindings = drawBindings();
  if (a.provablyDiffersFrom(b))
    RC_ASSERT(a.evaluate(bindings) != b.evaluate(bindings));
  if (a == b)
    RC_ASSERT(a.evaluate(bindings) == b.evaluate(bindings));
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(DimExpr, Prints) {
  EXPECT_EQ(parse("0").str(), "0");
  EXPECT_EQ(parse("N").str(), "N");
  EXPECT_EQ(parse("1*N").str(), "N");
  EXPECT_EQ(parse("N*2").str(), "2*N");
  EXPECT_EQ(parse("H*D*2").str(), "2*D*H");
  EXPECT_EQ(parse("N*N").str(), "N*N");
  EXPECT_EQ(parse("1+T").str(), "T + 1");
  EXPECT_EQ(parse("N-M").str(), "N - M");
  EXPECT_EQ(parse("M-N").str(), "M - N");
  EXPECT_EQ(parse("1-N").str(), "1 - N");
  EXPECT_EQ(parse("3-5").str(), "-2");
  EXPECT_EQ(parse("D/H").str(), "D/H");
  EXPECT_EQ(parse("D/H/2").str(), "D/H/2");
  EXPECT_EQ(parse("2*D/3").str(), "2*D/3");
  EXPECT_EQ(parse("1/N").str(), "1/N");
  EXPECT_EQ(parse("(N+1)/2").str(), "(N + 1)/2");
  EXPECT_EQ(parse("N/N").str(), "1");
}

TEST(DimExpr, Parses) {
  EXPECT_EQ(parse(" ( ( N ) ) "), DimExpr::symbol("N"));
  EXPECT_EQ(parse("2 + 3 * 4"), DimExpr(14));
  EXPECT_EQ(parse("20 - 3 - 4"), DimExpr(13));
  EXPECT_EQ(parse("48 / 2 / 4"), DimExpr(6));
  EXPECT_EQ(parse("(2 + 3) * 4"), DimExpr(20));
  EXPECT_EQ(parse("_a1 * $"), DimExpr::symbol("$") * DimExpr::symbol("_a1"));
  EXPECT_EQ(parse("9223372036854775807"), DimExpr(INT64_MAX));
  EXPECT_EQ(parse("(H + 1)*4 / (H + 1)"), DimExpr(4));
  EXPECT_EQ(parse(std::string(32, '(') + "N" + std::string(32, ')')),
            DimExpr::symbol("N"));
}

TEST(DimExpr, ParseErrors) {
  EXPECT_EQ(parseError(""),
            "expects a number or a name in dim expression '', but got its end");
  EXPECT_EQ(parseError("N +"), "expects a number or a name in dim expression "
                               "'N +', but got its end");
  EXPECT_EQ(parseError("N + + 1"), "expects a number or a name in dim "
                                   "expression 'N + + 1', but got '+ 1'");
  EXPECT_EQ(parseError("-N"), "expects a number or a name in dim expression "
                              "'-N', but got '-N'");
  EXPECT_EQ(parseError("N M"),
            "expects an operator in dim expression 'N M', but got 'M'");
  EXPECT_EQ(parseError("2N"),
            "expects an operator in dim expression '2N', but got 'N'");
  EXPECT_EQ(parseError("N % 2"),
            "expects an operator in dim expression 'N % 2', but got '% 2'");
  EXPECT_EQ(parseError("(N"),
            "expects ')' in dim expression '(N', but got its end");
  EXPECT_EQ(parseError("N)"),
            "expects an operator in dim expression 'N)', but got ')'");
  EXPECT_EQ(parseError("N/0"), "expects a nonzero product as divisor in dim "
                               "expression 'N/0', but got its end");
  EXPECT_EQ(parseError("N/(N + 1)"),
            "expects a nonzero product as divisor in dim expression "
            "'N/(N + 1)', but got its end");
  EXPECT_EQ(parseError("9223372036854775808"),
            "expects numbers below 2^63 in dim expression "
            "'9223372036854775808', but got '9223372036854775808'");
  EXPECT_EQ(parseError("9223372036854775807 + 1"),
            "expects numbers below 2^63 in dim expression "
            "'9223372036854775807 + 1', but got its end");
  std::string deep = std::string(33, '(') + "N" + std::string(33, ')');
  EXPECT_EQ(parseError(deep), "expects at most 32 nested parentheses in dim "
                              "expression '" +
                                  deep + "', but got '" + deep.substr(33) +
                                  "'");
}

TEST(DimExpr, ParseReportsQuotients) {
  std::string error;
  SmallVector<std::pair<DimExpr, DimExpr>> quotients;
  ASSERT_TRUE(DimExpr::parse("D/H + (T + 1)/2*N", error, &quotients));
  ASSERT_EQ(quotients.size(), 2u);
  EXPECT_EQ(quotients[0].first, parse("D"));
  EXPECT_EQ(quotients[0].second, parse("H"));
  EXPECT_EQ(quotients[1].first, parse("T + 1"));
  EXPECT_EQ(quotients[1].second, DimExpr(2));
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

TEST(DimExpr, Constant) {
  EXPECT_EQ(DimExpr().constant(), 0);
  EXPECT_EQ(DimExpr(-3).constant(), -3);
  EXPECT_EQ(parse("N - N + 2").constant(), 2);
  EXPECT_EQ(parse("N").constant(), std::nullopt);
  EXPECT_EQ(parse("N + 1").constant(), std::nullopt);
  EXPECT_EQ(parse("1/2").constant(), std::nullopt);
}

TEST(DimExpr, IsSymbol) {
  EXPECT_TRUE(parse("N").isSymbol());
  for (const char *other : {"2*N", "N*N", "N/2", "1/N", "N + 1", "3", "N*M"})
    EXPECT_FALSE(parse(other).isSymbol()) << other;
}

TEST(DimExpr, Symbols) {
  EXPECT_EQ(parse("N*B + Hq/N + 1").symbols(),
            (SmallVector<std::string>{"B", "Hq", "N"}));
  EXPECT_TRUE(parse("N*B").contains("B"));
  EXPECT_FALSE(parse("N*B").contains("H"));
  EXPECT_FALSE(parse("N - N").contains("N"));
}

TEST(DimExpr, ProvableDifference) {
  EXPECT_TRUE(parse("N").provablyDiffersFrom(parse("N + 1")));
  EXPECT_TRUE(DimExpr(3).provablyDiffersFrom(DimExpr(4)));
  EXPECT_TRUE(parse("D/H").provablyDiffersFrom(parse("D/H + 1/2")));
  EXPECT_FALSE(parse("N").provablyDiffersFrom(parse("N")));
  EXPECT_FALSE(parse("N").provablyDiffersFrom(parse("M")));
  EXPECT_FALSE(parse("N").provablyDiffersFrom(parse("2*N"))); // both 0
  EXPECT_FALSE(parse("N").provablyDiffersFrom(parse("M + 1")));
}

TEST(DimExpr, Evaluate) {
  EXPECT_EQ(parse("2*N + H").evaluate(bind({{"N", 5}, {"H", 3}})), 13);
  EXPECT_EQ(parse("D/H").evaluate(bind({{"D", 12}, {"H", 3}})), 4);
  // The whole must be whole, its parts need not be.
  EXPECT_EQ(parse("(N + 1)/2").evaluate(bind({{"N", 5}})), 3);
  EXPECT_EQ(parse("(N + 1)/2").evaluate(bind({{"N", 4}})), std::nullopt);
  EXPECT_EQ(parse("D/H").evaluate(bind({{"D", 13}, {"H", 3}})), std::nullopt);
  EXPECT_EQ(parse("D/H").evaluate(bind({{"D", 0}, {"H", 0}})), std::nullopt);
  EXPECT_EQ(parse("N*M").evaluate(bind({{"N", 0}, {"M", 7}})), 0);
  EXPECT_EQ(parse("N + M").evaluate(bind({{"N", 1}})), std::nullopt);
  EXPECT_EQ(parse("N - M").evaluate(bind({{"N", 1}, {"M", 3}})), -2);
  EXPECT_EQ(parse("N*N").evaluate(bind({{"N", int64_t(1) << 32}})),
            std::nullopt);
  EXPECT_EQ(parse("N + 1").evaluate(bind({{"N", INT64_MAX}})), std::nullopt);
}

TEST(DimExpr, Division) {
  EXPECT_EQ(parse("N").dividedBy(DimExpr(0)), std::nullopt);
  EXPECT_EQ(DimExpr(0).dividedBy(parse("N + 1")), DimExpr(0));
  EXPECT_EQ(parse("2*N + 2").dividedBy(parse("N + 1")), DimExpr(2));
  EXPECT_EQ(parse("N*N + N").dividedBy(parse("N + 1")), parse("N"));
  EXPECT_EQ(parse("N + 2").dividedBy(parse("N + 1")), std::nullopt);
  EXPECT_EQ(parse("N").dividedBy(parse("N + 1")), std::nullopt);
  EXPECT_EQ(parse("9223372036854775807*N").dividedBy(parse("1/2")),
            std::nullopt);
}

TEST(DimExpr, Substitute) {
  EXPECT_EQ(parse("2*N + M").substitute("N", parse("M + 1")), parse("3*M + 2"));
  EXPECT_EQ(parse("N*N").substitute("N", parse("M + 1")),
            parse("M*M + 2*M + 1"));
  EXPECT_EQ(parse("D/H").substitute("H", parse("2*K")), parse("D/K/2"));
  EXPECT_EQ(parse("D/H/H").substitute("H", parse("2*K")), parse("D/K/K/4"));
  EXPECT_EQ(parse("N").substitute("M", parse("K")), parse("N"));
  // Nothing may be divided by a sum or by zero.
  EXPECT_EQ(parse("D/H").substitute("H", parse("K + 1")), std::nullopt);
  EXPECT_EQ(parse("D/H").substitute("H", DimExpr(0)), std::nullopt);
}

TEST(DimExpr, Solve) {
  using Solution = std::pair<std::string, int64_t>;
  EXPECT_EQ(parse("N").solve(5, {}), Solution("N", 5));
  EXPECT_EQ(parse("2*N + 1").solve(5, {}), Solution("N", 2));
  EXPECT_EQ(parse("H*D").solve(24, bind({{"H", 4}})), Solution("D", 6));
  EXPECT_EQ(parse("D/H").solve(6, bind({{"H", 4}})), Solution("D", 24));
  EXPECT_EQ(parse("5 - N").solve(7, {}), Solution("N", -2));
  EXPECT_EQ(parse("2*N").solve(5, {}), std::nullopt);
  EXPECT_EQ(parse("3").solve(3, {}), std::nullopt);
  EXPECT_EQ(parse("H*D").solve(24, {}), std::nullopt);
  EXPECT_EQ(parse("H + D").solve(24, {}), std::nullopt);
  EXPECT_EQ(parse("N*N").solve(9, {}), std::nullopt);
  EXPECT_EQ(parse("N*M + N").solve(9, bind({{"M", 2}})), Solution("N", 3));
  EXPECT_EQ(parse("N*M + N").solve(8, bind({{"M", 2}})), std::nullopt);
  EXPECT_EQ(parse("N - N*M").solve(8, bind({{"M", 1}})), std::nullopt);
  EXPECT_EQ(parse("D/H").solve(6, bind({{"D", 24}})), std::nullopt);
  EXPECT_EQ(parse("H*D").solve(0, bind({{"H", 0}})), std::nullopt);
}

//===----------------------------------------------------------------------===//
// Overflow
//===----------------------------------------------------------------------===//

TEST(DimExpr, OverflowHasNoValue) {
  DimExpr huge(INT64_MAX), n = DimExpr::symbol("N");
  for (const DimExpr &expr :
       {huge + DimExpr(1), huge * DimExpr(2), huge * n + huge * n,
        DimExpr(INT64_MIN) - DimExpr(1), DimExpr(INT64_MIN) * DimExpr(-1)}) {
    EXPECT_TRUE(expr.overflowed());
    EXPECT_EQ(expr.constant(), std::nullopt);
    EXPECT_EQ(expr.evaluate(bind({{"N", 1}})), std::nullopt);
    EXPECT_EQ(expr.str(), "<overflow>");
    EXPECT_FALSE(expr.isSymbol());
    EXPECT_FALSE(expr.provablyDiffersFrom(DimExpr(0)));
    EXPECT_EQ(expr.dividedBy(DimExpr(2)), std::nullopt);
    EXPECT_EQ(expr.solve(1, {}), std::nullopt);
  }
}

TEST(DimExpr, OverflowStays) {
  DimExpr overflowed = DimExpr(INT64_MAX) + DimExpr(1),
          n = DimExpr::symbol("N");
  EXPECT_TRUE((overflowed - overflowed).overflowed());
  EXPECT_TRUE((overflowed * DimExpr(0)).overflowed());
  EXPECT_TRUE((n + overflowed).overflowed());
  EXPECT_TRUE((n * overflowed).overflowed());
  EXPECT_TRUE(overflowed.substitute("N", DimExpr(0))->overflowed());
  EXPECT_TRUE(n.substitute("N", overflowed)->overflowed());
  EXPECT_EQ(n.dividedBy(overflowed), std::nullopt);
}

TEST(DimExpr, NoOverflowWhereFactorsCancel) {
  DimExpr huge(INT64_MAX), n = DimExpr::symbol("N");
  EXPECT_EQ(*(huge * n).dividedBy(huge), n);
  EXPECT_EQ(parse("9223372036854775807*(4/9223372036854775807)"), DimExpr(4));
}

} // namespace
