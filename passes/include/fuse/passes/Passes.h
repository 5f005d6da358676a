//===- Passes.h - All passes and their registration ------------*- C++ -*-===//

#ifndef FUSE_PASSES_PASSES_H
#define FUSE_PASSES_PASSES_H

#include "fuse/ir/FuseDialect.h"
#include "fuse/tile/TileDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace fuse {

/// The nested module that holds a program's kernels.
constexpr llvm::StringLiteral kernelsName = "kernels";

/// The shared memory that one block can have on sm_90.
constexpr int64_t maxSharedBytes = 227 * 1024;
/// Where tiles there may begin, slots included: what 16-byte accesses and
/// swizzled tiles need.
constexpr int64_t sharedAlignment = 128;

#define GEN_PASS_DECL
#include "fuse/passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fuse/passes/Passes.h.inc"

/// The patterns behind `fuse-decompose-composites`, one a composite.
void populateDecomposeCompositesPatterns(mlir::RewritePatternSet &patterns);

} // namespace fuse

#endif // FUSE_PASSES_PASSES_H
