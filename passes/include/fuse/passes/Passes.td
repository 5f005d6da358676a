//===- Passes.td - All passes -----------------------------*- tablegen -*-===//

#ifndef FUSE_PASSES_PASSES_TD
#define FUSE_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckDimsPass : Pass<"fuse-check-dims"> {
  let summary = "check that the named dims of functions agree";
  let description = [{
    Follows the dims of `fuse.dims` and `fuse.facts` through each function-like
    op with a body, the op it runs on included, and emits an error where two constraints can hold in no call. The IR stays as
    it is.
  }];
  let options = [
    Option<"remark", "remark", "bool", /*default=*/"false",
           "Emit a remark with the dims of each op's results">
  ];
}

def DecomposeCompositesPass : Pass<"fuse-decompose-composites"> {
  let summary = "rewrite composites into core ops";
  let description = [{
    Replaces `linear`, `layer_norm`, `rms_norm`, `softmax` and `attention` by
    their definitions in core ops: f32 inside (f64 for f64 operands), one
    rounding at the end. Works on any function-like op; foreign ops stay.

    Before:
    ```mlir
    %p = fuse.softmax %s axis 1 : (tensor<?x?xf32>) -> tensor<?x?xf32>
    ```
    After:
    ```mlir
    %m = fuse.reduce max %s axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
    %b = fuse.broadcast %m "a -> a b" like %s : ...
    %t = fuse.map sub %s, %b : ...
    %e = fuse.map exp %t : ...
    %d = fuse.reduce sum %e axes [1] : ...
    %c = fuse.broadcast %d "a -> a b" like %s : ...
    %p = fuse.map div %e, %c : ...
    ```
  }];
  let options = [
    ListOption<"only", "only", "std::string",
               "Op names to decompose, such as fuse.softmax; all if empty">
  ];
  let dependentDialects = ["::fuse::FuseDialect"];
}

def SpecializePass : Pass<"fuse-specialize", "::mlir::ModuleOp"> {
  let summary = "fix the dims that an artifact is made for";
  let description = [{
    Adds a fact such as `C == 64` for each symbol in `fuse.specialize`, from
    `dims` or else from `fuse.size_hints`. Later passes see a number; the
    artifact refuses other extents.

    Where `fuse.size_hints` is an array, the function is cloned once for each
    further class of sizes, at most two, so that later passes plan each for
    itself. `fuse.size_classes` says which calls a clone is for: those whose
    arguments have at least as many elements as the geometric mean of what the
    hints of this class and of the one before it come to.
  }];
  let options = [
    ListOption<"dims", "dims", "std::string", "Extents such as C=64">
  ];
}

def NormalizeConcatsPass
    : Pass<"fuse-normalize-concats", "::mlir::ModuleOp"> {
  let summary = "move elementwise ops behind concatenations";
  let description = [{
    A function of a piece, of floats, which only the concatenation needs, is
    computed of the whole and chosen where the piece is. So a kernel can read the
    pieces where they lie, as in a rotary embedding.

    Before:
    ```mlir
    %n = fuse.map neg %high : ...
    %c = fuse.concat %n, %low axis 1 : ...
    ```
    After:
    ```mlir
    %w = fuse.concat %high, %low axis 1 : ...
    %n = fuse.map neg %w : ...
    %i = fuse.iota axis 1 like %w : ...
    %d = fuse.dim %high axis 1 : ...
    %f = fuse.compare lt %i, %d : ...
    %c = fuse.select %f, %n, %w : ...
    ```
  }];
}

def FormRegionsPass : Pass<"fuse-form-regions", "::mlir::ModuleOp"> {
  let summary = "decide which ops become one kernel, and move them there";
  let description = [{
    Each kernel of the fusion plan becomes a function in the module `@kernels`
    and a `fuse.launch` in its place. Works on core ops. Index maps, constants
    and scalars of dims are copied into every kernel that uses them. Dims
    without a name get one; what ops demanded of dims becomes `fuse.facts`.

    Kernels are joined as long as the cost model says that it saves time, at the
    sizes of `fuse.size_hints`. `remark` says what was weighed, with the times of
    both sides; `force-fuse` and `forbid-fuse` make either side, so that it can be
    measured. They name ops by the lines of the file, as remarks do.

    Before:
    ```mlir
    %t = fuse.transpose %x [1, 0] : ...
    %y = fuse.map exp %t : ...
    ```
    After:
    ```mlir
    %y = fuse.launch @kernels::@map_0(%x) dims [["M", "N"]] : ...
    ```
  }];
  let options = [
    Option<"fuse", "fuse", "bool", /*default=*/"true",
           "Let kernels be joined; else each op is one">,
    ListOption<"forceFuse", "force-fuse", "std::string",
               "Lines of two ops, such as 43-45, whose kernels are joined "
               "whatever it costs">,
    ListOption<"forbidFuse", "forbid-fuse", "std::string",
               "Lines of two ops whose kernels stay apart whatever it saves">,
    Option<"remark", "remark", "bool", /*default=*/"false",
           "Emit a remark for each pair of kernels that was or could be joined">
  ];
  let dependentDialects = ["::fuse::FuseDialect", "::mlir::func::FuncDialect"];
}

