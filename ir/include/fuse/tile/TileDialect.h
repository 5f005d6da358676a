//===- TileDialect.h - Kernels on tiles ------------------------*- C++ -*-===//

#ifndef FUSE_IR_TILE_TILEDIALECT_H
#define FUSE_IR_TILE_TILEDIALECT_H

#include "fuse/ir/FuseOps.h"
#include "fuse/tile/FragmentMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "fuse/tile/TileDialect.h.inc"
#include "fuse/tile/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fuse/tile/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "fuse/tile/TileTypes.h.inc"

namespace fuse::tile {

/// What blocks share out: a grid of extents, cut into tiles.
struct IndexSpace {
  mlir::ArrayAttr grid;
  ArrayRef<int64_t> tiles;
};

} // namespace fuse::tile

#define GET_OP_CLASSES
#include "fuse/tile/TileOps.h.inc"

namespace fuse::tile {

/// The allocation that a tile in shared memory is, or is a slot or rows of;
/// null if there is none.
AllocOp getAlloc(mlir::Value tile);

/// True if the kernel stores to the buffer.
bool isWritten(mlir::Value buffer);

/// The shape of a tile without some of its dims.
SmallVector<int64_t> dropDims(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims);

} // namespace fuse::tile

#endif // FUSE_IR_TILE_TILEDIALECT_H
