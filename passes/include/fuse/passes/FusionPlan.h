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

/// Decides on kernels for the body of a function. Each op that is not freely
/// copied is one, but with `fuse` elementwise ops join the kernel that computes
/// what they are applied to, or the row kernel that reads them.
FusionPlan planFusion(mlir::FunctionOpInterface function, bool fuse);

} // namespace fuse

#endif // FUSE_PASSES_FUSIONPLAN_H
