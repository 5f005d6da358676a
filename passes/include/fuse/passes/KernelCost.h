//===- KernelCost.h - What a kernel moves and computes ---------*- C++ -*-===//
//
// For a roofline: a kernel takes at least what its slowest pipe takes, and a
// launch.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PASSES_KERNELCOST_H
#define FUSE_PASSES_KERNELCOST_H

#include "fuse/passes/IndexForm.h"

namespace fuse {

/// Of one launch, for given extents.
struct KernelCost {
  /// Elements read and written, each once, in bytes.
  double bytes = 0;
  /// Multiply-adds of contractions count as two.
  double flops = 0;
};

/// Of an H200.
inline constexpr int64_t multiprocessors = 132;

/// Rates of a device. Defaults are those measured on one H200: device-to-device
/// copy, blocks that stage distinct sources from L2, cuBLAS in fp32 at 8192^3,
/// and a kernel in a graph that loads and stores.
struct DeviceRates {
  double bytesPerMicrosecond = 4.3e6;
  double cachedBytesPerMicrosecond = 7.5e6;
  double flopsPerMicrosecond = 51e6;
  double launchMicroseconds = 1.15;
};

/// An extent in elements, for decisions only: symbols without an extent in
/// `extents` count as 1024, and so does a quotient that is not whole.
int64_t estimateExtent(const DimExpr &extent, const DimBindings &extents);

/// The cost of a kernel of graph ops, by `estimateExtent`.
KernelCost estimateCost(mlir::func::FuncOp kernel, const IndexForm &form,
                        const DimAnalysis &dims, const DimBindings &extents);

} // namespace fuse

#endif // FUSE_PASSES_KERNELCOST_H
