//===- LoopEnd.h - Where terms of a loop stop counting ---------*- C++ -*-===//
//
// A mask on positions, such as a causal one, leaves nothing to a row behind
// some position: a loop over positions may end there.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PASSES_LOOPEND_H
#define FUSE_PASSES_LOOPEND_H

#include "LoopGroups.h"

namespace fuse {

/// Terms at positions from `row + distance` on count for nothing.
struct LoopEnd {
  IndexId row;
  int64_t distance;
};

/// For a loop over one index: the terms of all its reductions are those of
/// fewer positions than the index has, if it is masked by a comparison of
/// positions. A zero weight counts for nothing whatever its value is
/// (`ir/README.md`, on contractions).
std::optional<LoopEnd> findLoopEnd(const LoopGroup &group,
                                   const IndexForm &form);

} // namespace fuse

#endif // FUSE_PASSES_LOOPEND_H
