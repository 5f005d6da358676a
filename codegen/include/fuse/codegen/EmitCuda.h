//===- EmitCuda.h - Kernels as CUDA C++ text -------------------*- C++ -*-===//
//
// Prints kernels, one statement an operation on a tile, over the functions of
// the device header. It decides nothing: everything it prints is in the IR, and
// an op it has no spelling for is an error.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_CODEGEN_EMITCUDA_H
#define FUSE_CODEGEN_EMITCUDA_H

#include "fuse/tile/TileDialect.h"

namespace fuse {

/// Prints kernels, which must have layouts and places in shared memory. The
/// text needs the device header in front of it. Emits a diagnostic and fails at
/// an op that is not for emission.
LogicalResult emitKernels(ArrayRef<tile::KernelOp> kernels, raw_ostream &os);

} // namespace fuse

#endif // FUSE_CODEGEN_EMITCUDA_H
