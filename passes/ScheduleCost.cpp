//===- ScheduleCost.cpp - The time of a kernel that is scheduled ----------===//

#include "ScheduleCost.h"
#include "LiveRegisters.h"
#include "LoopEnd.h"
#include "fuse/passes/Passes.h"
#include "fuse/passes/SizeClasses.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace fuse;

/// What of a pipe's time the slowest one does not hide: of a block that is
/// alone on its multiprocessor, of a few, and of many.
static constexpr double aloneExposedShare = 0.4, exposedShare = 0.25,
                        manyExposedShare = 0.2;
static constexpr double manyBlocks = 4;
/// Warps that a multiprocessor needs to be busy, and the most that it holds.
/// With many sums a thread its registers hold fewer: there are so many for each
/// lane, of which a thread takes some for addresses and operands. That fewer
/// sums may come with many other values is left out: it was not measured.
static constexpr double busyWarps = 8, mostWarps = 16;
static constexpr double manySums = 64;
static constexpr double registersOfLanes = 2048, registersBesideValues = 40;
/// What a step takes however little it does: one of a contraction, whose
/// operands go through shared memory, and one of a reduction along rows. With
/// these, small kernels of the examples are predicted within a quarter.
static constexpr double stageMicroseconds = 0.35, rowMicroseconds = 0.125;
/// What contractions reach of the rate that they are measured against: tiles of
/// 128 x 128, others with many sums a thread, and those with fewer; in blocks
/// of terms, and in one chain.
static constexpr double reachedInBlocks[] = {0.93, 0.87, 0.81},
                        reachedInChain[] = {0.98, 0.96, 0.90};
/// The rate of multiply-adds, of the same, at which shared memory keeps up.
static constexpr double sharedRate = 1.6;
/// Warps of a multiprocessor at which elementwise ops run at the full rate in a
/// kernel that contracts: their code is long, and does not stay at hand.
static constexpr double busyWarpsBesideSums = 12;

/// Registers, as they are estimated, from which on some of the values are kept
/// in memory, and how many more double what all ops take. SwiGLU with 64 sums
/// of each product, of 240, takes 4.2 ms, where 32 sums take 3.6 ms; the
/// triangle attention's loop over heads with logits of 64 takes 761 us, and
/// with half of them 587 us (H200; 2048 rows of 2048 by 8192; N = 256).
static constexpr double mostRegisters = 208, spillsThatDouble = 128;

/// What an element takes on its way to shared memory, as flops.
static constexpr double flopsOfStaging = 3;

/// Instructions of a scalar function, each as two flops.
static double getFlops(ScalarFn fn) {
  const ScalarFnInfo &info = getInfo(fn);
  if (info.ulps == 0 || fn == ScalarFn::Add || fn == ScalarFn::Sub ||
      fn == ScalarFn::Mul || fn == ScalarFn::LeakyRelu)
    return 2;
  if (fn == ScalarFn::Pow)
    return 80;
  // By Newton's method, or by a polynomial.
  return info.ulps < 2 || fn == ScalarFn::Rsqrt ? 20 : 40;
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
  /// Of contractions at the full rate, with all that slows them down, where a
  /// multiprocessor has so many warps.
  double countFlops(double warps);
  /// Bytes that blocks bring in, each its own.
  double countTraffic();
  /// Blocks that a multiprocessor holds at one time.
  double countResidentBlocks();
  /// What a block takes however little it does, in microseconds.
  double getLatency();

private:
  double extent(IndexId index) {
    auto [it, isNew] = extents.try_emplace(index, 0);
    if (isNew)
      it->second = static_cast<double>(
          std::max<int64_t>(estimateExtent(form.getExtent(index), hints), 1));
    return it->second;
  }
  /// What a block has of an index.
  double extentOfBlock(IndexId index) {
    for (const TileDim &dim : schedule.grid)
      if (dim.index == index)
        return std::min(extent(index), static_cast<double>(dim.extent));
    return extent(index);
  }
  /// With what tiles have beyond the end.
  double padded(IndexId index) {
    auto tile = static_cast<double>(schedule.getExtent(index));
    return std::ceil(extent(index) / tile) * tile;
  }
  /// Tiles of the grid along those of its indices that `which` holds for.
  double countTiles(function_ref<bool(IndexId)> which);
  /// How often an op is computed for each of its elements.
  double countRepetitions(Operation &op);
  unsigned countLoops(Operation &op);
  /// What of the positions of an index loops pass over, on the average.
  double getShare(IndexId index);
  double efficiency(EinsumOp op, double issue);
  /// Registers of a thread for values.
  double countRegisters();
  /// By how much ops take longer for values that registers do not hold.
  double getSpillFactor();
  /// Elements that blocks bring to shared memory for a contraction.
  double countStaged(EinsumOp op);

  func::FuncOp kernel;
  const IndexForm &form;
  const KernelSchedule &schedule;
  const SizeHints &hints;
  SmallVector<LoopGroup> groups;
  llvm::DenseMap<IndexId, double> extents; // as far as they were asked for
  std::optional<double> registers;
};
} // namespace

