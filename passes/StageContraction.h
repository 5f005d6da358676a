//===- StageContraction.h - Products of tiles in shared memory -*- C++ -*-===//

#ifndef FUSE_PASSES_STAGECONTRACTION_H
#define FUSE_PASSES_STAGECONTRACTION_H

#include "TileScope.h"

namespace fuse {

/// Terms of a depth that tiles span which pass by at a time.
inline constexpr int64_t pieceOfDepth = 32;
/// True if operands of a contraction of `sums` and `depth` terms a tile may
/// come in pieces. With fewer sums, a step would end before the next one's
/// operands come.
inline bool comesInPieces(int64_t sums, int64_t depth) {
  return sums >= 64 * 64 && depth > pieceOfDepth && depth % pieceOfDepth == 0;
}

/// What a contraction's operands are in shared memory. Class ieee: f64 for f64
/// operands, else f32.
mlir::Type getComputeType(EinsumOp op);

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
