//===- TileScheduleTest.cpp - How a kernel's indices are cut --------------===//

#include "IndexFormTest.h"

#include "TileSchedule.h"
#include "fuse/tile/FragmentMap.h"

using namespace fuse;

namespace {

//===----------------------------------------------------------------------===//
// Thread tiles
//===----------------------------------------------------------------------===//

// Every accumulator that contractions have is one that FragmentMap can build.
TEST(ThreadTile, IsALayout) {
  for (int64_t m : {16, 32, 64, 128})
    for (int64_t n : {16, 32, 64, 128})
      for (int64_t warps = 1; warps <= 8; warps *= 2) {
        int64_t sums = m * n / (warps * 32);
        if (sums < 8 || sums > 64 || (std::max(m, n) == 128 && m * n < 8192))
          continue;
        SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + ", " +
                     std::to_string(warps) + " warps");
        ThreadTile tile = getThreadTile(m, n, warps);
        std::string error;
        auto map =
            tile::ffmaAccumulator({m, n}, warps, tile.warp, tile.thread, error);
        ASSERT_TRUE(map) << error;
        EXPECT_EQ(map->shape(), (SmallVector<int64_t>{m, n}));
        EXPECT_EQ(map->registers(), m * n / (warps * 32));
        EXPECT_EQ(map->replication(), 1);
      }
}

// So is every one with few columns: a thread then has two sums at least.
TEST(ThreadTile, NarrowOnesAreLayouts) {
  for (int64_t m : {16, 32, 64, 128})
    for (int64_t n : {4, 8})
      for (int64_t warps = 1; warps <= 8 && m * n / (warps * 32) >= 2;
           warps *= 2) {
        for (auto [rows, columns] : {std::pair(m, n), std::pair(n, m)}) {
          ThreadTile tile = getThreadTile(rows, columns, warps);
          std::string error;
          auto map = tile::ffmaAccumulator({rows, columns}, warps, tile.warp,
                                           tile.thread, error);
          ASSERT_TRUE(map) << rows << " x " << columns << ": " << error;
          EXPECT_EQ(map->replication(), 1);
        }
      }
}

// Of equal tiles that with fewer lanes a row, but not less than 8.
TEST(RowThreadTile, HasFewLanesARow) {
  using Pair = std::pair<int64_t, int64_t>;
  EXPECT_EQ(getRowThreadTile(64, 64, 4)->thread, Pair(4, 8));
  EXPECT_EQ(getRowThreadTile(64, 64, 2)->thread, Pair(8, 8));
  EXPECT_EQ(getRowThreadTile(64, 32, 2)->thread, Pair(8, 4));
  EXPECT_EQ(getRowThreadTile(64, 16, 4)->thread, Pair(4, 2));
  EXPECT_EQ(getRowThreadTile(64, 64, 4)->warp, Pair(16, 64));
  EXPECT_FALSE(getRowThreadTile(4, 64, 8));
}

