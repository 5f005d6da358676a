//===- StageTiling.cpp - The tiles of a kernel of several stages ----------===//

#include "StageTiling.h"
#include "LiveElements.h"
#include "LoopGroups.h"
#include "PackedRows.h"
#include "SharedOperands.h"
#include "fuse/passes/KernelCost.h"
#include "fuse/passes/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuse;

/// Extents that may stay in registers, or in shared memory, as a whole.
static constexpr int64_t maxResident = 256;
/// Values of a streamed index that a step of a contraction's results covers.
static constexpr int64_t streamedTile = 64, largeStreamedTile = 128;
/// Elements of accumulators and resident rows that a thread can hold.
static constexpr int64_t maxElementsPerThread = 128;
/// Those of a step of a loop that only reduces rows, which holds them twice.
static constexpr int64_t elementsOfRowStep = 32;
static constexpr int64_t widestTile = 128;
static constexpr int64_t maxWarps = 8;

bool fuse::contractsDoubles(func::FuncOp kernel) {
  return llvm::any_of(kernel.getOps<EinsumOp>(), [](EinsumOp op) {
    return isContraction(op) && getElementTypeOrSelf(op.getInputs()[0]).isF64();
  });
}

namespace {
class Scheduler {
public:
  Scheduler(func::FuncOp kernel, const IndexForm &form, const SizeHints &hints,
            const StageOptions &options, std::string &why)
      : kernel(kernel), form(form), hints(hints), sums(options.sums),
        mostOfTile(options.mostOfTile), streamsRows(options.streamsRows),
        tilesOfBlock(options.tilesOfBlock), packsRows(options.packsRows),
        why(why), reduced(getReduced(kernel, form)) {
    for (auto einsum : kernel.getOps<EinsumOp>())
      if (isContraction(einsum))
        contractions.push_back(
            {einsum, ContractionSides(einsum, form), {}, {}, {}});
      else if (isByTerms(einsum))
        byTerms.push_back(einsum);
  }

  FailureOr<KernelSchedule> run();

private:
  struct Contraction {
    EinsumOp op;
    ContractionSides sides;
    std::optional<IndexId> m, n, k;
  };
  LogicalResult fail(const Twine &reason) {
    why = reason.str();
    return failure();
  }
  /// An extent as tiles have it. With few sums a thread, narrower tiles would
  /// leave threads without any.
  int64_t roundUp(IndexId index) {
    int64_t least = sums > 32 ? 8 : 16;
    // Rows of the joined index are there, too.
    if (packed && index == packed->rows)
      least /=
          std::min<int64_t>(least, llvm::PowerOf2Ceil(estimate(packed->inner)));
    if (sums >= 32 && hasRowsForColumns(index))
      least = 4;
    return std::max<int64_t>(
        llvm::PowerOf2Ceil(std::max<int64_t>(estimate(index), 1)), least);
  }
  int64_t estimate(IndexId index) {
    auto [it, isNew] = estimates.try_emplace(index, 0);
    if (isNew)
      it->second = estimateExtent(form.getExtent(index), hints);
    return it->second;
  }
  bool isSmallConstant(IndexId index) {
    std::optional<int64_t> extent = form.getExtent(index).constant();
    return extent && *extent <= maxResident;
  }
  /// The index of one side that tiles span.
  LogicalResult chooseSide(ArrayRef<IndexId> side, std::optional<IndexId> &out);
  LogicalResult chooseTiled();
  LogicalResult choosePacked();
  LogicalResult cutReduced();
  LogicalResult checkRanks();
  LogicalResult cutParallel();
  LogicalResult lengthenBlocks();
  bool isNested(Contraction &contraction);
  bool mustBeWhole(IndexId index);
  bool hasRowsForColumns(IndexId index);
  int64_t getTile(IndexId index) {
    auto it = extents.find(index);
    return it == extents.end() ? 1 : it->second;
  }
  /// The same in the loops along it.
  int64_t getExtent(IndexId index) {
    const StreamedIndex *streamed = schedule.getStreamed(index);
    return streamed ? streamed->rowStep : getTile(index);
  }
  /// What tiles span of an index and of the one that is joined to it.
  int64_t getRows(IndexId index) {
    return getExtent(index) *
           (packed && index == packed->rows ? getTile(packed->inner) : 1);
  }
  /// Elements of a contraction's result in a step.
  int64_t getArea(const Contraction &contraction) {
    return getRows(*contraction.m) * getRows(*contraction.n);
  }
  int64_t countBlocks();
  int64_t countSharedBytes();
  void finish();
  void shortenRowSteps();

