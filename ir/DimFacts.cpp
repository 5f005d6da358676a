//===- DimFacts.cpp - What is known about dims before a call --------------===//

#include "fuse/ir/DimAnalysis.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuse;

using Kind = DimConstraint::Kind;

void DimFacts::add(const DimConstraint &constraint) {
  facts.push_back(constraint);
  if (constraint.kind != Kind::Equal)
    return;
  DimExpr lhs = normalize(constraint.lhs), rhs = normalize(constraint.rhs);
  auto isSolvedBy = [](const DimExpr &from, const DimExpr &to) {
    return from.isSymbol() && !to.contains(from.symbols().front());
  };
  if (!isSolvedBy(lhs, rhs))
    std::swap(lhs, rhs);
  if (!isSolvedBy(lhs, rhs))
    return;
  std::string symbol = lhs.symbols().front();
  for (auto &[known, value] : solved)
    if (std::optional<DimExpr> next = value.substitute(symbol, rhs))
      value = *next;
  solved.emplace_back(symbol, rhs);
}

DimExpr DimFacts::normalize(DimExpr expr) const {
  for (const auto &[symbol, value] : solved)
    if (expr.contains(symbol))
      if (std::optional<DimExpr> next = expr.substitute(symbol, value))
        expr = std::move(*next);
  return expr;
}

bool DimFacts::isEqual(const DimExpr &lhs, const DimExpr &rhs) const {
  return lhs == rhs || normalize(lhs - rhs).constant() == 0;
}

bool DimFacts::isDifferent(const DimExpr &lhs, const DimExpr &rhs) const {
  return normalize(lhs - rhs).provablyDiffersFrom(DimExpr(0));
}

/// The range of an expression; unlike an extent it may be negative.
static std::pair<std::optional<int64_t>, std::optional<int64_t>>
rangeOf(const DimFacts &facts, const DimExpr &expr) {
  DimExpr value = facts.normalize(expr);
  auto [low, high] = facts.range(value);
  bool mayBeNegative =
      low == 0 && llvm::any_of(value.getTerms(), [](const DimExpr::Term &term) {
        return term.numerator < 0;
      });
  return {mayBeNegative ? std::nullopt : std::optional(low), high};
}

/// True if the range of `value` holds no multiple of a number.
bool DimFacts::hasNoMultiple(const DimExpr &value,
                             const DimExpr &divisor) const {
  std::optional<int64_t> part = normalize(divisor).constant();
  if (!part || *part < 0)
    return false;
  if (*part == 0)
    return true;
  auto [low, high] = rangeOf(*this, value);
  return low && high && *high >= 0 && *high - *high % *part < *low;
}

bool DimFacts::rulesOut(const DimConstraint &constraint) const {
  const DimExpr &lhs = constraint.lhs, &rhs = constraint.rhs;
  auto [low, high] = rangeOf(*this, lhs);
  auto [least, most] = rangeOf(*this, rhs);
  const bool isBelow = high && least && *high < *least;
  const bool isAbove = low && most && *low > *most;
  switch (constraint.kind) {
  case Kind::Equal:
    return isBelow || isAbove || isDifferent(lhs, rhs);
  case Kind::Divides:
    return hasNoMultiple(lhs, rhs);
  case Kind::AtMost:
    return isAbove;
  case Kind::AtLeast:
    return isBelow;
  }
  llvm_unreachable("unknown relation");
}

/// True if the expression is a whole number whatever its symbols are.
static bool isIntegral(const DimExpr &expr) {
  return !expr.overflowed() &&
         llvm::all_of(expr.getTerms(), [](const DimExpr::Term &term) {
           return term.denominator == 1 &&
                  llvm::all_of(term.powers, [](const DimExpr::Power &power) {
                    return power.exponent > 0;
                  });
         });
}

static bool dividesEvenly(const DimExpr &dividend, const DimExpr &divisor) {
  std::optional<DimExpr> quotient = dividend.dividedBy(divisor);
  return quotient && isIntegral(*quotient);
}

bool DimFacts::isMultipleOf(const DimExpr &dividend,
                            const DimExpr &divisor) const {
  DimExpr total = normalize(dividend), part = normalize(divisor);
  if (dividesEvenly(total, part))
    return true;
  return llvm::any_of(facts, [&](const DimConstraint &fact) {
    return fact.kind == Kind::Divides &&
           dividesEvenly(total, normalize(fact.lhs)) &&
           dividesEvenly(normalize(fact.rhs), part);
  });
}

