//===- DimExprText.cpp - The text of dim expressions ----------------------===//

#include "fuse/ir/DimExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace fuse;

using Power = DimExpr::Power;
using Term = DimExpr::Term;

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
      return fail(result->getTerms().size() < DimExpr::maxTerms
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
