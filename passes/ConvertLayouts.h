//===- ConvertLayouts.h - Where two layouts meet ---------------*- C++ -*-===//

#ifndef FUSE_PASSES_CONVERTLAYOUTS_H
#define FUSE_PASSES_CONVERTLAYOUTS_H

#include "fuse/tile/TileDialect.h"

namespace fuse {

/// In a kernel all of whose register tiles have layouts, brings each operand to
/// the layout in which its op needs it.
void convertLayouts(tile::KernelOp kernel);

} // namespace fuse

#endif // FUSE_PASSES_CONVERTLAYOUTS_H
