//===- FuseIndexOps.td - Ops that only rename indices -----*- tablegen -*-===//
//
// None of these computes anything: each is an index map, and none may cost a
// kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_FUSEINDEXOPS_TD
#define FUSE_IR_FUSEINDEXOPS_TD

include "fuse/ir/FuseOpBase.td"

def Fuse_BroadcastOp : Fuse_InferredOp<"broadcast"> {
  let summary = "repetition along new axes";
  let description = [{
    The pattern names the source's axes and where they stand in the result. A
    new axis is a number, a symbol of the function, or a local name whose
    extent comes from the tensor after `like`, whose elements are not read and
    whose dims are those of the result.

    Example:
    ```mlir
    func.func @main(%bias: tensor<?xf32> {fuse.dims = ["D"]},
                    %x: tensor<?x?xf32> {fuse.dims = ["N", "D"]})
        -> (tensor<?x?xf32>, tensor<?x?xf32>) {
      %a = fuse.broadcast %bias "d -> N d" : (tensor<?xf32>) -> tensor<?x?xf32>
      %b = fuse.broadcast %bias "d -> n d" like %x : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      return %a, %b : tensor<?x?xf32>, tensor<?x?xf32>
    }
    ```
  }];
  let arguments = (ins Fuse_Tensor:$source, StrAttr:$pattern,
                       Optional<Fuse_Tensor>:$like);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    $source $pattern (`like` $like^)? attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fuse_TransposeOp : Fuse_InferredOp<"transpose"> {
  let summary = "a permutation of the axes";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of the source.

    Example:
    ```mlir
    func.func @main(%x: tensor<?x?x4xf32>) -> tensor<?x4x?xf32> {
      %y = fuse.transpose %x [0, 2, 1] : (tensor<?x?x4xf32>) -> tensor<?x4x?xf32>
      return %y : tensor<?x4x?xf32>
    }
    ```
  }];
  let arguments = (ins Fuse_Tensor:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    $source $permutation attr-dict `:` functional-type($source, $result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fuse_ReshapeOp : Fuse_InferredOp<"reshape"> {
  let summary = "axes split, merged and permuted by name";
  let description = [{
    Both sides of the pattern hold the same factors, grouped into axes as the
    two tensors have them. Extents come from the source, from symbols of the
    function and from numbers; one factor a group may follow from the others,
    and then their product must divide the axis, which is diagnosed when the
    program is called. Axes of extent 1 may be added or dropped by writing `1`.

    A tensor after `like` only lends extents: its axes are the pattern's second
    operand, and its elements are not read.

    Example:
    ```mlir
    func.func @main(%q: tensor<?x?x96xf32> {fuse.dims = ["B", "N", "D"]},
                    %w: tensor<?x16xf32> {fuse.dims = ["H", "P"]}) -> tensor<?x?x?x?xf32> {
      %heads = fuse.reshape %q "b n (H d) -> b H n d" : (tensor<?x?x96xf32>) -> tensor<?x?x?x?xf32>
      %same = fuse.reshape %q like %w "b n (h d), h p -> b h n d" : (tensor<?x?x96xf32>, tensor<?x16xf32>) -> tensor<?x?x?x?xf32>
      return %heads : tensor<?x?x?x?xf32>
    }
    ```
  }];
  let arguments = (ins Fuse_Tensor:$source, Optional<Fuse_Tensor>:$like,
                       StrAttr:$pattern);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    $source (`like` $like^)? $pattern attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fuse_SliceOp : Fuse_InferredOp<"slice"> {
  let summary = "a range of one axis";
  let description = [{
    Elements `start`, `start + step`, ... below `stop` of one axis. The bounds
    are dim expressions, in which `$` is the extent of that axis; they must
    satisfy `0 <= start <= stop <= $`, and `step` must divide `stop - start`
    unless both are constant.

    Example:
    ```mlir
    func.func @main(%x: tensor<?x64xf32>) -> tensor<?x32xf32> {
      %high = fuse.slice %x axis 1 from "$/2" to "$" : (tensor<?x64xf32>) -> tensor<?x32xf32>
      return %high : tensor<?x32xf32>
    }
    ```
  }];
  let arguments = (ins Fuse_Tensor:$source, I64Attr:$axis, StrAttr:$start,
                       StrAttr:$stop, DefaultValuedAttr<I64Attr, "1">:$step);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    $source `axis` $axis `from` $start `to` $stop (`step` $step^)? attr-dict
    `:` functional-type($source, $result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fuse_ConcatOp : Fuse_InferredOp<"concat"> {
  let summary = "tensors joined along one axis";
  let description = [{
    At least one operand; all dims but that of `axis` agree.

    Example:
    ```mlir
    func.func @main(%a: tensor<?x8xf32>, %b: tensor<?x4xf32>) -> tensor<?x12xf32> {
      %c = fuse.concat %a, %b axis 1 : (tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<?x12xf32>
      return %c : tensor<?x12xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Fuse_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    $inputs `axis` $axis attr-dict `:` functional-type($inputs, $result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // FUSE_IR_FUSEINDEXOPS_TD
