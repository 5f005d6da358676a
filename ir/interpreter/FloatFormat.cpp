//===- FloatFormat.cpp - Rounding to an element type ----------------------===//

#include "FloatFormat.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace fuse;

FloatFormat FloatFormat::of(mlir::Type floatType) {
  const llvm::fltSemantics &semantics =
      mlir::cast<mlir::FloatType>(floatType).getFloatSemantics();
  int precision = llvm::APFloat::semanticsPrecision(semantics);
  int minExponent = llvm::APFloat::semanticsMinExponent(semantics);
  FloatFormat format;
  format.precision = precision;
  format.epsilon = std::ldexp(1.0, 1 - precision);
  format.unit = (floatType.isF64() ? 8 : 1) * format.epsilon / 2;
  format.minNormal = std::ldexp(1.0, minExponent);
  format.tiny = std::ldexp(1.0, minExponent - precision + 1);
  format.max = llvm::APFloat::getLargest(semantics).convertToDouble();
  return format;
}

double FloatFormat::round(double value) const {
  if (!std::isfinite(value) || precision >= 53)
    return value;
  double quantum = ulp(value);
  double rounded = std::nearbyint(value / quantum) * quantum;
  if (std::fabs(rounded) > max)
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return rounded == 0 ? std::copysign(0.0, value) : rounded;
}

FloatFormat fuse::accumulatorFormat(mlir::Type elementType) {
  return FloatFormat::of(
      elementType.isF64() ? elementType
                          : mlir::Float32Type::get(elementType.getContext()));
}
