//===- FuseCheckOps.td - Expectations inside a program ----*- tablegen -*-===//
//
// With these one file is program, oracle and reproducer: `fuse-opt --run`
// judges each check and exits with 3 if one fails. They have an effect, so no
// pass removes them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_FUSECHECKOPS_TD
#define FUSE_IR_FUSECHECKOPS_TD

include "fuse/ir/FuseOpBase.td"

class Fuse_CheckOp<string mnemonic> : Fuse_Op<"check." # mnemonic, [
    DeclareOpInterfaceMethods<Fuse_DimInferenceOpInterface>,
    MemoryEffects<[MemWrite]>]> {
  let extraClassDeclaration = [{
    static ::llvm::LogicalResult
    inferDims(Adaptor adaptor, ::fuse::DimInference &infer,
              ::llvm::SmallVectorImpl<::fuse::DimVector> &results);
  }];
  let hasVerifier = 1;
}

def Fuse_CheckEqualOp : Fuse_CheckOp<"equal"> {
  let summary = "every element is the same";
  let description = [{
    Equal values, NaN equal to NaN. Element types and shapes agree.

    Example:
    ```mlir
    func.func @main() {
      %a = fuse.iota axis 0 shape "3" : tensor<3xi32>
      %b = fuse.constant [0, 1, 2] : tensor<3xi32>
      fuse.check.equal %a, %b : tensor<3xi32>, tensor<3xi32>
      return
    }
    ```
  }];
  let arguments = (ins Fuse_Tensor:$got, Fuse_Tensor:$want);
  let assemblyFormat = "$got `,` $want attr-dict `:` type($got) `,` type($want)";
}

def Fuse_CheckCloseOp : Fuse_CheckOp<"close"> {
  let summary = "every element is within a tolerance";
  let description = [{
    `|got - want| <= atol + rtol * |want|`, NaN where NaN is wanted, infinities
    equal.

    Example:
    ```mlir
    func.func @main() {
      %two = fuse.constant 2.0 : tensor<f32>
      %got = fuse.map sqrt %two : (tensor<f32>) -> tensor<f32>
      %want = fuse.constant 1.41421356 : tensor<f32>
      fuse.check.close %got, %want rtol 1.0e-6 atol 0.0 : tensor<f32>, tensor<f32>
      return
    }
    ```
  }];
  let arguments = (ins Fuse_FloatTensor:$got, Fuse_FloatTensor:$want,
                       F64Attr:$rtol, F64Attr:$atol);
  let assemblyFormat = [{
    $got `,` $want `rtol` custom<F64Literal>($rtol) `atol`
    custom<F64Literal>($atol) attr-dict `:` type($got) `,` type($want)
  }];
}

def Fuse_CheckBoundOp : Fuse_CheckOp<"bound"> {
  let summary = "every element is within the propagated error bound";
  let description = [{
    `|got - want|` is at most the error that any permitted evaluation of `want`
    may have, plus the smallest subnormal of its type. The bound is propagated
    from the ops that compute `want`; that of `got` does not count, so `got`
    may be the result of another implementation, passed as an argument.

    Example:
    ```mlir
    func.func @main(%x: tensor<?xf32>, %theirs: tensor<?xf32>) {
      %want = fuse.softmax %x axis 0 : (tensor<?xf32>) -> tensor<?xf32>
      fuse.check.bound %theirs, %want : tensor<?xf32>, tensor<?xf32>
      return
    }
    ```
  }];
  let arguments = (ins Fuse_FloatTensor:$got, Fuse_FloatTensor:$want);
  let assemblyFormat = "$got `,` $want attr-dict `:` type($got) `,` type($want)";
}

#endif // FUSE_IR_FUSECHECKOPS_TD
