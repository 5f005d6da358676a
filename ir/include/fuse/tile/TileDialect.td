//===- TileDialect.td - Kernels on tiles ------------------*- tablegen -*-===//

#ifndef FUSE_TILE_TILEDIALECT_TD
#define FUSE_TILE_TILEDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::fuse::tile";
  let summary = "One kernel, as operations of a thread block on tiles";
  let description = [{
    A `tile.kernel` is what one block of threads does, of a grid that its
    attributes describe. Its values are tiles: small dense arrays of static
    shape that lie in the block's registers or in its shared memory. How a tile
    in registers is spread over warps, lanes and registers is its layout, a
    `FragmentMap`. Kernels start without layouts; `tile-assign-layouts` gives
    every tile one.

    Scalars are `index` values under `arith`, loops are `scf.for`. Tiles of rank
    0 are element-type scalars that every thread holds.

    The spelling of an op is that of the function of the device header that it
    becomes.
  }];
  // Scalar functions, comparisons and kinds of reductions are those of `fuse`.
  let dependentDialects = ["::fuse::FuseDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let useDefaultTypePrinterParser = 0;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type,
                   ::mlir::DialectAsmPrinter &printer) const override;
    /// On an index argument of a kernel: the dim symbol whose extent it is.
    static constexpr ::llvm::StringLiteral dimAttr = "tile.dim";
    /// On an argument: the name of the tensor it stands for.
    static constexpr ::llvm::StringLiteral nameAttr = "tile.name";
    /// On a kernel: bytes and flops of a launch at the sizes of the hints.
    static constexpr ::llvm::StringLiteral costAttr = "tile.cost";
    /// On a kernel that can be printed: nothing is left to lower.
    static constexpr ::llvm::StringLiteral preparedAttr = "tile.prepared";
  private:
    void registerTypes();
    void registerAttributes();
    void registerOps();
  public:
  }];
}

//===----------------------------------------------------------------------===//
// Enums and attributes
//===----------------------------------------------------------------------===//

def Tile_Space : I32EnumAttr<"Space", "where the elements of a tile lie", [
  I32EnumAttrCase<"Registers", 0, "reg">,
  I32EnumAttrCase<"Shared", 1, "smem">
]> {
  let cppNamespace = "::fuse::tile";
  let genSpecializedAttr = 0;
}

def Tile_MapAttr : AttrDef<Tile_Dialect, "Map"> {
  let mnemonic = "map";
  let summary = "the layout of a tile in registers";
  let description = [{
    See `FragmentMap`. Text: `#tile.map<"warps 4, [warp 4@1, lane 8@4], ...">`.
  }];
  let parameters = (ins "::fuse::tile::FragmentMap":$value);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Tile_TileType : TypeDef<Tile_Dialect, "Tile"> {
  let typeName = "tile.tile";
  let summary = "a tile of static shape";
  let description = [{
    `!tile<64x128xf32, reg>`, `!tile<64x128xf32, reg, #tile.map<"...">>`,
    `!tile<32x64xf32, smem>`, `!tile<f32, reg>`.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType,
    "::fuse::tile::Space":$space,
    // Null until layouts are assigned, and for shared memory.
    "::fuse::tile::MapAttr":$map);
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    int64_t getNumElements() const;
    bool isRegisters() const { return getSpace() == Space::Registers; }
    bool isShared() const { return getSpace() == Space::Shared; }
    TileType withMap(MapAttr map) const;
    TileType withShape(::llvm::ArrayRef<int64_t> shape) const;
    TileType withElementType(::mlir::Type type) const;
  }];
  let builders = [
    // A tile in registers without a layout.
    TypeBuilderWithInferredContext<(ins
        "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), shape, elementType,
                   Space::Registers, MapAttr());
    }]>
  ];
  let genVerifyDecl = 1;
}

def Tile_BufferType : TypeDef<Tile_Dialect, "Buffer"> {
  let typeName = "tile.buffer";
  let summary = "the elements of a tensor in global memory";
  let description = "`!tile<buffer f32>`; shapes and strides are scalars.";
  let parameters = (ins "::mlir::Type":$elementType);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), elementType);
    }]>
  ];
  let genVerifyDecl = 1;
}

def Tile_RegTile : Type<
    CPred<"::llvm::isa<::fuse::tile::TileType>($_self) && "
          "::llvm::cast<::fuse::tile::TileType>($_self).isRegisters()">,
    "tile in registers", "::fuse::tile::TileType">;
def Tile_SharedTile : Type<
    CPred<"::llvm::isa<::fuse::tile::TileType>($_self) && "
          "::llvm::cast<::fuse::tile::TileType>($_self).isShared()">,
    "tile in shared memory", "::fuse::tile::TileType">;

#endif // FUSE_TILE_TILEDIALECT_TD
