//===- BuildArtifact.h - A program as the runtime reads it -----*- C++ -*-===//

#ifndef FUSE_CODEGEN_BUILDARTIFACT_H
#define FUSE_CODEGEN_BUILDARTIFACT_H

#include "fuse/ir/LLVM.h"
#include "fuse/runtime/Artifact.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuse {

/// The runtime's name of an element type of the dialect.
rt::DType dtypeOf(mlir::Type element);

/// The artifact of one function that consists of launches: its dims, tensors,
/// launches in order with their grids, and a workspace for what one kernel
/// hands to another. The text of its kernels, device header included, is one
/// source. Emits a diagnostic and fails if something else than launches is
/// left, or the artifact would not be valid.
FailureOr<rt::Artifact> buildArtifact(mlir::ModuleOp module,
                                      StringRef functionName);

} // namespace fuse

#endif // FUSE_CODEGEN_BUILDARTIFACT_H