double ScheduleCost::countTiles(function_ref<bool(IndexId)> which) {
  double tiles = 1;
  for (const TileDim &dim : schedule.grid)
    if (which(dim.index))
      tiles *= std::ceil(extent(dim.index) / static_cast<double>(dim.extent));
  return tiles;
}

double ScheduleCost::getShare(IndexId index) {
  for (const LoopGroup &group : groups) {
    if (group.loops.size() != 1 || group.loops.front().index != index)
      continue;
    if (std::optional<LoopEnd> end = findLoopEnd(group, form)) {
      auto tile = static_cast<double>(schedule.getExtent(end->row));
      auto step = static_cast<double>(group.loops.front().extent);
      double last = (extent(end->row) + tile + step) / 2;
      return std::min(1.0, last / extent(index));
    }
  }
  return 1;
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

/// Of the full rate, where warps could issue `issue` of it. Shared memory gives
/// a lane 16 bytes in the time of 4 multiply-adds a lane: small tiles of a
/// thread wait for it if there are many of them.
double ScheduleCost::efficiency(EinsumOp op, double issue) {
  ContractionSides sides(op, form);
  auto tileOf = [&](ArrayRef<IndexId> side) {
    int64_t elements = 1;
    for (IndexId index : side)
      elements *= schedule.getExtent(index);
    return elements;
  };
  int64_t left = tileOf(sides.left), right = tileOf(sides.right);
  int64_t warps = schedule.threads / 32;
  unsigned size = left * right >= 128 * 128               ? 0
                  : left * right >= 64 * schedule.threads ? 1
                                                          : 2;
  double most = (isOneChain(op, form) ? reachedInChain : reachedInBlocks)[size];
  if (std::optional<unsigned> rows = findRowsOperand(op, form)) {
    int64_t terms = schedule.getExtent(sides.summed.front());
    if (auto tile = getRowThreadTile(*rows == 0 ? left : right, terms, warps))
      // Lanes share out each sum that they have, by a shuffle and an addition.
      return most * issue /
             (1 + 2.0 / static_cast<double>(tile->thread.second));
  }
  ThreadTile tile = getThreadTile(left, right, warps);
  auto rows = static_cast<double>(tile.thread.first);
  auto columns = static_cast<double>(tile.thread.second);
  return std::min(most * issue,
                  sharedRate * rows * columns / (4 * (rows + columns)));
}

double ScheduleCost::countStaged(EinsumOp op) {
  double elements = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    double own = 1;
    for (IndexId index : form.getIndices(operand))
      own *= extentOfBlock(index);
    elements += own;
  }
  return elements * countBlocks();
}

double ScheduleCost::countFlops(double warps) {
  const double issue = std::min(1.0, warps / busyWarps);
  const bool hasSums = llvm::any_of(
      kernel.front(), [](Operation &op) { return isContraction(&op); });
  const double issueOfMaps =
      std::min(1.0, warps / (hasSums ? busyWarpsBesideSums : busyWarps));
  double flops = 0;
  for (Operation &op : kernel.front().without_terminator()) {
    if (isIndexMap(&op) || op.getNumResults() != 1)
      continue;
    bool isContracted = isContraction(&op);
    if (!isContracted && !isa<MapOp, ReduceOp, EinsumOp>(op))
      continue;
    double steps = countRepetitions(op);
    for (IndexId index : form.getIterated(op))
      steps *= padded(index) * getShare(index);
    if (isContracted)
      flops += 2 * steps / efficiency(cast<EinsumOp>(op), issue) +
               flopsOfStaging * countStaged(cast<EinsumOp>(op)) / issue;
    else if (auto map = dyn_cast<MapOp>(op))
      flops += steps * getFlops(map.getFn()) / issueOfMaps;
    else
      flops += 2 * steps / issueOfMaps;
  }
  return flops * getSpillFactor();
}

