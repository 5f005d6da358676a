//===- DimExpr.cpp - Symbolic tensor dimensions ---------------------------===//

#include "fuse/ir/DimExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace fuse;

using Power = DimExpr::Power;
using Term = DimExpr::Term;

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// Multiplies into `value`; false on overflow.
static bool multiplyBy(int64_t &value, int64_t factor) {
  return !llvm::MulOverflow(value, factor, value);
}

static bool reduceFraction(int64_t &numerator, int64_t &denominator) {
  if (numerator == INT64_MIN || denominator == INT64_MIN)
    return false;
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  int64_t divisor = std::gcd(numerator, denominator);
  if (divisor > 1) {
    numerator /= divisor;
    denominator /= divisor;
  }
  return true;
}

static bool powersLess(const Term &lhs, const Term &rhs) {
  return std::lexicographical_compare(
      lhs.powers.begin(), lhs.powers.end(), rhs.powers.begin(),
      rhs.powers.end(), [](const Power &a, const Power &b) {
        return std::tie(a.symbol, a.exponent) < std::tie(b.symbol, b.exponent);
      });
}

static std::vector<Power> multiplyPowers(ArrayRef<Power> lhs,
                                         ArrayRef<Power> rhs, int sign) {
  std::vector<Power> result(lhs);
  for (const Power &power : rhs) {
    auto it = llvm::lower_bound(result, power.symbol,
                                [](const Power &p, const std::string &symbol) {
                                  return p.symbol < symbol;
                                });
    if (it == result.end() || it->symbol != power.symbol)
      result.insert(it, {power.symbol, sign * power.exponent});
    else if ((it->exponent += sign * power.exponent) == 0)
      result.erase(it);
  }
  return result;
}

/// lhs * rhs, or lhs / rhs for a negative sign; nullopt on overflow.
static std::optional<Term> multiplyTerms(const Term &lhs, const Term &rhs,
                                         int sign) {
  int64_t rhsNumerator = sign > 0 ? rhs.numerator : rhs.denominator;
  int64_t rhsDenominator = sign > 0 ? rhs.denominator : rhs.numerator;
  Term result{lhs.numerator, lhs.denominator,
              multiplyPowers(lhs.powers, rhs.powers, sign)};
  // Cancel across first, so that the products stay small.
  if (!reduceFraction(result.numerator, rhsDenominator) ||
      !reduceFraction(rhsNumerator, result.denominator) ||
      !multiplyBy(result.numerator, rhsNumerator) ||
      !multiplyBy(result.denominator, rhsDenominator) ||
      !reduceFraction(result.numerator, result.denominator))
    return std::nullopt;
  return result;
}

void DimExpr::addTerm(const Term &term) {
  if (term.numerator == 0)
    return;
  auto it = llvm::lower_bound(terms, term, powersLess);
  if (it == terms.end() || it->powers != term.powers) {
    if (terms.size() < maxTerms)
      terms.insert(it, term);
    else
      overflow = true;
    return;
  }
  int64_t left = it->numerator, right = term.numerator;
  if (!multiplyBy(left, term.denominator) ||
      !multiplyBy(right, it->denominator) ||
      llvm::AddOverflow(left, right, it->numerator) ||
      !multiplyBy(it->denominator, term.denominator) ||
      !reduceFraction(it->numerator, it->denominator)) {
    overflow = true;
    return;
  }
  if (it->numerator == 0)
    terms.erase(it);
}

//===----------------------------------------------------------------------===//
// Construction and arithmetic
//===----------------------------------------------------------------------===//

DimExpr::DimExpr(int64_t value) {
  if (value != 0)
    terms.push_back({value, 1, {}});
}

DimExpr DimExpr::symbol(StringRef name) {
  DimExpr result;
  result.terms.push_back({1, 1, {{name.str(), 1}}});
  return result;
}

DimExpr DimExpr::operator+(const DimExpr &other) const {
  DimExpr result = *this;
  result.overflow |= other.overflow;
  for (const Term &term : other.terms)
    result.addTerm(term);
  return result;
}

DimExpr DimExpr::operator-(const DimExpr &other) const {
  return *this + other * DimExpr(-1);
}

DimExpr DimExpr::operator*(const DimExpr &other) const {
  DimExpr result;
  result.overflow = overflow || other.overflow;
  for (const Term &lhs : terms) {
    for (const Term &rhs : other.terms) {
      if (std::optional<Term> product = multiplyTerms(lhs, rhs, 1))
        result.addTerm(*product);
      else
        result.overflow = true;
    }
  }
  return result;
}

