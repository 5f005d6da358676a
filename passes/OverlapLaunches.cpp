//===- OverlapLaunches.cpp - Start before the launch in front ends --------===//
//
// A kernel may be on the device before the one in front of it is done
// (programmatic dependent launch), and read what the program was given. Before
// it touches what other kernels write, or writes itself, it waits for them;
// then it lets the next one come. Since every kernel waits, those before the
// one in front are done, too. The first one has nobody to wait for.
//
//===----------------------------------------------------------------------===//

#include "fuse/passes/Passes.h"
#include "mlir/IR/SymbolTable.h"

namespace fuse {
#define GEN_PASS_DEF_OVERLAPLAUNCHESPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {
class LaunchOverlapper {
public:
  explicit LaunchOverlapper(ModuleOp module) : module(module) {}

  void run();

private:
  void overlapAll(FunctionOpInterface function);
  /// Notes which buffers a launch passes that other kernels write.
  void addLaunch(LaunchOp launch, tile::KernelOp kernel);
  /// Waits where a block first touches what other kernels do, or at once.
  void addWait(Block &block, bool atStart);
  bool mustWait(Operation *op);
  /// Loads of what the program was given come first.
  void moveInputs(Block &block, Operation *wait);

  ModuleOp module;
  SymbolTableCollection symbols;
  llvm::SetVector<Operation *> kernels;
  llvm::DenseSet<Operation *> later; // that are not the first of all launches
  llvm::DenseSet<Value> others; // buffers that are not the program's inputs
};
} // namespace

void LaunchOverlapper::addLaunch(LaunchOp launch, tile::KernelOp kernel) {
  kernels.insert(kernel);
  for (auto [number, argument] : llvm::enumerate(kernel.getArguments())) {
    bool isInput = number < launch.getInputs().size() &&
                   isa<BlockArgument>(launch.getInputs()[number]);
    if (!isInput)
      others.insert(argument);
  }
}

/// True if it, or an op in it, writes or reads what another kernel may write.
bool LaunchOverlapper::mustWait(Operation *op) {
  return op
      ->walk([&](Operation *inner) {
        auto load = dyn_cast<tile::LoadOp>(inner);
        bool touches = isa<tile::StoreOp>(inner) ||
                       (load && others.contains(load.getBuffer()));
        return touches ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// With the arithmetic of its place, as far as that stands behind `target`.
static void moveBefore(Operation *op, Operation *target) {
  if (op->getBlock() != target->getBlock() || op->isBeforeInBlock(target))
    return;
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp())
      moveBefore(source, target);
  op->moveBefore(target);
}

void LaunchOverlapper::moveInputs(Block &block, Operation *wait) {
  SmallVector<Operation *> loads;
  for (Operation *op = wait->getNextNode(); op; op = op->getNextNode()) {
    auto load = dyn_cast<tile::LoadOp>(op);
    if (load && !load.getCondition() && !others.contains(load.getBuffer()))
      loads.push_back(load);
    else if (!load && !isa<arith::ArithDialect>(op->getDialect()) &&
             !isa<tile::FillOp, tile::OriginOp, tile::ReshapeOp,
                  tile::BroadcastOp>(op))
      break; // Behind it, loads are not at the start.
  }
  for (Operation *load : loads)
    moveBefore(load, wait);
}

void LaunchOverlapper::addWait(Block &block, bool atStart) {
  for (Operation &op : block) {
    if (!atStart && !mustWait(&op))
      continue;
    OpBuilder builder(&op);
    auto wait = tile::AwaitOp::create(builder, op.getLoc());
    if (!atStart)
      moveInputs(block, wait);
    return;
  }
}

void LaunchOverlapper::overlapAll(FunctionOpInterface function) {
  auto launches =
      llvm::to_vector(function.getFunctionBody().front().getOps<LaunchOp>());
  if (launches.size() < 2)
    return;
  for (auto [number, launch] : llvm::enumerate(launches)) {
    auto kernel = symbols.lookupNearestSymbolFrom<tile::KernelOp>(
        launch, launch.getKernelAttr());
    if (!kernel)
      continue;
    addLaunch(launch, kernel);
    launch.setOverlap(number > 0);
    launch.setIndependent(
        number > 0 &&
        llvm::all_of(launch.getInputs(), llvm::IsaPred<BlockArgument>));
    if (number > 0)
      later.insert(kernel);
  }
}

void LaunchOverlapper::run() {
  module.walk([&](FunctionOpInterface function) {
    if (!function.isExternal() && !isa<tile::KernelOp>(function))
      overlapAll(function);
  });
  for (Operation *op : kernels) {
    auto kernel = cast<tile::KernelOp>(op);
    for (Block *block : kernel.getPartBlocks())
      addWait(*block, /*atStart=*/!later.contains(kernel));
  }
}

namespace {
struct OverlapLaunchesPass final
    : fuse::impl::OverlapLaunchesPassBase<OverlapLaunchesPass> {
  using OverlapLaunchesPassBase::OverlapLaunchesPassBase;
  void runOnOperation() override { LaunchOverlapper(getOperation()).run(); }
};
} // namespace
