//===- AllocateShared.cpp - Place tiles in shared memory ------------------===//
//
// Tiles have bytes of their own where there is room for that without a block
// less on a multiprocessor: bytes that are used again need a barrier more.
//
// Else first fit in the order of need: a tile takes the lowest offset at which
// it overlaps no tile that lives at the same time. A tile lives from its first
// to its last access; one that is accessed in a loop it was allocated outside
// of lives through the whole loop.
//
//===----------------------------------------------------------------------===//

#include "fuse/passes/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace fuse {
#define GEN_PASS_DEF_ALLOCATESHAREDPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// A thread's share of a multiprocessor's shared memory, where registers let
/// 512 threads be there at once.
static constexpr int64_t bytesAThread = maxSharedBytes / 512;

namespace {
struct Placement {
  tile::AllocOp op;
  int64_t begin, end; // of its life, in numbers of ops
  int64_t bytes;
  int64_t offset = 0;

  bool livesWith(const Placement &other) const {
    return begin <= other.end && other.begin <= end;
  }
};
} // namespace

static int64_t bytesOf(tile::AllocOp op) {
  tile::TileType type = op.getTile().getType();
  int64_t bytes =
      type.getNumElements() * getElementBytes(type.getElementType());
  return op.getSlots().value_or(1) * llvm::alignTo(bytes, sharedAlignment);
}

/// The ancestor of `op` in the block of `other`.
static Operation *ancestorIn(Operation *op, Operation *other) {
  return other->getBlock()->findAncestorOpInBlock(*op);
}

/// Of the tiles of a kernel, or of one of its parts.
static SmallVector<Placement> findLives(Operation *kernel) {
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> numbers;
  int64_t number = 0;
  kernel->walk([&](Operation *op, const WalkStage &stage) {
    if (stage.isBeforeAllRegions())
      numbers[op].first = number++;
    if (stage.isAfterAllRegions())
      numbers[op].second = number++;
  });
  SmallVector<Placement> placements;
  kernel->walk([&](tile::AllocOp op) {
    Placement placement{op, std::numeric_limits<int64_t>::max(), 0,
                        bytesOf(op)};
    auto addUsers = [&](Value tile, auto &&self) -> void {
      for (Operation *user : tile.getUsers()) {
        auto [begin, end] = numbers[ancestorIn(user, op)];
        placement.begin = std::min(placement.begin, begin);
        placement.end = std::max(placement.end, end);
        if (isa<tile::RowsOp, tile::SlotOp>(user))
          self(user->getResult(0), self);
      }
    };
    addUsers(op.getTile(), addUsers);
    placements.push_back(placement);
  });
  return placements;
}

/// The lowest offset at which `placement` fits beside the tiles in `placed`.
static int64_t findOffset(const Placement &placement,
                          ArrayRef<Placement> placed) {
  SmallVector<std::pair<int64_t, int64_t>> taken;
  for (const Placement &other : placed)
    if (placement.livesWith(other))
      taken.emplace_back(other.offset, other.offset + other.bytes);
  llvm::sort(taken);
  int64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (offset + placement.bytes <= begin)
      break;
    offset = std::max(offset, end);
  }
  return offset;
}

/// Gives each tile its place; the bytes of all of them.
static int64_t place(MutableArrayRef<Placement> placements, bool isShared) {
  int64_t bytes = 0;
  for (auto [i, placement] : llvm::enumerate(placements)) {
    placement.offset =
        isShared ? findOffset(placement, placements.take_front(i)) : bytes;
    bytes = std::max(bytes, placement.offset + placement.bytes);
  }
  return bytes;
}

/// Gives all tiles their places; the bytes that they take.
static int64_t allocate(Operation *part, int64_t threads) {
  SmallVector<Placement> placements = findLives(part);
  int64_t bytes = place(placements, /*isShared=*/false);
  if (bytes > threads * bytesAThread)
    bytes = place(placements, /*isShared=*/true);
  for (Placement &placement : placements)
    placement.op.setOffset(placement.offset);
  return bytes;
}

namespace {
struct AllocateSharedPass final
    : fuse::impl::AllocateSharedPassBase<AllocateSharedPass> {
  using AllocateSharedPassBase::AllocateSharedPassBase;
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    int64_t bytes = 0;
    for (Block *block : kernel.getPartBlocks())
      bytes =
          std::max(bytes, allocate(block->getParentOp(), kernel.getThreads()));
    if (bytes > maxSharedBytes) {
      kernel.emitOpError() << "expects at most " << maxSharedBytes
                           << " bytes of shared memory, but needs " << bytes;
      return signalPassFailure();
    }
    kernel.setSharedBytes(bytes);
  }
};
} // namespace
