//===- FuseFolds.cpp - Rewrites that hold in isolation --------------------===//
//
// Only rewrites that keep every bit, NaN and signed zero included. A rewrite
// that needs a policy is a pass.
//
//===----------------------------------------------------------------------===//

#include "fuse/ir/FuseOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Constants and dims
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// A dim that is a number, where the element type holds it exactly.
static OpFoldResult foldToNumber(std::optional<int64_t> dim, DimOp op) {
  if (!dim)
    return {};
  Type type = op.getType().getElementType();
  if (auto floatType = dyn_cast<FloatType>(type)) {
    APFloat value(floatType.getFloatSemantics());
    if (value.convertFromAPInt(APInt(64, *dim), /*IsSigned=*/true,
                               APFloat::rmNearestTiesToEven) != APFloat::opOK)
      return {};
    return DenseElementsAttr::get(op.getType(), value);
  }
  if (!llvm::isInt<32>(*dim))
    return {};
  return DenseElementsAttr::get(op.getType(),
                                APInt(32, *dim, /*isSigned=*/true));
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  if (Value source = getSource()) {
    auto type = cast<RankedTensorType>(source.getType());
    if (type.isDynamicDim(*getAxis()))
      return {};
    return foldToNumber(type.getDimSize(*getAxis()), *this);
  }
  std::string error;
  std::optional<DimExpr> expr = DimExpr::parse(*getExpr(), error);
  return foldToNumber(expr ? expr->constant() : std::nullopt, *this);
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

/// True if every element of the constant is the number `value`, sign of zero
/// included.
static bool isSplatOf(Attribute attr, double value) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (!elements || !elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().isExactlyValue(value);
  return elements.getElementType().isInteger(32) &&
         elements.getSplatValue<APInt>().getSExtValue() ==
             static_cast<int64_t>(value) &&
         !std::signbit(value);
}

/// `fn(fn(x)) == x` bit for bit.
static bool isInvolution(ScalarFn fn) {
  return fn == ScalarFn::Neg || fn == ScalarFn::Not;
}

/// `fn(fn(x)) == fn(x)` bit for bit.
static bool isIdempotent(ScalarFn fn) {
  switch (fn) {
  case ScalarFn::Abs:
  case ScalarFn::Relu:
  case ScalarFn::Floor:
  case ScalarFn::Ceil:
  case ScalarFn::Round:
    return true;
  default:
    return false;
  }
}

/// True if `fn(x, constant) == x` for every x; -0 and 0 are told apart.
static bool isRightIdentity(ScalarFn fn, Attribute constant, Type type) {
  bool isFloat = isa<FloatType>(type);
  switch (fn) {
  case ScalarFn::Mul:
  case ScalarFn::Div:
  case ScalarFn::FloorDiv:
    return isSplatOf(constant, 1.0);
  case ScalarFn::Add:
    return isSplatOf(constant, isFloat ? -0.0 : 0.0);
  case ScalarFn::Sub:
    return isSplatOf(constant, 0.0);
  default:
    return false;
  }
}

OpFoldResult MapOp::fold(FoldAdaptor adaptor) {
  ScalarFn fn = getFn();
  if (getInputs().size() == 1) {
    auto inner = getInputs()[0].getDefiningOp<MapOp>();
    if (!inner || inner.getFn() != fn)
      return {};
    if (isInvolution(fn) && inner.getInputs()[0].getType() == getType())
      return inner.getInputs()[0];
    if (isIdempotent(fn) && inner.getType() == getType())
      return inner.getResult();
    return {};
  }
  if (getInputs().size() != 2)
    return {};
  Type element = getType().getElementType();
  bool commutes = fn == ScalarFn::Add || fn == ScalarFn::Mul;
  for (unsigned kept : {0u, 1u}) {
    Value operand = getInputs()[kept];
    if ((kept == 0 || commutes) && operand.getType() == getType() &&
        isRightIdentity(fn, adaptor.getInputs()[1 - kept], element))
      return operand;
  }
  return {};
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse() && getOnTrue().getType() == getType())
    return getOnTrue();
  auto condition = dyn_cast_or_null<DenseElementsAttr>(adaptor.getCondition());
  if (!condition || !condition.isSplat())
    return {};
  Value chosen = condition.getSplatValue<bool>() ? getOnTrue() : getOnFalse();
  return chosen.getType() == getType() ? OpFoldResult(chosen) : OpFoldResult();
}

/// True if every value of float type `from` is one of float type `to`.
static bool isExactExtension(Type from, Type to) {
  auto source = dyn_cast<FloatType>(from), target = dyn_cast<FloatType>(to);
  return source && target &&
         APFloat::isRepresentableBy(source.getFloatSemantics(),
                                    target.getFloatSemantics());
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  Type type = getType().getElementType();
  if (getSource().getType() == getType())
    return getSource();
  // x -> wider -> x keeps every value; a narrower middle would round.
  auto inner = getSource().getDefiningOp<CastOp>();
  if (!inner || inner.getSource().getType() != getType())
    return {};
  Type middle = inner.getType().getElementType();
  return isExactExtension(type, middle) ? OpFoldResult(inner.getSource())
                                        : OpFoldResult();
}

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  if (getAxes().empty() && getSource().getType() == getType())
    return getSource();
  return {};
}

//===----------------------------------------------------------------------===//
// Index maps
//===----------------------------------------------------------------------===//

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  std::string error;
  std::optional<IndexMapping> mapping =
      IndexMapping::parse(getPattern(), error);
  if (mapping && mapping->operands.size() == 1 &&
      mapping->operands[0].str() == mapping->result.str() &&
      getSource().getType() == getType())
    return getSource();
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (llvm::equal(getPermutation(),
                  llvm::seq<int64_t>(0, getPermutation().size())) &&
      getSource().getType() == getType())
    return getSource();
  auto inner = getSource().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  // Two permutations are one; the op takes the composition in place.
  SmallVector<int64_t> composed;
  for (int64_t axis : getPermutation())
    composed.push_back(inner.getPermutation()[axis]);
  setPermutation(composed);
  setOperand(inner.getSource());
  return getResult();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  std::string error;
  std::optional<IndexMapping> mapping =
      IndexMapping::parse(getPattern(), error);
  if (mapping && mapping->operands.size() == 1 &&
      mapping->operands[0].str() == mapping->result.str() &&
      getSource().getType() == getType())
    return getSource();
  return {};
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  if (getStart() == "0" && getStop() == "$" && getStep() == 1 &&
      getSource().getType() == getType())
    return getSource();
  return {};
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1 && getInputs()[0].getType() == getType())
    return getInputs()[0];
  return {};
}
