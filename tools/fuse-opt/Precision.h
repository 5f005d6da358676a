//===- Precision.h - The option --fp32 -------------------------*- C++ -*-===//

#ifndef FUSE_TOOLS_PRECISION_H
#define FUSE_TOOLS_PRECISION_H

#include "fuse/ir/FuseOps.h"

namespace fuse {

/// Gives every f32 contraction in `root` that is `ieee` another precision, and
/// says which those are.
void setFp32Precision(mlir::Operation *root, Precision precision);

} // namespace fuse

#endif // FUSE_TOOLS_PRECISION_H
