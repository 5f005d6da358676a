//===- IntExpr.h - integer expressions over dims ----------------*- C++ -*-===//
//
// Guards, grids, shapes and offsets of an artifact: postfix lists of numbers,
// dims and the operators of Abi.h. As text, `B N 64 ceildiv mul`.
//
// Arithmetic is in 64 bits and checked: every operation that leaves them, and
// every division by zero, is an error.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_INTEXPR_H
#define FUSE_RUNTIME_INTEXPR_H

#include "fuse/runtime/Abi.h"
#include "fuse/runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuse::rt {

/// The name of an operator, such as `ceildiv`; empty for constants and dims.
std::string_view exprOpName(FuseExprOp op);

/// The inverse of `exprOpName`.
std::optional<FuseExprOp> parseExprOp(std::string_view name);

/// A letter or `_`, then letters, digits and `_`, and no operator's name.
bool isDimName(std::string_view name);

/// Names that stand for numbers when an expression is parsed: dims, by their
/// position, and constants, by their value.
struct ExprScope {
  std::vector<std::string> dims;
  std::vector<std::pair<std::string, int64_t>> constants;
};

/// A well-formed expression: it leaves exactly one value, and is within the
/// limits of Abi.h.
class IntExpr {
public:
  struct Term {
    FuseExprOp op;
    int64_t value; ///< The constant, or the index of the dim; else 0.

    friend bool operator==(const Term &a, const Term &b) {
      return a.op == b.op && a.value == b.value;
    }
  };

  /// The constant 0.
  IntExpr() : IntExpr(0) {}
  /// Implicit, so that a number may stand for an expression.
  IntExpr(int64_t value) : terms{{FUSE_EXPR_CONSTANT, value}} {}
  static IntExpr dim(size_t index) {
    return IntExpr({{FUSE_EXPR_DIM, static_cast<int64_t>(index)}});
  }
  /// `op` is an operator. Two constants without an error become one.
  static IntExpr apply(FuseExprOp op, const IntExpr &left,
                       const IntExpr &right);

  /// Fails (InvalidInput) unless the terms are well formed with dims below
  /// `numDims`.
  static Result<IntExpr> create(std::vector<Term> terms, size_t numDims);

  /// Parses words: decimal numbers, operators, and names of `scope`.
  static Result<IntExpr> parse(const std::vector<std::string> &words,
                               const ExprScope &scope);
  /// The same, of words separated by blanks.
  static Result<IntExpr> parse(std::string_view text, const ExprScope &scope);

  const std::vector<Term> &getTerms() const { return terms; }

  /// The constant that this is, if it is one.
  std::optional<int64_t> asConstant() const;
  /// The index of the dim that this is, if it is one.
  std::optional<size_t> asDim() const;
  /// One above the highest dim in it.
  size_t numDims() const;

  /// The value, given the extent of every dim in it. Allocates nothing unless
  /// it fails: "N * 64 does not fit into 64 bits" says no more than which
  /// operation on which numbers failed.
  Result<int64_t> evaluate(const int64_t *dims, size_t count) const;

  /// The only dim that has no extent yet, and the extent from 0 on that makes
  /// the value `target`, where it follows by undoing sums and products.
  std::optional<std::pair<size_t, int64_t>>
  solve(int64_t target, const std::vector<std::optional<int64_t>> &dims) const;

  /// The words that `parse` takes back to the same terms.
  std::vector<std::string> words(const std::vector<std::string> &dims) const;

  /// `B * ceildiv(N, 64)`, for messages.
  std::string str(const std::vector<std::string> &dims) const;

  friend bool operator==(const IntExpr &a, const IntExpr &b) {
    return a.terms == b.terms;
  }
  friend bool operator!=(const IntExpr &a, const IntExpr &b) {
    return !(a == b);
  }

private:
  explicit IntExpr(std::vector<Term> terms) : terms(std::move(terms)) {}

  std::vector<Term> terms;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_INTEXPR_H
