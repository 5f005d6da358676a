//===- TileFolds.cpp - What is true of one op in isolation ----------------===//

#include "fuse/tile/TileDialect.h"

using namespace mlir;
using namespace fuse;

/// All elements are 1, whatever the tile.
static bool isFilledWithOne(Value value) {
  while (auto broadcast = value.getDefiningOp<tile::BroadcastOp>())
    value = broadcast.getSource();
  auto fill = value.getDefiningOp<tile::FillOp>();
  if (!fill)
    return false;
  Attribute number = fill.getValue();
  if (auto real = dyn_cast<FloatAttr>(number))
    return real.getValue().isExactlyValue(1);
  auto integer = dyn_cast<IntegerAttr>(number);
  return integer && integer.getValue().isOne();
}

OpFoldResult tile::MapOp::fold(FoldAdaptor) {
  ScalarFn fn = getFn();
  if (fn != ScalarFn::Mul && fn != ScalarFn::Div)
    return {};
  Value lhs = getInputs()[0], rhs = getInputs()[1];
  if (lhs.getType() == getType() && isFilledWithOne(rhs))
    return lhs;
  if (fn == ScalarFn::Mul && rhs.getType() == getType() && isFilledWithOne(lhs))
    return rhs;
  return {};
}
