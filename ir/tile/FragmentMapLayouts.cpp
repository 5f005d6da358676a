//===- FragmentMapLayouts.cpp - The maps that kernels use -----------------===//

#include "fuse/tile/FragmentMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cassert>
#include <numeric>

using namespace fuse;
using namespace fuse::tile;

/// A map whose digits are right by construction.
static FragmentMap known(int64_t warps, ArrayRef<FragmentDim> dims) {
  std::string error;
  std::optional<FragmentMap> map = FragmentMap::get(warps, dims, error);
  assert(map && "digits are valid by construction");
  return map.value_or(FragmentMap());
}

static Factor reg(int64_t extent, int64_t stride) {
  return {Owner::Register, extent, stride};
}
static Factor lane(int64_t extent, int64_t stride) {
  return {Owner::Lane, extent, stride};
}
static Factor warp(int64_t extent, int64_t stride) {
  return {Owner::Warp, extent, stride};
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
/// How one dim is divided; its coordinate counts `rest` outermost.
struct Shares {
  int64_t rest, warps = 1, lanes = 1, vector = 1;
  int64_t warpStride = 1, laneStride = 1;
};
} // namespace

/// Gives lanes to dims from the last on, the lowest numbers first, so that
/// neighbouring lanes touch neighbouring memory.
static void giveLanes(MutableArrayRef<Shares> dims) {
  int64_t used = 1;
  for (Shares &dim : llvm::reverse(dims)) {
    dim.laneStride = used;
    dim.lanes = std::gcd(dim.rest, kLanes / used);
    dim.rest /= dim.lanes;
    used *= dim.lanes;
  }
}

/// Gives warps to dims from the first on, so that rows stay within a warp; none
/// to the dim `whole`.
static void giveWarps(MutableArrayRef<Shares> dims, int64_t warps,
                      std::optional<int64_t> whole) {
  int64_t left = warps;
  for (auto [number, dim] : llvm::enumerate(dims)) {
    if (whole == static_cast<int64_t>(number))
      continue;
    dim.warps = std::gcd(dim.rest, left);
    dim.rest /= dim.warps;
    left /= dim.warps;
    dim.warpStride = left;
  }
}

FragmentMap fuse::tile::rowBlocked(ArrayRef<int64_t> shape, int64_t warps,
                                   int64_t vector,
                                   std::optional<int64_t> whole) {
  SmallVector<Shares> shares;
  for (int64_t extent : shape)
    shares.push_back({extent});
  if (!shares.empty()) {
    shares.back().vector = std::gcd(shape.back(), vector);
    shares.back().rest /= shares.back().vector;
  }
  // Lanes that take all of the other dims would leave warps nothing but copies.
  bool warpsFirst = whole && *whole + 1 != static_cast<int64_t>(shape.size());
  if (warpsFirst)
    giveWarps(shares, warps, whole);
  giveLanes(shares);
  if (!warpsFirst)
    giveWarps(shares, warps, whole);

  SmallVector<FragmentDim, 4> dims(shape.size());
  int64_t registers = 1;
  for (auto [dim, share] : llvm::reverse(llvm::zip_equal(dims, shares))) {
    dim = {reg(share.rest, registers * share.vector),
           warp(share.warps, share.warpStride),
           lane(share.lanes, share.laneStride), reg(share.vector, registers)};
    registers *= share.rest * share.vector;
  }
  return known(warps, dims);
}

//===----------------------------------------------------------------------===//
// Fused multiply-adds
//===----------------------------------------------------------------------===//

namespace {
/// Where the lanes of a warp are along rows and columns.
struct LaneGrid {
  SmallVector<Factor, 2> rows, columns;
};
} // namespace

/// Shared memory serves half a warp at once if what lanes read in pairs is the
/// same, be it in pairs that differ in bit 0 or in pairs that differ in bit 1
/// (16 bytes a lane; measured as 2 wavefronts a read instead of 4, H200). So
/// bit 0 counts along columns, and bit 1 along rows.
static LaneGrid interleaveLanes(int64_t rows, int64_t columns) {
  if (rows == 1 || columns == 1)
    return {{lane(rows, columns)}, {lane(columns, 1)}};
  return {{lane(rows / 2, 2 * columns), lane(2, 2)},
          {lane(columns / 2, 4), lane(2, 1)}};
}

