//===- TileValueOps.td - Tiles in registers ----------------*- tablegen -*-===//

#ifndef FUSE_TILE_TILEVALUEOPS_TD
#define FUSE_TILE_TILEVALUEOPS_TD

include "fuse/tile/TileOpBase.td"

def Tile_FillOp : Tile_Op<"fill", [Pure]> {
  let summary = "one value for all elements";
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = "$value attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "an index as a tile of rank 0";
  let description = "Rounded to the element type, to nearest with ties to even.";
  let arguments = (ins Index:$source);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = "$source attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

def Tile_IotaOp : Tile_Op<"iota", [Pure]> {
  let summary = "coordinates along one dim, counted from a start";
  let description = [{
    Element (c0, c1, ...) is `start + c_dim * step`, as i32.
  }];
  let arguments = (ins I64Attr:$dim, Index:$start);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = "`dim` $dim `from` $start attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

def Tile_MapOp : Tile_Op<"map", [Pure]> {
  let summary = "a scalar function, element by element";
  let description = [{
    As `fuse.map`, rounding to the element type; operands of rank 0 stand for
    every element. Folds `x * 1`, `1 * x` and `x / 1`.
  }];
  let arguments = (ins Fuse_ScalarFnAttr:$fn, Variadic<Tile_RegTile>:$inputs);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = [{
    custom<TableEntry>($fn) $inputs attr-dict `:`
    functional-type($inputs, $tile)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_CompareOp : Tile_Op<"compare", [Pure]> {
  let summary = "an ordered comparison, element by element";
  let arguments = (ins Fuse_ComparisonAttr:$comparison, Tile_RegTile:$lhs,
                       Tile_RegTile:$rhs);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = [{
    custom<TableEntry>($comparison) $lhs `,` $rhs attr-dict `:` functional-type(operands, $tile)
  }];
  let hasVerifier = 1;
}

def Tile_SelectOp : Tile_Op<"select", [Pure]> {
  let summary = "one of two values, element by element";
  let arguments = (ins Tile_RegTile:$condition, Tile_RegTile:$onTrue,
                       Tile_RegTile:$onFalse);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = [{
    $condition `,` $onTrue `,` $onFalse attr-dict `:`
    functional-type(operands, $tile)
  }];
  let hasVerifier = 1;
}

def Tile_AccumulateOp : Tile_Op<"accumulate",
    [Pure, AllTypesMatch<["lhs", "rhs"]>, AllTypesMatch<["sum", "tile"]>]> {
  let summary = "a sum plus the products of two tiles along a dim";
  let description = [{
    One chain of fused multiply-adds an element, in ascending order along `dim`,
    which lies in registers. The elements are f32 or f64. A contraction that
    keeps an index of both operands has some terms at a time so.

    ```mlir
    %next = tile.accumulate %a, %b dim 1 into %sum
        : !tile<16x8x32xf32, reg>, !tile<16x32xf32, reg>
    ```
  }];
  let arguments = (ins Tile_RegTile:$lhs, Tile_RegTile:$rhs, Tile_RegTile:$sum,
                       I64Attr:$dim);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = [{
    $lhs `,` $rhs `dim` $dim `into` $sum attr-dict `:` type($lhs) `,` type($tile)
  }];
  let hasVerifier = 1;
}

def Tile_CastOp : Tile_Op<"cast", [Pure]> {
  let summary = "conversion to another element type, as fuse.cast";
  let arguments = (ins Tile_RegTile:$source);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($tile)";
  let hasVerifier = 1;
}

def Tile_MaskOp : Tile_Op<"mask", [Pure]> {
  let summary = "the identity of a reduction beyond the limits";
  let description = [{
    Elements with a coordinate at or beyond its limit become `identity`.
  }];
  let arguments = (ins Tile_RegTile:$source, Variadic<Index>:$limits,
                       TypedAttrInterface:$identity);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = [{
    $source `limits` `[` $limits `]` `identity` $identity attr-dict `:`
    type($source) `->` type($tile)
  }];
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repetition along new dims";
  let description = [{
    `dims` are those of the result that the source lacks.
  }];
  let arguments = (ins Tile_RegTile:$source, DenseI64ArrayAttr:$dims);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = [{
    $source `dims` $dims attr-dict `:` type($source) `->` type($tile)
  }];
  let hasVerifier = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "the same elements under another shape";
  let description = [{
    In row-major order; no element moves to another register, lane or warp. Rows
    of a tile may so be those of several dims: positions, and the query heads
    that share a key head.

    ```mlir
    %rows = tile.reshape %q : !tile<32x4x64xf32, reg> -> !tile<128x64xf32, reg>
    ```
  }];
  let arguments = (ins Tile_RegTile:$source);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($tile)";
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary = "sum, maximum or minimum along one dim";
  let description = [{
    Sums pair registers in a balanced tree, then lanes. A dim of which several
    warps hold a part keeps one element a warp; `tile-assign-layouts` leaves no
    such dim, but brings rows into one warp.
  }];
  let arguments = (ins Fuse_ReduceKindAttr:$kind, Tile_RegTile:$source,
                       I64Attr:$dim);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = [{
    `` $kind $source `dim` $dim attr-dict `:` type($source) `->` type($tile)
  }];
  let hasVerifier = 1;
}

def Tile_ContractOp : Tile_Op<"contract",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     AllTypesMatch<["accumulator", "tile"]>]> {
  let summary = "accumulator plus the product of two shared tiles";
  let description = [{
    `lhs` is [M, K], or [K, M] under `lhs_transposed`; `rhs` is [K, N], or
    [N, K] under `rhs_transposed`. Class ieee: blocks of 32 terms, each a chain
    of fused multiply-adds from zero in ascending order, added to the
    accumulator one after another. With `one_chain` the accumulator is what the
    only chain starts from, so that it goes on from tile to tile.
    With `unroll` the loop over terms has no more than so many of them in its
    body: 1, 2, 4, 8 or 16; else it has a whole block. `additions` allows any
    other order in which no term passes more of them.

    ```mlir
    %t = tile.contract %a transposed, %b into %z one_chain unroll 4
        : !tile<32x64xf32, smem>, !tile<32x64xf32, smem>, !tile<64x64xf32, reg>
    ```
  }];
  let arguments = (ins Tile_RegTile:$accumulator, Tile_SharedTile:$lhs,
      Tile_SharedTile:$rhs, UnitAttr:$lhs_transposed, UnitAttr:$rhs_transposed,
      UnitAttr:$one_chain, OptionalAttr<I64Attr>:$unroll,
      OptionalAttr<I64Attr>:$additions);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = [{
    $lhs (`transposed` $lhs_transposed^)? `,` $rhs
    (`transposed` $rhs_transposed^)? `into` $accumulator
    (`one_chain` $one_chain^)? (`unroll` $unroll^)? (`additions` $additions^)? attr-dict `:`
    type($lhs) `,` type($rhs) `,` type($tile)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$type,
      "::mlir::Value":$accumulator, "::mlir::Value":$lhs, "::mlir::Value":$rhs,
      "bool":$lhsTransposed, "bool":$rhsTransposed), [{
    build($_builder, $_state, type, accumulator, lhs, rhs, lhsTransposed,
          rhsTransposed, /*one_chain=*/false, ::mlir::IntegerAttr(),
          ::mlir::IntegerAttr());
  }]>];
  let hasVerifier = 1;
}

def Tile_ContractRowsOp : Tile_Op<"contract_rows",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     AllTypesMatch<["accumulator", "tile"]>]> {
  let summary = "accumulator plus the product of rows in registers and a tile";
  let description = [{
    `lhs` is [M, K], each row in one warp. `rhs` is [K, N], or [N, K] under
    `rhs_transposed`; the result is [M, N], or [N, M] under `tile_transposed`.
    Class ieee: each lane has a chain of fused multiply-adds from zero, of its
    own terms in ascending order; then lanes with parts of a row are added
    pairwise, and the sum to the accumulator. For few columns: a thread has a
    sum for each of them and each of its rows, until lanes share them out.

    ```mlir
    %t = tile.contract_rows %rows, %w transposed into %z transposed
        : !tile<64x64xf32, reg>, !tile<8x64xf32, smem>, !tile<8x64xf32, reg>
    ```
  }];
  let arguments = (ins Tile_RegTile:$accumulator, Tile_RegTile:$lhs,
      Tile_SharedTile:$rhs, UnitAttr:$rhs_transposed,
      UnitAttr:$tile_transposed);
  let results = (outs Tile_RegTile:$tile);
  let assemblyFormat = [{
    $lhs `,` $rhs (`transposed` $rhs_transposed^)? `into` $accumulator
    (`transposed` $tile_transposed^)? attr-dict `:`
    type($lhs) `,` type($rhs) `,` type($tile)
  }];
  let hasVerifier = 1;
}

#endif // FUSE_TILE_TILEVALUEOPS_TD
