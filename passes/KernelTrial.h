//===- KernelTrial.h - Ops as one kernel, for a decision -------*- C++ -*-===//

#ifndef FUSE_PASSES_KERNELTRIAL_H
#define FUSE_PASSES_KERNELTRIAL_H

#include "KernelOutliner.h"
#include "KernelSchedule.h"
#include "fuse/passes/IndexForm.h"

namespace fuse {

/// What becomes of some ops as one kernel.
struct TrialResult {
  /// Why they cannot be; empty if they can.
  std::string why;
  double microseconds = 0;
  /// What blocks read, in bytes, and what there is to read and write.
  double traffic = 0, bytes = 0;
};

/// Tries kernels of a function out, without a change to it.
class KernelTrial {
public:
  /// Looks at a kernel that is scheduled without coalescing, so that each dim
  /// has indices of its own. The kernel is gone afterwards.
  using Visitor = function_ref<void(const OutlinedKernel &, const IndexForm &,
                                    const KernelSchedule &)>;

  /// `dims` and `copied` must outlive this.
  KernelTrial(mlir::FunctionOpInterface function, const DimAnalysis &dims,
              const CopiedOps &copied);

  /// `ops` are in program order.
  TrialResult run(ArrayRef<mlir::Operation *> ops, Visitor visit = nullptr);

private:
  TrialResult evaluate(const OutlinedKernel &kernel, Visitor visit);

  const DimAnalysis &dims;
  SizeHints hints;
  mlir::OwningOpRef<mlir::ModuleOp> scratch;
  KernelOutliner outliner;
};

} // namespace fuse

#endif // FUSE_PASSES_KERNELTRIAL_H
