//===- FuseCompositeOps.td - Ops that carry intent --------*- tablegen -*-===//
//
// Each has a decomposition into core ops (passes/DecomposeComposites.cpp). It
// computes in f32 inside (f64 for f64 operands) and rounds only its result.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_FUSECOMPOSITEOPS_TD
#define FUSE_IR_FUSECOMPOSITEOPS_TD

include "fuse/ir/FuseOpBase.td"

def Fuse_LinearOp : Fuse_InferredOp<"linear"> {
  let summary = "x times the transposed weight, plus bias";
  let description = [{
    Contracts the last axis of `x` with the second of `weight`, which is
    stored (out, in); the bias has one element an output.

    Example:
    ```mlir
    func.func @main(%x: tensor<?x?x64xf32>, %w: tensor<32x64xf32>, %b: tensor<32xf32>) -> tensor<?x?x32xf32> {
      %y = fuse.linear %x, %w bias %b : (tensor<?x?x64xf32>, tensor<32x64xf32>, tensor<32xf32>) -> tensor<?x?x32xf32>
      return %y : tensor<?x?x32xf32>
    }
    ```
  }];
  let arguments = (ins Fuse_FloatTensor:$x, Fuse_FloatTensor:$weight,
      Optional<Fuse_FloatTensor>:$bias,
      DefaultValuedAttr<Fuse_PrecisionAttr, "::fuse::Precision::Ieee">:$precision);
  let results = (outs Fuse_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $weight (`bias` $bias^)? `` custom<PrecisionClause>($precision)
    attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

class Fuse_NormOp<string mnemonic, list<Trait> traits = []>
    : Fuse_InferredOp<mnemonic, traits> {
  let results = (outs Fuse_FloatTensor:$result);
  let hasVerifier = 1;
}

def Fuse_LayerNormOp : Fuse_NormOp<"layer_norm", [AttrSizedOperandSegments]> {
  let summary = "normalisation to mean 0 and variance 1 along one axis";
  let description = [{
    `(x - mean) / sqrt(var + eps) * gamma + beta`, with the variance divided by
    the extent of the axis and formed from centred values. `gamma` and `beta`
    are optional and have one element an index of the axis.

    Example:
    ```mlir
    func.func @main(%x: tensor<?x64xf32>, %g: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<?x64xf32> {
      %y = fuse.layer_norm %x gamma %g beta %b axis 1 eps 1.0e-5 : (tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
      return %y : tensor<?x64xf32>
    }
    ```
  }];
  let arguments = (ins Fuse_FloatTensor:$x, Optional<Fuse_FloatTensor>:$gamma,
                       Optional<Fuse_FloatTensor>:$beta, I64Attr:$axis,
                       DefaultValuedAttr<F64Attr, "1.0e-5">:$eps);
  let assemblyFormat = [{
    $x (`gamma` $gamma^)? (`beta` $beta^)? `axis` $axis `` custom<EpsClause>($eps)
    attr-dict `:` functional-type(operands, $result)
  }];
}

def Fuse_RmsNormOp : Fuse_NormOp<"rms_norm"> {
  let summary = "division by the root mean square along one axis";
  let description = [{
    `x / sqrt(mean(x^2) + eps) * gamma`.

    Example:
    ```mlir
    func.func @main(%x: tensor<?x64xf32>, %g: tensor<64xf32>) -> tensor<?x64xf32> {
      %y = fuse.rms_norm %x gamma %g axis 1 : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
      return %y : tensor<?x64xf32>
    }
    ```
  }];
  let arguments = (ins Fuse_FloatTensor:$x, Optional<Fuse_FloatTensor>:$gamma,
                       I64Attr:$axis,
                       DefaultValuedAttr<F64Attr, "1.0e-5">:$eps);
  let assemblyFormat = [{
    $x (`gamma` $gamma^)? `axis` $axis `` custom<EpsClause>($eps)
    attr-dict `:` functional-type(operands, $result)
  }];
}

def Fuse_SoftmaxOp : Fuse_InferredOp<"softmax"> {
  let summary = "exponentials along one axis, divided by their sum";
  let description = [{
    `exp(x - max) / sum(exp(x - max))`. A row that is -inf throughout gives NaN,
    or 0 with `masked_rows zero`. A row with NaN or +inf gives NaN.

    Example:
    ```mlir
    func.func @main(%s: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %p = fuse.softmax %s axis 1 masked_rows zero : (tensor<?x?xf32>) -> tensor<?x?xf32>
      return %p : tensor<?x?xf32>
    }
    ```
  }];
  let arguments = (ins Fuse_FloatTensor:$x, I64Attr:$axis,
      DefaultValuedAttr<Fuse_MaskedRowsAttr, "::fuse::MaskedRows::Nan">:$maskedRows);
  let results = (outs Fuse_FloatTensor:$result);
  let assemblyFormat = [{
    $x `axis` $axis `` custom<MaskedRowsClause>($maskedRows) attr-dict `:`
    functional-type($x, $result)
  }];
  let hasVerifier = 1;
}

def Fuse_AttentionOp : Fuse_InferredOp<"attention",
    [SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects]> {
  let summary = "softmax of edited scores times values";
  let description = [{
    The pattern names the axes of query, key, value and result; `scores` names
    those of the score tensor, whose last axis is the key position. Scores are
    the products of query and key summed over the indices that only these two
    share. The region, given the scores, yields what enters the softmax: scale,
    bias, mask, ALiBi or soft-cap are ordinary ops in it, and it may use values
    from outside. The weights are then contracted with the values over the key
    position.

    Grouped heads are a group of factors: with query heads `(g r)` and key
    heads `g`, head `h` reads key head `h / r`, and the number of query heads
    must be a multiple of the number of key heads.

    A fully masked row gives NaN, or 0 with `masked_rows zero`. Scores and
    weights are f32 (f64 for f64 operands) whatever the operands are; the
    weights are cast once to the element type of the value.

    Example:
    ```mlir
    func.func @main(%q: tensor<?x?x?x32xf32> {fuse.dims = ["B", "T", "Hq", "D"]},
                    %k: tensor<?x?x?x32xf32> {fuse.dims = ["B", "T", "Hkv", "D"]},
                    %v: tensor<?x?x?x32xf32> {fuse.dims = ["B", "T", "Hkv", "D"]}) -> tensor<?x?x?x32xf32> {
      %d = fuse.dim "D" : tensor<f32>
      %scale = fuse.map rsqrt %d : (tensor<f32>) -> tensor<f32>
      %o = fuse.attention %q, %k, %v "b t (g r) d, b s g d, b s g d -> b t (g r) d" scores "b (g r) t s" {
      ^bb0(%s: tensor<?x?x?x?xf32>):
        %t = fuse.map mul %s, %scale : (tensor<?x?x?x?xf32>, tensor<f32>) -> tensor<?x?x?x?xf32>
        fuse.yield %t : tensor<?x?x?x?xf32>
      } : (tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>) -> tensor<?x?x?x32xf32>
      return %o : tensor<?x?x?x32xf32>
    }
    ```
  }];
  let arguments = (ins Fuse_FloatTensor:$query, Fuse_FloatTensor:$key,
      Fuse_FloatTensor:$value, StrAttr:$pattern, StrAttr:$scores,
      DefaultValuedAttr<Fuse_MaskedRowsAttr, "::fuse::MaskedRows::Nan">:$maskedRows,
      DefaultValuedAttr<Fuse_PrecisionAttr, "::fuse::Precision::Ieee">:$precision);
  let regions = (region SizedRegion<1>:$score);
  let results = (outs Fuse_FloatTensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value $pattern `scores` $scores
    `` custom<MaskedRowsClause>($maskedRows) `` custom<PrecisionClause>($precision)
    attr-dict-with-keyword $score `:` functional-type(operands, $result)
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = shapeRuleDeclaration # elementTypeDeclaration # [{
    /// The parsed pattern; verified ops have one.
    ::fuse::IndexMapping getMapping();
    /// The parsed axes of the score tensor.
    ::fuse::IndexPattern getScorePattern();
    ::mlir::RankedTensorType getScoreType();
    ::mlir::Block *getScoreBody() { return &getScore().front(); }
    /// The yielded scores.
    ::mlir::Value getYieldedScores();
    /// f32, or f64 for f64 operands.
    ::mlir::Type getComputeType();
    /// The dims of the score tensor, from those of the operands in `infer`.
    static ::mlir::FailureOr<::fuse::DimVector>
    inferScoreDims(Adaptor adaptor, ::fuse::DimInference &infer);
  }];
  let hasVerifier = 1;
}

def Fuse_YieldOp : Fuse_Op<"yield",
    [Pure, Terminator, ReturnLike, HasParent<"AttentionOp">]> {
  let summary = "the scores that enter the softmax";
  let description = [{
    Ends the region of `fuse.attention`; see there for an example.
  }];
  let arguments = (ins Optional<Fuse_FloatTensor>:$scores);
  let assemblyFormat = "attr-dict ($scores^ `:` type($scores))?";
  let builders = [OpBuilder<(ins)>];
}

#endif // FUSE_IR_FUSECOMPOSITEOPS_TD
