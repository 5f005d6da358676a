//===- TileSchedule.cpp - How a kernel's indices are cut ------------------===//

#include "TileSchedule.h"
#include "fuse/passes/KernelCost.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace fuse;

/// Elements of a row that stay in registers as a whole.
static constexpr int64_t maxResident = 4096;
/// Elements of a longer row in registers at a time.
static constexpr int64_t rowChunk = 1024;
/// Elements of a row kernel's tile, and those of one thread.
static constexpr int64_t rowTileElements = 2048;
static constexpr int64_t elementsPerThread = 8;
static constexpr int64_t maxRowWarps = 8;
/// Terms of a contraction staged at a time: one block of its sum.
static constexpr int64_t contractionBlock = 32;

/// An extent that lanes divide well.
static int64_t roundUpTile(int64_t extent) {
  if (extent <= lanes)
    return llvm::PowerOf2Ceil(std::max<int64_t>(extent, 1));
  return llvm::alignTo(extent, lanes);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

llvm::SetVector<IndexId> fuse::getReduced(func::FuncOp kernel,
                                          const IndexForm &form) {
  llvm::SetVector<IndexId> reduced;
  for (Operation &op : kernel.front()) {
    if (!isa<ReduceOp, EinsumOp>(op))
      continue;
    ArrayRef<IndexId> kept = form.getIndices(op.getResult(0));
    for (OpOperand &operand : op.getOpOperands())
      for (IndexId index : form.getIndices(operand))
        if (!llvm::is_contained(kept, index))
          reduced.insert(index);
  }
  return reduced;
}

unsigned fuse::countUnitStrides(func::FuncOp kernel, const IndexForm &form,
                                IndexId index) {
  unsigned count = 0;
  for (Operation &op : kernel.front())
    for (OpOperand &operand : op.getOpOperands()) {
      if (isIndexMap(&op))
        continue;
      const Read *read = form.getRead(operand);
      if (isa<func::ReturnOp>(op))
        count += form.getResult(operand.getOperandNumber()).stride(index) ==
                 DimExpr(1);
      else if (read && read->access.stride(index) == DimExpr(1))
        ++count;
    }
  return count;
}

/// The index with the most neighbours in memory; of equals the last one that
/// is the longest, as far as more than `enough` elements do not count.
static std::optional<IndexId> mostContiguous(func::FuncOp kernel,
                                             const IndexForm &form,
                                             ArrayRef<IndexId> candidates,
                                             const SizeHints &hints,
                                             int64_t enough = 1) {
  std::optional<IndexId> best;
  std::pair<unsigned, int64_t> bestCount;
  for (IndexId index : candidates) {
    std::pair<unsigned, int64_t> count(
        countUnitStrides(kernel, form, index),
        std::min(estimateExtent(form.getExtent(index), hints), enough));
    if (!best || count >= bestCount) {
      best = index;
      bestCount = count;
    }
  }
  return best;
}

static SmallVector<IndexId> without(ArrayRef<IndexId> list,
                                    std::optional<IndexId> index) {
  SmallVector<IndexId> rest(list);
  if (index)
    llvm::erase(rest, *index);
  return rest;
}

/// Where the elements of a row lie, and how many of them a tile has.
static TileDim scheduleRow(const IndexForm &form, const SizeHints &hints,
                           IndexId index, bool isReduced) {
  const DimExpr &extent = form.getExtent(index);
  int64_t size = estimateExtent(extent, hints);
  if (isReduced && extent.constant() && size <= maxResident)
    return {index, roundUpTile(size)};
  return {index, std::min(roundUpTile(size), rowChunk)};
}

RowSchedule fuse::scheduleRows(func::FuncOp kernel, const IndexForm &form,
                               const SizeHints &hints) {
  llvm::SetVector<IndexId> reduced = getReduced(kernel, form);
  SmallVector<IndexId> parallel;
  for (IndexId index : form.getOrder())
    if (!reduced.contains(index))
      parallel.push_back(index);

  RowSchedule schedule;
  std::optional<IndexId> column = mostContiguous(
      kernel, form, reduced.empty() ? parallel : reduced.getArrayRef(), hints);
  std::optional<TileDim> row, along;
  int64_t room = rowTileElements;
  if (column) {
    along = scheduleRow(form, hints, *column, !reduced.empty());
    room = std::max<int64_t>(room / along->extent, 1);
  }
  SmallVector<IndexId> rows = without(parallel, column);
  if (std::optional<IndexId> index =
          mostContiguous(kernel, form, rows, hints, room)) {
    int64_t size = estimateExtent(form.getExtent(*index), hints);
    row = TileDim{*index, std::min<int64_t>(llvm::PowerOf2Ceil(size),
                                            llvm::bit_floor<uint64_t>(room))};
    row->extent = std::max<int64_t>(row->extent, 1);
  }
  // Lanes go along the last dim, so it is the one with neighbours in memory.
  bool rowsAreContiguous = row && column &&
                           countUnitStrides(kernel, form, *column) <
                               countUnitStrides(kernel, form, row->index);
  if (rowsAreContiguous && !reduced.empty()) {
    // A lane has rows of its own; they are summed in as many chains as lanes
    // would make of one.
    along->extent = std::min(along->extent, lanes);
    int64_t size = estimateExtent(form.getExtent(row->index), hints);
    row->extent =
        std::min<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(size, 1)),
                          rowTileElements / along->extent);
  }
  if (along && rowsAreContiguous)
    schedule.tile.push_back(*along);
  if (row)
    schedule.tile.push_back(*row);
  if (along && !rowsAreContiguous)
    schedule.tile.push_back(*along);

  for (IndexId index : parallel) {
    const auto *dim = llvm::find_if(
        schedule.tile, [&](const TileDim &dim) { return dim.index == index; });
    schedule.grid.push_back(
        {index, dim == schedule.tile.end() ? 1 : dim->extent});
  }
  for (IndexId index : reduced)
    if (index != column)
      schedule.loops.push_back({index, 1});
  if (!reduced.empty() &&
      form.getExtent(*column).constant().value_or(
          std::numeric_limits<int64_t>::max()) > along->extent)
    schedule.loops.push_back(*along);

  // Only warps that need not exchange anything: one row a warp at least.
  int64_t elements = 1;
  for (const TileDim &dim : schedule.tile)
    elements *= dim.extent;
  int64_t warps = std::clamp<int64_t>(elements / (lanes * elementsPerThread), 1,
                                      maxRowWarps);
  if (!reduced.empty())
    warps = !row                ? 1
            : rowsAreContiguous ? std::max<int64_t>(row->extent / lanes, 1)
                                : std::min(warps, row->extent);
  schedule.threads = llvm::bit_floor<uint64_t>(warps) * lanes;
  return schedule;
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