def LowerToTilePass : Pass<"fuse-lower-to-tile", "::mlir::ModuleOp"> {
  let summary = "lower kernels of graph ops to kernels on tiles";
  let description = [{
    Finds the indices that the ops of each function in `@kernels` have in
    common, decides how they are cut into tiles, and writes what one block does
    as a `tile.kernel` without layouts. Composites are decomposed before.
  }];
  let dependentDialects = ["::fuse::tile::TileDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ContractRowsPass
    : Pass<"tile-contract-rows", "::fuse::tile::KernelOp"> {
  let summary = "multiply computed rows where they are, in registers";
  let description = [{
    A contraction with at most 16 columns, one operand of which is made of
    another contraction's sums, reads that operand from registers, if its terms
    may be added in another order. It does not go through shared memory then,
    and each term is read there once for all rows that a thread has, where else
    a thread has few sums to read it for.

    Before:
    ```mlir
    %a = tile.alloc : !tile<64x64xf32, smem>
    tile.write %rows, %a ...
    %t = tile.contract %w, %a transposed into %z additions 11 ...
    ```
    After:
    ```mlir
    %t = tile.contract_rows %rows, %w transposed into %z transposed ...
    ```
  }];
}

def AssignLayoutsPass : Pass<"tile-assign-layouts", "::fuse::tile::KernelOp"> {
  let summary = "give every tile in registers a layout";
  let description = [{
    Contractions fix the layouts of their accumulators; these spread through
    elementwise ops, broadcasts and reductions. What is left gets a default for
    its shape. Where two layouts meet, the tile goes through shared memory.
  }];
}

def VectorizeAccessesPass
    : Pass<"tile-vectorize-accesses", "::fuse::tile::KernelOp"> {
  let summary = "let loads and stores move several elements at a time";
  let description = [{
    Sets `vector` where the registers of a layout run along a dim of stride 1, to
    16 bytes at most. Where offset, strides and limits are not multiples of it
    for all sizes, `any_stride` says so, and the kernel looks, once a tile.
  }];
  let options = [Option<
      "alignment", "alignment", "int64_t", "16",
      "Bytes that every tensor starts at a multiple of">];
}

def PreloadTilesPass : Pass<"tile-preload-tiles", "::fuse::tile::KernelOp"> {
  let summary = "load at a kernel's start what it will need";
  let description = [{
    Loads outside of loops move to the start, in their order, with the arithmetic
    of their places, as long as registers last: what is loaded later does not
    wait for what is computed before. In the body of a loop that has loops in it
    loads move to its start. In kernels with many sums a thread only
    small tiles move, such as a bias; others move behind the loops that come
    before their first use.

    Before:
    ```mlir
    %x = tile.load %a[%i] ...
    %y = tile.map exp %x ...
    %w = tile.load %b[%j] ...
    ```
    After:
    ```mlir
    %x = tile.load %a[%i] ...
    %w = tile.load %b[%j] ...
    %y = tile.map exp %x ...
    ```
  }];
}

def PipelineLoopsPass : Pass<"tile-pipeline-loops", "::fuse::tile::KernelOp"> {
  let summary = "load the next step of a contraction during this one";
  let description = [{
    In a loop that brings operands from global to shared memory and contracts
    them, the loads move one step ahead: the tiles of the next step are loops'
    variables, loaded after this step's tiles are written and before they are
    contracted. Limits keep the step after the last from being read. If all
    shared tiles of the loop are written and contracted in one step, there are
    two of each, so that a step need not wait until the one before is done with
    them.

    Before:
    ```mlir
    scf.for %k = %c0 to %K step %c32 iter_args(%total = %zero) ... {
      %x = tile.load %a[%k] ...
      %s = tile.alloc : !tile<64x32xf32, smem>
      tile.write %x, %s
      %sum = tile.contract %s, ... into %total
      scf.yield %sum
    }
    ```
    After:
    ```mlir
    %first = tile.load %a[%c0] ...
    %s = tile.alloc slots 2 : !tile<64x32xf32, smem>
    scf.for %k = %c0 to %K step %c32 iter_args(%total = %zero, %x = %first) ... {
      %turn = arith.divsi %k, %c32 : index
      %now = tile.slot %s[%turn]
      tile.write %x, %now
      %next = arith.addi %k, %c32 : index
      %ahead = tile.load %a[%next] ...
      %sum = tile.contract %now, ... into %total
      scf.yield %sum, %ahead
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def SinkReadsPass : Pass<"tile-sink-reads", "::fuse::tile::KernelOp"> {
  let summary = "read shared tiles behind the writes of others";
  let description = [{
    A `tile.read`, and arithmetic on what it gives, moves to its first use where
    that lies behind writes of other shared tiles: all of them then wait for one
    barrier.

    Before:
    ```mlir
    tile.write %x, %a ...
    %r = tile.read %a ...
    tile.write %y, %b ...
    %z = tile.contract %r, %b, %c ...
    ```
    After:
    ```mlir
    tile.write %x, %a ...
    tile.write %y, %b ...
    %r = tile.read %a ...
    %z = tile.contract %r, %b, %c ...
    ```
  }];
}

def UnrollContractionsPass
    : Pass<"tile-unroll-contractions", "::fuse::tile::KernelOp"> {
  let summary = "decide how many terms of a contraction are in its loop's body";
  let description = [{
    A block of 32 terms as a whole is fastest if the kernel's code then stays in
    the instruction cache. Where all contractions of a kernel together would
    have more than 2560 multiply-adds a thread, each has a loop over 1 to 16
    terms: as many as give all bodies together at most 1600 of them, and a body
    at least 256.

    Before:
    ```mlir
    %t = tile.contract %a, %b into %z ...
    ```
    After:
    ```mlir
    %t = tile.contract %a, %b into %z unroll 8 ...
    ```
  }];
}

def AllocateSharedPass
    : Pass<"tile-allocate-shared", "::fuse::tile::KernelOp"> {
  let summary = "place tiles in shared memory";
  let description = [{
    Gives every `tile.alloc` its offset. Tiles that live at different times share
    bytes where they all need more than a block may have without keeping another
    one off its multiprocessor. Fails if a block has not enough of them.
  }];
}

def InsertBarriersPass
    : Pass<"tile-insert-barriers", "::fuse::tile::KernelOp"> {
  let summary = "order accesses to shared memory";
  let description = [{
    Puts a `tile.barrier` before each access that conflicts with an earlier one.
    Offsets are assigned before, since tiles may share bytes.
  }];
}

def MergeLaunchesPass : Pass<"fuse-merge-launches", "::mlir::ModuleOp"> {
  let summary = "let kernels that do not depend on each other share a launch";
  let description = [{
    Two launches, neither of which needs what the other makes, become one. Its
    kernel has the two as parts; each block works on one of them. Only kernels of
    as many threads are merged, and only where the shared memory of one does not
    keep blocks of the other off the device, or where all of them fit on it at
    once at the sizes of `fuse.size_hints`. Kernels are merged as they are, so
    this comes behind the passes on tiles.

    Before:
    ```mlir
    %p = fuse.launch @kernels::@map_0(%x) ...
    %q = fuse.launch @kernels::@map_1(%y) ...
    ```
    After:
    ```mlir
    %p, %q = fuse.launch @kernels::@map_0_map_1(%x, %y) ...
    ```
  }];
}

def OverlapLaunchesPass : Pass<"fuse-overlap-launches", "::mlir::ModuleOp"> {
  let summary = "let kernels start before the launch in front of them ends";
  let description = [{
    Every launch but the first of a function gets `overlap`, and its kernel a
    `tile.await` before it first writes, or reads what another kernel may have
    written. Loads at its start that read what the program was given come before
    that. The runtime overlaps launches where the device holds both at once, or
    where the later one is `independent`: it reads only what the program was
    given.

    Before:
    ```mlir
    %x = tile.load %intermediate ...
    %w = tile.load %weight ...
    ```
    After:
    ```mlir
    %w = tile.load %weight ...
    tile.await
    %x = tile.load %intermediate ...
    ```
  }];
}

def PrepareForCudaPass
    : Pass<"tile-prepare-for-cuda", "::fuse::tile::KernelOp"> {
  let summary = "check that a kernel can be printed";
  let description = [{
    The last pass: whatever it lets through, the emitter has a spelling for. Only
    ops of `tile`, `scf.for` and arithmetic on `index` are left; every tile in
    registers has a layout that fits the kernel's warps, and every tile in shared
    memory a place. Removes what nothing uses, and marks the kernel as
    `tile.prepared`.
  }];
}

#endif // FUSE_PASSES_PASSES_TD
