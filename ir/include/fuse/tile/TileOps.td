//===- TileOps.td - Operations on tiles -------------------*- tablegen -*-===//

#ifndef FUSE_TILE_TILEOPS_TD
#define FUSE_TILE_TILEOPS_TD

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

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

def Tile_KernelOp : Tile_Op<"kernel",
    [IsolatedFromAbove, FunctionOpInterface,
     SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "what one block of threads does";
  let description = [{
    Arguments are buffers and then dims, each an `index` with the attribute
    `tile.dim`. The grid is one-dimensional: over the dims `grid` of the index
    space, cut into tiles of `tiles` elements, the last dim fastest; or over one
    after the other of several such spaces, if there are parts.

    ```mlir
    tile.kernel @exp(%x: !tile<buffer f32>, %y: !tile<buffer f32>, %N: index {tile.dim = "N"})
        threads 128 grid ["N"] tiles [512] { ... }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       I64Attr:$threads, StrArrayAttr:$grid,
                       DenseI64ArrayAttr:$tiles,
                       OptionalAttr<I64Attr>:$shared_bytes,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name,
                   "::llvm::ArrayRef<::mlir::Type>":$argumentTypes,
                   "int64_t":$threads, "::llvm::ArrayRef<std::string>":$grid,
                   "::llvm::ArrayRef<int64_t>":$tiles)>
  ];
  let extraClassDeclaration = [{
    int64_t getWarps() { return getThreads() / 32; }
    /// Interface of functions.
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// The bodies of its parts, or its own.
    ::llvm::SmallVector<::mlir::Block *> getPartBlocks();
    /// Of each part, or its own: its blocks are those of all of them.
    ::llvm::SmallVector<IndexSpace> getIndexSpaces();
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, Terminator, ReturnLike,
                                       HasParent<"KernelOp">]> {
  let summary = "the end of a kernel";
  let assemblyFormat = "attr-dict";
}

def Tile_PartOp : Tile_Op<"part",
    [HasParent<"KernelOp">, SingleBlock, NoTerminator]> {
  let summary = "what some of a kernel's blocks do";
  let description = [{
    A kernel of several parts consists of them alone, and has no grid of its own:
    its blocks are those of the first part's grid, then those of the next one's.
    Parts do not depend on each other, and have the kernel's threads and shared
    memory in common.

    ```mlir
    tile.part "exp" grid ["N"] tiles [512] { ... }
    ```
  }];
  let arguments = (ins StrAttr:$name, StrArrayAttr:$grid,
                       DenseI64ArrayAttr:$tiles);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `grid` $grid `tiles` $tiles $body attr-dict
  }];
  let hasVerifier = 1;
}

def Tile_OriginOp : Tile_Op<"origin", [Pure]> {
  let summary = "where the block's tile starts, in each dim of the grid";
  let description = "The grid is that of the part around it, or of the kernel.";
  let results = (outs Variadic<Index>:$starts);
  let assemblyFormat = "attr-dict (`:` type($starts)^)?";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Of the part around it, or of the kernel.
    IndexSpace getIndexSpace();
  }];
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

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

#endif // FUSE_TILE_TILEOPS_TD
