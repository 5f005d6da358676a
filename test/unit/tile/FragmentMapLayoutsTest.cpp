//===- FragmentMapLayoutsTest.cpp - Constructors, and the tables of PTX ---===//

#include "fuse/tile/FragmentMap.h"
#include "gtest/gtest.h"
#include <functional>
#include <numeric>

// After gtest, which it extends.
#include "rapidcheck/gtest.h"

using namespace fuse;
using namespace fuse::tile;

namespace {

using Coordinates = SmallVector<int64_t>;

RC_GTEST_PROP(FragmentMapLayouts, RowBlockedTakesAnyShape, ()) {
  std::vector<int64_t> shape;
  for (int64_t rank = *rc::gen::inRange<int64_t>(0, 4); rank > 0; --rank)
    shape.push_back(*rc::gen::inRange<int64_t>(1, 26));
  int64_t warps = *rc::gen::inRange<int64_t>(1, 9),
          vector = *rc::gen::element<int64_t>(1, 2, 4, 8);
  FragmentMap map = rowBlocked(shape, warps, vector);
  SmallVector<int64_t> got = map.shape();
  RC_ASSERT(std::vector<int64_t>(got.begin(), got.end()) == shape);
  RC_ASSERT(map.warps() == warps);
  if (!shape.empty()) {
    int64_t step = map.registerStep(map.rank() - 1);
    RC_ASSERT(step % std::gcd(shape.back(), vector) == 0);
  }
}

TEST(FragmentMapLayouts, RowBlockedForms) {
  EXPECT_EQ(rowBlocked({64, 96}, 4, 4).str(),
            "warps 4, [reg 4@12, warp 4@1, lane 4@8], "
            "[reg 3@4, lane 8@1, reg 4@1]");
  // One row: its warps share it.
  EXPECT_EQ(rowBlocked({1, 1024}, 4, 4).str(),
            "warps 4, [], [reg 2@4, warp 4@1, lane 32@1, reg 4@1]");
  // Nothing left for lanes and warps: replicas.
  EXPECT_EQ(rowBlocked({3, 5}, 4, 4).str(), "warps 4, [reg 3@5], [reg 5@1]");
  EXPECT_EQ(rowBlocked({6, 8}, 6, 1).str(),
            "warps 6, [warp 3@2, lane 2@8], [lane 8@1]");
  // Columns are reduced, and rows are neighbours in memory.
  EXPECT_EQ(rowBlocked({128, 128}, 8, 4, 0).str(),
            "warps 8, [reg 16@4, lane 8@4], [warp 8@1, lane 4@1, reg 4@1]");
  EXPECT_EQ(rowBlocked({}, 2, 4).str(), "warps 2");
}

TEST(FragmentMapLayouts, FfmaAccumulator) {
  std::string error;
  EXPECT_EQ(ffmaAccumulator({128, 128}, 8, {32, 64}, {8, 8}, error)->str(),
            "warps 8, [warp 4@2, reg 2@32, lane 2@16, lane 2@2, reg 4@8], "
            "[warp 2@1, reg 2@4, lane 4@4, lane 2@1, reg 4@1]");
  EXPECT_EQ(ffmaAccumulator({64, 64}, 4, {32, 32}, {8, 4}, error)->str(),
            "warps 4, [warp 2@2, reg 2@16, lane 2@16, lane 2@2, reg 4@4], "
            "[warp 2@1, lane 4@4, lane 2@1, reg 4@1]");
  EXPECT_EQ(ffmaAccumulator({24, 8}, 1, {24, 8}, {6, 1}, error)->str(),
            "warps 1, [reg 3@2, lane 2@16, lane 2@2, reg 2@1], "
            "[lane 4@4, lane 2@1]");
}

// Bit 0 of the lane counts along columns and bit 1 along rows, so that what
// half a warp reads of either comes in pairs.
TEST(FragmentMapLayouts, LanesOfAccumulatorsComeInPairs) {
  const std::pair<int64_t, int64_t> warpTiles[] = {
      {32, 64}, {64, 32}, {16, 128}, {128, 16}};
  for (auto warpTile : warpTiles) {
    std::string error;
    FragmentMap map = *ffmaAccumulator(warpTile, 1, warpTile, {8, 8}, error);
    for (int64_t lane = 0; lane < 32; ++lane) {
      auto at = [&](int64_t other) { return map.coordinates(0, other, 0); };
      EXPECT_EQ(at(lane)[0], at(lane ^ 1)[0]) << map.str();
      EXPECT_EQ(at(lane)[1], at(lane ^ 2)[1]) << map.str();
      EXPECT_NE(at(lane)[1], at(lane ^ 1)[1]) << map.str();
      EXPECT_NE(at(lane)[0], at(lane ^ 2)[0]) << map.str();
    }
  }
}

TEST(FragmentMapLayouts, FfmaAccumulatorErrors) {
  auto message = [](std::pair<int64_t, int64_t> shape, int64_t warps,
                    std::pair<int64_t, int64_t> warpTile,
                    std::pair<int64_t, int64_t> threadTile) {
    std::string error;
    EXPECT_FALSE(ffmaAccumulator(shape, warps, warpTile, threadTile, error));
    return error;
  };
  EXPECT_EQ(message({128, 128}, 8, {32, 64}, {8, 7}),
            "expects a thread tile that divides the warp tile and a warp tile "
            "that divides the tile, but got 8x7, 32x64 and 128x128");
  EXPECT_EQ(message({128, 100}, 8, {32, 64}, {8, 8}),
            "expects a thread tile that divides the warp tile and a warp tile "
            "that divides the tile, but got 8x8, 32x64 and 128x100");
  EXPECT_EQ(message({128, 128}, 8, {32, 64}, {0, 8}),
            "expects a thread tile that divides the warp tile and a warp tile "
            "that divides the tile, but got 0x8, 32x64 and 128x128");
  EXPECT_EQ(message({128, 128}, 8, {32, 64}, {4, 8}),
            "expects a warp tile of 32 thread tiles, but got 32x64 of 4x8");
  EXPECT_EQ(message({128, 128}, 4, {32, 64}, {8, 8}),
            "expects as many warp tiles as warps, but got 32x64 in 128x128 for "
            "4 warps");
  EXPECT_EQ(message({64, 33 * 32}, 33, {64, 32}, {8, 8}),
            "expects 1 to 32 warps, but got 33");
}

// The tables of the PTX ISA, sections "Matrix Fragments for mma.m16n8k16 with
// floating point type", "... mma.m16n8k8" (.tf32) and "Register Fragments for
// wgmma": `i` is the element's number in the thread's fragment.
using PtxTable = std::function<Coordinates(int64_t i, int64_t lane)>;

void expectTable(const FragmentMap &map, int64_t registers, int64_t warps,
                 const PtxTable &ptx) {
  ASSERT_EQ(map.registers(), registers);
  ASSERT_EQ(map.warps(), warps);
  EXPECT_EQ(map.replication(), 1);
  for (int64_t warp = 0; warp < warps; ++warp)
    for (int64_t lane = 0; lane < kLanes; ++lane)
      for (int64_t reg = 0; reg < registers; ++reg) {
        Coordinates expected = ptx(reg, lane);
        expected[0] += 16 * warp; // warps of a warp group are 16 rows apart
        EXPECT_EQ(map.coordinates(reg, lane, warp), expected)
            << reg << " " << lane << " " << warp;
      }
}

Coordinates accumulator(int64_t i, int64_t lane) {
  int64_t row = i % 4 < 2 ? lane >> 2 : (lane >> 2) + 8;
  return {row, i / 4 * 8 + (lane % 4) * 2 + (i & 1)};
}
Coordinates operandA16(int64_t i, int64_t lane) {
  int64_t row = i < 2 || (4 <= i && i < 6) ? lane >> 2 : (lane >> 2) + 8;
  int64_t column = (lane % 4) * 2 + (i & 1) + (i < 4 ? 0 : 8);
  return {row, column};
}
Coordinates operandB16(int64_t i, int64_t lane) {
  return {(lane % 4) * 2 + (i & 1) + (i < 2 ? 0 : 8), lane >> 2};
}
Coordinates operandA8(int64_t i, int64_t lane) {
  int64_t row = i == 0 || i == 2 ? lane >> 2 : (lane >> 2) + 8;
  return {row, i < 2 ? lane % 4 : lane % 4 + 4};
}
Coordinates operandB8(int64_t i, int64_t lane) {
  return {i == 0 ? lane % 4 : lane % 4 + 4, lane >> 2};
}

TEST(FragmentMapLayouts, MmaFragmentsAreThoseOfPtx) {
  expectTable(mmaAccumulator16x8(), 4, 1, accumulator);
  expectTable(mmaOperandA16x16(), 8, 1, operandA16);
  expectTable(mmaOperandB16x8(), 4, 1, operandB16);
  expectTable(mmaOperandA16x8(), 4, 1, operandA8);
  expectTable(mmaOperandB8x8(), 2, 1, operandB8);
}

TEST(FragmentMapLayouts, WgmmaFragmentsAreThoseOfPtx) {
  for (int64_t columns = 8; columns <= 256; columns += 8)
    expectTable(wgmmaAccumulator(columns), columns / 2, 4, accumulator);
  expectTable(wgmmaOperandA64x16(), 8, 4, operandA16);
  expectTable(wgmmaOperandA64x8(), 4, 4, operandA8);
}

// Two 16 x 8 accumulators side by side are the A operand of a 16 x 16 step:
// the registers are even in the right order.
TEST(FragmentMapLayouts, AccumulatorsAreOperands) {
  EXPECT_EQ(mmaAccumulator16x8().repeat({1, 2}, {1, 1}), mmaOperandA16x16());
  EXPECT_EQ(wgmmaAccumulator(16), wgmmaOperandA64x16());
}

} // namespace
