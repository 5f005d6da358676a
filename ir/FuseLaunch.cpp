//===- FuseLaunch.cpp - Kernels on whole tensors --------------------------===//

#include "fuse/ir/FuseOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace fuse;

/// One dim of `fuse.launch`, a number or an expression.
static FailureOr<DimExpr> parseDim(Attribute dim, DimInference &infer) {
  if (auto number = dyn_cast<IntegerAttr>(dim))
    return DimExpr(number.getInt());
  if (auto text = dyn_cast<StringAttr>(dim))
    return infer.parse(text);
  return infer.error("expects dims that are strings and numbers, but got one "
                     "of another kind");
}

LogicalResult LaunchOp::inferDims(Adaptor adaptor, DimInference &infer,
                                  SmallVectorImpl<DimVector> &results) {
  for (Attribute attr : adaptor.getDims()) {
    auto list = dyn_cast<ArrayAttr>(attr);
    if (!list)
      return infer.error("expects an array of dims a result");
    DimVector &dims = results.emplace_back();
    for (Attribute dim : list) {
      FailureOr<DimExpr> expr = parseDim(dim, infer);
      if (failed(expr))
        return failure();
      dims.push_back(*expr);
    }
  }
  return success();
}

Operation *LaunchOp::lookUpKernel() {
  return SymbolTable::lookupNearestSymbolFrom(*this, getKernelAttr());
}

/// A kernel has the launch's types as long as it is a function on tensors;
/// later forms have signatures of their own.
LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *kernel = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (!kernel)
    return emitOpError() << "expects " << getKernelAttr()
                         << " to name a kernel, but there is no such symbol";
  auto function = dyn_cast<func::FuncOp>(kernel);
  if (!function)
    return success();
  auto type =
      FunctionType::get(getContext(), getOperandTypes(), getResultTypes());
  if (function.getFunctionType() != type)
    return emitOpError() << "expects " << getKernelAttr() << " to have type "
                         << type << ", but got " << function.getFunctionType();
  return success();
}