TEST(ThreadTile, IsNearlySquare) {
  ThreadTile tile = getThreadTile(64, 64, 8);
  EXPECT_EQ(tile.thread, std::pair(int64_t(4), int64_t(4)));
  tile = getThreadTile(16, 64, 4);
  EXPECT_EQ(tile.thread, std::pair(int64_t(2), int64_t(4)));
  tile = getThreadTile(128, 128, 8);
  EXPECT_EQ(tile.thread, std::pair(int64_t(8), int64_t(8)));
  EXPECT_EQ(tile.warp, std::pair(int64_t(64), int64_t(32)));
  tile = getThreadTile(64, 128, 4);
  EXPECT_EQ(tile.thread, std::pair(int64_t(8), int64_t(8)));
  tile = getThreadTile(64, 16, 1);
  EXPECT_EQ(tile.thread, std::pair(int64_t(8), int64_t(4)));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

class TileScheduleTest : public IndexFormTest {
protected:
  std::string text(ArrayRef<TileDim> dims) {
    std::string text;
    for (const TileDim &dim : dims)
      text += (text.empty() ? "" : " ") + name(dim.index) + ":" +
              std::to_string(dim.extent);
    return text;
  }
  /// A reduction over the last of two axes, the sizes of which are given.
  RowSchedule scheduleRow(StringRef rows, StringRef columns,
                          const SizeHints &hints = {}) {
    auto size = [](StringRef dim) {
      return dim.front() >= 'A' ? StringRef("?") : dim;
    };
    std::string type = (size(rows) + "x" + size(columns)).str();
    auto quoted = [&](StringRef dim) {
      return size(dim) == dim ? dim.str() : "\"" + dim.str() + "\"";
    };
    std::string result = "tensor<" + size(rows).str() + "xf32>";
    compute("func.func @f(%x: tensor<" + type + "xf32> {fuse.dims = [" +
            quoted(rows) + ", " + quoted(columns) + "]}) -> " + result +
            " {\n  %0 = fuse.reduce sum %x axes [1] : (tensor<" + type +
            "xf32>) -> " + result + "\n  return %0 : " + result + "\n}");
    return scheduleRows(kernel, *form, hints);
  }
};

TEST_F(TileScheduleTest, StaticRowsStayInRegisters) {
  RowSchedule schedule = scheduleRow("N", "100");
  EXPECT_EQ(text(schedule.tile), "i0:16 i1:128");
  EXPECT_EQ(text(schedule.grid), "i0:16");
  EXPECT_EQ(text(schedule.loops), "");
  EXPECT_EQ(schedule.threads, 256);

  schedule = scheduleRow("N", "4096");
  EXPECT_EQ(text(schedule.tile), "i0:1 i1:4096");
  EXPECT_EQ(text(schedule.loops), "");
  EXPECT_EQ(schedule.threads, 32);
}

TEST_F(TileScheduleTest, LongRowsAreReadInPieces) {
  RowSchedule schedule = scheduleRow("N", "4097");
  EXPECT_EQ(text(schedule.tile), "i0:2 i1:1024");
  EXPECT_EQ(text(schedule.loops), "i1:1024");
  EXPECT_EQ(schedule.threads, 64);
}

// Whatever a hint says, the row of a call may be longer.
TEST_F(TileScheduleTest, RowsOfUnknownLengthLoop) {
  RowSchedule schedule = scheduleRow("N", "M");
  EXPECT_EQ(text(schedule.tile), "i0:2 i1:1024");
  EXPECT_EQ(text(schedule.loops), "i1:1024");
  schedule = scheduleRow("N", "M", {{"M", 20}});
  EXPECT_EQ(text(schedule.tile), "i0:64 i1:32");
  EXPECT_EQ(text(schedule.loops), "i1:32");
  schedule = scheduleRow("N", "M", {{"M", 100000}});
  EXPECT_EQ(text(schedule.tile), "i0:2 i1:1024");
}

// A tile has no more rows than there are.
TEST_F(TileScheduleTest, FewRows) {
  RowSchedule schedule = scheduleRow("3", "64");
  EXPECT_EQ(text(schedule.tile), "i0:4 i1:64");
  EXPECT_EQ(schedule.threads, 32);
  schedule = scheduleRow("N", "64", {{"N", 0}});
  EXPECT_EQ(text(schedule.tile), "i0:1 i1:64");
}

// The dim with neighbours in memory is last, for lanes to go along.
TEST_F(TileScheduleTest, ReducedRows) {
  compute(R"mlir(
    func.func @f(%x: tensor<64x64xf32>) -> tensor<64xf32> {
      %0 = fuse.reduce sum %x axes [0] : (tensor<64x64xf32>) -> tensor<64xf32>
      return %0 : tensor<64xf32>
    })mlir");
  RowSchedule schedule = scheduleRows(kernel, *form, {});
  EXPECT_EQ(text(schedule.tile), "i1:32 i0:64");
  EXPECT_EQ(text(schedule.loops), "i1:32");
  EXPECT_EQ(text(schedule.grid), "i0:64");
  EXPECT_EQ(schedule.threads, 64);
}

TEST_F(TileScheduleTest, OtherIndicesAreOfTheGridOrLoops) {
  compute(R"mlir(
    func.func @f(%x: tensor<2x3x4x64xf32>) -> tensor<2x4xf32> {
      %0 = fuse.reduce sum %x axes [1, 3] : (tensor<2x3x4x64xf32>) -> tensor<2x4xf32>
      return %0 : tensor<2x4xf32>
    })mlir");
  RowSchedule schedule = scheduleRows(kernel, *form, {});
  EXPECT_EQ(text(schedule.tile), "i1:4 i3:64");
  EXPECT_EQ(text(schedule.grid), "i0:1 i1:4");
  EXPECT_EQ(text(schedule.loops), "i2:1");
}

TEST_F(TileScheduleTest, ScalarsAreOneBlock) {
  compute(R"mlir(
    func.func @f(%x: tensor<f32>) -> tensor<f32> {
      %0 = fuse.map exp %x : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    })mlir");
  RowSchedule schedule = scheduleRows(kernel, *form, {});
  EXPECT_EQ(text(schedule.tile), "");
  EXPECT_EQ(text(schedule.grid), "");
  EXPECT_EQ(schedule.threads, 32);
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

TEST_F(TileScheduleTest, Contraction) {
  compute(R"mlir(
    func.func @f(%x: tensor<3x100x20xf32>, %y: tensor<20x17xf32>) -> tensor<3x17x100xf32> {
      %0 = fuse.einsum "bik,kj->bji" %x, %y : (tensor<3x100x20xf32>, tensor<20x17xf32>) -> tensor<3x17x100xf32>
      return %0 : tensor<3x17x100xf32>
    })mlir");
  auto einsum = mlir::cast<EinsumOp>(op(0));
  ContractionSchedule schedule = scheduleContraction(einsum, *form, {});
  EXPECT_EQ(extents(), "3 x 17 x 100 x 20");
  EXPECT_EQ(text({schedule.m, schedule.n, schedule.k}), "i2:64 i1:32 i3:32");
  EXPECT_EQ(text(schedule.grid), "i0:1 i1:32 i2:64");
  EXPECT_EQ(text(schedule.loops), "");
  EXPECT_EQ(schedule.threads, 256);
}

// What is missing gets an index of extent 1; further sums are loops.
TEST_F(TileScheduleTest, ContractionOfVectors) {
  compute(R"mlir(
    func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<4xf32>) -> tensor<f32> {
      %0 = fuse.einsum "ik,ik->" %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
      return %0 : tensor<f32>
    })mlir");
  auto einsum = mlir::cast<EinsumOp>(op(0));
  ContractionSchedule schedule = scheduleContraction(einsum, *form, {});
  EXPECT_EQ(extents(), "4 x 8 x 1 x 1");
  EXPECT_EQ(text({schedule.m, schedule.n, schedule.k}), "i2:16 i3:16 i1:32");
  EXPECT_EQ(text(schedule.grid), "i3:16 i2:16");
  EXPECT_EQ(text(schedule.loops), "i0:1");
  EXPECT_EQ(schedule.threads, 32);
}

// Tiles are as large as leaves no multiprocessor without work, and small where
// results are few anyway. What counts is what is expected, not what is known.
TEST_F(TileScheduleTest, TilesFillTheDevice) {
  auto schedule = [&](StringRef type, int64_t b, int64_t m, int64_t n) {
    compute(
        ("func.func @f(%x: tensor<?x?x?x" + type +
         "> {fuse.dims = [\"B\", \"M\", \"K\"]}, %y: tensor<?x?x?x" + type +
         "> {fuse.dims = [\"B\", \"K\", \"N\"]}) -> tensor<?x?x?x" + type +
         "> {\n  %0 = fuse.einsum \"bik,bkj->bij\" %x, %y : (tensor<?x?x?x" +
         type + ">, tensor<?x?x?x" + type + ">) -> tensor<?x?x?x" + type +
         ">\n  return %0 : tensor<?x?x?x" + type + ">\n}")
            .str());
    ContractionSchedule schedule =
        scheduleContraction(mlir::cast<EinsumOp>(op(0)), *form,
                            {{"B", b}, {"M", m}, {"N", n}, {"K", 512}});
    return std::to_string(schedule.m.extent) + "x" +
           std::to_string(schedule.n.extent) + " by " +
           std::to_string(schedule.threads);
  };
  EXPECT_EQ(schedule("f32", 1, 4096, 4096), "128x128 by 256");
  EXPECT_EQ(schedule("f32", 1, 1024, 1024), "64x64 by 128");
  EXPECT_EQ(schedule("f32", 8, 1024, 1024), "128x128 by 256");
  EXPECT_EQ(schedule("f32", 1, 256, 256), "32x32 by 128");
  EXPECT_EQ(schedule("f32", 1000, 64, 128), "64x128 by 128");
  EXPECT_EQ(schedule("f32", 1000, 128, 64), "128x64 by 128");
  // Narrow, and too few registers for large tiles.
  EXPECT_EQ(schedule("f32", 1, 100000, 8), "64x16 by 128");
  EXPECT_EQ(schedule("f64", 1, 4096, 4096), "64x64 by 256");
}

} // namespace
