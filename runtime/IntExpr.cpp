//===- IntExpr.cpp - integer expressions over dims ------------------------===//

#include "fuse/runtime/IntExpr.h"

#include "NoThrow.h"
#include "Text.h"

#include <algorithm>
#include <array>
#include <charconv>

using namespace fuse::rt;

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

namespace {
struct OpInfo {
  std::string_view name;
  std::string_view infix; ///< Empty: written as a call.
  int binding;            ///< Of an infix operator: higher binds tighter.
};
} // namespace

static constexpr int kTightest = 9;

static constexpr std::array<OpInfo, FUSE_EXPR_NUM_OPS> kOps = {{
    {"", "", kTightest}, // constant
    {"", "", kTightest}, // dim
    {"add", "+", 4},
    {"sub", "-", 4},
    {"mul", "*", 5},
    {"floordiv", "", kTightest},
    {"ceildiv", "", kTightest},
    {"mod", "", kTightest},
    {"min", "", kTightest},
    {"max", "", kTightest},
    {"eq", "==", 3},
    {"ne", "!=", 3},
    {"lt", "<", 3},
    {"le", "<=", 3},
    {"gt", ">", 3},
    {"ge", ">=", 3},
    {"and", "&&", 2},
    {"or", "||", 1},
}};

static bool isOperator(FuseExprOp op) {
  return op > FUSE_EXPR_DIM && op < FUSE_EXPR_NUM_OPS;
}

std::string_view fuse::rt::exprOpName(FuseExprOp op) {
  return isOperator(op) ? kOps[op].name : std::string_view();
}

std::optional<FuseExprOp> fuse::rt::parseExprOp(std::string_view name) {
  for (size_t op = FUSE_EXPR_DIM + 1; op < FUSE_EXPR_NUM_OPS; ++op)
    if (kOps[op].name == name)
      return static_cast<FuseExprOp>(op);
  return std::nullopt;
}

bool fuse::rt::isDimName(std::string_view name) {
  auto continues = [](char c) { return isLetter(c) || isDigit(c) || c == '_'; };
  return !name.empty() && !isDigit(name.front()) &&
         std::all_of(name.begin(), name.end(), continues) && !parseExprOp(name);
}

