//===- InsertBarriers.cpp - Order accesses to shared memory ---------------===//
//
// A barrier stands before an access that conflicts with an earlier one which no
// barrier separates from it: a write with anything, a read with a write, where
// the bytes overlap. The body of a loop is walked again after itself, so that
// one iteration is ordered against the next.
//
//===----------------------------------------------------------------------===//

#include "fuse/passes/Passes.h"

namespace fuse {
#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {
/// Bytes of shared memory that an op touches.
struct SharedAccess {
  int64_t begin, end;
  bool isWrite;

  bool conflictsWith(const SharedAccess &other) const {
    return (isWrite || other.isWrite) && begin < other.end && other.begin < end;
  }
  bool operator==(const SharedAccess &other) const {
    return begin == other.begin && end == other.end && isWrite == other.isWrite;
  }
};

class BarrierInserter {
public:
  void run(Block &block);

private:
  static SmallVector<SharedAccess> accessesOf(Operation &op);

  /// Accesses since the last barrier that every path has passed.
  SmallVector<SharedAccess> pending;
};
} // namespace

SmallVector<SharedAccess> BarrierInserter::accessesOf(Operation &op) {
  SmallVector<SharedAccess> accesses;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return accesses;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &effect : instances) {
    Value value = effect.getValue();
    auto type =
        value ? dyn_cast<tile::TileType>(value.getType()) : tile::TileType();
    auto alloc = value ? value.getDefiningOp<tile::AllocOp>() : nullptr;
    if (!type || !type.isShared() || !alloc || &op == alloc.getOperation())
      continue;
    int64_t begin = alloc.getOffset().value_or(0);
    int64_t bytes =
        type.getNumElements() * getElementBytes(type.getElementType());
    accesses.push_back(
        {begin, begin + bytes, isa<MemoryEffects::Write>(effect.getEffect())});
  }
  return accesses;
}

void BarrierInserter::run(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<tile::BarrierOp>(op)) {
      pending.clear();
      continue;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      SmallVector<SharedAccess> before = pending;
      // What the first walk leaves behind, the second one finds pending.
      run(*loop.getBody());
      run(*loop.getBody());
      // The loop may not run at all.
      for (const SharedAccess &access : before)
        if (!llvm::is_contained(pending, access))
          pending.push_back(access);
      continue;
    }
    SmallVector<SharedAccess> accesses = accessesOf(op);
    bool conflicts = llvm::any_of(accesses, [&](const SharedAccess &access) {
      return llvm::any_of(pending, [&](const SharedAccess &earlier) {
        return access.conflictsWith(earlier);
      });
    });
    if (conflicts) {
      OpBuilder builder(&op);
      tile::BarrierOp::create(builder, op.getLoc());
      pending.clear();
    }
    for (const SharedAccess &access : accesses)
      if (!llvm::is_contained(pending, access))
        pending.push_back(access);
  }
}

namespace {
struct InsertBarriersPass final
    : fuse::impl::InsertBarriersPassBase<InsertBarriersPass> {
  using InsertBarriersPassBase::InsertBarriersPassBase;
  void runOnOperation() override {
    BarrierInserter().run(getOperation().getBody().front());
  }
};
} // namespace