std::optional<DimExpr> DimExpr::dividedBy(const DimExpr &divisor) const {
  if (divisor.terms.empty() || overflow || divisor.overflow)
    return std::nullopt;
  if (divisor.terms.size() > 1) {
    if (terms.empty())
      return DimExpr();
    // If a term times the divisor is this, one of the products is terms[0].
    for (const Term &term : divisor.terms) {
      DimExpr quotient;
      if (std::optional<Term> ratio = multiplyTerms(terms[0], term, -1))
        quotient.addTerm(*ratio);
      if (quotient * divisor == *this)
        return quotient;
    }
    return std::nullopt;
  }
  DimExpr result;
  for (const Term &term : terms) {
    std::optional<Term> quotient = multiplyTerms(term, divisor.terms[0], -1);
    if (!quotient)
      return std::nullopt;
    result.addTerm(*quotient);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

std::optional<int64_t> DimExpr::constant() const {
  if (overflow)
    return std::nullopt;
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms[0].powers.empty() && terms[0].denominator == 1)
    return terms[0].numerator;
  return std::nullopt;
}

/// The term's denominator as an expression: 2*H of N/2/H.
static DimExpr denominatorOf(const Term &term) {
  DimExpr result(term.denominator);
  for (const DimExpr::Power &power : term.powers)
    for (int i = 0; i < -power.exponent; ++i)
      result = result * DimExpr::symbol(power.symbol);
  return result;
}

DimExpr::Parts DimExpr::getParts() const {
  Parts parts{{}, {}, DimExpr(1)};
  DimExpr fractions;
  for (const Term &term : terms)
    (denominatorOf(term) == DimExpr(1) ? parts.whole : fractions).addTerm(term);
  for (const Term &term : fractions.terms) {
    // What the denominators before leave of this one.
    DimExpr alone;
    alone.addTerm(term);
    DimExpr rest = alone * parts.denominator;
    if (!rest.overflow)
      parts.denominator = parts.denominator * denominatorOf(rest.terms[0]);
  }
  parts.numerator = fractions * parts.denominator;
  return parts;
}

bool DimExpr::provablyDiffersFrom(const DimExpr &other) const {
  DimExpr difference = *this - other;
  return !difference.overflow && difference.terms.size() == 1 &&
         difference.terms[0].powers.empty();
}

bool DimExpr::isSymbol() const {
  return !overflow && terms.size() == 1 && terms[0].numerator == 1 &&
         terms[0].denominator == 1 && terms[0].powers.size() == 1 &&
         terms[0].powers[0].exponent == 1;
}

bool DimExpr::contains(StringRef symbol) const {
  return llvm::any_of(terms, [&](const Term &term) {
    return llvm::any_of(term.powers, [&](const Power &power) {
      return power.symbol == symbol;
    });
  });
}

SmallVector<std::string> DimExpr::symbols() const {
  SmallVector<std::string> result;
  for (const Term &term : terms)
    for (const Power &power : term.powers)
      result.push_back(power.symbol);
  llvm::sort(result);
  result.erase(llvm::unique(result), result.end());
  return result;
}

std::optional<DimExpr> DimExpr::substitute(StringRef symbol,
                                           const DimExpr &value) const {
  DimExpr result;
  result.overflow = overflow;
  for (const Term &term : terms) {
    auto power = llvm::find_if(
        term.powers, [&](const Power &p) { return p.symbol == symbol; });
    if (power == term.powers.end()) {
      result.addTerm(term);
      continue;
    }
    Term rest = term;
    rest.powers.erase(rest.powers.begin() + (power - term.powers.begin()));
    DimExpr product;
    product.addTerm(rest);
    for (int i = 0, e = std::abs(power->exponent); i < e; ++i) {
      std::optional<DimExpr> next =
          power->exponent > 0 ? product * value : product.dividedBy(value);
      if (!next)
        return std::nullopt;
      product = *next;
    }
    result = result + product;
  }
  return result;
}

/// A term's value as a fraction; false if a symbol is missing, a divisor is
/// zero, or 64 bits do not hold it.
static bool evaluateTerm(const Term &term, const DimBindings &bindings,
                         int64_t &numerator, int64_t &denominator) {
  numerator = term.numerator;
  denominator = term.denominator;
  for (const Power &power : term.powers) {
    auto it = bindings.find(power.symbol);
    if (it == bindings.end())
      return false;
    for (int i = 0, e = std::abs(power.exponent); i < e; ++i) {
      int64_t &side = power.exponent > 0 ? numerator : denominator;
      if (it->second == 0 && power.exponent < 0)
        return false;
      if (!multiplyBy(side, it->second) ||
          !reduceFraction(numerator, denominator))
        return false;
    }
  }
  return true;
}

std::optional<int64_t> DimExpr::evaluate(const DimBindings &bindings) const {
  if (overflow)
    return std::nullopt;
  DimExpr sum;
  for (const Term &term : terms) {
    Term value{0, 1, {}};
    if (!evaluateTerm(term, bindings, value.numerator, value.denominator))
      return std::nullopt;
    sum.addTerm(value);
  }
  return sum.constant();
}

std::optional<std::pair<std::string, int64_t>>
DimExpr::solve(int64_t value, const DimBindings &bindings) const {
  std::string unknown;
  DimExpr factor, rest;
  for (const Term &term : terms) {
    Term known = term;
    bool hasUnknown = false;
    for (const Power &power : term.powers) {
      if (bindings.count(power.symbol))
        continue;
      if (hasUnknown || (!unknown.empty() && unknown != power.symbol) ||
          power.exponent != 1)
        return std::nullopt;
      hasUnknown = true;
      unknown = power.symbol;
      llvm::erase(known.powers, power);
    }
    (hasUnknown ? factor : rest).addTerm(known);
  }
  if (unknown.empty() || overflow)
    return std::nullopt;
  Term slope{0, 1, {}};
  std::optional<int64_t> offset = rest.evaluate(bindings);
  if (factor.terms.size() == 1) {
    if (!evaluateTerm(factor.terms[0], bindings, slope.numerator,
                      slope.denominator))
      return std::nullopt;
  } else if (std::optional<int64_t> sum = factor.evaluate(bindings)) {
    slope.numerator = *sum;
  }
  if (!offset || slope.numerator == 0)
    return std::nullopt;
  DimExpr divisor;
  divisor.addTerm(slope);
  std::optional<DimExpr> solution =
      (DimExpr(value) - DimExpr(*offset)).dividedBy(divisor);
  if (!solution || !solution->constant())
    return std::nullopt;
  return std::make_pair(unknown, *solution->constant());
}
