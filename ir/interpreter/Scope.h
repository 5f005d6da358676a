//===- Scope.h - The blocks of all values in one evaluation ----*- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_SCOPE_H
#define FUSE_IR_INTERPRETER_SCOPE_H

#include "Semantics.h"
#include "fuse/interpreter/Interpreter.h"
#include <memory>

namespace fuse {

bool isCheck(mlir::Operation *op);

/// After which op of the function's block each value is no longer needed.
class LastUses {
public:
  explicit LastUses(mlir::FunctionOpInterface function);
  /// Values whose last use is in `op`, or that have none and belong to it.
  ArrayRef<mlir::Value> freedAfter(mlir::Operation *op) const;

private:
  llvm::DenseMap<mlir::Operation *, SmallVector<mlir::Value>> freed;
};

class Scope {
public:
  Scope(const Semantics &semantics, mlir::FunctionOpInterface function)
      : semantics(semantics), lastUses(function) {}

  /// Notes that a block of `value` is needed.
  void want(mlir::Value value, const Box &box);
  /// Backwards: what the wanted values of the function's block need.
  void plan(mlir::Block &body, bool withChecks);
  /// Lends a whole tensor to a value; the tensor must outlive the scope.
  void bind(mlir::Value value, const Tensor &tensor);
  /// Forwards. Verdicts on check ops go to `outcomes` unless it is null.
  LogicalResult run(mlir::Block &body, SmallVectorImpl<CheckOutcome> *outcomes);
  /// Exactly this block of an evaluated value.
  Tensor extract(mlir::Value value, const Box &box);

private:
  void planBlock(mlir::Block &block);
  void planAttention(AttentionOp op);
  LogicalResult runOp(mlir::Operation *op);
  LogicalResult runAttention(AttentionOp op);
  void runCheck(mlir::Operation *op, SmallVectorImpl<CheckOutcome> &outcomes);
  void add(mlir::Value value, Tensor tensor);
  /// The evaluated block that holds `box`.
  const Tensor &lookup(mlir::Value value, const Box &box) const;

  const Semantics &semantics;
  LastUses lastUses;
  llvm::DenseMap<mlir::Value, SmallVector<Box>> wanted;
  llvm::DenseMap<mlir::Value, SmallVector<std::unique_ptr<Tensor>>> owned;
  llvm::DenseMap<mlir::Value, const Tensor *> lent;
};

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_SCOPE_H
