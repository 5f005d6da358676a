//===- TileMemoryOps.td - Global and shared memory ---------*- tablegen -*-===//

#ifndef FUSE_TILE_TILEMEMORYOPS_TD
#define FUSE_TILE_TILEMEMORYOPS_TD

include "fuse/tile/TileOpBase.td"

// Element (c0, c1, ...) of a tile lies `offset + sum c_i * stride_i` elements
// behind the start of the buffer. It is there if c_i < limit_i for every dim
// that has a limit.
class Tile_MemoryOp<string mnemonic> : Tile_Op<mnemonic,
    [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>;

def Tile_LoadOp : Tile_MemoryOp<"load"> {
  let summary = "a tile from global memory";
  let description = [{
    Elements beyond a limit, or for which `condition` is false, are not read:
    they are `fill`. `vector` elements at a time are moved: offset, strides and
    limits are known to be multiples of that, and the buffer starts at one; where
    they are not (`any_stride`), the kernel looks whether they happen to be.

    ```mlir
    %x = tile.load %buffer[%offset] strides [%c96, %c1] limits [%rows, %c96] fill 0.0
        : !tile<buffer f32> -> !tile<16x96xf32, reg>
    ```
  }];
  let arguments = (ins Tile_BufferType:$buffer, Index:$offset,
      Variadic<Index>:$strides, Variadic<Index>:$limits,
      Optional<Tile_RegTile>:$condition, TypedAttrInterface:$fill,
      DefaultValuedAttr<I64Attr, "1">:$vector, UnitAttr:$any_stride);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = [{
    $buffer `[` $offset `]` `strides` `[` $strides `]`
    (`limits` `[` $limits^ `]`)? (`if` $condition^ `:` type($condition))?
    `fill` $fill attr-dict `:` type($buffer) `->` type($tile)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_MemoryOp<"store"> {
  let summary = "a tile to global memory";
  let description = [{
    Elements beyond a limit are not written; of replicas one is. `vector` and
    `any_stride` are as those of `tile.load`.

    ```mlir
    tile.store %y, %buffer[%offset] strides [%c96, %c1] limits [%rows, %c96]
        : !tile<16x96xf32, reg>, !tile<buffer f32>
    ```
  }];
  let arguments = (ins Tile_RegTile:$tile, Tile_BufferType:$buffer,
      Index:$offset, Variadic<Index>:$strides, Variadic<Index>:$limits,
      DefaultValuedAttr<I64Attr, "1">:$vector, UnitAttr:$any_stride);
  let assemblyFormat = [{
    $tile `,` $buffer `[` $offset `]` `strides` `[` $strides `]`
    (`limits` `[` $limits^ `]`)? attr-dict `:` type($tile) `,` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tile_AllocOp : Tile_Op<"alloc",
    [MemoryEffects<[MemAlloc]>]> {
  let summary = "a tile in shared memory";
  let description = [{
    Its elements are undefined. `offset`, in bytes, is assigned by
    `tile-allocate-shared`; tiles that do not live at the same time may overlap.
    With `swizzle`, 16-byte chunks of a row trade places, so that threads which
    read one column of rows that are so many apart meet different banks. With
    `slots` there are so many such tiles, and `tile.slot` says which.
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset,
                       OptionalAttr<I64Attr>:$swizzle,
                       OptionalAttr<I64Attr>:$slots);
  let results = (outs Tile_SharedTile:$tile);
  let assemblyFormat = [{
    (`at` $offset^)? (`swizzle` $swizzle^)? (`slots` $slots^)? attr-dict `:`
    type($tile)
  }];
  let builders = [OpBuilder<(ins "::fuse::tile::TileType":$type), [{
    build($_builder, $_state, type, ::mlir::IntegerAttr(),
          ::mlir::IntegerAttr(), ::mlir::IntegerAttr());
  }]>];
  let hasVerifier = 1;
}

def Tile_SlotOp : Tile_Op<"slot",
    [Pure, AllTypesMatch<["source", "tile"]>]> {
  let summary = "one of several tiles that take turns";
  let description = [{
    The tile of `source`, a `tile.alloc` with slots, whose turn it is at number
    `turn`, which is not negative: `turn` modulo the slots.

    ```mlir
    %lhs = tile.slot %slots[%step] : !tile<32x128xf32, smem>
    ```
  }];
  let arguments = (ins Tile_SharedTile:$source, Index:$turn);
  let results = (outs Tile_SharedTile:$tile);
  let assemblyFormat = "$source `[` $turn `]` attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

def Tile_RowsOp : Tile_Op<"rows", [Pure]> {
  let summary = "some rows of a tile in shared memory";
  let description = [{
    As many rows as the result has, from `first` on, which is a multiple of that
    number. A multiple of 8 times the swizzle, too, so that chunks of the rows
    trade places as those of the whole tile do.

    ```mlir
    %terms = tile.rows %all[%k] : !tile<128x64xf32, smem> -> !tile<32x64xf32, smem>
    ```
  }];
  let arguments = (ins Tile_SharedTile:$source, Index:$first);
  let results = (outs Tile_SharedTile:$tile);
  let assemblyFormat = [{
    $source `[` $first `]` attr-dict `:` type($source) `->` type($tile)
  }];
  let hasVerifier = 1;
}

def Tile_WriteOp : Tile_Op<"write",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a tile from registers to shared memory";
  let description = [{
    Under `transposed`, element (i, j) of the source becomes element (j, i).
  }];
  let arguments = (ins Tile_RegTile:$source, Tile_SharedTile:$target,
                       UnitAttr:$transposed);
  let assemblyFormat = [{
    $source (`transposed` $transposed^)? `,` $target attr-dict `:` type($source)
    `,` type($target)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source,
                                 "::mlir::Value":$target), [{
    build($_builder, $_state, source, target, ::mlir::UnitAttr());
  }]>];
  let hasVerifier = 1;
}

def Tile_ReadOp : Tile_Op<"read",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a tile from shared memory to registers";
  let arguments = (ins Tile_SharedTile:$source);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($tile)";
  let hasVerifier = 1;
}

def Tile_AwaitOp : Tile_Op<"await", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "until the launches in front are complete";
  let description = [{
    What stands before it runs side by side with the launch in front, and may
    touch only what the program was given. Then the next launch may come.
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_BarrierOp : Tile_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all threads of the block arrive before any goes on";
  let description = [{
    Orders accesses to shared memory. Inserted by `tile-insert-barriers`.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // FUSE_TILE_TILEMEMORYOPS_TD
