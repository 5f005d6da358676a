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

#endif // FUSE_PASSES_PASSES_TD
