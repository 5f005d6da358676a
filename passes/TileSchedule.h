//===- TileSchedule.h - How a kernel's indices are cut ---------*- C++ -*-===//
//
// The decision apart from the rewriting: which indices a tile spans, which ones
// the grid covers, and which ones are looped over. Sizes depend on specialised
// extents and on size hints only, never on the sizes of a call.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PASSES_TILESCHEDULE_H
#define FUSE_PASSES_TILESCHEDULE_H

#include "fuse/passes/IndexForm.h"

namespace fuse {

inline constexpr int64_t lanes = 32; // of a warp

/// An index of which a tile holds `extent` neighbouring values.
struct TileDim {
  IndexId index;
  int64_t extent;
  /// Tiles with this index and that of the dim in front have both as one dim,
  /// such as rows that are positions and the heads which share keys.
  bool isJoined = false;

  bool operator==(const TileDim &other) const {
    return index == other.index && extent == other.extent &&
           isJoined == other.isJoined;
  }
};

/// Typical extents of dim symbols.
using SizeHints = DimBindings;

/// A kernel of reductions along rows and of elementwise ops.
struct RowSchedule {
  /// One or two dims; the one whose elements are neighbours in memory is last.
  SmallVector<TileDim, 2> tile;
  /// Parallel indices, outermost first, with the extent that a block covers.
  SmallVector<TileDim> grid;
  /// Reduced indices that are looped over, outermost first, with their step. If
  /// there are none, whole rows are in registers.
  SmallVector<TileDim> loops;
  int64_t threads;
};

/// A kernel around one contraction of two operands.
struct ContractionSchedule {
  TileDim m, n, k;
  SmallVector<TileDim> grid;
  /// Further summed indices, outermost first, with step 1.
  SmallVector<TileDim> loops;
  int64_t threads;
};

/// The indices that `form`'s reductions remove.
llvm::SetVector<IndexId> getReduced(mlir::func::FuncOp kernel,
                                    const IndexForm &form);

/// How many accesses have neighbours along `index` next to each other.
unsigned countUnitStrides(mlir::func::FuncOp kernel, const IndexForm &form,
                          IndexId index);

RowSchedule scheduleRows(mlir::func::FuncOp kernel, const IndexForm &form,
                         const SizeHints &hints);
/// `form` gets an index of extent 1 for each of m, n, k that the contraction
/// lacks.
ContractionSchedule scheduleContraction(EinsumOp op, IndexForm &form,
                                        const SizeHints &hints);

/// The elements of an `m` x `n` accumulator that one thread of `warps` warps
/// holds, and those of a warp, as (rows, columns).
struct ThreadTile {
  std::pair<int64_t, int64_t> thread, warp;
};
ThreadTile getThreadTile(int64_t m, int64_t n, int64_t warps);
/// The same with each row in one warp, for reductions along it; nullopt if
/// there are too few rows.
std::optional<ThreadTile> getRowThreadTile(int64_t m, int64_t n, int64_t warps);

/// What a thread holds of `rows` of `terms`, if it has room for their sums with
/// each of `columns`, which lanes then share out.
std::optional<ThreadTile> getContractedRows(int64_t rows, int64_t terms,
                                            int64_t columns, int64_t warps);

} // namespace fuse

#endif // FUSE_PASSES_TILESCHEDULE_H