namespace {
/// A tile of sums, and the microseconds that 32 terms of each take: alone on a
/// multiprocessor, and as the share of one of several there.
struct TileSize {
  int64_t m, n;
  int64_t sumsPerThread;
  double alone, share;
};
} // namespace

/// Tiles of f32 sums, as measured on an H200; the times alone are older ones,
/// scaled as the shares have changed since.
static constexpr TileSize tileSizes[] = {{128, 128, 64, 2.90, 2.90},
                                         {128, 64, 64, 1.85, 1.54},
                                         {64, 128, 64, 1.93, 1.61},
                                         {64, 64, 32, 1.06, 0.84},
                                         {32, 32, 8, 0.50, 0.31}};

/// Of all tiles that fit, the one with which `count` results of m x n take the
/// least time. Narrow results, and f64 ones, have what rounds them up.
static TileSize chooseTile(int64_t m, int64_t n, int64_t count, bool isF64) {
  auto roundUp = [](int64_t extent) {
    return std::max<int64_t>(llvm::PowerOf2Ceil(extent), 16);
  };
  TileSize best{std::min<int64_t>(roundUp(m), 64),
                std::min<int64_t>(roundUp(n), 64), 8, 0, 0};
  if (isF64 || best.m != 64 || best.n != 64)
    return best;
  double leastTime = std::numeric_limits<double>::infinity();
  for (const TileSize &size : tileSizes) {
    if (size.m > roundUp(m) || size.n > roundUp(n))
      continue;
    int64_t tiles =
        llvm::divideCeil(m, size.m) * llvm::divideCeil(n, size.n) * count;
    int64_t together = llvm::divideCeil(tiles, multiprocessors);
    double time =
        std::max(size.alone, static_cast<double>(together) * size.share);
    if (time >= leastTime)
      continue;
    best = size;
    leastTime = time;
  }
  return best;
}