double ScheduleCost::countRegisters() {
  if (!registers)
    registers =
        static_cast<double>(countLiveRegisters(kernel, form, schedule, groups));
  return *registers;
}

double ScheduleCost::getSpillFactor() {
  return 1 + std::max(0.0, countRegisters() - mostRegisters) / spillsThatDouble;
}

double ScheduleCost::countResidentBlocks() {
  double sums = 0;
  for (Operation &op : kernel.front().without_terminator())
    if (isContraction(&op)) {
      double own = 1;
      for (IndexId index : form.getIndices(op.getResult(0)))
        own *= static_cast<double>(schedule.getExtent(index));
      sums = std::max(sums, own / static_cast<double>(schedule.threads));
    }
  double warps = static_cast<double>(schedule.threads) / 32;
  double most = mostWarps;
  if (sums >= manySums)
    most = std::clamp(registersOfLanes /
                          (countRegisters() + registersBesideValues),
                      mostWarps / 2, mostWarps);
  double blocks = most / warps;
  if (schedule.sharedBytes > 0)
    blocks = std::min(blocks, static_cast<double>(maxSharedBytes) /
                                  static_cast<double>(schedule.sharedBytes));
  return std::max(std::floor(blocks), 1.0);
}

double ScheduleCost::getLatency() {
  double microseconds = 0;
  for (Operation &op : kernel.front().without_terminator()) {
    if (!isReduction(&op))
      continue;
    double steps = 1;
    for (const TileDim &loop : getLoops(&op, form, schedule))
      steps *= std::ceil(extent(loop.index) / static_cast<double>(loop.extent));
    for (IndexId index : form.getIndices(op.getResult(0)))
      if (const StreamedIndex *streamed = schedule.getStreamed(index))
        steps *= std::ceil(extentOfBlock(index) /
                           static_cast<double>(streamed->rowStep));
    microseconds +=
        steps * (isContraction(&op) ? stageMicroseconds : rowMicroseconds);
  }
  return microseconds;
}

double ScheduleCost::countTraffic() {
  // Runs of 8 bytes a thread, which sums wait for.
  constexpr double byTermsShare = 1.5;
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
      if (isByTerms(&op))
        elements *= byTermsShare;
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
  constexpr double multiprocessors = fuse::multiprocessors;
  double blocks = model.countBlocks();
  double full = std::ceil(blocks / multiprocessors) * multiprocessors;
  double utilisation = blocks / full;
  double warps = static_cast<double>(schedule.threads) / 32;
  double together = std::min(std::ceil(blocks / multiprocessors),
                             model.countResidentBlocks());
  double rounds = std::ceil(blocks / (multiprocessors * together));
  // Half of the multiprocessors saturate memory.
  double busy = std::min(1.0, 2 * blocks / multiprocessors);
  double pipes[] = {cost.bytes / rates.bytesPerMicrosecond / busy,
                    model.countTraffic() / rates.cachedBytesPerMicrosecond /
                        busy,
                    model.countFlops(together * warps) /
                        rates.flopsPerMicrosecond / utilisation,
                    model.getLatency() * rounds};
  double slowest = *llvm::max_element(pipes);
  double all = std::accumulate(std::begin(pipes), std::end(pipes), 0.0);
  // Blocks hide each other's waiting, if they have warps enough.
  bool areMany = together >= manyBlocks && together * warps >= mostWarps;
  double exposed = areMany        ? manyExposedShare
                   : together > 1 ? exposedShare
                                  : aloneExposedShare;
  return rates.launchMicroseconds + slowest + exposed * (all - slowest);
}

double fuse::predictTraffic(func::FuncOp kernel, const IndexForm &form,
                            const KernelSchedule &schedule,
                            const SizeHints &hints) {
  return ScheduleCost(kernel, form, schedule, hints).countTraffic();
}
