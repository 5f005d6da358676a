//===- PipelineLoops.cpp - Load one step ahead of a contraction -----------===//
//
// A loop that loads, writes to shared memory and contracts waits for global
// memory in every step. Here the loads of the next step stand before this one's
// contraction and end up in registers that the loop carries; what is computed
// from them stays where it was. What a loop within starts with is loaded behind
// that loop. In a step after the last, a limit lets nothing exist, so nothing
// is read.
//
//===----------------------------------------------------------------------===//

#include "KernelSchedule.h"
#include "fuse/passes/Passes.h"
#include "mlir/IR/IRMapping.h"

namespace fuse {
#define GEN_PASS_DEF_PIPELINELOOPSPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// Shared memory for two of everything: a third of what a multiprocessor has.
static constexpr int64_t maxSlotBytes = 72 * 1024;

namespace {
class LoopPipeliner {
public:
  explicit LoopPipeliner(scf::ForOp loop)
      : loop(loop), body(loop.getBody()), builder(loop) {}

  void run();

private:
  bool findLoads();
  bool canMove(tile::LoadOp load);
  bool isContracted(Value tile, Block *block);
  /// Where the loads of the next step come.
  Block::iterator findPlace();
  std::optional<int64_t> findLimit(tile::LoadOp load);
  Value copyIndex(Value value, IRMapping &map);
  Value loadAt(tile::LoadOp load, Value counter, IRMapping &map);
  void moveLoads();
  void takeTurns();

  scf::ForOp loop;
  Block *body;
  OpBuilder builder;
  SmallVector<tile::LoadOp> loads;
};
} // namespace

//===----------------------------------------------------------------------===//
// What can move
//===----------------------------------------------------------------------===//

/// True if `value` is computed from the loop's counter and from what is known
/// outside of the loop, by what may also be computed where there is no step.
static bool isIndexOfStep(Value value, scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == loop.getBody() &&
         isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp>(
             op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isIndexOfStep(operand, loop);
         });
}

/// True if `tile` reaches a contraction in `block` through shared memory,
/// directly or after elementwise ops, or one in the first step of a loop there.
bool LoopPipeliner::isContracted(Value tile, Block *block) {
  return llvm::any_of(tile.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user->getBlock() != block)
      return false;
    if (auto inner = dyn_cast<scf::ForOp>(user))
      return isContracted(inner.getTiedLoopRegionIterArg(&use),
                          inner.getBody());
    if (auto write = dyn_cast<tile::WriteOp>(user))
      return llvm::any_of(write.getTarget().getUsers(), [&](Operation *reader) {
        return isa<tile::ContractOp>(reader) && reader->getBlock() == block;
      });
    return isa<tile::MapOp, tile::CastOp, tile::MaskOp, tile::SelectOp,
               tile::CompareOp, tile::BroadcastOp, tile::ReshapeOp>(user) &&
           isContracted(user->getResult(0), block);
  });
}

/// True if a loop that ends at `end` does not pass `extent`. It may stop
/// before: what a step behind its end would load is there, then, and ignored.
static bool endsBy(Value end, Value extent) {
  if (end == extent)
    return true;
  auto least = end.getDefiningOp<arith::MinSIOp>();
  return least && (least.getLhs() == extent || least.getRhs() == extent);
}

/// The dim whose limit can say that a step does not exist: the summed one by
/// preference, which ends at the last step anyway. -1 if a limit says so
/// already, nullopt if limits that say other things leave no room.
std::optional<int64_t> LoopPipeliner::findLimit(tile::LoadOp load) {
  ArrayRef<int64_t> shape = load.getTile().getType().getShape();
  for (Value limit : load.getLimits())
    if (auto rest = limit.getDefiningOp<arith::SubIOp>();
        rest && endsBy(loop.getUpperBound(), rest.getLhs()) &&
        rest.getRhs() == loop.getInductionVar())
      return -1;
  std::optional<int64_t> step = getConstantIntValue(loop.getStep()), found;
  // The summed dim is as long as a step; others at least need no multiple of
  // the rest if they are shorter.
  auto preference = [&](int64_t extent) {
    return !step || extent > *step ? 0 : extent < *step ? 1 : 2;
  };
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    std::optional<int64_t> limit =
        load.getLimits().empty() ? std::optional<int64_t>(extent)
                                 : getConstantIntValue(load.getLimits()[dim]);
    if (limit && *limit >= extent &&
        (!found || preference(extent) > preference(shape[*found])))
      found = dim;
  }
  return found;
}

