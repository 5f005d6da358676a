//===- InsertBarriers.cpp - Order accesses to shared memory ---------------===//
//
// A barrier stands before an access that conflicts with an earlier one which no
// barrier separates from it: a write with anything, a read with a write, where
// the bytes overlap. The body of a loop is walked again after itself, so that
// one iteration is ordered against the next.
//
// Slots of one tile that take turns by the steps of a loop are the same bytes
// only as many steps later as there are slots.
//
//===----------------------------------------------------------------------===//

#include "fuse/passes/Passes.h"
#include "llvm/Support/MathExtras.h"

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
  /// If the access is to the slot whose turn it is in a step of `loop`: of how
  /// many, and how many steps ago. Else it may be to any of them.
  scf::ForOp loop = {};
  int64_t slots = 1, age = 0;

  bool conflictsWith(const SharedAccess &other) const {
    if (!isWrite && !other.isWrite)
      return false;
    if (begin >= other.end || other.begin >= end)
      return false;
    bool takesTurns = loop && loop == other.loop && begin == other.begin &&
                      end == other.end && slots == other.slots;
    return !takesTurns || (age - other.age) % slots == 0;
  }
  bool operator==(const SharedAccess &other) const {
    return begin == other.begin && end == other.end &&
           isWrite == other.isWrite && loop == other.loop && age == other.age;
  }
};

class BarrierInserter {
public:
  void run(Block &block);

private:
  void runLoop(scf::ForOp loop);
  static SmallVector<SharedAccess> accessesOf(Operation &op);
  /// Puts a barrier before `op` if one of its accesses needs it.
  void separate(Operation &op, ArrayRef<SharedAccess> accesses);
  void remember(ArrayRef<SharedAccess> accesses);

  /// Accesses since the last barrier that every path has passed.
  SmallVector<SharedAccess> pending;
};
} // namespace

/// True if `turn` counts the steps of `loop`: (counter - begin) / step.
static bool countsSteps(Value turn, scf::ForOp loop) {
  auto quotient = turn.getDefiningOp<arith::DivSIOp>();
  if (!quotient || quotient.getRhs() != loop.getStep())
    return false;
  if (quotient.getLhs() == loop.getInductionVar())
    return isConstantIntValue(loop.getLowerBound(), 0);
  auto distance = quotient.getLhs().getDefiningOp<arith::SubIOp>();
  return distance && distance.getLhs() == loop.getInductionVar() &&
         distance.getRhs() == loop.getLowerBound();
}

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
    if (!type || !type.isShared())
      continue;
    tile::AllocOp alloc = tile::getAlloc(value);
    if (!alloc || &op == alloc.getOperation())
      continue;
    // Of a tile some of whose rows are accessed, all are.
    type = alloc.getTile().getType();
    auto rows = value.getDefiningOp<tile::RowsOp>();
    auto slot = (rows ? rows.getSource() : value).getDefiningOp<tile::SlotOp>();
    int64_t begin = alloc.getOffset().value_or(0);
    int64_t bytes =
        type.getNumElements() * getElementBytes(type.getElementType());
    SharedAccess access{begin, begin + bytes,
                        isa<MemoryEffects::Write>(effect.getEffect())};
    if (slot) {
      access.slots = *alloc.getSlots();
      access.end = begin + access.slots * llvm::alignTo(bytes, sharedAlignment);
      auto loop = op.getParentOfType<scf::ForOp>();
      if (loop && countsSteps(slot.getTurn(), loop))
        access.loop = loop;
    }
    accesses.push_back(access);
  }
  return accesses;
}

void BarrierInserter::separate(Operation &op, ArrayRef<SharedAccess> accesses) {
  bool conflicts = llvm::any_of(accesses, [&](const SharedAccess &access) {
    return llvm::any_of(pending, [&](const SharedAccess &earlier) {
      return access.conflictsWith(earlier);
    });
  });
  if (!conflicts)
    return;
  OpBuilder builder(&op);
  tile::BarrierOp::create(builder, op.getLoc());
  pending.clear();
}

void BarrierInserter::remember(ArrayRef<SharedAccess> accesses) {
  for (const SharedAccess &access : accesses)
    if (!llvm::is_contained(pending, access))
      pending.push_back(access);
}

void BarrierInserter::runLoop(scf::ForOp loop) {
  // What was before the loop is of no step. One barrier here spares one a step.
  SmallVector<SharedAccess> takingTurns;
  for (Operation &op : *loop.getBody())
    for (const SharedAccess &access : accessesOf(op))
      if (access.loop)
        takingTurns.push_back(access);
  separate(*loop, takingTurns);
  SmallVector<SharedAccess> before = pending;
  // What one walk leaves behind, the next one finds pending.
  int64_t walks = 2;
  for (const SharedAccess &access : takingTurns)
    walks = std::max(walks, access.slots + 1);
  for (int64_t walk = 0; walk < walks; ++walk) {
    run(*loop.getBody());
    for (SharedAccess &access : pending)
      if (access.loop == loop)
        ++access.age;
  }
  for (SharedAccess &access : pending)
    if (access.loop == loop)
      access.loop = {};
  // The loop may not run at all.
  remember(before);
}

void BarrierInserter::run(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<tile::BarrierOp>(op)) {
      pending.clear();
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      runLoop(loop);
    } else {
      SmallVector<SharedAccess> accesses = accessesOf(op);
      separate(op, accesses);
      remember(accesses);
    }
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