ThreadTile fuse::getThreadTile(int64_t m, int64_t n, int64_t warps) {
  int64_t elements = m * n / (warps * lanes);
  // As square as powers of two allow, wider than high: n is contiguous.
  int64_t rows = int64_t(1) << (llvm::Log2_64(elements) / 2);
  // A narrow tile still has 4 threads side by side.
  while (elements / rows * 4 > n)
    rows *= 2;
  ThreadTile tile;
  tile.thread = {rows, elements / rows};
  // Of 32 lanes 8 x 4 or 4 x 8, whichever fits the tile.
  int64_t high = m / rows >= n / tile.thread.second ? 8 : 4;
  high = std::min(high, m / rows);
  high = std::max(high, lanes / (n / tile.thread.second));
  tile.warp = {rows * high, tile.thread.second * (lanes / high)};
  return tile;
}

std::optional<ThreadTile> fuse::getRowThreadTile(int64_t m, int64_t n,
                                                 int64_t warps) {
  int64_t rows = m / warps;
  std::optional<ThreadTile> best;
  int64_t bestReads = 0;
  // `high` lanes share the rows of a warp, the others a row.
  for (int64_t high = 1; high <= std::min(rows, lanes); high *= 2) {
    int64_t wide = lanes / high;
    if (rows % high != 0 || n % wide != 0)
      continue;
    ThreadTile tile{{rows / high, n / wide}, {rows, n}};
    int64_t reads = tile.thread.first + tile.thread.second;
    // Of equals that with fewer lanes a row, which sums have to pass; with less
    // than 8, chains would be longer than is granted (`getFreeAdditions`).
    if (!best || reads < bestReads || (reads == bestReads && wide >= 8)) {
      best = tile;
      bestReads = reads;
    }
  }
  return best;
}

std::optional<ThreadTile> fuse::getContractedRows(int64_t rows, int64_t terms,
                                                  int64_t columns,
                                                  int64_t warps) {
  // The most columns, and sums that a thread has before lanes share them out.
  constexpr int64_t mostColumns = 16, mostSums = 64;
  std::optional<ThreadTile> tile = getRowThreadTile(rows, terms, warps);
  bool hasRoom = tile && columns <= mostColumns &&
                 llvm::isPowerOf2_64(columns) &&
                 tile->thread.first * columns <= mostSums;
  return hasRoom ? tile : std::nullopt;
}

ContractionSchedule fuse::scheduleContraction(EinsumOp op, IndexForm &form,
                                              const SizeHints &hints) {
  auto indicesOf = [&](unsigned number) {
    return form.getIndices(op->getOpOperand(number));
  };
  ArrayRef<IndexId> kept = form.getIndices(op.getResult());
  std::optional<IndexId> m, n, k;
  for (IndexId index : kept) {
    bool inLhs = llvm::is_contained(indicesOf(0), index);
    bool inRhs = llvm::is_contained(indicesOf(1), index);
    if (inLhs && !inRhs)
      m = index;
    if (inRhs && !inLhs)
      n = index;
  }
  llvm::SetVector<IndexId> summed;
  for (unsigned number : {0, 1})
    for (IndexId index : indicesOf(number))
      if (!llvm::is_contained(kept, index))
        summed.insert(index);
  const Read *lhs = form.getRead(op->getOpOperand(0));
  for (IndexId index : summed)
    if (llvm::is_contained(indicesOf(0), index) &&
        llvm::is_contained(indicesOf(1), index) &&
        (!k || (lhs && lhs->access.stride(index) == DimExpr(1))))
      k = index;

  if (!m)
    m = form.addUnitIndex(op.getResult());
  if (!n)
    n = form.addUnitIndex(op.getResult());
  bool hasDepth = k.has_value();
  if (!k)
    k = form.addUnitDepth(op);

  auto estimate = [&](IndexId index) {
    return std::max<int64_t>(estimateExtent(form.getExtent(index), hints), 1);
  };
  int64_t count = 1;
  for (IndexId index : form.getIndices(op.getResult()))
    if (index != *m && index != *n)
      count *= estimate(index);
  bool isF64 = getElementTypeOrSelf(op.getInputs()[0]).isF64();
  TileSize size = chooseTile(estimate(*m), estimate(*n), count, isF64);
  ContractionSchedule schedule;
  schedule.m = {*m, size.m};
  schedule.n = {*n, size.n};
  schedule.k = {*k, hasDepth ? contractionBlock : 1};
  for (IndexId index : form.getIndices(op.getResult()))
    schedule.grid.push_back({index, index == *m   ? schedule.m.extent
                                    : index == *n ? schedule.n.extent
                                                  : 1});
  for (IndexId index : summed)
    if (index != *k)
      schedule.loops.push_back({index, 1});
  int64_t warps =
      std::clamp<int64_t>(size.m * size.n / (lanes * size.sumsPerThread), 1, 8);
  schedule.threads = warps * lanes;
  return schedule;
}
