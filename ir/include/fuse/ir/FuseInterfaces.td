//===- FuseInterfaces.td - What every graph op can say ----*- tablegen -*-===//

#ifndef FUSE_IR_FUSEINTERFACES_TD
#define FUSE_IR_FUSEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Fuse_DimInferenceOpInterface : OpInterface<"DimInferenceOpInterface"> {
  let cppNamespace = "::fuse";
  let description = [{
    The shape rule of an op: from the symbolic dims of its operands (in `infer`)
    to those of each result. It checks all shape-related attributes too, emits
    one diagnostic when it fails, and never relies on verified operands beyond
    their element types.
  }];
  let methods = [
    InterfaceMethod<"Applies the shape rule", "::llvm::LogicalResult",
      "inferResultDims",
      (ins "::fuse::DimInference &":$infer,
           "::llvm::SmallVectorImpl<::fuse::DimVector> &":$results),
      [{}], [{
        typename ConcreteOp::Adaptor adaptor($_op);
        return ConcreteOp::inferDims(adaptor, infer, results);
      }]>
  ];
  let verify = [{ return ::fuse::detail::verifyInferredDims($_op); }];
}

#endif // FUSE_IR_FUSEINTERFACES_TD
