//===- VectorizeAccesses.cpp - Several elements an access -----------------===//
//
// Registers that run along a dim of stride 1 can be moved together. Only what
// is known of layouts decides: alignment, strides and limits are a kernel's
// arguments, and its loads and stores look at them.
//
//===----------------------------------------------------------------------===//

#include "fuse/passes/Passes.h"

namespace fuse {
#define GEN_PASS_DEF_VECTORIZEACCESSESPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// The widest access of one thread.
static constexpr int64_t maxBytes = 16;
/// Narrower ones are not worth a path of their own.
static constexpr int64_t minBytes = 4;

static int64_t getVector(tile::TileType type, OperandRange strides) {
  if (!type.getMap())
    return 1;
  const tile::FragmentMap &map = type.getMap().getValue();
  int64_t elementBytes = getElementBytes(type.getElementType());
  for (auto [dim, stride] : llvm::enumerate(strides)) {
    if (!isConstantIntValue(stride, 1))
      continue;
    for (int64_t vector = maxBytes / elementBytes; vector > 1; vector /= 2)
      if (vector * elementBytes >= minBytes && vector <= 8 &&
          map.registerStep(dim) % vector == 0)
        return vector;
  }
  return 1;
}

namespace {
struct VectorizeAccessesPass final
    : fuse::impl::VectorizeAccessesPassBase<VectorizeAccessesPass> {
  using VectorizeAccessesPassBase::VectorizeAccessesPassBase;
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      // Elements under a condition come and go one by one.
      if (auto load = dyn_cast<tile::LoadOp>(op); load && !load.getCondition())
        load.setVector(getVector(load.getTile().getType(), load.getStrides()));
      if (auto store = dyn_cast<tile::StoreOp>(op))
        store.setVector(
            getVector(store.getTile().getType(), store.getStrides()));
    });
  }
};
} // namespace
