//===- TileConstants.cpp - Constants of kernels, and their layouts --------===//

#include "TileConstants.h"

using namespace mlir;
using namespace fuse;

void fuse::separateConstants(tile::KernelOp kernel) {
  SmallVector<tile::FillOp> fills;
  kernel.walk([&](tile::FillOp op) {
    if (op.getTile().use_empty())
      op.erase();
    else if (op.getTile().getType().getRank() > 0 && !op.getTile().hasOneUse())
      fills.push_back(op);
  });
  for (tile::FillOp fill : fills)
    for (OpOperand &use : llvm::make_early_inc_range(
             llvm::drop_begin(fill.getTile().getUses()))) {
      OpBuilder builder(fill);
      builder.setInsertionPointAfter(fill);
      use.set(builder.clone(*fill)->getResult(0));
    }
}

void fuse::uniteConstants(tile::KernelOp kernel) {
  llvm::DenseMap<std::tuple<Block *, Attribute, Type>, tile::FillOp> known;
  SmallVector<tile::FillOp> fills;
  kernel.walk([&](tile::FillOp op) { fills.push_back(op); });
  for (tile::FillOp fill : fills) {
    auto [it, isNew] = known.try_emplace(
        {fill->getBlock(), fill.getValue(), fill.getTile().getType()}, fill);
    if (isNew)
      continue;
    fill.getTile().replaceAllUsesWith(it->second.getTile());
    fill.erase();
  }
}
