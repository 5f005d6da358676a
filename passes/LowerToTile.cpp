//===- LowerToTile.cpp - Kernels of graph ops to kernels on tiles ---------===//

#include "ScheduleCost.h"
#include "TileScope.h"
#include "fuse/passes/Passes.h"
#include "fuse/passes/SizeClasses.h"
#include "llvm/ADT/BitVector.h"

namespace fuse {
#define GEN_PASS_DEF_LOWERTOTILEPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// Refuses what kernels have no text for.
static LogicalResult checkConstants(func::FuncOp kernel) {
  for (auto constant : kernel.getOps<ConstantOp>()) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements || !elements.isSplat())
      return constant.emitOpError(
          "expects one value for all elements in a kernel; pass a table as an "
          "argument");
  }
  return success();
}

/// True if a block needs the extent `symbol` to find its place in the grid, of
/// which every dim but the outermost one is divided by.
static bool isInGrid(tile::KernelOp kernel, StringAttr symbol) {
  ArrayRef<Attribute> grid = kernel.getGrid().getValue();
  return symbol && !grid.empty() &&
         llvm::any_of(grid.drop_front(), [&](Attribute text) {
           std::string error;
           return DimExpr::parse(cast<StringAttr>(text), error)
               ->contains(symbol);
         });
}

/// Buffers that only lent their shape are no arguments of the kernel.
static void dropUnusedArguments(tile::KernelOp kernel, LaunchOp launch) {
  llvm::BitVector unused(kernel.getNumArguments());
  for (BlockArgument argument : kernel.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (argument.use_empty() &&
        !isInGrid(kernel, kernel.getArgAttrOfType<StringAttr>(
                              number, tile::TileDialect::dimAttr)))
      unused.set(number);
  }
  unsigned numInputs = launch.getInputs().size();
  for (unsigned index = numInputs; index-- > 0;)
    if (unused.test(index))
      launch.getInputsMutable().erase(index);
  (void)kernel.eraseArguments(unused);
}

static FailureOr<tile::KernelOp> lower(func::FuncOp kernel) {
  if (failed(checkConstants(kernel)))
    return failure();
  FailureOr<DimAnalysis> dims = DimAnalysis::compute(kernel);
  if (failed(dims))
    return failure();
  FailureOr<IndexForm> form = IndexForm::compute(kernel, *dims);
  if (failed(form))
    return failure();
  form->coalesce();
  SizeHints hints = getSizeHints(kernel);
  KernelCost cost = estimateCost(kernel, *form, *dims, hints);
  std::string why;
  FailureOr<KernelSchedule> schedule =
      scheduleKernel(kernel, *form, *dims, hints, why);
  if (failed(schedule))
    return kernel.emitError() << "cannot be one kernel: " << why;
  tile::KernelOp lowered = lowerStages(kernel, *form, *dims, *schedule);
  Builder builder(kernel.getContext());
  auto entry = [&](StringRef name, double value) {
    return builder.getNamedAttr(name, builder.getF64FloatAttr(value));
  };
  double microseconds =
      predictMicroseconds(kernel, *form, *schedule, cost, hints);
  lowered->setAttr(tile::TileDialect::costAttr,
                   builder.getDictionaryAttr(
                       {entry("bytes", cost.bytes), entry("flops", cost.flops),
                        entry("predicted_us", microseconds)}));
  return lowered;
}

namespace {
struct LowerToTilePass final
    : fuse::impl::LowerToTilePassBase<LowerToTilePass> {
  using LowerToTilePassBase::LowerToTilePassBase;

  void runOnOperation() override {
    llvm::DenseMap<StringAttr, LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) {
      launches[launch.getKernel().getLeafReference()] = launch;
    });
    auto kernels = getOperation().lookupSymbol<ModuleOp>(kernelsName);
    if (!kernels)
      return;
    for (auto kernel :
         llvm::make_early_inc_range(kernels.getOps<func::FuncOp>())) {
      FailureOr<tile::KernelOp> lowered = lower(kernel);
      if (failed(lowered))
        return signalPassFailure();
      kernel.erase();
      if (LaunchOp launch = launches.lookup(lowered->getSymNameAttr()))
        dropUnusedArguments(*lowered, launch);
    }
  }
};
} // namespace
