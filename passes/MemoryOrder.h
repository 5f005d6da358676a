//===- MemoryOrder.h - How intermediates lie in memory ---------*- C++ -*-===//

#ifndef FUSE_PASSES_MEMORYORDER_H
#define FUSE_PASSES_MEMORYORDER_H

#include "fuse/passes/FusionPlan.h"

namespace fuse {

/// For each value that only kernels of the plan hand to one another, and whose
/// row-major order suits them worse than another one, that order. Blocks move
/// tiles, so the dims that tiles span should be the innermost ones: a product
/// for each channel wants channels outermost.
MemoryOrders chooseMemoryOrders(mlir::FunctionOpInterface function,
                                const DimAnalysis &dims,
                                ArrayRef<KernelPlan> kernels,
                                const CopiedOps &copied);

} // namespace fuse

#endif // FUSE_PASSES_MEMORYORDER_H