bool LoopPipeliner::canMove(tile::LoadOp load) {
  if (tile::isWritten(load.getBuffer()) || load.getCondition() ||
      !isContracted(load.getTile(), body) || !findLimit(load))
    return false;
  return isIndexOfStep(load.getOffset(), loop) &&
         llvm::all_of(load.getStrides(),
                      [&](Value v) { return isIndexOfStep(v, loop); }) &&
         llvm::all_of(load.getLimits(),
                      [&](Value v) { return isIndexOfStep(v, loop); });
}

bool LoopPipeliner::findLoads() {
  std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()),
                         end = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  // Of one step there is no next.
  if (begin && end && step && *begin + *step >= *end)
    return false;
  int64_t bytes = 0;
  for (auto load : body->getOps<tile::LoadOp>()) {
    tile::TileType type = load.getTile().getType();
    if (!type.getMap() || !canMove(load))
      continue;
    int64_t more = type.getMap().getValue().registers() *
                   std::max<int64_t>(getElementBytes(type.getElementType()), 4);
    if (bytes + more > 4 * mostRegistersAhead)
      continue;
    bytes += more;
    loads.push_back(load);
  }
  return !loads.empty();
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// `value` in the step that `map` has the counter of.
Value LoopPipeliner::copyIndex(Value value, IRMapping &map) {
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  if (Value known = map.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    map.map(operand, copyIndex(operand, map));
  // Much is nothing in the first step.
  Operation *copy = builder.clone(*op, map);
  SmallVector<Value> folded;
  if (succeeded(builder.tryFold(copy, folded)) && !folded.empty()) {
    copy->erase();
    map.map(value, folded.front());
  }
  return map.lookup(value);
}

/// The load of the step at `counter`, which may be beyond the last.
Value LoopPipeliner::loadAt(tile::LoadOp load, Value counter, IRMapping &map) {
  Location loc = load.getLoc();
  auto copy = [&](Value value) { return copyIndex(value, map); };
  SmallVector<Value> limits = llvm::map_to_vector(load.getLimits(), copy);
  ArrayRef<int64_t> shape = load.getTile().getType().getShape();
  if (int64_t dim = *findLimit(load); dim >= 0) {
    if (limits.empty())
      for (int64_t extent : shape)
        limits.push_back(arith::ConstantIndexOp::create(builder, loc, extent));
    Value rest =
        builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), counter);
    // At least the tile's extent while there is a step, and 0 or less after.
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    auto end = getConstantIntValue(loop.getUpperBound());
    auto begin = getConstantIntValue(loop.getLowerBound());
    bool isWhole = step && end && begin && shape[dim] <= *step &&
                   (*end - *begin) % *step == 0;
    Value extent = arith::ConstantIndexOp::create(builder, loc, shape[dim]);
    limits[dim] =
        isWhole ? rest : builder.createOrFold<arith::MulIOp>(loc, rest, extent);
  }
  SmallVector<Value> strides = llvm::map_to_vector(load.getStrides(), copy);
  Value offset = copy(load.getOffset());
  auto ahead = tile::LoadOp::create(builder, loc, load.getTile().getType(),
                                    load.getBuffer(), offset, strides, limits,
                                    /*condition=*/Value(), load.getFill());
  ahead.setVector(load.getVector());
  ahead.setAnyStride(load.getAnyStride());
  return ahead.getTile();
}

