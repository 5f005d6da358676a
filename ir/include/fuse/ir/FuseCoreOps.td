//===- FuseCoreOps.td - Values, arithmetic, contractions --*- tablegen -*-===//

#ifndef FUSE_IR_FUSECOREOPS_TD
#define FUSE_IR_FUSECOREOPS_TD

include "fuse/ir/FuseOpBase.td"

def Fuse_ConstantOp : Fuse_Op<"constant",
    [Pure, ConstantLike, DeclareOpInterfaceMethods<OpAsmOpInterface,
                                                   ["getAsmResultNames"]>]> {
  let summary = "a tensor known at compile time";
  let description = [{
    The value is a nested list of elements, or one element for all of them;
    `inf`, `-inf` and `nan` are spelled so. Decimal floats are rounded to the
    element type. The type is static: a constant for a tensor of dynamic shape
    is a scalar, which elementwise ops use for every element.

    Example:
    ```mlir
    func.func @main() -> (tensor<f32>, tensor<2x2xi32>) {
      %floor = fuse.constant -inf : tensor<f32>
      %table = fuse.constant [[1, 2], [3, 4]] : tensor<2x2xi32>
      return %floor, %table : tensor<f32>, tensor<2x2xi32>
    }
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = "attr-dict custom<ConstantValue>($value, type($result))";
  let builders = [
    // One value for all elements of a static type.
    OpBuilder<(ins "::mlir::RankedTensorType":$type, "double":$value)>
  ];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fuse_DimOp : Fuse_ShapedOp<"dim"> {
  let summary = "a dimension as a number";
  let description = [{
    The value of a dim expression, or of one axis of a tensor, as a scalar of
    i32 or of a float type, to which it is rounded. `fuse.dim "D"` speaks of
    the symbol `D` of the enclosing function.

    Example:
    ```mlir
    func.func @main(%x: tensor<?x24xf32> {fuse.dims = ["N", "D"]}) -> tensor<f32> {
      %d = fuse.dim "D" : tensor<f32>
      %scale = fuse.map rsqrt %d : (tensor<f32>) -> tensor<f32>
      %n = fuse.dim %x axis 0 : tensor<?x24xf32> -> tensor<f32>
      %r = fuse.map mul %scale, %n : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %r : tensor<f32>
    }
    ```
  }];
  let arguments = (ins Optional<Fuse_Tensor>:$source,
                       OptionalAttr<I64Attr>:$axis,
                       OptionalAttr<StrAttr>:$expr);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    ($source^ `axis` $axis)? ($expr^)? attr-dict `:`
    custom<OptionalSourceType>(ref($source), type($source), type($result))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "int64_t":$axis,
                   "::mlir::Type":$elementType)>,
    OpBuilder<(ins "::llvm::StringRef":$expr, "::mlir::Type":$elementType)>
  ];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fuse_IotaOp : Fuse_ShapedOp<"iota"> {
  let summary = "each element's index along one axis";
  let description = [{
    Counts 0, 1, 2, ... along `axis`. The shape is a list of dim expressions,
    or that of another tensor, whose elements are not read.

    Example:
    ```mlir
    func.func @main(%s: tensor<?x?xf32> {fuse.dims = ["T", "S"]})
        -> (tensor<?x?xi32>, tensor<?xi32>) {
      %col = fuse.iota axis 1 like %s : tensor<?x?xf32> -> tensor<?x?xi32>
      %t = fuse.iota axis 0 shape "T" : tensor<?xi32>
      return %col, %t : tensor<?x?xi32>, tensor<?xi32>
    }
    ```
  }];
  let arguments = (ins Optional<Fuse_Tensor>:$source, I64Attr:$axis,
                       OptionalAttr<StrAttr>:$shape);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    `axis` $axis (`like` $source^)? (`shape` $shape^)? attr-dict `:`
    custom<OptionalSourceType>(ref($source), type($source), type($result))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$like, "int64_t":$axis,
                   "::mlir::Type":$elementType)>
  ];
  let hasVerifier = 1;
}

def Fuse_MapOp : Fuse_InferredOp<"map"> {
  let summary = "a scalar function, element by element";
  let description = [{
    Applies one function of the table `ScalarFn.def`. Operands have the same
    element type and the same shape; an operand of rank 0 is used for every
    element. The parameters of `clamp` (low, high), `leaky_relu` and `elu`
    (alpha) are operands.

    Example:
    ```mlir
    func.func @main(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
      %half = fuse.constant 0.5 : tensor<f32>
      %e = fuse.map exp %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
      %y = fuse.map mul %e, %half : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
      return %y : tensor<4x?xf32>
    }
    ```
  }];
  let arguments = (ins Fuse_ScalarFnAttr:$fn, Variadic<Fuse_Tensor>:$inputs);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    custom<TableEntry>($fn) $inputs attr-dict `:`
    functional-type($inputs, $result)
  }];
  let builders = [
    OpBuilder<(ins "::fuse::ScalarFn":$fn, "::mlir::ValueRange":$inputs)>
  ];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fuse_CompareOp : Fuse_InferredOp<"compare"> {
  let summary = "an ordered comparison, element by element";
  let description = [{
    `eq`, `ne`, `lt`, `le`, `gt` or `ge`; the result is i1. With a NaN operand
    every comparison is false, except `ne`, which is true. Shapes as in `map`.

    Example:
    ```mlir
    func.func @main(%mask: tensor<?xf32>) -> tensor<?xi1> {
      %half = fuse.constant 0.5 : tensor<f32>
      %off = fuse.compare lt %mask, %half : (tensor<?xf32>, tensor<f32>) -> tensor<?xi1>
      return %off : tensor<?xi1>
    }
    ```
  }];
  let arguments = (ins Fuse_ComparisonAttr:$comparison, Fuse_Tensor:$lhs,
                       Fuse_Tensor:$rhs);
  let results = (outs Fuse_BoolTensor:$result);
  let assemblyFormat = [{
    custom<TableEntry>($comparison) $lhs `,` $rhs attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Fuse_SelectOp : Fuse_InferredOp<"select"> {
  let summary = "one of two values, element by element";
  let description = [{
    The first value where the condition holds, else the second. The value not
    chosen has no influence, not even as NaN or infinity; so masking is a
    select. Shapes as in `map`.

    Example:
    ```mlir
    func.func @main(%off: tensor<?xi1>, %s: tensor<?xf32>) -> tensor<?xf32> {
      %lowest = fuse.constant -inf : tensor<f32>
      %m = fuse.select %off, %lowest, %s : (tensor<?xi1>, tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
      return %m : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins Fuse_BoolTensor:$condition, Fuse_Tensor:$onTrue,
                       Fuse_Tensor:$onFalse);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    $condition `,` $onTrue `,` $onFalse attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fuse_CastOp : Fuse_ShapedOp<"cast"> {
  let summary = "conversion to another element type";
  let description = [{
    Rounds to nearest, ties to even, between float types and from integers to
    floats. From floats to i32 it truncates toward zero and saturates; NaN
    becomes 0. To i1 it is a comparison with zero; from i1 it gives 0 or 1.

    Example:
    ```mlir
    func.func @main(%x: tensor<?xf32>) -> tensor<?xbf16> {
      %y = fuse.cast %x : tensor<?xf32> -> tensor<?xbf16>
      return %y : tensor<?xbf16>
    }
    ```
  }];
  let arguments = (ins Fuse_Tensor:$source);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::Type":$elementType)>
  ];
  let hasFolder = 1;
}

def Fuse_EinsumOp : Fuse_InferredOp<"einsum"> {
  let summary = "the contraction";
  let description = [{
    A sum of products over named indices, one letter an axis, for one or two
    operands. An index that is repeated within an operand reads its diagonal;
    an index absent from the result is summed; the result's order is free, and
    it may be empty.

    Products are formed as `precision` says, and summed in f32 (f64 for f64
    operands). The result has the operands' element type, or f32 for 16-bit
    operands.

    Example:
    ```mlir
    func.func @main(%a: tensor<?x?x?x32xf32>, %b: tensor<?x?x?x32xf32>) -> tensor<?x?x?x32xf32> {
      %c = fuse.einsum "bkih,bkjh->bijh" %a, %b precision tf32
          : (tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>) -> tensor<?x?x?x32xf32>
      return %c : tensor<?x?x?x32xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$indices, Variadic<Fuse_FloatTensor>:$inputs,
      DefaultValuedAttr<Fuse_PrecisionAttr, "::fuse::Precision::Ieee">:$precision);
  let results = (outs Fuse_FloatTensor:$result);
  let assemblyFormat = [{
    $indices $inputs `` custom<PrecisionClause>($precision) attr-dict `:`
    functional-type($inputs, $result)
  }];
  let builders = [
    // A null element type means that of the operands.
    OpBuilder<(ins "::llvm::StringRef":$indices, "::mlir::ValueRange":$inputs,
                   "::fuse::Precision":$precision,
                   "::mlir::Type":$elementType)>
  ];
  let hasVerifier = 1;
}

def Fuse_ReduceOp : Fuse_InferredOp<"reduce"> {
  let summary = "sum, maximum or minimum over axes";
  let description = [{
    Removes the given axes. `max` and `min` propagate NaN. Over no elements,
    `sum` is 0, `max` is -inf (for i32 the lowest value) and `min` +inf (the
    highest). Sums of 16-bit elements are formed in f32 and rounded once; sums
    of i32 wrap.

    Example:
    ```mlir
    func.func @main(%x: tensor<?x?xf32>) -> tensor<?xf32> {
      %m = fuse.reduce max %x axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
      return %m : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins Fuse_ReduceKindAttr:$kind, Fuse_Tensor:$source,
                       DenseI64ArrayAttr:$axes);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    `` $kind $source `axes` $axes attr-dict `:`
    functional-type($source, $result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // FUSE_IR_FUSECOREOPS_TD
