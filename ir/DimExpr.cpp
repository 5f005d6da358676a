//===- DimExpr.cpp - Symbolic tensor dimensions ---------------------------===//

#include "fuse/ir/DimExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <numeric>

using namespace fuse;

/// No program writes sums this long; products of sums would grow without end.
static constexpr size_t maxTerms = 64;

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
  return llvm::is_contained(symbols(), symbol);
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

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printTerm(raw_ostream &os, const Term &term, int64_t numerator) {
  bool needsStar = false;
  bool hasNumerator = llvm::any_of(
      term.powers, [](const Power &power) { return power.exponent > 0; });
  if (numerator != 1 || !hasNumerator) {
    os << numerator;
    needsStar = true;
  }
  for (const Power &power : term.powers) {
    for (int i = 0; i < power.exponent; ++i) {
      os << (needsStar ? "*" : "") << power.symbol;
      needsStar = true;
    }
  }
  for (const Power &power : term.powers)
    for (int i = 0; i < -power.exponent; ++i)
      os << "/" << power.symbol;
  if (term.denominator != 1)
    os << "/" << term.denominator;
}

/// Constants last and positive terms first: `T + 1`, `N - M`. There is no sign
/// in dim expressions, so nothing negative leads if it need not: `1 - N`.
static void printTerms(raw_ostream &os, const DimExpr &expr, bool isFirst) {
  SmallVector<Term> terms(expr.getTerms());
  llvm::stable_sort(terms, [](const Term &lhs, const Term &rhs) {
    return std::make_tuple(lhs.powers.empty(), lhs.numerator < 0) <
           std::make_tuple(rhs.powers.empty(), rhs.numerator < 0);
  });
  if (!terms.empty() && terms.front().numerator < 0 &&
      terms.back().numerator > 0)
    std::rotate(terms.begin(), std::prev(terms.end()), terms.end());
  for (const Term &term : terms) {
    if (isFirst)
      printTerm(os, term, term.numerator);
    else if (term.numerator < 0)
      printTerm(os << " - ", term, -term.numerator);
    else
      printTerm(os << " + ", term, term.numerator);
    isFirst = false;
  }
}

raw_ostream &fuse::operator<<(raw_ostream &os, const DimExpr &expr) {
  if (expr.overflowed())
    return os << "<overflow>";
  if (expr.getTerms().empty())
    return os << "0";
  // Each quotient in the text must be exact: `(N + 1)/2`, not `N/2 + 1/2`.
  DimExpr::Parts parts = expr.getParts();
  bool isSum = parts.numerator.getTerms().size() > 1;
  if (!isSum || parts.numerator.overflowed()) {
    printTerms(os, expr, /*isFirst=*/true);
    return os;
  }
  bool isNegative = llvm::all_of(parts.numerator.getTerms(),
                                 [](const Term &t) { return t.numerator < 0; });
  bool wholeLeads = isNegative && parts.whole != DimExpr();
  if (wholeLeads)
    printTerms(os, parts.whole, /*isFirst=*/true);
  os << (wholeLeads ? " - (" : isNegative ? "-(" : "(");
  printTerms(os, isNegative ? DimExpr() - parts.numerator : parts.numerator,
             /*isFirst=*/true);
  bool isAtom = parts.denominator.isSymbol() || parts.denominator.constant();
  os << (isAtom ? ")/" : ")/(") << parts.denominator << (isAtom ? "" : ")");
  if (!wholeLeads)
    printTerms(os, parts.whole, /*isFirst=*/false);
  return os;
}

std::string DimExpr::str() const {
  std::string text;
  llvm::raw_string_ostream(text) << *this;
  return text;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// Recursive descent over `sum := product {(+|-) product}`,
/// `product := atom {(*|/) atom}`, `atom := integer | symbol | ( sum )`.
class DimExprParser {
public:
  DimExprParser(StringRef text, std::string &error,
                SmallVectorImpl<std::pair<DimExpr, DimExpr>> *quotients)
      : full(text), rest(text), error(error), quotients(quotients) {}

  std::optional<DimExpr> parse() {
    std::optional<DimExpr> result = parseSum();
    if (result && !rest.ltrim().empty())
      return fail("expects an operator");
    if (result && result->overflowed())
      return fail(result->getTerms().size() < maxTerms
                      ? "expects numbers below 2^63"
                      : "expects at most 64 terms");
    return result;
  }

private:
  std::optional<DimExpr> fail(const Twine &what) {
    if (error.empty()) {
      StringRef found = rest.ltrim();
      error = (what + " in dim expression '" + full + "', but got " +
               (found.empty() ? Twine("its end") : "'" + found + "'"))
                  .str();
    }
    return std::nullopt;
  }

  bool consume(char c) {
    rest = rest.ltrim();
    return rest.consume_front(StringRef(&c, 1));
  }

  std::optional<DimExpr> parseSum() {
    std::optional<DimExpr> left = parseProduct();
    while (left) {
      bool plus = consume('+');
      if (!plus && !consume('-'))
        break;
      std::optional<DimExpr> right = parseProduct();
      if (!right)
        return std::nullopt;
      left = plus ? *left + *right : *left - *right;
    }
    return left;
  }

  std::optional<DimExpr> parseProduct() {
    std::optional<DimExpr> left = parseAtom();
    while (left) {
      bool times = consume('*');
      if (!times && !consume('/'))
        break;
      std::optional<DimExpr> right = parseAtom();
      if (!right)
        return std::nullopt;
      if (times) {
        left = *left * *right;
        continue;
      }
      if (quotients)
        quotients->emplace_back(*left, *right);
      std::optional<DimExpr> quotient = left->dividedBy(*right);
      if (!quotient)
        return fail("expects a nonzero product as divisor");
      left = quotient;
    }
    return left;
  }

  std::optional<DimExpr> parseAtom() {
    rest = rest.ltrim();
    if (consume('(')) {
      // Parentheses nest in the text, so their depth bounds the recursion.
      if (++depth > 32)
        return fail("expects at most 32 nested parentheses");
      std::optional<DimExpr> inner = parseSum();
      --depth;
      if (inner && !consume(')'))
        return fail("expects ')'");
      return inner;
    }
    if (!rest.empty() && llvm::isDigit(rest.front())) {
      StringRef digits = rest.take_while(llvm::isDigit);
      int64_t value;
      if (digits.getAsInteger(10, value))
        return fail("expects numbers below 2^63");
      rest = rest.drop_front(digits.size());
      return DimExpr(value);
    }
    StringRef name = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; });
    if (name.empty())
      return fail("expects a number or a name");
    rest = rest.drop_front(name.size());
    return DimExpr::symbol(name);
  }

  StringRef full, rest;
  std::string &error;
  SmallVectorImpl<std::pair<DimExpr, DimExpr>> *quotients;
  int depth = 0;
};
} // namespace

std::optional<DimExpr>
DimExpr::parse(StringRef text, std::string &error,
               SmallVectorImpl<std::pair<DimExpr, DimExpr>> *quotients) {
  error.clear();
  return DimExprParser(text, error, quotients).parse();
}
