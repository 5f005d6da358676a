//===- Passes.h - All passes and their registration ------------*- C++ -*-===//

#ifndef FUSE_PASSES_PASSES_H
#define FUSE_PASSES_PASSES_H

#include "fuse/ir/FuseDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace fuse {

#define GEN_PASS_DECL
#include "fuse/passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fuse/passes/Passes.h.inc"

/// The patterns behind `fuse-decompose-composites`, one a composite.
void populateDecomposeCompositesPatterns(mlir::RewritePatternSet &patterns);

} // namespace fuse

#endif // FUSE_PASSES_PASSES_H
