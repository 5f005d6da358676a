//===- SharedOperands.h - Operands in shared memory -------------*- C++ -*-===//

#ifndef FUSE_PASSES_SHAREDOPERANDS_H
#define FUSE_PASSES_SHAREDOPERANDS_H

#include "KernelSchedule.h"

namespace fuse {

/// A contraction of tiles, which is summed along `k`.
struct TiledContraction {
  EinsumOp op;
  IndexId k;
  /// Of the result's tile.
  int64_t rows, columns;
  /// It is computed in a loop over rows of its result.
  bool isNested;
};

/// Bytes of the operands that stay in shared memory, and of the most that pass
/// by at one time, which loops may have twice; as `createContraction` brings
/// them. It may be more than what is taken in the end.
int64_t countSharedBytes(const IndexForm &form, const KernelSchedule &schedule,
                         ArrayRef<TiledContraction> contractions);

} // namespace fuse

#endif // FUSE_PASSES_SHAREDOPERANDS_H
