//===- PackedRows.h - Rows of a tile that two indices have -----*- C++ -*-===//

#ifndef FUSE_PASSES_PACKEDROWS_H
#define FUSE_PASSES_PACKEDROWS_H

#include "TileSchedule.h"

namespace fuse {

/// Tiles have the values of both indices as one dim, those of `inner` inside.
struct PackedRows {
  IndexId rows, inner;
};

/// Finds, for one of `candidates`, the longest other index that every
/// contraction of the kernel has where it has the candidate: on the same side,
/// or not at all. So several query heads read the keys of one. The index has a
/// known extent from 2 to 16, and is not in `taken`.
std::optional<PackedRows> findPackedRows(mlir::func::FuncOp kernel,
                                         const IndexForm &form,
                                         ArrayRef<IndexId> candidates,
                                         const llvm::SetVector<IndexId> &taken);

/// Puts the inner index of rows behind the other one, joined to it.
void joinRows(const PackedRows &rows, SmallVectorImpl<TileDim> &tile);

} // namespace fuse

#endif // FUSE_PASSES_PACKEDROWS_H
