//===- KernelTrial.h - Ops as one kernel, for a decision -------*- C++ -*-===//

#ifndef FUSE_PASSES_KERNELTRIAL_H
#define FUSE_PASSES_KERNELTRIAL_H

#include "KernelOutliner.h"
#include "fuse/passes/KernelCost.h"

namespace fuse {

/// What becomes of some ops as one kernel.
struct TrialResult {
  /// Why they cannot be; empty if they can.
  std::string why;
  double microseconds = 0;
};

/// Tries kernels of a function out, without a change to it.
class KernelTrial {
public:
  KernelTrial(mlir::FunctionOpInterface function, const DimAnalysis &dims);

  /// `ops` are in program order.
  TrialResult run(ArrayRef<mlir::Operation *> ops);

private:
  TrialResult evaluate(OutlinedKernel &kernel);

  mlir::OwningOpRef<mlir::ModuleOp> scratch;
  KernelOutliner outliner;
};

} // namespace fuse

#endif // FUSE_PASSES_KERNELTRIAL_H
