//===- ScheduleCost.cpp - The time of a kernel that is scheduled ----------===//

#include "ScheduleCost.h"
#include "LoopGroups.h"
#include "fuse/passes/SizeClasses.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace fuse;

/// Multiprocessors of an H200.
static constexpr double multiprocessors = 132;
/// What of a pipe's time the slowest one does not hide.
static constexpr double exposedShare = 0.25;

SizeHints fuse::getSizeHints(func::FuncOp kernel) {
  SizeHints hints;
  if (DictionaryAttr attr = getSizeHintsAttr(kernel))
    for (NamedAttribute hint : attr)
      hints[hint.getName()] = cast<IntegerAttr>(hint.getValue()).getInt();
  return hints;
}

namespace {
class ScheduleCost {
public:
  ScheduleCost(func::FuncOp kernel, const IndexForm &form,
               const KernelSchedule &schedule, const SizeHints &hints)
      : kernel(kernel), form(form), schedule(schedule), hints(hints),
        groups(groupReductions(kernel, form, schedule)) {}

  double countBlocks() {
    return countTiles([](IndexId) { return true; });
  }
  /// Of contractions at the full rate, with all that slows them down.
  double countFlops();
  /// Bytes that blocks bring in, each its own.
  double countTraffic();

private:
  double extent(IndexId index) {
    return static_cast<double>(
        std::max<int64_t>(estimateExtent(form.getExtent(index), hints), 1));
  }
  /// Tiles of the grid along those of its indices that `which` holds for.
  double countTiles(function_ref<bool(IndexId)> which);
  /// How often an op is computed for each of its elements.
  double countRepetitions(Operation &op);
  unsigned countLoops(Operation &op);
  double efficiency(EinsumOp op);

  func::FuncOp kernel;
  const IndexForm &form;
  const KernelSchedule &schedule;
  const SizeHints &hints;
  SmallVector<LoopGroup> groups;
};
} // namespace

double ScheduleCost::countTiles(function_ref<bool(IndexId)> which) {
  double tiles = 1;
  for (const TileDim &dim : schedule.grid)
    if (which(dim.index))
      tiles *= std::ceil(extent(dim.index) / static_cast<double>(dim.extent));
  return tiles;
}

/// The loops, and results that are computed in loops, which need `op`.
unsigned ScheduleCost::countLoops(Operation &op) {
  llvm::DenseSet<Operation *> dependent = {&op};
  for (Operation &other : kernel.front())
    for (OpOperand &operand : other.getOpOperands())
      if (Value source = isa<func::ReturnOp>(other) || isIndexMap(&other)
                             ? operand.get()
                             : form.getSource(operand))
        if (source.getDefiningOp() &&
            dependent.contains(source.getDefiningOp()) &&
            // Behind a loop's result nothing is computed again.
            !llvm::any_of(groups, [&](const LoopGroup &group) {
              return llvm::any_of(group.members, [&](const LoopMember &member) {
                return member.op == source.getDefiningOp();
              });
            }))
          dependent.insert(&other);
  unsigned count = 0;
  for (const LoopGroup &group : groups)
    count += llvm::any_of(group.members, [&](const LoopMember &member) {
      return dependent.contains(member.op);
    });
  count += dependent.contains(kernel.front().getTerminator());
  return std::max(count, 1u);
}

double ScheduleCost::countRepetitions(Operation &op) {
  llvm::SetVector<IndexId> own = form.getIterated(op);
  double tiles = countTiles([&](IndexId i) { return !own.contains(i); });
  return isNested(op, form, schedule) ? tiles * countLoops(op) : tiles;
}

/// Shared memory gives a lane 16 bytes in the time of 4 multiply-adds a lane:
/// small tiles of a thread wait for it.
double ScheduleCost::efficiency(EinsumOp op) {
  ContractionSides sides(op, form);
  auto tileOf = [&](ArrayRef<IndexId> side) {
    int64_t largest = 1;
    for (IndexId index : side)
      largest = std::max(largest, schedule.getExtent(index));
    return largest;
  };
  ThreadTile tile = getThreadTile(tileOf(sides.left), tileOf(sides.right),
                                  schedule.threads / 32);
  auto rows = static_cast<double>(tile.thread.first);
  auto columns = static_cast<double>(tile.thread.second);
  return std::min(1.0, rows * columns / (4 * (rows + columns)));
}

double ScheduleCost::countFlops() {
  double flops = 0;
  for (Operation &op : kernel.front().without_terminator()) {
    if (isIndexMap(&op) || op.getNumResults() != 1)
      continue;
    bool isProduct = isContraction(&op);
    if (!isProduct && !isa<MapOp, ReduceOp, EinsumOp>(op))
      continue;
    double steps = countRepetitions(op);
    for (IndexId index : form.getIterated(op))
      steps *= extent(index);
    flops += isProduct ? 2 * steps / efficiency(cast<EinsumOp>(op)) : steps;
  }
  return flops;
}

double ScheduleCost::countTraffic() {
  double bytes = 0;
  for (Operation &op : kernel.front().without_terminator()) {
    if (isIndexMap(&op))
      continue;
    for (OpOperand &operand : op.getOpOperands()) {
      const Read *read = form.getRead(operand);
      if (!read)
        continue;
      double elements = countTiles([&](IndexId index) {
        return read->access.stride(index) == DimExpr();
      });
      for (const auto &[index, stride] : read->access.strides)
        if (stride != DimExpr())
          elements *= extent(index);
      bytes += elements * static_cast<double>(getElementBytes(
                              getElementTypeOrSelf(read->buffer.getType())));
    }
  }
  return bytes;
}

double fuse::predictMicroseconds(func::FuncOp kernel, const IndexForm &form,
                                 const KernelSchedule &schedule,
                                 const KernelCost &cost, const SizeHints &hints,
                                 const DeviceRates &rates) {
  ScheduleCost model(kernel, form, schedule, hints);
  double blocks = model.countBlocks();
  double full = std::ceil(blocks / multiprocessors) * multiprocessors;
  double utilisation = blocks / full;
  // Half of the multiprocessors saturate memory.
  double busy = std::min(1.0, 2 * blocks / multiprocessors);
  double pipes[] = {
      cost.bytes / rates.bytesPerMicrosecond / busy,
      model.countTraffic() / rates.cachedBytesPerMicrosecond / busy,
      model.countFlops() / rates.flopsPerMicrosecond / utilisation};
  double slowest = *llvm::max_element(pipes);
  double all = std::accumulate(std::begin(pipes), std::end(pipes), 0.0);
  return rates.launchMicroseconds + slowest + exposedShare * (all - slowest);
}