std::pair<int64_t, std::optional<int64_t>>
DimFacts::statedRange(const DimExpr &value) const {
  int64_t low = 0; // an extent is never negative
  std::optional<int64_t> high;
  for (const DimConstraint &fact : facts) {
    if (fact.kind != Kind::AtMost && fact.kind != Kind::AtLeast)
      continue;
    DimExpr less = normalize(fact.lhs), more = normalize(fact.rhs);
    if (fact.kind == Kind::AtLeast)
      std::swap(less, more);
    if (less == value)
      if (std::optional<int64_t> limit = more.constant())
        high = std::min(high.value_or(*limit), *limit);
    if (more == value)
      if (std::optional<int64_t> limit = less.constant())
        low = std::max(low, *limit);
  }
  return {low, high};
}

std::pair<int64_t, std::optional<int64_t>>
DimFacts::range(const DimExpr &expr) const {
  DimExpr value = normalize(expr);
  if (std::optional<int64_t> constant = value.constant())
    return {*constant, *constant};
  auto [low, high] = statedRange(value);
  if (value.getTerms().size() != 1 || !isIntegral(value))
    return {low, high};
  // A product of symbols is bounded by the product of their bounds.
  const DimExpr::Term &term = value.getTerms().front();
  if (term.numerator < 0)
    return {low, high};
  int64_t least = term.numerator;
  std::optional<int64_t> most = term.numerator;
  for (const DimExpr::Power &power : term.powers) {
    auto [symbolLow, symbolHigh] = statedRange(DimExpr::symbol(power.symbol));
    for (int i = 0; i < power.exponent; ++i) {
      int64_t product;
      least =
          llvm::MulOverflow(least, symbolLow, product) ? INT64_MAX : product;
      if (!most || !symbolHigh ||
          llvm::MulOverflow(*most, *symbolHigh, product))
        most = std::nullopt;
      else
        most = product;
    }
  }
  if (most && (!high || *most < *high))
    high = most;
  return {std::max(low, least), high};
}

std::optional<DimConstraint>
fuse::parseDimFact(StringRef text, std::string &error,
                   SmallVectorImpl<DimConstraint> *quotients) {
  auto fail = [&](const Twine &message) {
    error = message.str();
    return std::nullopt;
  };
  static constexpr StringRef relations[] = {"==", "<=", ">="};
  const StringRef *relation = llvm::find_if(
      relations, [&](StringRef sign) { return text.contains(sign); });
  if (relation == std::end(relations))
    return fail("expects a relation '==', '<=' or '>=', but got '" + text +
                "'");
  auto [left, right] = text.split(*relation);
  bool isRemainder = left.contains('%');
  if (isRemainder && (*relation != "==" || right.trim() != "0"))
    return fail("expects '== 0' after '%', but got '" + text + "'");
  if (isRemainder)
    std::tie(left, right) = left.split('%');
  SmallVector<std::pair<DimExpr, DimExpr>> divisions;
  std::optional<DimExpr> lhs = DimExpr::parse(left, error, &divisions);
  std::optional<DimExpr> rhs =
      lhs ? DimExpr::parse(right, error, &divisions) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  for (const DimExpr &side : {*lhs, *rhs})
    for (const std::string &symbol : side.symbols())
      if (!isSymbolFactor(symbol))
        return fail("expects symbols with an upper-case initial, but got '" +
                    symbol + "' in '" + text + "'");
  for (auto &[dividend, divisor] : divisions)
    if (quotients)
      quotients->push_back({Kind::Divides, dividend, divisor,
                            ("the dividend in '" + text + "'").str()});
  std::string what = left.trim().str();
  if (isRemainder)
    return DimConstraint{Kind::Divides, *lhs, *rhs, what};
  if (*relation == "==")
    return DimConstraint{Kind::Equal, *lhs, *rhs, what};
  if (*relation == "<=")
    return DimConstraint{Kind::AtMost, *lhs, *rhs, what};
  return DimConstraint{Kind::AtLeast, *lhs, *rhs, what};
}
