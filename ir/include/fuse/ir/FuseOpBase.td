//===- FuseOpBase.td - Types and base classes of graph ops -*- tablegen -*-===//

#ifndef FUSE_IR_FUSEOPBASE_TD
#define FUSE_IR_FUSEOPBASE_TD

include "fuse/ir/FuseAttrs.td"
include "fuse/ir/FuseDialect.td"
include "fuse/ir/FuseInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Fuse_TensorOf<string predicate, string elements> : Type<
    CPred<"::fuse::isFuseTensor($_self) && " # predicate>,
    "ranked tensor of " # elements # ", of rank at most 8 and below 2^63 bytes",
    "::mlir::RankedTensorType">;

def Fuse_Tensor : Fuse_TensorOf<"true", "f16, bf16, f32, f64, i32 or i1">;
def Fuse_FloatTensor : Fuse_TensorOf<
    "::llvm::isa<::mlir::FloatType>("
    "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType())",
    "f16, bf16, f32 or f64">;
def Fuse_BoolTensor : Fuse_TensorOf<
    "::llvm::cast<::mlir::RankedTensorType>($_self)"
    ".getElementType().isInteger(1)", "i1">;

//===----------------------------------------------------------------------===//
// Op classes
//===----------------------------------------------------------------------===//

class Fuse_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fuse_Dialect, mnemonic, traits>;

// A pure op with one result and a shape rule:
//   static LogicalResult inferDims(Adaptor, DimInference &,
//                                  SmallVectorImpl<DimVector> &);
class Fuse_ShapedOp<string mnemonic, list<Trait> traits = []>
    : Fuse_Op<mnemonic, !listconcat(traits,
        [Pure, DeclareOpInterfaceMethods<Fuse_DimInferenceOpInterface>])> {
  code shapeRuleDeclaration = [{
    static ::llvm::LogicalResult
    inferDims(Adaptor adaptor, ::fuse::DimInference &infer,
              ::llvm::SmallVectorImpl<::fuse::DimVector> &results);
  }];
  let extraClassDeclaration = shapeRuleDeclaration;
}

// A shaped op whose result type follows from operands and attributes; the
// element type is that of the first operand unless it says otherwise:
//   static Type inferElementType(Adaptor);
class Fuse_InferredOp<string mnemonic, list<Trait> traits = []>
    : Fuse_ShapedOp<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<InferTypeOpInterface,
                                  ["refineReturnTypes"]>])> {
  code elementTypeDeclaration = [{
    static ::mlir::Type inferElementType(Adaptor adaptor);
  }];
  let extraClassDeclaration = shapeRuleDeclaration # elementTypeDeclaration;
  // `refineReturnTypes` is what the upstream verifier calls. Ours checks the
  // result types with a message of its own, so this one accepts.
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context,
        ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes) {
      Adaptor adaptor(operands, attributes, properties, regions);
      return ::fuse::detail::inferResultTypes<$cppClass>(
          context, location, operands, adaptor, inferElementType(adaptor),
          inferredReturnTypes);
    }
    ::llvm::LogicalResult $cppClass::refineReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location>,
        ::mlir::ValueRange, ::mlir::DictionaryAttr, ::mlir::OpaqueProperties,
        ::mlir::RegionRange, ::llvm::SmallVectorImpl<::mlir::Type> &) {
      return ::mlir::success();
    }
  }];
}

#endif // FUSE_IR_FUSEOPBASE_TD