  func::FuncOp kernel;
  const IndexForm &form;
  const SizeHints &hints;
  int64_t sums, mostOfTile;
  bool streamsRows;
  int64_t tilesOfBlock;
  bool packsRows;
  std::string &why;
  llvm::SetVector<IndexId> reduced;
  std::vector<Contraction> contractions;
  SmallVector<EinsumOp> byTerms;
  llvm::SetVector<IndexId> tiled;
  llvm::DenseMap<IndexId, int64_t> estimates; // as far as they were asked for
  llvm::MapVector<IndexId, int64_t> extents;  // of tile dims
  std::optional<IndexId> longIndex; // of which a block has several tiles
  std::optional<PackedRows> packed;
  KernelSchedule schedule;
};
} // namespace

LogicalResult Scheduler::chooseSide(ArrayRef<IndexId> side,
                                    std::optional<IndexId> &out) {
  if (side.empty())
    return fail("a product with a vector beside other stages");
  for (IndexId index : side)
    if (tiled.contains(index)) {
      out = index;
      return success();
    }
  for (IndexId index : side)
    if (!out || estimate(index) >= estimate(*out))
      out = index;
  tiled.insert(*out);
  return success();
}

LogicalResult Scheduler::chooseTiled() {
  for (Contraction &contraction : llvm::reverse(contractions)) {
    if (failed(chooseSide(contraction.sides.left, contraction.m)) ||
        failed(chooseSide(contraction.sides.right, contraction.n)))
      return failure();
    if (contraction.sides.summed.empty())
      return fail("an outer product beside other stages");
    for (IndexId index : contraction.sides.summed)
      if (!contraction.k || estimate(index) > estimate(*contraction.k))
        contraction.k = index;
  }
  for (EinsumOp op : byTerms) {
    // A row of one side's elements is enough for a step.
    ContractionSides sides(op, form);
    auto isTiled = [&](IndexId index) { return tiled.contains(index); };
    if (llvm::none_of(sides.left, isTiled) &&
        llvm::none_of(sides.right, isTiled) && !sides.right.empty())
      tiled.insert(sides.right.back());
  }
  for (Contraction &contraction : contractions) {
    auto countTiled = [&](ArrayRef<IndexId> side) {
      return llvm::count_if(
          side, [&](IndexId index) { return tiled.contains(index); });
    };
    if (countTiled(contraction.sides.left) != 1 ||
        countTiled(contraction.sides.right) != 1)
      return fail("stages that need tiles of three dims");
    if (!contraction.sides.alone.empty())
      return fail("an operand that is summed on its own beside other stages");
  }
  return success();
}

LogicalResult Scheduler::choosePacked() {
  if (!packsRows)
    return success();
  if (!byTerms.empty() || tilesOfBlock > 1)
    return fail("rows of two indices beside products by terms, or in blocks of "
                "several tiles");
  SmallVector<IndexId> candidates;
  llvm::SetVector<IndexId> taken = reduced;
  for (IndexId index : tiled) {
    if (!reduced.contains(index) && !mustBeWhole(index))
      candidates.push_back(index);
    taken.insert(index);
  }
  packed = findPackedRows(kernel, form, candidates, taken);
  return packed ? success() : fail("no second index for rows");
}

/// True if the contraction is computed in a loop over rows of its result.
bool Scheduler::isNested(Contraction &contraction) {
  return tilesOfBlock > 1 ||
         llvm::any_of(form.getIndices(contraction.op.getResult()),
                      [&](IndexId index) { return reduced.contains(index); });
}

/// A contraction's tiles have two dims, and its operands'.
LogicalResult Scheduler::checkRanks() {
  for (Contraction &contraction : contractions) {
    auto countDims = [&](ArrayRef<IndexId> side) {
      return llvm::count_if(side, [&](IndexId index) {
        const StreamedIndex *streamed = schedule.getStreamed(index);
        return streamed ? streamed->rowStep > 1
                        : extents.count(index) &&
                              !(packed && index == packed->inner);
      });
    };
    if (countDims(contraction.sides.batch))
      return fail("a stage that keeps an index which another one needs tiles "
                  "of");
    if (countDims(contraction.sides.left) != 1 ||
        countDims(contraction.sides.right) != 1 ||
        countDims(contraction.sides.summed) > 1)
      return fail("stages that need tiles of three dims");
  }
  return success();
}

