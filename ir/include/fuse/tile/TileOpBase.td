//===- TileOpBase.td - Base class of ops on tiles ----------*- tablegen -*-===//

#ifndef FUSE_TILE_TILEOPBASE_TD
#define FUSE_TILE_TILEOPBASE_TD

include "fuse/tile/TileDialect.td"
include "fuse/ir/FuseAttrs.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

#endif // FUSE_TILE_TILEOPBASE_TD
