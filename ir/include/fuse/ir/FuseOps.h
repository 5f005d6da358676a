//===- FuseOps.h - Graph ops -----------------------------------*- C++ -*-===//

#ifndef FUSE_IR_FUSEOPS_H
#define FUSE_IR_FUSEOPS_H

#include "fuse/ir/DimInference.h"
#include "fuse/ir/FuseDialect.h"
#include "fuse/ir/IndexPattern.h"
#include "fuse/ir/ScalarFn.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/Hashing.h"

#include "fuse/ir/FuseEnums.h.inc"
#include "fuse/ir/FuseInterfaces.h.inc"

namespace mlir {
/// Lets the attribute formats read and print table entries.
template <>
struct FieldParser<fuse::ScalarFn> {
  static FailureOr<fuse::ScalarFn> parse(AsmParser &parser);
};
template <>
struct FieldParser<fuse::Comparison> {
  static FailureOr<fuse::Comparison> parse(AsmParser &parser);
};
} // namespace mlir

namespace fuse {
inline raw_ostream &operator<<(raw_ostream &os, ScalarFn fn) {
  return os << stringify(fn);
}
inline raw_ostream &operator<<(raw_ostream &os, Comparison comparison) {
  return os << stringify(comparison);
}

namespace detail {
/// The result type of `OpTy` for operands and attributes, by its shape rule.
template <typename OpTy, typename AdaptorTy>
LogicalResult inferResultTypes(
    mlir::MLIRContext *context, std::optional<mlir::Location> location,
    mlir::ValueRange operands, AdaptorTy adaptor, mlir::Type elementType,
    SmallVectorImpl<mlir::Type> &inferredReturnTypes);
} // namespace detail
} // namespace fuse

#define GET_ATTRDEF_CLASSES
#include "fuse/ir/FuseAttrs.h.inc"

#define GET_OP_CLASSES
#include "fuse/ir/FuseOps.h.inc"

namespace fuse {
/// True for a product of two operands of which nothing is summed: one element
/// by element.
bool isProduct(EinsumOp op);
} // namespace fuse

namespace fuse::detail {
template <typename OpTy, typename AdaptorTy>
LogicalResult inferResultTypes(
    mlir::MLIRContext *context, std::optional<mlir::Location> location,
    mlir::ValueRange operands, AdaptorTy adaptor, mlir::Type elementType,
    SmallVectorImpl<mlir::Type> &inferredReturnTypes) {
  SmallVector<DimVector> operandDims;
  for (auto [index, operand] : llvm::enumerate(operands))
    operandDims.push_back(dimsOfType(operand.getType(), index));
  // Without a location the caller only asks.
  DimInference::ErrorFn emit;
  if (location)
    emit = [&] {
      return mlir::emitError(*location)
             << "'" << OpTy::getOperationName() << "' op ";
    };
  DimInference infer(operandDims, emit);
  SmallVector<DimVector> results;
  if (failed(OpTy::inferDims(adaptor, infer, results)))
    return failure();
  for (const DimVector &dims : results)
    inferredReturnTypes.push_back(typeOfDims(dims, elementType));
  return success();
}
} // namespace fuse::detail

#endif // FUSE_IR_FUSEOPS_H
