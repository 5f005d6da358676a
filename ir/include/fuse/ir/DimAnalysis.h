//===- DimAnalysis.h - Symbolic dims of a whole function -------*- C++ -*-===//
//
// Follows the named dims of a function's arguments through its body: every
// tensor gets an expression an axis, and every op the constraints under which
// it is valid. What cannot be decided from the text is decided when a program
// is called, by `bindDims`, before anything runs.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_DIMANALYSIS_H
#define FUSE_IR_DIMANALYSIS_H

#include "fuse/ir/DimInference.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace fuse {

/// One relation of `fuse.facts`, such as `Hq % Hkv == 0`, `D <= 256`. Quotients
/// in it state that they are exact, which goes to `quotients` unless it is
/// null.
std::optional<DimConstraint>
parseDimFact(StringRef text, std::string &error,
             SmallVectorImpl<DimConstraint> *quotients = nullptr);

/// What is known about dims before a call: the relations that hold for every
/// call, since one that breaks them is refused.
class DimFacts {
public:
  void add(const DimConstraint &constraint);

  /// True if the two are equal in every call.
  bool isEqual(const DimExpr &lhs, const DimExpr &rhs) const;
  /// True if the two differ in every call.
  bool isDifferent(const DimExpr &lhs, const DimExpr &rhs) const;
  /// True if the constraint holds in no call, as far as equalities, ranges and
  /// multiples tell.
  bool rulesOut(const DimConstraint &constraint) const;
  /// True if `divisor` divides `dividend` in every call.
  bool isMultipleOf(const DimExpr &dividend, const DimExpr &divisor) const;
  /// The largest known lower and smallest known upper bound, in elements.
  std::pair<int64_t, std::optional<int64_t>> range(const DimExpr &expr) const;
  /// The expression without the symbols that are known to equal a number or an
  /// expression of others. Equal expressions become the same.
  DimExpr normalize(DimExpr expr) const;

private:
  /// The bounds of a normalized expression that single facts state.
  std::pair<int64_t, std::optional<int64_t>>
  statedRange(const DimExpr &value) const;
  bool hasNoMultiple(const DimExpr &value, const DimExpr &divisor) const;

  SmallVector<DimConstraint> facts;
  /// Symbols and what they equal, in which none of them occurs: equal
  /// expressions have one normal form.
  SmallVector<std::pair<std::string, DimExpr>> solved;
};

class DimAnalysis {
public:
  /// A constraint and the op, argument or attribute that states it.
  struct Located {
    DimConstraint constraint;
    mlir::Location loc;
  };

  /// Analyses a function with a body. Emits a diagnostic and fails if its
  /// constraints contradict each other for every call.
  static FailureOr<DimAnalysis> compute(mlir::FunctionOpInterface function);
  /// Of the values that `copies` maps to: their dims are those of the values
  /// which they were copied from, simplified. Nothing is demanded of a call.
  static DimAnalysis ofCopies(const DimAnalysis &original,
                              const mlir::IRMapping &copies);

  /// The dims of a ranked tensor; empty for a value of a foreign op.
  ArrayRef<DimExpr> getDims(mlir::Value value) const;
  /// The same, as far as the facts can simplify them: a specialised dim is a
  /// number.
  DimVector getSimplifiedDims(mlir::Value value) const;
  /// What must hold in a call, in program order: named dims of arguments,
  /// `fuse.facts`, and the constraints of ops.
  ArrayRef<Located> getConstraints() const { return constraints; }
  const DimFacts &getFacts() const { return facts; }

  /// Finds the extent of every symbol from the shapes of the arguments that
  /// are given (nullopt for the others) and the extents in `bindings`, and
  /// checks every constraint. Emits one diagnostic and fails if a symbol has
  /// no extent, two extents, or a constraint does not hold.
  LogicalResult
  bindDims(mlir::FunctionOpInterface function,
           ArrayRef<std::optional<SmallVector<int64_t>>> argumentShapes,
           DimBindings &bindings) const;

  /// The extents of a value under bindings that satisfy the constraints.
  SmallVector<int64_t> getShape(mlir::Value value,
                                const DimBindings &bindings) const;

private:
  friend class DimAnalysisBuilder;
  llvm::DenseMap<mlir::Value, DimVector> dims;
  SmallVector<Located> constraints;
  DimFacts facts;
};

/// `'q'` if the argument has a name, else `#0`.
std::string argumentName(mlir::FunctionOpInterface function, unsigned index);
std::string resultName(mlir::FunctionOpInterface function, unsigned index);

} // namespace fuse

#endif // FUSE_IR_DIMANALYSIS_H
