//===- SinkReads.cpp - Read shared tiles behind the writes of others ------===//
//
// Between a write of shared memory and the read of what was written lies a
// barrier. A read that comes behind the writes of other tiles, too, has one
// barrier in common with theirs.
//
//===----------------------------------------------------------------------===//

#include "fuse/passes/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuse {
#define GEN_PASS_DEF_SINKREADSPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {
class ReadSinker {
public:
  explicit ReadSinker(Block &block) : block(block) {}

  void run();

private:
  bool followsRead(Operation &op);
  Operation *findFirstUser(Operation &op);
  bool gainsBarrier(Operation &op, Operation *user);

  Block &block;
  llvm::DenseMap<Operation *, bool> known;
};
} // namespace

/// A read, or arithmetic on what one gives.
bool ReadSinker::followsRead(Operation &op) {
  if (auto it = known.find(&op); it != known.end())
    return it->second;
  bool follows = isa<tile::ReadOp>(op);
  if (!follows && isPure(&op) && op.getNumRegions() == 0)
    follows = llvm::any_of(op.getOperands(), [&](Value operand) {
      Operation *source = operand.getDefiningOp();
      return source && source->getBlock() == &block && followsRead(*source);
    });
  known[&op] = follows;
  return follows;
}

/// In this block, or null.
Operation *ReadSinker::findFirstUser(Operation &op) {
  Operation *first = nullptr;
  for (Operation *user : op.getUsers()) {
    Operation *here = block.findAncestorOpInBlock(*user);
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  return first;
}

/// Writes of other tiles, and nothing else that `op` must not pass, lie between
/// the two.
bool ReadSinker::gainsBarrier(Operation &op, Operation *user) {
  bool passesWrite = false;
  for (Operation *between = op.getNextNode(); between != user;
       between = between->getNextNode()) {
    if (between->getNumRegions() > 0 || isa<tile::BarrierOp>(between))
      return false;
    auto write = dyn_cast<tile::WriteOp>(between);
    if (!write)
      continue;
    auto read = dyn_cast<tile::ReadOp>(op);
    if (read &&
        tile::getAlloc(read.getSource()) == tile::getAlloc(write.getTarget()))
      return false;
    passesWrite = true;
  }
  return passesWrite;
}

void ReadSinker::run() {
  // Users first, so that a chain moves as a whole.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (!followsRead(op))
      continue;
    Operation *user = findFirstUser(op);
    if (user && gainsBarrier(op, user))
      op.moveBefore(user);
  }
}

namespace {
struct SinkReadsPass final : fuse::impl::SinkReadsPassBase<SinkReadsPass> {
  using SinkReadsPassBase::SinkReadsPassBase;
  void runOnOperation() override {
    getOperation().walk([](Block *block) { ReadSinker(*block).run(); });
  }
};
} // namespace
