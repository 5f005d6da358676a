//===- Monoids.cpp - How the values of a reduction are joined -------------===//

#include "Monoids.h"

using namespace mlir;
using namespace fuse;

static TypedAttr getNumber(Type type, double value) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return FloatAttr::get(floatType, value);
  return IntegerAttr::get(type, static_cast<int64_t>(value));
}

TypedAttr fuse::getIdentity(ReduceKind kind, Type elementType) {
  if (kind == ReduceKind::Sum)
    return getNumber(elementType, 0);
  if (auto floatType = dyn_cast<FloatType>(elementType))
    return FloatAttr::get(floatType,
                          APFloat::getInf(floatType.getFloatSemantics(),
                                          kind == ReduceKind::Max));
  unsigned width = elementType.getIntOrFloatBitWidth();
  return IntegerAttr::get(elementType, kind == ReduceKind::Max
                                           ? APInt::getSignedMinValue(width)
                                           : APInt::getSignedMaxValue(width));
}

ScalarFn fuse::getCombiner(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Sum:
    return ScalarFn::Add;
  case ReduceKind::Max:
    return ScalarFn::Max;
  case ReduceKind::Min:
    return ScalarFn::Min;
  }
  llvm_unreachable("every kind has a combiner");
}
