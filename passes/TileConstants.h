//===- TileConstants.h - Constants of kernels, and layouts -----*- C++ -*-===//

#ifndef FUSE_PASSES_TILECONSTANTS_H
#define FUSE_PASSES_TILECONSTANTS_H

#include "fuse/tile/TileDialect.h"

namespace fuse {

/// A constant has the layout of whoever uses it: each user gets its own.
void separateConstants(tile::KernelOp kernel);

/// Those that got the same layout are one again.
void uniteConstants(tile::KernelOp kernel);

} // namespace fuse

#endif // FUSE_PASSES_TILECONSTANTS_H