std::optional<FragmentMap>
fuse::tile::ffmaAccumulator(std::pair<int64_t, int64_t> shape, int64_t warps,
                            std::pair<int64_t, int64_t> warpTile,
                            std::pair<int64_t, int64_t> threadTile,
                            std::string &error, bool rowsAreNeighbours) {
  auto text = [](std::pair<int64_t, int64_t> tile) {
    return std::to_string(tile.first) + "x" + std::to_string(tile.second);
  };
  auto divides = [](std::pair<int64_t, int64_t> small,
                    std::pair<int64_t, int64_t> large) {
    return small.first > 0 && small.second > 0 &&
           large.first % small.first == 0 && large.second % small.second == 0;
  };
  if (!divides(threadTile, warpTile) || !divides(warpTile, shape)) {
    error = "expects a thread tile that divides the warp tile and a warp tile "
            "that divides the tile, but got " +
            text(threadTile) + ", " + text(warpTile) + " and " + text(shape);
    return std::nullopt;
  }
  int64_t rowLanes = warpTile.first / threadTile.first;
  int64_t columnLanes = warpTile.second / threadTile.second;
  if (rowLanes * columnLanes != kLanes) {
    error = "expects a warp tile of 32 thread tiles, but got " +
            text(warpTile) + " of " + text(threadTile);
    return std::nullopt;
  }
  int64_t rowWarps = shape.first / warpTile.first;
  int64_t columnWarps = shape.second / warpTile.second;
  if (rowWarps * columnWarps != warps) {
    error = "expects as many warp tiles as warps, but got " + text(warpTile) +
            " in " + text(shape) + " for " + std::to_string(warps) + " warps";
    return std::nullopt;
  }
  int64_t rowVector = std::gcd(threadTile.first, int64_t(4));
  int64_t columnVector = std::gcd(threadTile.second, int64_t(4));
  int64_t row = rowsAreNeighbours ? 1 : threadTile.second;
  int64_t column = rowsAreNeighbours ? threadTile.first : 1;
  LaneGrid lanes = interleaveLanes(rowLanes, columnLanes);
  FragmentDim rows = {warp(rowWarps, columnWarps),
                      reg(threadTile.first / rowVector, row * rowVector)};
  FragmentDim cols = {
      warp(columnWarps, 1),
      reg(threadTile.second / columnVector, column * columnVector)};
  rows.append(lanes.rows);
  cols.append(lanes.columns);
  rows.push_back(reg(rowVector, row));
  cols.push_back(reg(columnVector, column));
  return FragmentMap::get(warps, {rows, cols}, error);
}

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

// The PTX ISA calls lane / 4 the group and lane % 4 the thread in the group.

static Factor group() { return lane(8, 4); }
static Factor threadInGroup() { return lane(4, 1); }

FragmentMap fuse::tile::mmaAccumulator16x8() {
  return known(1, {{reg(2, 2), group()}, {threadInGroup(), reg(2, 1)}});
}

FragmentMap fuse::tile::mmaOperandA16x16() {
  return known(1,
               {{reg(2, 2), group()}, {reg(2, 4), threadInGroup(), reg(2, 1)}});
}

FragmentMap fuse::tile::mmaOperandB16x8() {
  return known(1, {{reg(2, 2), threadInGroup(), reg(2, 1)}, {group()}});
}

FragmentMap fuse::tile::mmaOperandA16x8() {
  return known(1, {{reg(2, 1), group()}, {reg(2, 2), threadInGroup()}});
}

FragmentMap fuse::tile::mmaOperandB8x8() {
  return known(1, {{reg(2, 1), threadInGroup()}, {group()}});
}

FragmentMap fuse::tile::wgmmaAccumulator(int64_t columns) {
  assert(columns % 8 == 0 && columns >= 8 && columns <= 256 &&
         "columns that wgmma has");
  return mmaAccumulator16x8().repeat({1, columns / 8}, {4, 1});
}

FragmentMap fuse::tile::wgmmaOperandA64x16() {
  return mmaOperandA16x16().repeat({1, 1}, {4, 1});
}

FragmentMap fuse::tile::wgmmaOperandA64x8() {
  return mmaOperandA16x8().repeat({1, 1}, {4, 1});
}
