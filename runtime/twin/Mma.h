//===- Mma.h - matrix multiply-add of a warp --------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_TWIN_MMA_H
#define FUSE_RUNTIME_TWIN_MMA_H

#include "Runner.h"

namespace fuse::rt::twin {

/// Computes the accumulators of all lanes. Products and their sum with the
/// accumulator are formed in double, products exactly, and rounded to float
/// once; hardware sums in an order of its own and truncates.
void multiplyAdd(const Collective &collective);

} // namespace fuse::rt::twin

#endif // FUSE_RUNTIME_TWIN_MMA_H
