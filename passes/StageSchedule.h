//===- StageSchedule.h - How kernels of several stages are cut -*- C++ -*-===//

#ifndef FUSE_PASSES_STAGESCHEDULE_H
#define FUSE_PASSES_STAGESCHEDULE_H

#include "KernelSchedule.h"

namespace fuse {

/// More elements of values than these are refused.
inline constexpr int64_t maxElementsOfValues = 4096;

/// The elements of all its values that one thread holds at one time or another:
/// a measure of code, and of pressure on registers.
int64_t countElements(mlir::func::FuncOp kernel, const IndexForm &form,
                      const KernelSchedule &schedule);

/// The schedule of a kernel with a contraction and other reductions. Many sums
/// a thread read less of operands each; few are done sooner, and leave
/// registers to other values. Rows that stay are read once; those that pass by
/// leave room for larger tiles. Several are tried, and the model decides.
/// Fails, with a reason in `why`, if none is possible.
FailureOr<KernelSchedule> scheduleStages(mlir::func::FuncOp kernel,
                                         const IndexForm &form,
                                         const DimAnalysis &dims,
                                         const SizeHints &hints,
                                         std::string &why);

} // namespace fuse

#endif // FUSE_PASSES_STAGESCHEDULE_H
