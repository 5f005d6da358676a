//===- Interpreter.h - The executable semantics ----------------*- C++ -*-===//
//
// Evaluates a function of fuse ops in double, straight from the ops, without
// any pass. Beside each value goes a bound on the error of every evaluation
// that ir/README.md permits: declared roundings, sums in any order, functions
// within their ulps. The bound is propagated as in running error analysis
// (N. J. Higham, Accuracy and Stability of Numerical Algorithms, ch. 3).
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_INTERPRETER_INTERPRETER_H
#define FUSE_IR_INTERPRETER_INTERPRETER_H

#include "fuse/interpreter/Judge.h"
#include "fuse/interpreter/Tensor.h"
#include "fuse/ir/DimAnalysis.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>

namespace fuse {

/// The verdict on one `fuse.check` op.
struct CheckOutcome {
  mlir::Operation *op;
  Verdict verdict;
};

class Interpreter {
public:
  /// Emits a diagnostic and fails for a function that no extents would make
  /// runnable: one with a foreign op, a call, several blocks, or arguments that
  /// are no tensors.
  static LogicalResult checkOps(mlir::FunctionOpInterface function);

  /// Prepares a function for one set of extents, which `DimAnalysis::bindDims`
  /// has accepted. Fails as `checkOps` does.
  static FailureOr<Interpreter> create(mlir::FunctionOpInterface function,
                                       DimAnalysis analysis,
                                       DimBindings bindings);

  /// The shape of an argument or result in this call.
  SmallVector<int64_t> getArgumentShape(unsigned index) const;
  SmallVector<int64_t> getResultShape(unsigned index) const;
  mlir::Type getResultElementType(unsigned index) const;

  /// The most memory that `run` may hold at once, in bytes, from the shapes.
  int64_t estimateBytes() const;

  /// Evaluates everything. `arguments` are whole tensors with bound 0, one for
  /// each function argument, and must outlive the results' use. Fails, with a
  /// diagnostic at the op, on an integer division by zero.
  FailureOr<SmallVector<Tensor>> run(ArrayRef<Tensor> arguments);

  /// Evaluates only what one element of a result depends on: the result's
  /// block holds that element alone. Check ops are not evaluated.
  FailureOr<Tensor> runElement(ArrayRef<Tensor> arguments, unsigned result,
                               ArrayRef<int64_t> index);

  /// The part of an element's bound that one op's own rounding causes,
  /// largest first: the bound minus what it would be if that op were exact,
  /// divided by the bound. Ops without influence are left out.
  FailureOr<SmallVector<std::pair<mlir::Operation *, double>>>
  explainBound(ArrayRef<Tensor> arguments, unsigned result,
               ArrayRef<int64_t> index);

  /// The verdicts on the check ops that the last `run` met, in program order.
  ArrayRef<CheckOutcome> getCheckOutcomes() const { return outcomes; }

private:
  Interpreter(mlir::FunctionOpInterface function, DimAnalysis analysis,
              DimBindings bindings)
      : function(function), analysis(std::move(analysis)),
        bindings(std::move(bindings)) {}

  FailureOr<SmallVector<Tensor>> evaluate(ArrayRef<Tensor> arguments,
                                          ArrayRef<std::optional<Box>> wanted,
                                          bool withChecks,
                                          mlir::Operation *exactOp);

  mutable mlir::FunctionOpInterface function; // accessors are not const
  DimAnalysis analysis;
  DimBindings bindings;
  SmallVector<CheckOutcome> outcomes;
};

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_INTERPRETER_H