/// Behind what this step does with its own tiles, so that both need not be in
/// registers at once.
Block::iterator LoopPipeliner::findPlace() {
  Operation *last = nullptr;
  for (tile::LoadOp load : loads)
    for (Operation *user : load->getUsers())
      if (isa<scf::ForOp>(user) && (!last || last->isBeforeInBlock(user)))
        last = user;
  if (last)
    return ++last->getIterator();
  auto contractions = body->getOps<tile::ContractOp>();
  return contractions.empty() ? body->getTerminator()->getIterator()
                              : (*contractions.begin())->getIterator();
}

void LoopPipeliner::moveLoads() {
  Location loc = loop.getLoc();
  SmallVector<Value> first, ahead;
  IRMapping atFirst, atNext;
  atFirst.map(loop.getInductionVar(), loop.getLowerBound());
  for (tile::LoadOp load : loads)
    first.push_back(loadAt(load, loop.getLowerBound(), atFirst));

  builder.setInsertionPoint(body, findPlace());
  Value next = arith::AddIOp::create(builder, loc, loop.getInductionVar(),
                                     loop.getStep());
  atNext.map(loop.getInductionVar(), next);
  for (tile::LoadOp load : loads)
    ahead.push_back(loadAt(load, next, atNext));

  IRRewriter rewriter(builder);
  rewriter.setInsertionPoint(loop);
  auto replacement = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return ahead; }));
  loop = replacement;
  body = loop.getBody();
  auto carried = loop.getRegionIterArgs().take_back(loads.size());
  for (auto [load, tile] : llvm::zip_equal(loads, carried)) {
    load.getTile().replaceAllUsesWith(tile);
    load.erase();
  }
}

//===----------------------------------------------------------------------===//
// Shared tiles
//===----------------------------------------------------------------------===//

/// Two of each shared tile, if all are made, written and read in this loop.
void LoopPipeliner::takeTurns() {
  SmallVector<tile::AllocOp> allocs;
  int64_t bytes = 0;
  for (Operation &op : *body) {
    auto write = dyn_cast<tile::WriteOp>(op);
    if (isa<tile::ReadOp, scf::ForOp>(op))
      return;
    if (!write)
      continue;
    auto alloc = write.getTarget().getDefiningOp<tile::AllocOp>();
    if (!alloc || alloc->getBlock() != body || alloc.getSlots())
      return;
    for (Operation *user : alloc.getTile().getUsers())
      if (user != write &&
          !(isa<tile::ContractOp>(user) && user->getBlock() == body &&
            write->isBeforeInBlock(user)))
        return;
    tile::TileType type = alloc.getTile().getType();
    bytes += 2 * type.getNumElements() * getElementBytes(type.getElementType());
    allocs.push_back(alloc);
  }
  if (bytes > maxSlotBytes)
    return;

  builder.setInsertionPointToStart(body);
  Location loc = loop.getLoc();
  Value distance = loop.getInductionVar();
  if (!isConstantIntValue(loop.getLowerBound(), 0))
    distance =
        arith::SubIOp::create(builder, loc, distance, loop.getLowerBound());
  Value turn = arith::DivSIOp::create(builder, loc, distance, loop.getStep());
  for (tile::AllocOp alloc : allocs) {
    builder.setInsertionPoint(alloc);
    auto slot =
        tile::SlotOp::create(builder, alloc.getLoc(), alloc.getTile().getType(),
                             alloc.getTile(), turn);
    alloc.getTile().replaceAllUsesExcept(slot, slot);
    alloc.setSlots(2);
    alloc->moveBefore(loop);
  }
}

void LoopPipeliner::run() {
  if (!findLoads())
    return;
  moveLoads();
  takeTurns();
}

namespace {
struct PipelineLoopsPass final
    : fuse::impl::PipelineLoopsPassBase<PipelineLoopsPass> {
  using PipelineLoopsPassBase::PipelineLoopsPassBase;
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      LoopPipeliner(loop).run();
  }
};
} // namespace
