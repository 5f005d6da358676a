//===- PreloadTiles.cpp - Load at a kernel's start what it will need ------===//
//
// A small kernel waits for memory once for each tile that it loads where it is
// needed. Loaded at the start, all of them are on their way together; so are
// those of a step of a loop that has loops in it. Where registers do not
// suffice, tiles that are needed behind a loop are loaded behind it.
//
//===----------------------------------------------------------------------===//

#include "fuse/passes/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

namespace fuse {
#define GEN_PASS_DEF_PRELOADTILESPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// Registers of a thread for what is loaded ahead: of kernels whose sums leave
/// most of them free, and of others; and of the latter's steps, if their sums
/// leave some. In the scene graph's attention, with 32 sums, the bias of a step
/// is loaded with its mask then: 155 us and not 161 (H200, N = 512).
static constexpr int64_t maxRegisters = 160, maxRegistersBesideSums = 8,
                         maxRegistersOfStep = 64;
/// Sums of a thread that leave most registers free, and that leave some.
static constexpr int64_t fewSums = 16, someSums = 32;

namespace {
class Preloader {
public:
  explicit Preloader(Block &block) : block(block), place(nullptr) {}

  /// Takes up to `registers` of a thread; with `withNext` also for what only
  /// the next step of a loop needs.
  void run(int64_t registers, bool withNext);

private:
  void preload(tile::LoadOp load);
  void loadBehindLoops(tile::LoadOp load);
  bool canMove(tile::LoadOp load);
  bool canMove(Value index);
  /// Behind what is at the start already.
  void moveToStart(Operation *op);
  void moveIndexToStart(Value index);

  Block &block;
  Operation *place;
};
} // namespace

static int64_t countRegisters(tile::TileType type) {
  int64_t words = llvm::divideCeil(getElementBytes(type.getElementType()), 4);
  return type.getMap() ? type.getMap().getValue().registers() * words : 0;
}

static int64_t countMostSums(tile::KernelOp kernel) {
  int64_t most = 0;
  kernel.walk([&](tile::ContractOp op) {
    most = std::max(most, countRegisters(op.getTile().getType()));
  });
  return most;
}

/// True if the index is known at the block's start, but for arithmetic.
bool Preloader::canMove(Value index) {
  Operation *op = index.getDefiningOp();
  if (!op || isa<tile::OriginOp>(op) || op->getBlock() != &block)
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return canMove(operand); });
}

bool Preloader::canMove(tile::LoadOp load) {
  return !tile::isWritten(load.getBuffer()) && !load.getCondition() &&
         llvm::all_of(load->getOperands(), [&](Value operand) {
           return !isa<IndexType>(operand.getType()) || canMove(operand);
         });
}

void Preloader::moveToStart(Operation *op) {
  if (place && (op == place || op->isBeforeInBlock(place)))
    return;
  if (place)
    op->moveAfter(place);
  else
    op->moveBefore(&block, block.begin());
  place = op;
}

void Preloader::moveIndexToStart(Value index) {
  Operation *op = index.getDefiningOp();
  if (!op || op->getBlock() != &block)
    return;
  for (Value operand : op->getOperands())
    moveIndexToStart(operand);
  moveToStart(op);
}

void Preloader::preload(tile::LoadOp load) {
  for (Value operand : load->getOperands())
    if (isa<IndexType>(operand.getType()))
      moveIndexToStart(operand);
  moveToStart(load);
}

/// To where its tile is first used, if there is a loop in between. What only
/// the next step of a loop needs is on its way already.
void Preloader::loadBehindLoops(tile::LoadOp load) {
  bool passesLoop = false;
  for (Operation *op = load->getNextNode(); op; op = op->getNextNode()) {
    bool uses = llvm::any_of(load->getUsers(), [&](Operation *user) {
      return op->isAncestor(user);
    });
    if (uses) {
      if (passesLoop && !op->hasTrait<OpTrait::IsTerminator>())
        load->moveBefore(op);
      return;
    }
    passesLoop |= isa<scf::ForOp>(op);
  }
}

void Preloader::run(int64_t left, bool withNext) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto load = dyn_cast<tile::LoadOp>(op);
    if (!load || !canMove(load))
      continue;
    int64_t registers = countRegisters(load.getTile().getType());
    bool isNext = llvm::all_of(load->getUsers(), [](Operation *user) {
      return user->hasTrait<OpTrait::IsTerminator>();
    });
    if (registers <= left && (withNext || !isNext)) {
      left -= registers;
      preload(load);
    } else {
      loadBehindLoops(load);
    }
  }
}

namespace {
struct PreloadTilesPass final
    : fuse::impl::PreloadTilesPassBase<PreloadTilesPass> {
  using PreloadTilesPassBase::PreloadTilesPassBase;
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    int64_t sums = countMostSums(kernel);
    int64_t registers = sums <= fewSums ? maxRegisters : maxRegistersBesideSums;
    bool leavesSome = sums > fewSums && sums <= someSums;
    int64_t registersOfStep = leavesSome ? maxRegistersOfStep : registers;
    Preloader(kernel.getBody().front()).run(registers, /*withNext=*/true);
    kernel.walk([&](scf::ForOp loop) {
      if (!loop.getBody()->getOps<scf::ForOp>().empty())
        Preloader(*loop.getBody()).run(registersOfStep, !leavesSome);
    });
  }
};
} // namespace
