//===- IntExprTest.cpp - expressions over dims ----------------------------===//

#include "fuse/runtime/IntExpr.h"

#include "TestUtils.h"

#include <optional>

using namespace fuse::rt;

static const ExprScope kScope = {{"B", "N", "T"}, {{"C", 128}}};

static IntExpr parsed(std::string_view text) {
  Result<IntExpr> expr = IntExpr::parse(text, kScope);
  EXPECT_EQ(messageOf(expr), "") << text;
  return expr.ok() ? *expr : IntExpr();
}

static std::string parseError(std::string_view text) {
  return messageOf(IntExpr::parse(text, kScope));
}

static int64_t valueOf(std::string_view text, std::vector<int64_t> dims = {}) {
  Result<int64_t> value = parsed(text).evaluate(dims.data(), dims.size());
  EXPECT_EQ(messageOf(value), "") << text;
  return value.ok() ? *value : INT64_MIN;
}

static std::string errorOf(std::string_view text) {
  return messageOf(parsed(text).evaluate(nullptr, 0));
}

static std::string join(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

TEST(IntExpr, Evaluates) {
  EXPECT_EQ(valueOf("B N 64 ceildiv mul", {2, 65, 0}), 4);
  EXPECT_EQ(valueOf("C"), 128);
  EXPECT_EQ(valueOf("-7 2 floordiv"), -4);
  EXPECT_EQ(valueOf("-7 2 ceildiv"), -3);
  EXPECT_EQ(valueOf("7 -2 floordiv"), -4);
  EXPECT_EQ(valueOf("7 -2 ceildiv"), -3);
  EXPECT_EQ(valueOf("-7 2 mod"), 1);
  EXPECT_EQ(valueOf("7 -2 mod"), -1);
  EXPECT_EQ(valueOf("-9223372036854775808 -1 mod"), 0);
  EXPECT_EQ(valueOf("3 5 min"), 3);
  EXPECT_EQ(valueOf("3 5 max"), 5);
  EXPECT_EQ(valueOf("3 5 sub"), -2);
  EXPECT_EQ(valueOf("3 5 lt 5 5 ge and"), 1);
  EXPECT_EQ(valueOf("3 5 eq 3 5 gt or"), 0);
  EXPECT_EQ(valueOf("3 5 ne 3 3 le and"), 1);
}

TEST(IntExpr, ErrorsOfArithmetic) {
  EXPECT_EQ(errorOf("9223372036854775807 1 add"),
            "add(9223372036854775807, 1) does not fit into 64 bits");
  EXPECT_EQ(errorOf("-9223372036854775808 1 sub"),
            "sub(-9223372036854775808, 1) does not fit into 64 bits");
  EXPECT_EQ(errorOf("4294967296 4294967296 mul"),
            "mul(4294967296, 4294967296) does not fit into 64 bits");
  EXPECT_EQ(errorOf("1 0 floordiv"), "floordiv(1, 0) divides by zero");
  EXPECT_EQ(errorOf("1 0 ceildiv"), "ceildiv(1, 0) divides by zero");
  EXPECT_EQ(errorOf("1 0 mod"), "mod(1, 0) divides by zero");
  EXPECT_EQ(errorOf("-9223372036854775808 -1 floordiv"),
            "floordiv(-9223372036854775808, -1) does not fit into 64 bits");
  EXPECT_EQ(messageOf(IntExpr::dim(1).evaluate(nullptr, 0)),
            "expects extents of more than 1 dims, but got 0");
}

TEST(IntExpr, ErrorsOfSyntax) {
  EXPECT_EQ(parseError(""), "expects an expression of one value, but got 0 "
                            "values");
  EXPECT_EQ(parseError("B N"),
            "expects an expression of one value, but got 2 values");
  EXPECT_EQ(parseError("B add"), "expects two values before 'add', but got 1");
  EXPECT_EQ(parseError("B X add"), "expects a number, an operator or the name "
                                   "of a dim, but got 'X'");
  EXPECT_EQ(parseError("1.5"), "expects a number, an operator or the name of a "
                               "dim, but got '1.5'");
  EXPECT_EQ(parseError("9223372036854775808"),
            "expects a number, an operator or the name of a dim, but got "
            "'9223372036854775808'");
  std::string deep, wide = "1";
  for (int i = 0; i < FUSE_MAX_EXPR_DEPTH + 1; ++i)
    deep += "1 ";
  for (int i = 0; i < FUSE_MAX_EXPR_TERMS; ++i)
    wide += " 1 add";
  EXPECT_EQ(parseError(deep), "expects at most 32 values that wait for their "
                              "operator, but got more");
  EXPECT_EQ(parseError(wide),
            "expects at most 512 terms in an expression, but got 1025");
  EXPECT_EQ(messageOf(IntExpr::create({{FUSE_EXPR_DIM, 3}}, 3)),
            "expects a dim below 3, but got 3");
  EXPECT_EQ(messageOf(IntExpr::create({{FUSE_EXPR_DIM, -1}}, 3)),
            "expects a dim below 3, but got -1");
}

TEST(IntExpr, TooDeepByConstruction) {
  IntExpr expr = IntExpr::dim(0);
  for (int i = 0; i < FUSE_MAX_EXPR_DEPTH; ++i)
    expr = IntExpr::apply(FUSE_EXPR_ADD, IntExpr::dim(0), expr);
  int64_t one = 1;
  EXPECT_EQ(messageOf(expr.evaluate(&one, 1)),
            "an expression nests too deeply");
}

TEST(IntExpr, NamesOfDims) {
  for (const char *name : {"B", "T2", "_x", "Hkv"})
    EXPECT_TRUE(isDimName(name)) << name;
  for (const char *name : {"", "2T", "a-b", "min", "ceildiv", "a b", "\xc3"})
    EXPECT_FALSE(isDimName(name)) << name;
  for (int op = FUSE_EXPR_ADD; op < FUSE_EXPR_NUM_OPS; ++op)
    EXPECT_EQ(parseExprOp(exprOpName(FuseExprOp(op))), FuseExprOp(op));
  EXPECT_EQ(exprOpName(FUSE_EXPR_DIM), "");
  EXPECT_EQ(parseExprOp(""), std::nullopt);
}

TEST(IntExpr, ReadsWell) {
  auto str = [](std::string_view text) {
    return parsed(text).str(kScope.dims);
  };
  EXPECT_EQ(str("B N 64 ceildiv mul"), "B * ceildiv(N, 64)");
  EXPECT_EQ(str("B N add T mul"), "(B + N) * T");
  EXPECT_EQ(str("B N T add mul"), "B * (N + T)");
  EXPECT_EQ(str("B N T sub sub"), "B - (N - T)");
  EXPECT_EQ(str("B N sub T sub"), "B - N - T");
  EXPECT_EQ(str("N 1 ge N 64 le and"), "N >= 1 && N <= 64");
  EXPECT_EQ(str("N 1 ge N 64 le or B and"), "(N >= 1 || N <= 64) && B");
  EXPECT_EQ(parsed("B").str({}), "dim0");
}

TEST(IntExpr, FoldsConstants) {
  EXPECT_EQ(IntExpr::apply(FUSE_EXPR_MUL, 6, 7).asConstant(), 42);
  // An error stays to be found when it is evaluated.
  EXPECT_EQ(messageOf(IntExpr::apply(FUSE_EXPR_MOD, 6, 0).evaluate(nullptr, 0)),
            "mod(6, 0) divides by zero");
  EXPECT_EQ(IntExpr::dim(2).asDim(), 2u);
  EXPECT_EQ(IntExpr::dim(2).numDims(), 3u);
  EXPECT_EQ(IntExpr(5).asDim(), std::nullopt);
  EXPECT_EQ(IntExpr().asConstant(), 0);
}

TEST(IntExpr, Solves) {
  using Known = std::vector<std::optional<int64_t>>;
  auto solve = [](std::string_view text, int64_t target, const Known &known) {
    return parsed(text).solve(target, known);
  };
  using Solution = std::optional<std::pair<size_t, int64_t>>;
  Known none(3), some = {2, {}, {}};
  EXPECT_EQ(solve("N", 7, none), Solution({1, 7}));
  EXPECT_EQ(solve("B N mul", 14, some), Solution({1, 7}));
  EXPECT_EQ(solve("N B mul 3 add", 17, some), Solution({1, 7}));
  EXPECT_EQ(solve("10 N sub", 3, none), Solution({1, 7}));
  EXPECT_EQ(solve("N 10 sub", 3, none), Solution({1, 13}));
  EXPECT_EQ(solve("B N mul", 15, some), std::nullopt) << "not divisible";
  EXPECT_EQ(solve("0 N mul", 0, none), std::nullopt) << "anything would do";
  EXPECT_EQ(solve("B N mul", 14, none), std::nullopt) << "two unknowns";
  EXPECT_EQ(solve("N N mul", 49, none), std::nullopt) << "no square roots";
  EXPECT_EQ(solve("N 2 floordiv", 3, none), std::nullopt) << "not unique";
  EXPECT_EQ(solve("N 10 add", 3, none), std::nullopt) << "negative";
  EXPECT_EQ(solve("B", 2, some), std::nullopt) << "known";
  EXPECT_EQ(solve("N", 7, {}), std::nullopt) << "no such dim";
}

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

// NOLINTNEXTLINE(modernize-use-using): __extension__ takes no alias.
__extension__ typedef __int128 Wide;

namespace {
/// A random expression with the exact value that it should have.
struct Sample {
  IntExpr expr;
  std::optional<Wide> value; ///< Absent: an error is expected.
};
} // namespace

static bool fits(Wide value) {
  return value >= INT64_MIN && value <= INT64_MAX;
}

/// What `op` means, in numbers that cannot overflow.
static std::optional<Wide> model(FuseExprOp op, Wide a, Wide b) {
  bool divides = op == FUSE_EXPR_FLOORDIV || op == FUSE_EXPR_CEILDIV ||
                 op == FUSE_EXPR_MOD;
  if (divides && b == 0)
    return std::nullopt;
  Wide down = divides ? a / b - (a % b != 0 && (a < 0) != (b < 0)) : 0;
  switch (op) {
  case FUSE_EXPR_ADD:
    return a + b;
  case FUSE_EXPR_SUB:
    return a - b;
  case FUSE_EXPR_MUL:
    return a * b;
  case FUSE_EXPR_FLOORDIV:
    return down;
  case FUSE_EXPR_CEILDIV:
    return a % b == 0 ? down : down + 1;
  case FUSE_EXPR_MOD:
    return a - b * down;
  case FUSE_EXPR_MIN:
    return std::min(a, b);
  case FUSE_EXPR_MAX:
    return std::max(a, b);
  case FUSE_EXPR_EQ:
    return a == b;
  case FUSE_EXPR_NE:
    return a != b;
  case FUSE_EXPR_LT:
    return a < b;
  case FUSE_EXPR_LE:
    return a <= b;
  case FUSE_EXPR_GT:
    return a > b;
  case FUSE_EXPR_GE:
    return a >= b;
  case FUSE_EXPR_AND:
    return a != 0 && b != 0;
  default:
    return a != 0 || b != 0;
  }
}

static Sample drawSample(const std::vector<int64_t> &dims, int depth) {
  int kind = *rc::gen::inRange(0, depth > 0 ? 6 : 2);
  if (kind == 0) {
    int64_t value = *rc::gen::weightedOneOf<int64_t>(
        {{4, rc::gen::inRange<int64_t>(-9, 10)},
         {1, rc::gen::arbitrary<int64_t>()},
         {1, rc::gen::element<int64_t>(INT64_MIN, INT64_MAX)}});
    return {value, value};
  }
  if (kind == 1) {
    auto dim = *rc::gen::inRange<size_t>(0, dims.size());
    return {IntExpr::dim(dim), dims[dim]};
  }
  auto op =
      FuseExprOp(*rc::gen::inRange<int>(FUSE_EXPR_ADD, FUSE_EXPR_NUM_OPS));
  Sample left = drawSample(dims, depth - 1);
  Sample right = drawSample(dims, depth - 1);
  Sample sample = {IntExpr::apply(op, left.expr, right.expr), std::nullopt};
  if (left.value && right.value)
    sample.value = model(op, *left.value, *right.value);
  if (sample.value && !fits(*sample.value))
    sample.value.reset();
  return sample;
}

TEST(IntExprLaws, EvaluationIsExactOrAnError) {
  rc::check([] {
    auto dims = *rc::gen::container<std::vector<int64_t>>(
        3, rc::gen::inRange<int64_t>(0, 5000));
    Sample sample = drawSample(dims, 4);
    Result<int64_t> value = sample.expr.evaluate(dims.data(), dims.size());
    RC_ASSERT(value.ok() == sample.value.has_value());
    if (value.ok())
      RC_ASSERT(Wide(*value) == *sample.value);
  });
}

TEST(IntExprLaws, WordsAreParsedBack) {
  rc::check([] {
    Sample sample = drawSample({1, 2, 3}, 4);
    std::string text = join(sample.expr.words(kScope.dims));
    Result<IntExpr> again = IntExpr::parse(text, kScope);
    RC_ASSERT(again.ok());
    RC_ASSERT(*again == sample.expr);
    RC_ASSERT(IntExpr::create(sample.expr.getTerms(), 3).ok());
  });
}

TEST(IntExprLaws, SolutionsSolve) {
  rc::check([] {
    auto dims = *rc::gen::container<std::vector<int64_t>>(
        3, rc::gen::inRange<int64_t>(0, 50));
    Sample sample = drawSample(dims, 3);
    RC_PRE(sample.value.has_value());
    std::vector<std::optional<int64_t>> known(dims.begin(), dims.end());
    known[*rc::gen::inRange<size_t>(0, 3)].reset();
    auto target = static_cast<int64_t>(*sample.value);
    if (auto solution = sample.expr.solve(target, known)) {
      dims[solution->first] = solution->second;
      Result<int64_t> value = sample.expr.evaluate(dims.data(), dims.size());
      RC_ASSERT(value.ok());
      RC_ASSERT(*value == target);
    }
  });
}
