//===- TileKernelOps.td - Kernels and their parts ----------*- tablegen -*-===//

#ifndef FUSE_TILE_TILEKERNELOPS_TD
#define FUSE_TILE_TILEKERNELOPS_TD

include "fuse/tile/TileOpBase.td"

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

#endif // FUSE_TILE_TILEKERNELOPS_TD
