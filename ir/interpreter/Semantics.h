//===- Semantics.h - One op on one block of its result ---------*- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_SEMANTICS_H
#define FUSE_IR_INTERPRETER_SEMANTICS_H

#include "IndexMap.h"
#include "fuse/interpreter/Tensor.h"
#include "fuse/ir/DimAnalysis.h"
#include "fuse/ir/FuseOps.h"

namespace fuse {

/// What an op means, for one set of extents: which blocks of its operands a
/// block of its result needs, and what that block is. `fuse.attention`, whose
/// region needs a scope, is in AttentionSemantics.h.
class Semantics {
public:
  Semantics(const DimAnalysis &analysis, const DimBindings &bindings,
            mlir::Operation *exactOp, mlir::MLIRContext *context)
      : analysis(analysis), bindings(bindings), exactOp(exactOp),
        context(context) {}

  /// True for ops that `evaluate` knows.
  static bool isKnown(mlir::Operation *op);

  /// One entry an operand; nothing where its elements are not read.
  SmallVector<std::optional<Box>> operandBoxes(mlir::Operation *op,
                                               const Box &result) const;

  /// `operands` hold at least the blocks above, null where not read. Emits a
  /// diagnostic and fails on an integer division by zero.
  FailureOr<Tensor> evaluate(mlir::Operation *op,
                             ArrayRef<const Tensor *> operands,
                             const Box &result) const;

  SmallVector<int64_t> getShape(mlir::Value value) const {
    return analysis.getShape(value, bindings);
  }
  const DimBindings &getBindings() const { return bindings; }
  mlir::MLIRContext *getContext() const { return context; }
  /// True if the op's own rounding is to be left out.
  bool isExact(mlir::Operation *op) const { return op == exactOp; }

private:
  FailureOr<Tensor> evaluateElementwise(mlir::Operation *op,
                                        ArrayRef<const Tensor *> operands,
                                        const Box &result) const;
  Tensor evaluateDim(mlir::Operation *op, const Box &result) const;
  Tensor evaluateConcat(ConcatOp op, ArrayRef<const Tensor *> operands,
                        const Box &result) const;
  Tensor evaluateLinear(LinearOp op, ArrayRef<const Tensor *> operands,
                        const Box &result) const;
  Tensor evaluateRows(mlir::Operation *op, ArrayRef<const Tensor *> operands,
                      const Box &result) const;
  IndexMap getIndexMap(mlir::Operation *op) const;

  const DimAnalysis &analysis;
  const DimBindings &bindings;
  mlir::Operation *exactOp;
  mlir::MLIRContext *context;
};

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_SEMANTICS_H
