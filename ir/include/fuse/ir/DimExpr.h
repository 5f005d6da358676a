//===- DimExpr.h - Symbolic tensor dimensions ------------------*- C++ -*-===//
//
// The extent of a tensor dimension as an exact expression over named symbols:
// `96`, `N`, `Hq * D`, `D / H`, `T + 1`. An expression is kept as a sum of
// terms, each a rational coefficient times integer powers of symbols, so two
// expressions are equal exactly when their normal forms are. A quotient is
// exact by definition: whoever writes one states that the divisor divides.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_DIMEXPR_H
#define FUSE_IR_DIMEXPR_H

#include "fuse/ir/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fuse {

/// Extents given to symbols, in elements.
using DimBindings = llvm::StringMap<int64_t>;

class DimExpr {
public:
  /// One symbol raised to a nonzero power; negative in a quotient.
  struct Power {
    std::string symbol;
    int exponent;
    bool operator==(const Power &other) const {
      return symbol == other.symbol && exponent == other.exponent;
    }
  };
  /// `numerator / denominator * product(powers)`, powers sorted by symbol,
  /// denominator positive, fraction in lowest terms.
  struct Term {
    int64_t numerator;
    int64_t denominator;
    std::vector<Power> powers;
    bool operator==(const Term &other) const {
      return numerator == other.numerator && denominator == other.denominator &&
             powers == other.powers;
    }
  };

  /// No program writes sums this long; products of sums would grow without end.
  static constexpr size_t maxTerms = 64;

  /// The constant zero.
  DimExpr() = default;
  /*implicit*/ DimExpr(int64_t value);
  static DimExpr symbol(StringRef name);

  /// Parses `+ - * /`, parentheses, integers and symbols. Symbols start with
  /// a letter or `_`. Each `/` appends the pair it divides to `quotients`, so
  /// that the caller can demand divisibility. On failure returns nullopt and
  /// sets `error` to one sentence.
  static std::optional<DimExpr>
  parse(StringRef text, std::string &error,
        SmallVectorImpl<std::pair<DimExpr, DimExpr>> *quotients = nullptr);

  DimExpr operator+(const DimExpr &other) const;
  DimExpr operator-(const DimExpr &other) const;
  DimExpr operator*(const DimExpr &other) const;
  /// The exact quotient; nullopt if it has no closed form here (the divisor is
  /// a sum, and the quotient no single term) or the divisor is zero.
  std::optional<DimExpr> dividedBy(const DimExpr &divisor) const;

  bool operator==(const DimExpr &other) const {
    return overflow == other.overflow && terms == other.terms;
  }
  bool operator!=(const DimExpr &other) const { return !(*this == other); }

  /// The value if no symbol occurs and it is a whole number.
  std::optional<int64_t> constant() const;
  /// True if the two differ for every value of the symbols.
  bool provablyDiffersFrom(const DimExpr &other) const;
  /// True if a coefficient left the range of 64 bits, or there are more than
  /// `maxTerms` terms; such an expression has no value.
  bool overflowed() const { return overflow; }
  bool isSymbol() const;
  bool contains(StringRef symbol) const;
  llvm::ArrayRef<Term> getTerms() const { return terms; }
  /// The sum as `whole + numerator / denominator`, of which no part has a
  /// fraction: N/2 + 1/2 + M is M + (N + 1)/2. Quotients are exact as a whole
  /// only, not term by term. Without fractions, numerator is 0.
  struct Parts;
  Parts getParts() const;
  /// The symbols that occur, sorted.
  SmallVector<std::string> symbols() const;

  /// Replaces a symbol by an expression. Under a negative power the
  /// replacement must be a single term, else the result is nullopt.
  std::optional<DimExpr> substitute(StringRef symbol,
                                    const DimExpr &value) const;

  /// The value for given symbols; nullopt if one is missing, if the result is
  /// no whole number, or if it leaves the range of 64 bits.
  std::optional<int64_t> evaluate(const DimBindings &bindings) const;

  /// Solves `*this == value` for the only unbound symbol if it occurs in one
  /// term, to the first power. Returns the symbol and its extent.
  std::optional<std::pair<std::string, int64_t>>
  solve(int64_t value, const DimBindings &bindings) const;

  /// `2*H*D`, `D/H`, `T + 1`; symbols in alphabetical order.
  std::string str() const;

private:
  void addTerm(const Term &term);

  std::vector<Term> terms; // sorted by powers, no zero coefficient
  bool overflow = false;
};

struct DimExpr::Parts {
  DimExpr whole, numerator, denominator;
};

using DimVector = SmallVector<DimExpr, 4>;

raw_ostream &operator<<(raw_ostream &os, const DimExpr &expr);

} // namespace fuse

#endif // FUSE_IR_DIMEXPR_H