LogicalResult Scheduler::cutReduced() {
  for (IndexId index : reduced) {
    bool isOfTerms = llvm::any_of(kernel.front(), [&](Operation &op) {
      return isByTerms(&op) &&
             !llvm::is_contained(form.getIndices(op.getResult(0)), index) &&
             llvm::is_contained(form.getIndices(op.getOpOperand(0)), index);
    });
    if (isOfTerms) {
      schedule.streamed.push_back({index, termsAtOnce, termsAtOnce});
      continue;
    }
    // What a contraction keeps apart is computed one by one.
    bool isBatch = llvm::any_of(contractions, [&](Contraction &c) {
      return llvm::is_contained(c.sides.batch, index);
    });
    if (isBatch) {
      schedule.streamed.push_back({index});
      continue;
    }
    bool produced = isProduced(index, kernel, form);
    bool isDepthOfNested = llvm::any_of(contractions, [&](Contraction &c) {
      return c.k == index && isNested(c);
    });
    bool isDepth = llvm::any_of(contractions,
                                [&](Contraction &c) { return c.k == index; });
    bool wantsResidence =
        produced || isDepthOfNested ||
        (isRowReduced(index, kernel, form) && !(isDepth && streamsRows));
    if (wantsResidence && isSmallConstant(index)) {
      extents[index] = roundUp(index);
      continue;
    }
    int64_t row = std::min(roundUp(index), int64_t(256));
    if (produced)
      row = std::min(row, sums > 32 ? largeStreamedTile : streamedTile);
    StreamedIndex streamed{index,
                           isDepth || tiled.contains(index) ||
                                   isRowReduced(index, kernel, form)
                               ? row
                               : 1,
                           1};
    if (isDepth)
      streamed.contractionStep = produced ? row : lanes;
    else
      streamed.contractionStep = streamed.rowStep;
    schedule.streamed.push_back(streamed);
  }
  return success();
}

/// True if some contraction, which would be computed again for each tile, or
/// some result, which would be written again, does not depend on the index.
bool Scheduler::mustBeWhole(IndexId index) {
  for (OpOperand &result : kernel.front().getTerminator()->getOpOperands())
    if (!llvm::is_contained(form.getIndices(result), index))
      return true;
  return llvm::any_of(kernel.front(), [&](Operation &op) {
    return (isContraction(&op) || isByTerms(&op)) &&
           !llvm::is_contained(form.getIndices(op.getResult(0)), index);
  });
}

/// True if tiles need no more of the index than there are columns, since
/// threads have rows of the other operand.
bool Scheduler::hasRowsForColumns(IndexId index) {
  return llvm::any_of(contractions, [&](Contraction &c) {
    std::optional<unsigned> rows = findRowsOperand(c.op, form);
    return rows && index == (*rows == 0 ? c.n : c.m);
  });
}

int64_t Scheduler::countBlocks() {
  int64_t blocks = 1;
  for (IndexId index : form.getOrder())
    if (!reduced.contains(index))
      blocks *= llvm::divideCeil(std::max<int64_t>(estimate(index), 1),
                                 getTile(index));
  return blocks;
}

LogicalResult Scheduler::cutParallel() {
  SmallVector<IndexId> free;
  for (IndexId index : tiled) {
    if (reduced.contains(index))
      continue;
    if (!mustBeWhole(index)) {
      free.push_back(index);
      continue;
    }
    if (!isSmallConstant(index))
      return fail("rows that do not fit on a multiprocessor");
    extents[index] = roundUp(index);
  }
  // With many sums a thread, tiles are as wide as they can be, and as long as
  // wanted.
  auto *longest = llvm::max_element(free, [&](IndexId lhs, IndexId rhs) {
    return estimate(lhs) < estimate(rhs);
  });
  for (IndexId index : free) {
    bool isWide = sums > 32 && index != *longest;
    int64_t most = isWide ? widestTile : mostOfTile;
    if (packed && index == packed->rows) {
      extents[packed->inner] = llvm::PowerOf2Ceil(estimate(packed->inner));
      most = std::max<int64_t>(most / getTile(packed->inner), 1);
    }
    extents[index] = std::min(roundUp(index), most);
  }
  auto extentOf = [&](IndexId index) { return getExtent(index); };
  // From the largest tiles down, until the device is full and tiles fit.
  for (;;) {
    bool fits = countLiveElements(kernel, form, extentOf) <=
                maxWarps * lanes * maxElementsPerThread;
    if (fits && (sums > 32 || countBlocks() >= multiprocessors))
      break;
    // The first of the largest: of equals the outer one.
    auto it = llvm::max_element(free, [&](IndexId lhs, IndexId rhs) {
      return getRows(lhs) < getRows(rhs);
    });
    if (it == free.end() || getRows(*it) <= 16) {
      if (!fits)
        return fail("more accumulators than registers");
      break;
    }
    extents[*it] /= 2;
  }
  return success();
}

