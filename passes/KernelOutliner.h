//===- KernelOutliner.h - Copies of ops as functions -----------*- C++ -*-===//

#ifndef FUSE_PASSES_KERNELOUTLINER_H
#define FUSE_PASSES_KERNELOUTLINER_H

#include "fuse/ir/DimAnalysis.h"
#include "fuse/passes/FusionPlan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace fuse {

/// A kernel as a function, and the values outside that it stands between.
struct OutlinedKernel {
  mlir::func::FuncOp function;
  SmallVector<mlir::Value> inputs, outputs;
  /// From the values outside to those in the function.
  mlir::IRMapping copies;
};

/// Copies ops of a function into functions of their own; the ops stay.
class KernelOutliner {
public:
  using DimsFn = std::function<DimVector(mlir::Value)>;

  /// `dimsOf` gives the dims of the function's values. Kernels have copies of
  /// `copied` ops; the reference stays.
  KernelOutliner(mlir::FunctionOpInterface function, DimsFn dimsOf,
                 mlir::ModuleOp kernels, const CopiedOps &copied)
      : function(function), dimsOf(std::move(dimsOf)), kernels(kernels),
        copied(copied) {}

  /// The kernel of `ops`, which are in program order, and of what they need of
  /// the copied ops. Its results are the values that others need. Nullopt if
  /// there are none, or if dims have no names: a kernel's dims follow from
  /// those of its tensors.
  std::optional<OutlinedKernel> outline(ArrayRef<mlir::Operation *> ops,
                                        StringRef name);
  /// A kernel that only copies: `value` follows from its inputs by copied ops.
  std::optional<OutlinedKernel> outlineCopy(mlir::Value value);

private:
  using Inputs = llvm::SetVector<mlir::Value>;
  bool areNamed(mlir::ValueRange values) const;
  /// The values that the copied ops behind `value` need.
  void collectInputs(mlir::Value value, Inputs &inputs);
  OutlinedKernel create(StringRef name, const Inputs &inputs,
                        ArrayRef<mlir::Value> outputs);
  void copySizeHints(const OutlinedKernel &kernel);
  mlir::Value copyInto(mlir::OpBuilder &body, mlir::Value value,
                       mlir::IRMapping &mapping);
  static void finish(OutlinedKernel &kernel);

  mlir::FunctionOpInterface function;
  DimsFn dimsOf;
  mlir::ModuleOp kernels;
  const CopiedOps &copied;
};

} // namespace fuse

#endif // FUSE_PASSES_KERNELOUTLINER_H
