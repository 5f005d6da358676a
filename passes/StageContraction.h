//===- StageContraction.h - Products of tiles in shared memory -*- C++ -*-===//

#ifndef FUSE_PASSES_STAGECONTRACTION_H
#define FUSE_PASSES_STAGECONTRACTION_H

#include "TileScope.h"

namespace fuse {

/// `accumulator` plus the product of the operands' tiles: of the step that
/// `scope` is in, or of the whole depth if tiles span that.
mlir::Value createContraction(EinsumOp op, mlir::Value accumulator,
                              KernelBuilder &kernel, TileScope &scope);

/// Brings those operands to shared memory that do not depend on `indices`, nor
/// on a loop that has not ended.
void stageInvariant(EinsumOp op, ArrayRef<IndexId> indices, int64_t sums,
                    KernelBuilder &kernel, TileScope &scope);

} // namespace fuse

#endif // FUSE_PASSES_STAGECONTRACTION_H