/// Steps along the longest index in a block, if then there are still enough
/// blocks.
LogicalResult Scheduler::lengthenBlocks() {
  constexpr int64_t enoughBlocks = 4 * multiprocessors;
  if (tilesOfBlock == 1)
    return success();
  if (!schedule.streamed.empty())
    return fail("terms that pass by, and do so for each tile");
  std::optional<IndexId> longest;
  for (IndexId index : tiled)
    if (!reduced.contains(index) && !mustBeWhole(index) &&
        (!longest || estimate(index) > estimate(*longest)))
      longest = index;
  if (!longest || countBlocks() < enoughBlocks * tilesOfBlock)
    return fail("too few tiles for blocks of several");
  int64_t tile = getTile(*longest);
  schedule.streamed.push_back({*longest, tile, tile});
  extents.erase(*longest);
  longIndex = longest;
  return success();
}

int64_t Scheduler::countSharedBytes() {
  SmallVector<TiledContraction> all;
  for (Contraction &contraction : contractions)
    all.push_back({contraction.op, *contraction.k, getRows(*contraction.m),
                   getRows(*contraction.n), isNested(contraction)});
  return fuse::countSharedBytes(form, schedule, all);
}

/// Steps along what is not produced cover no more than threads hold of the rows
/// that are reduced.
void Scheduler::shortenRowSteps() {
  for (StreamedIndex &streamed : schedule.streamed) {
    if (isProduced(streamed.index, kernel, form) ||
        tiled.contains(streamed.index))
      continue;
    int64_t rows = 1;
    for (Operation &op : kernel.front()) {
      if (!isReduction(&op) || isContraction(&op) || isByTerms(&op))
        continue;
      llvm::SetVector<IndexId> iterated = form.getIterated(op);
      if (!iterated.remove(streamed.index))
        continue;
      int64_t own = 1;
      for (IndexId index : iterated)
        own *= getExtent(index);
      rows = std::max(rows, own);
    }
    int64_t most = elementsOfRowStep * schedule.threads / rows;
    while (streamed.rowStep > std::max(most, lanes))
      streamed.rowStep /= 2;
  }
}

void Scheduler::finish() {
  int64_t largest = 0, smallest = std::numeric_limits<int64_t>::max();
  for (Contraction &contraction : contractions) {
    largest = std::max(largest, getArea(contraction));
    smallest = std::min(smallest, getArea(contraction));
  }
  for (EinsumOp op : byTerms) {
    int64_t elements = 1;
    for (IndexId index : form.getIndices(op.getResult()))
      elements *= getExtent(index);
    largest = std::max(largest, elements);
    smallest = std::min(smallest, elements);
  }
  int64_t warps = std::clamp<int64_t>(largest / (lanes * sums), 1, maxWarps);
  warps = std::min(warps, std::max<int64_t>(smallest / (lanes * 2), 1));
  schedule.threads = llvm::bit_floor<uint64_t>(warps) * lanes;
  shortenRowSteps();

  for (auto [index, extent] : extents)
    schedule.tile.push_back({index, extent});
  llvm::stable_sort(schedule.tile, [&](const TileDim &lhs, const TileDim &rhs) {
    return countUnitStrides(kernel, form, lhs.index) <
           countUnitStrides(kernel, form, rhs.index);
  });
  if (packed)
    joinRows(*packed, schedule.tile);
  for (IndexId index : form.getOrder())
    if (!reduced.contains(index))
      schedule.grid.push_back({index, index == longIndex
                                          ? tilesOfBlock * getExtent(index)
                                          : getTile(index)});
}

FailureOr<KernelSchedule> Scheduler::run() {
  if (failed(chooseTiled()) || failed(choosePacked()) || failed(cutReduced()) ||
      failed(cutParallel()) || failed(lengthenBlocks()) || failed(checkRanks()))
    return failure();
  finish();
  schedule.sharedBytes = countSharedBytes();
  if (schedule.sharedBytes > maxSharedBytes)
    return fail("more operands than shared memory");
  return std::move(schedule);
}

FailureOr<KernelSchedule> fuse::tileStages(func::FuncOp kernel,
                                           const IndexForm &form,
                                           const SizeHints &hints,
                                           const StageOptions &options,
                                           std::string &why) {
  return Scheduler(kernel, form, hints, options, why).run();
}
