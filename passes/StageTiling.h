//===- StageTiling.h - The tiles of a kernel of several stages -*- C++ -*-===//

#ifndef FUSE_PASSES_STAGETILING_H
#define FUSE_PASSES_STAGETILING_H

#include "KernelSchedule.h"

namespace fuse {

/// What a schedule of several stages leaves open.
struct StageOptions {
  /// How many sums of a contraction a thread has.
  int64_t sums;
  /// The most that a tile spans of an index that blocks share out.
  int64_t mostOfTile;
  /// Rows that are reduced, and then multiplied, pass by once for each, rather
  /// than stay.
  bool streamsRows;
  /// Tiles that a block computes one after another, with operands that are the
  /// same for all of them at hand.
  int64_t tilesOfBlock;
  /// Rows of a tile are those of a second index, too, such as the query heads
  /// that share keys.
  bool packsRows = false;
};

/// The schedule of a kernel with contractions, or products by terms, and other
/// reductions, with these options. Fails, with a reason in `why`, if there is
/// none.
FailureOr<KernelSchedule> tileStages(mlir::func::FuncOp kernel,
                                     const IndexForm &form,
                                     const SizeHints &hints,
                                     const StageOptions &options,
                                     std::string &why);

/// True if the kernel contracts f64.
bool contractsDoubles(mlir::func::FuncOp kernel);

} // namespace fuse

#endif // FUSE_PASSES_STAGETILING_H
