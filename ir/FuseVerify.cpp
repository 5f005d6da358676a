//===- FuseVerify.cpp - What ops require beyond their shape rule ----------===//

#include "fuse/ir/FuseOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir;
using namespace fuse;

/// `expects <what> of element type f32, but got f16`.
static LogicalResult requireElementType(Operation *op, Value value,
                                        Type expected, const Twine &what) {
  Type actual = getElementTypeOrSelf(value);
  if (actual == expected)
    return success();
  return op->emitOpError() << "expects " << what << " of element type "
                           << expected << ", but got " << actual;
}

static LogicalResult requireSameElementTypes(Operation *op, ValueRange operands,
                                             Type expected) {
  for (auto [index, operand] : llvm::enumerate(operands))
    if (failed(requireElementType(op, operand, expected,
                                  "operand #" + Twine(index))))
      return failure();
  return success();
}

static LogicalResult requireTolerance(Operation *op, const APFloat &value,
                                      StringRef what) {
  if (value.isFinite() && !value.isNegative())
    return success();
  SmallString<16> text;
  value.toString(text);
  return op->emitOpError() << "expects " << what
                           << " to be finite and at least 0, but got " << text;
}

//===----------------------------------------------------------------------===//
// Core ops
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  if (!isa<DenseElementsAttr>(getValue()))
    return emitOpError() << "expects a dense list of elements, but got "
                         << getValue();
  if (getValue().getShapedType() != getType())
    return emitOpError() << "expects a value of type " << getType()
                         << ", but got " << getValue().getShapedType();
  return success();
}

LogicalResult DimOp::verify() {
  Type type = getElementTypeOrSelf(getResult());
  if (type.isInteger(1))
    return emitOpError() << "expects a result of a float type or i32, but got "
                         << type;
  return success();
}

LogicalResult IotaOp::verify() {
  Type type = getElementTypeOrSelf(getResult());
  if (type.isInteger(1))
    return emitOpError() << "expects a result of a float type or i32, but got "
                         << type;
  return success();
}

LogicalResult MapOp::verify() {
  Type type = getElementTypeOrSelf(getInputs().front());
  if (!takesElementType(getFn(), type))
    return emitOpError() << "expects " << describe(getInfo(getFn()).operands)
                         << " operands for '" << stringify(getFn())
                         << "', but got " << type;
  if (failed(requireSameElementTypes(*this, getInputs(), type)))
    return failure();
  return requireElementType(*this, getResult(), type, "a result");
}

LogicalResult CompareOp::verify() {
  return requireElementType(*this, getRhs(), getElementTypeOrSelf(getLhs()),
                            "operand #1");
}

LogicalResult SelectOp::verify() {
  Type type = getElementTypeOrSelf(getOnTrue());
  if (failed(requireElementType(*this, getOnFalse(), type, "operand #2")))
    return failure();
  return requireElementType(*this, getResult(), type, "a result");
}

/// Split and rounded precisions take f32 apart; other types have no choice.
static LogicalResult verifyPrecision(Operation *op, Precision precision,
                                     Type operandType) {
  if (precision == Precision::Ieee || operandType.isF32())
    return success();
  return op->emitOpError() << "expects f32 operands for precision "
                           << stringifyPrecision(precision) << ", but got "
                           << operandType;
}

LogicalResult EinsumOp::verify() {
  Type type = getElementTypeOrSelf(getInputs().front());
  if (failed(requireSameElementTypes(*this, getInputs(), type)) ||
      failed(verifyPrecision(*this, getPrecision(), type)))
    return failure();
  Type result = getElementTypeOrSelf(getResult());
  bool is16Bit = type.getIntOrFloatBitWidth() == 16;
  if (result == type || (is16Bit && result.isF32()))
    return success();
  return emitOpError() << "expects a result of element type " << type
                       << (is16Bit ? " or f32" : "") << ", but got " << result;
}

LogicalResult ReduceOp::verify() {
  Type type = getElementTypeOrSelf(getSource());
  if (type.isInteger(1))
    return emitOpError() << "expects floating-point or i32 elements, but got "
                         << type;
  return requireElementType(*this, getResult(), type, "a result");
}

//===----------------------------------------------------------------------===//
// Index maps: the element type does not change
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  return requireElementType(*this, getResult(),
                            getElementTypeOrSelf(getSource()), "a result");
}

LogicalResult TransposeOp::verify() {
  return requireElementType(*this, getResult(),
                            getElementTypeOrSelf(getSource()), "a result");
}

LogicalResult ReshapeOp::verify() {
  return requireElementType(*this, getResult(),
                            getElementTypeOrSelf(getSource()), "a result");
}

LogicalResult SliceOp::verify() {
  return requireElementType(*this, getResult(),
                            getElementTypeOrSelf(getSource()), "a result");
}

LogicalResult ConcatOp::verify() {
  Type type = getElementTypeOrSelf(getInputs().front());
  if (failed(requireSameElementTypes(*this, getInputs(), type)))
    return failure();
  return requireElementType(*this, getResult(), type, "a result");
}

//===----------------------------------------------------------------------===//
// Composites
//===----------------------------------------------------------------------===//

LogicalResult LinearOp::verify() {
  Type type = getElementTypeOrSelf(getX());
  if (failed(requireSameElementTypes(*this, getOperands(), type)) ||
      failed(verifyPrecision(*this, getPrecision(), type)))
    return failure();
  return requireElementType(*this, getResult(), type, "a result");
}

static LogicalResult verifyNorm(Operation *op, const APFloat &eps) {
  Type type = getElementTypeOrSelf(op->getOperand(0));
  if (failed(requireSameElementTypes(op, op->getOperands(), type)) ||
      failed(requireElementType(op, op->getResult(0), type, "a result")))
    return failure();
  return requireTolerance(op, eps, "eps");
}

LogicalResult LayerNormOp::verify() { return verifyNorm(*this, getEps()); }

LogicalResult RmsNormOp::verify() { return verifyNorm(*this, getEps()); }

LogicalResult SoftmaxOp::verify() {
  return requireElementType(*this, getResult(), getElementTypeOrSelf(getX()),
                            "a result");
}

LogicalResult AttentionOp::verify() {
  Type type = getElementTypeOrSelf(getQuery());
  if (failed(requireSameElementTypes(*this, getOperands(), type)) ||
      failed(verifyPrecision(*this, getPrecision(), type)))
    return failure();
  return requireElementType(*this, getResult(), type, "a result");
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static LogicalResult verifySameElementType(Operation *op) {
  return requireElementType(op, op->getOperand(0),
                            getElementTypeOrSelf(op->getOperand(1)),
                            "operand #0");
}

LogicalResult CheckEqualOp::verify() { return verifySameElementType(*this); }

LogicalResult CheckCloseOp::verify() {
  if (failed(verifySameElementType(*this)) ||
      failed(requireTolerance(*this, getRtol(), "rtol")))
    return failure();
  return requireTolerance(*this, getAtol(), "atol");
}

LogicalResult CheckBoundOp::verify() { return verifySameElementType(*this); }