/// Rounds down. `b` is not 0, and the quotient fits.
static int64_t floorQuotient(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// Nullopt if the result is no 64-bit integer.
static std::optional<int64_t> applyOp(FuseExprOp op, int64_t a, int64_t b) {
  int64_t result;
  bool undefined = b == 0 || (a == INT64_MIN && b == -1);
  switch (op) {
  case FUSE_EXPR_ADD:
    return __builtin_add_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  case FUSE_EXPR_SUB:
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  case FUSE_EXPR_MUL:
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  case FUSE_EXPR_FLOORDIV:
    return undefined ? std::nullopt : std::optional(floorQuotient(a, b));
  case FUSE_EXPR_CEILDIV:
    return undefined ? std::nullopt
                     : std::optional(floorQuotient(a, b) + (a % b != 0));
  case FUSE_EXPR_MOD: // By -1 it is 0, also of the smallest number.
    if (b == 0)
      return std::nullopt;
    result = b == -1 ? 0 : a % b;
    return result != 0 && (result < 0) != (b < 0) ? result + b : result;
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
  case FUSE_EXPR_OR:
    return a != 0 || b != 0;
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

IntExpr IntExpr::apply(FuseExprOp op, const IntExpr &left,
                       const IntExpr &right) {
  assert(isOperator(op) && "expects an operator");
  std::optional<int64_t> a = left.asConstant(), b = right.asConstant();
  if (a && b)
    if (std::optional<int64_t> folded = applyOp(op, *a, *b))
      return *folded;
  std::vector<Term> terms = left.terms;
  terms.insert(terms.end(), right.terms.begin(), right.terms.end());
  terms.push_back({op, 0});
  return IntExpr(std::move(terms));
}

Result<IntExpr> IntExpr::create(std::vector<Term> terms, size_t numDims) {
  if (terms.size() > FUSE_MAX_EXPR_TERMS)
    return expected("at most " + std::to_string(FUSE_MAX_EXPR_TERMS) +
                        " terms in an expression",
                    std::to_string(terms.size()));
  size_t depth = 0;
  for (const Term &term : terms) {
    if (term.op == FUSE_EXPR_DIM &&
        (term.value < 0 || static_cast<uint64_t>(term.value) >= numDims))
      return expected("a dim below " + std::to_string(numDims),
                      std::to_string(term.value));
    if (!isOperator(term.op)) {
      if (++depth > FUSE_MAX_EXPR_DEPTH)
        return expected("at most " + std::to_string(FUSE_MAX_EXPR_DEPTH) +
                            " values that wait for their operator",
                        "more");
    } else if (term.value != 0) {
      return expected("no value of an operator", std::to_string(term.value));
    } else if (depth < 2) {
      return expected("two values before '" + std::string(exprOpName(term.op)) +
                          "'",
                      std::to_string(depth));
    } else {
      --depth;
    }
  }
  if (depth != 1)
    return expected("an expression of one value",
                    std::to_string(depth) + " values");
  return IntExpr(std::move(terms));
}

/// One word as a term; InvalidInput if it is none.
static Result<IntExpr::Term> parseTerm(const std::string &word,
                                       const ExprScope &scope) {
  int64_t number;
  const char *end = word.data() + word.size();
  auto [rest, error] = std::from_chars(word.data(), end, number);
  if (error == std::errc() && rest == end)
    return IntExpr::Term{FUSE_EXPR_CONSTANT, number};
  if (std::optional<FuseExprOp> op = parseExprOp(word))
    return IntExpr::Term{*op, 0};
  auto dim = std::find(scope.dims.begin(), scope.dims.end(), word);
  if (dim != scope.dims.end())
    return IntExpr::Term{FUSE_EXPR_DIM, dim - scope.dims.begin()};
  for (const auto &[name, value] : scope.constants)
    if (name == word)
      return IntExpr::Term{FUSE_EXPR_CONSTANT, value};
  return expected("a number, an operator or the name of a dim", quote(word));
}

Result<IntExpr> IntExpr::parse(const std::vector<std::string> &words,
                               const ExprScope &scope) {
  return noThrow([&]() -> Result<IntExpr> {
    std::vector<Term> terms;
    for (const std::string &word : words) {
      Result<Term> term = parseTerm(word, scope);
      if (!term.ok())
        return term.status();
      terms.push_back(*term);
    }
    return create(std::move(terms), scope.dims.size());
  });
}

Result<IntExpr> IntExpr::parse(std::string_view text, const ExprScope &scope) {
  return noThrow([&] {
    std::vector<std::string> words;
    TextCursor cursor(text);
    for (cursor.skipBlanks(); !cursor.atEnd(); cursor.skipBlanks())
      words.emplace_back(cursor.takeWhile([](char c) { return !isBlank(c); }));
    return parse(words, scope);
  });
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

std::optional<int64_t> IntExpr::asConstant() const {
  if (terms.size() == 1 && terms[0].op == FUSE_EXPR_CONSTANT)
    return terms[0].value;
  return std::nullopt;
}

std::optional<size_t> IntExpr::asDim() const {
  if (terms.size() == 1 && terms[0].op == FUSE_EXPR_DIM)
    return static_cast<size_t>(terms[0].value);
  return std::nullopt;
}

size_t IntExpr::numDims() const {
  size_t count = 0;
  for (const Term &term : terms)
    if (term.op == FUSE_EXPR_DIM)
      count = std::max(count, static_cast<size_t>(term.value) + 1);
  return count;
}

static Status evaluationError(FuseExprOp op, int64_t a, int64_t b) {
  std::string call = std::string(exprOpName(op)) + "(" + std::to_string(a) +
                     ", " + std::to_string(b) + ")";
  bool divides = op == FUSE_EXPR_FLOORDIV || op == FUSE_EXPR_CEILDIV ||
                 op == FUSE_EXPR_MOD;
  return Status::invalidInput(call + (divides && b == 0
                                          ? " divides by zero"
                                          : " does not fit into 64 bits"));
}

Result<int64_t> IntExpr::evaluate(const int64_t *dims, size_t count) const {
  std::array<int64_t, FUSE_MAX_EXPR_DEPTH + 1> stack;
  size_t depth = 0;
  for (const Term &term : terms) {
    if (term.op == FUSE_EXPR_CONSTANT) {
      stack[depth++] = term.value;
    } else if (term.op == FUSE_EXPR_DIM) {
      if (static_cast<size_t>(term.value) >= count)
        return expected("extents of more than " + std::to_string(term.value) +
                            " dims",
                        std::to_string(count));
      stack[depth++] = dims[term.value];
    } else {
      int64_t right = stack[--depth], left = stack[depth - 1];
      std::optional<int64_t> result = applyOp(term.op, left, right);
      if (!result)
        return evaluationError(term.op, left, right);
      stack[depth - 1] = *result;
    }
    // `apply` does not count; `create` does.
    if (depth > FUSE_MAX_EXPR_DEPTH)
      return Status::invalidInput("an expression nests too deeply");
  }
  return stack[0];
}

//===----------------------------------------------------------------------===//
// Solving
//===----------------------------------------------------------------------===//

namespace {
/// An expression as a tree, with the values of what is known.
struct Node {
  IntExpr::Term term;
  size_t left = 0, right = 0;
  std::optional<int64_t> value;
};
} // namespace

/// In the order of the terms, so the root is last. Empty if an operation on
/// known values fails.
static std::vector<Node>
buildTree(const std::vector<IntExpr::Term> &terms,
          const std::vector<std::optional<int64_t>> &dims) {
  std::vector<Node> nodes;
  std::vector<size_t> waiting;
  for (const IntExpr::Term &term : terms) {
    Node node{term, 0, 0, std::nullopt};
    if (term.op == FUSE_EXPR_CONSTANT) {
      node.value = term.value;
    } else if (term.op == FUSE_EXPR_DIM) {
      node.value = dims[static_cast<size_t>(term.value)];
    } else {
      node.right = waiting.back();
      waiting.pop_back();
      node.left = waiting.back();
      waiting.pop_back();
      const std::optional<int64_t> &left = nodes[node.left].value,
                                   &right = nodes[node.right].value;
      if (left && right && !(node.value = applyOp(term.op, *left, *right)))
        return {};
    }
    waiting.push_back(nodes.size());
    nodes.push_back(node);
  }
  return nodes;
}

/// What one side of `op` must be for a result of `target`.
static std::optional<int64_t> undo(FuseExprOp op, int64_t target, int64_t known,
                                   bool leftIsKnown) {
  switch (op) {
  case FUSE_EXPR_ADD:
    return applyOp(FUSE_EXPR_SUB, target, known);
  case FUSE_EXPR_SUB:
    return leftIsKnown ? applyOp(FUSE_EXPR_SUB, known, target)
                       : applyOp(FUSE_EXPR_ADD, target, known);
  case FUSE_EXPR_MUL:
    if (applyOp(FUSE_EXPR_MOD, target, known) != 0)
      return std::nullopt;
    return applyOp(FUSE_EXPR_FLOORDIV, target, known);
  default:
    return std::nullopt;
  }
}

std::optional<std::pair<size_t, int64_t>>
IntExpr::solve(int64_t target,
               const std::vector<std::optional<int64_t>> &dims) const {
  if (numDims() > dims.size())
    return std::nullopt;
  std::vector<Node> nodes = buildTree(terms, dims);
  if (nodes.empty() || nodes.back().value)
    return std::nullopt;
  size_t at = nodes.size() - 1;
  while (nodes[at].term.op != FUSE_EXPR_DIM) {
    const Node &left = nodes[nodes[at].left], &right = nodes[nodes[at].right];
    if (left.value.has_value() == right.value.has_value())
      return std::nullopt; // Two unknowns.
    bool leftIsKnown = left.value.has_value();
    std::optional<int64_t> side =
        undo(nodes[at].term.op, target,
             leftIsKnown ? *left.value : *right.value, leftIsKnown);
    if (!side)
      return std::nullopt;
    target = *side;
    at = leftIsKnown ? nodes[at].right : nodes[at].left;
  }
  if (target < 0)
    return std::nullopt;
  return std::pair(static_cast<size_t>(nodes[at].term.value), target);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Constants as numbers, dims by name.
static std::string leafText(const IntExpr::Term &term,
                            const std::vector<std::string> &dims) {
  auto index = static_cast<size_t>(term.value);
  if (term.op == FUSE_EXPR_CONSTANT)
    return std::to_string(term.value);
  return index < dims.size() ? dims[index] : "dim" + std::to_string(index);
}

std::vector<std::string>
IntExpr::words(const std::vector<std::string> &dims) const {
  std::vector<std::string> words;
  words.reserve(terms.size());
  for (const Term &term : terms)
    words.push_back(isOperator(term.op) ? std::string(exprOpName(term.op))
                                        : leafText(term, dims));
  return words;
}

std::string IntExpr::str(const std::vector<std::string> &dims) const {
  struct Part {
    std::string text;
    int binding;
  };
  auto within = [](const Part &part, int binding) {
    return part.binding < binding ? "(" + part.text + ")" : part.text;
  };
  std::vector<Part> parts;
  for (const Term &term : terms) {
    const OpInfo &op = kOps[term.op];
    if (!isOperator(term.op)) {
      parts.push_back({leafText(term, dims), kTightest});
      continue;
    }
    Part right = std::move(parts.back());
    parts.pop_back();
    Part left = std::move(parts.back());
    parts.pop_back();
    if (op.infix.empty())
      parts.push_back(
          {std::string(op.name) + "(" + left.text + ", " + right.text + ")",
           kTightest});
    else // The right side of an equal operator needs parentheses.
      parts.push_back({within(left, op.binding) + " " + std::string(op.infix) +
                           " " + within(right, op.binding + 1),
                       op.binding});
  }
  return parts.back().text;
}
