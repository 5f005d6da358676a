//===- Monoids.h - How the values of a reduction are joined ----*- C++ -*-===//

#ifndef FUSE_PASSES_MONOIDS_H
#define FUSE_PASSES_MONOIDS_H

#include "fuse/ir/FuseOps.h"

namespace fuse {

/// The identity of a reduction, as an attribute of the element type.
mlir::TypedAttr getIdentity(ReduceKind kind, mlir::Type elementType);
/// The scalar function that joins two values of a reduction.
ScalarFn getCombiner(ReduceKind kind);

} // namespace fuse

#endif // FUSE_PASSES_MONOIDS_H
