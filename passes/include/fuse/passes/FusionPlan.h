//===- FusionPlan.h - Which ops become one kernel --------------*- C++ -*-===//
//
// The decision, apart from the rewriting: a pure analysis of one function.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PASSES_FUSIONPLAN_H
#define FUSE_PASSES_FUSIONPLAN_H

#include "fuse/ir/DimAnalysis.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuse {

/// One future kernel.
struct KernelPlan {
  /// What it is called, after its most telling op; unique in the plan.
  std::string name;
  /// Its ops, in program order.
  SmallVector<mlir::Operation *> ops;
};

struct FusionPlan {
  /// In an order in which kernels can run.
  SmallVector<KernelPlan> kernels;
};

/// True for ops that every kernel which needs their value can have a copy of:
/// index maps, constants, and scalars that follow from dims alone.
bool isFreelyCopied(mlir::Operation *op);

/// Decides on kernels for the body of a function: one for each op that is not
/// freely copied, and one for each result that no kernel would write.
FusionPlan planFusion(mlir::FunctionOpInterface function);

} // namespace fuse

#endif // FUSE_PASSES_FUSIONPLAN_H
