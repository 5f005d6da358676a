//===- DimInference.h - What one op says about dimensions ------*- C++ -*-===//
//
// Each fuse op states its shape rule once, as a function from the symbolic
// dims of its operands to those of its results, with the constraints between
// them. The rule serves the verifier (dims from types), type inference, and
// the analysis of whole functions (dims from named arguments).
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_DIMINFERENCE_H
#define FUSE_IR_DIMINFERENCE_H

#include "fuse/ir/DimExpr.h"
#include "fuse/ir/IndexPattern.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/ValueRange.h"
#include <functional>

namespace mlir {
class Operation;
} // namespace mlir

namespace fuse {

/// A relation between dims that must hold whenever the program runs.
struct DimConstraint {
  enum class Kind {
    Equal,   // lhs == rhs
    Divides, // rhs divides lhs
    AtMost,  // lhs <= rhs
    AtLeast  // lhs >= rhs
  };
  Kind kind;
  DimExpr lhs, rhs;
  /// What `lhs` is, as in "extent of 'k' in operand #1".
  std::string what;

  /// What comes before `rhs` in "expects N to be at most 8".
  StringRef relation() const;
};

/// The context in which an op's shape rule runs.
class DimInference {
public:
  using ErrorFn = std::function<mlir::InFlightDiagnostic()>;

  /// Without `emitError` failures are silent. `constraints` may be null: then
  /// only provable violations matter.
  DimInference(ArrayRef<DimVector> operands, ErrorFn emitError,
               SmallVectorImpl<DimConstraint> *constraints = nullptr)
      : operands(operands), emitErrorFn(std::move(emitError)),
        constraints(constraints) {}

  ArrayRef<DimExpr> operand(unsigned index) const { return operands[index]; }
  unsigned getRank(unsigned index) const { return operands[index].size(); }

  /// Emits `message` as the op's one diagnostic.
  LogicalResult error(const Twine &message);

  /// `what` must be `expected`: fails if that is provably false, else notes
  /// the constraint unless it is provably true.
  LogicalResult requireEqual(const DimExpr &actual, const DimExpr &expected,
                             const Twine &what);
  LogicalResult requireSameDims(ArrayRef<DimExpr> actual,
                                ArrayRef<DimExpr> expected, const Twine &what);
  LogicalResult requireDivides(const DimExpr &dividend, const DimExpr &divisor,
                               const Twine &what);
  LogicalResult requireAtMost(const DimExpr &value, const DimExpr &limit,
                              const Twine &what);
  LogicalResult requireAtLeast(const DimExpr &value, const DimExpr &limit,
                               const Twine &what);
  LogicalResult requireRank(unsigned index, unsigned rank, const Twine &what);
  /// An axis attribute must name an axis of a tensor of `rank`.
  LogicalResult requireAxis(int64_t axis, unsigned rank);

  /// Parses an expression over function symbols, and `$` for `self` if given.
  FailureOr<DimExpr> parse(StringRef text, const DimExpr *self = nullptr);

private:
  ArrayRef<DimVector> operands;
  ErrorFn emitErrorFn;
  SmallVectorImpl<DimConstraint> *constraints;
};

/// Finds the extents of a pattern's factors from the dims it matches.
class IndexBinder {
public:
  explicit IndexBinder(DimInference &infer) : infer(infer) {}

  /// Matches each pattern with the dims of its tensor; `names` say what each
  /// tensor is in diagnostics.
  LogicalResult bind(ArrayRef<IndexPattern> patterns, ArrayRef<DimVector> dims,
                     ArrayRef<std::string> names);
  /// The dims of a tensor whose factors are all bound.
  FailureOr<DimVector> dims(const IndexPattern &pattern);
  bool isKnown(StringRef factor) const;

private:
  FailureOr<DimExpr> extent(StringRef factor);
  LogicalResult bindGroup(const AxisFactors &axis, const DimExpr &dim,
                          const Twine &what, bool &progress, bool last);

  DimInference &infer;
  llvm::StringMap<DimExpr> extents;
};

/// A tensor type's dims: constants, and for each dynamic dim a symbol that
/// stands for nothing else, such as `?0.1` for operand 0, axis 1.
DimVector dimsOfType(mlir::Type type, unsigned operandIndex);

/// The type with these dims, dynamic where one is no constant.
mlir::Type typeOfDims(ArrayRef<DimExpr> dims, mlir::Type elementType);

namespace detail {
/// The shape check common to all fuse ops: the op's own rule, then its
/// declared result types against the rule's results.
LogicalResult verifyInferredDims(mlir::Operation *op);
} // namespace detail

} // namespace fuse

#endif // FUSE_IR_DIMINFERENCE_H
