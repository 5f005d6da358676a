//===- PrepareForCuda.cpp - Check that a kernel can be printed ------------===//

#include "fuse/passes/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace fuse {
#define GEN_PASS_DEF_PREPAREFORCUDAPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

static bool isPrintable(Operation *op) {
  if (isa<tile::TileDialect>(op->getDialect()) ||
      isa<scf::ForOp, scf::YieldOp>(op))
    return true;
  return isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::DivSIOp, arith::MinSIOp>(op) &&
         op->getResult(0).getType().isIndex();
}

static LogicalResult checkTile(tile::KernelOp kernel, Operation *op,
                               Value value) {
  auto type = dyn_cast<tile::TileType>(value.getType());
  if (!type)
    return success();
  if (type.isShared()) {
    tile::AllocOp alloc = tile::getAlloc(value);
    if (!alloc || !alloc.getOffset())
      return op->emitOpError("expects a tile in shared memory to have a place; "
                             "run tile-allocate-shared");
    return success();
  }
  if (!type.getMap())
    return op->emitOpError("expects tiles in registers to have a layout; run "
                           "tile-assign-layouts");
  if (type.getMap().getValue().warps() != kernel.getWarps())
    return op->emitOpError() << "expects layouts of " << kernel.getWarps()
                             << " warps, but got " << type;
  return success();
}

namespace {
struct PrepareForCudaPass final
    : fuse::impl::PrepareForCudaPassBase<PrepareForCudaPass> {
  using PrepareForCudaPassBase::PrepareForCudaPassBase;
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, kernel->getRegions());
    WalkResult walk = kernel.getBody().walk([&](Operation *op) {
      if (!isPrintable(op)) {
        op->emitOpError("has no spelling in CUDA");
        return WalkResult::interrupt();
      }
      for (Value result : op->getResults())
        if (failed(checkTile(kernel, op, result)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    kernel->setAttr(tile::TileDialect::preparedAttr,
                    UnitAttr::get(&getContext()));
  }
};
} // namespace
