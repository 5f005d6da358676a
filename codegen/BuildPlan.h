//===- BuildPlan.h - The launches of a function ----------------*- C++ -*-===//

#ifndef FUSE_CODEGEN_BUILDPLAN_H
#define FUSE_CODEGEN_BUILDPLAN_H

#include "RuntimeExprs.h"

namespace fuse {

/// Where a plan's tensors and kernels are in the artifact.
struct ArtifactNames {
  DimNumbers dims;
  llvm::StringMap<size_t> kernels;
};

/// The launches of a function that consists of them, in order, with their grids
/// and a workspace for what one kernel hands to another. A call must satisfy
/// what the function demands of its dims and, if `when` is not null, that too.
/// Emits a diagnostic and fails if something else than launches is left.
FailureOr<rt::Artifact::Plan> buildPlan(mlir::FunctionOpInterface function,
                                        const DimAnalysis &dims,
                                        const ArtifactNames &names,
                                        const DimConstraint *when);

} // namespace fuse

#endif // FUSE_CODEGEN_BUILDPLAN_H
