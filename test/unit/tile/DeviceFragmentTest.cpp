//===- DeviceFragmentTest.cpp - maps in the device header are these maps --===//
//
// The device header has its own FragmentMap, a type. For the same digits it
// must be the same function as the compiler's.

#include "fragment.h"
#include "fuse/tile/FragmentMap.h"
#include "gtest/gtest.h"

namespace {

using namespace fuse;

template <class Map>
void expectSameMap(llvm::StringRef text) {
  std::string error;
  std::optional<tile::FragmentMap> map = tile::FragmentMap::parse(text, error);
  ASSERT_TRUE(map) << error;
  EXPECT_EQ(map->str(), text) << "expects normal forms";
  ASSERT_EQ(map->rank(), Map::rank);
  ASSERT_EQ(map->warps(), Map::warps);
  ASSERT_EQ(map->registers(), Map::registers);
  EXPECT_EQ(map->replication(), Map::replication);
  for (int d = 0; d < Map::rank; ++d) {
    EXPECT_EQ(map->extent(d), Map::extent(d));
    EXPECT_EQ(map->registerStep(d), Map::register_step(d));
  }
  for (int warp = 0; warp < Map::warps; ++warp)
    for (int lane = 0; lane < warp_lanes; ++lane)
      for (int reg = 0; reg < Map::registers; ++reg) {
        int found = 0;
        for (int d = 0; d < Map::rank; ++d) {
          const int coordinate = Map::register_coordinate(d, reg) +
                                 Map::thread_coordinate(d, lane, warp);
          EXPECT_EQ(map->coordinates(reg, lane, warp)[d], coordinate);
          found += Map::register_number(d, coordinate);
        }
        EXPECT_EQ(found, reg);
      }
}

TEST(DeviceFragment, IsTheCompilersMap) {
  expectSameMap<FragmentMap<3>>("warps 3");
  expectSameMap<FragmentMap<1, Dim<>>>("warps 1, []");
  expectSameMap<FragmentMap<4, Dim<Warp<4>, Lane<8, 4>, Reg<2, 2>>,
                            Dim<Lane<2>, Reg<2>>>>(
      "warps 4, [warp 4@1, lane 8@4, reg 2@2], [lane 2@1, reg 2@1]");
  expectSameMap<FragmentMap<6, Dim<Reg<3, 20>, Warp<2, 3>>, Dim<Lane<2, 8>>,
                            Dim<Reg<5, 4>, Warp<3>, Lane<8>, Reg<4>>>>(
      "warps 6, [reg 3@20, warp 2@3], [lane 2@8], "
      "[reg 5@4, warp 3@1, lane 8@1, reg 4@1]");
  expectSameMap<
      FragmentMap<8, Dim<Warp<4, 2>, Reg<2, 32>, Lane<4, 8>, Reg<4, 8>>,
                  Dim<Warp<2>, Reg<2, 4>, Lane<8>, Reg<4>>>>(
      "warps 8, [warp 4@2, reg 2@32, lane 4@8, reg 4@8], "
      "[warp 2@1, reg 2@4, lane 8@1, reg 4@1]");
  expectSameMap<FragmentMap<4, Dim<Warp<4>, Reg<2, 2>, Lane<8, 4>>,
                            Dim<Reg<8, 4>, Lane<4>, Reg<2>>>>(
      tile::wgmmaAccumulator(64).str());
}

TEST(DeviceFragment, VectorDim) {
  using Map = FragmentMap<1, Dim<Lane<32>, Reg<4>>, Dim<Reg<2, 4>>>;
  EXPECT_EQ(Map::vector_dim(1), 1);
  EXPECT_EQ(Map::vector_dim(2), 0);
  EXPECT_EQ(Map::vector_dim(4), 0);
  EXPECT_EQ(Map::vector_dim(8), -1);
  EXPECT_EQ((FragmentMap<1, Dim<Lane<32>, Reg<6>>>::vector_dim(4)), -1);
  EXPECT_EQ((FragmentMap<1, Dim<Reg<4>, Lane<32>>>::vector_dim(2)), -1);
}

// Ascending parts are those of the registers, each once.
TEST(DeviceFragment, AscendingParts) {
  using D = Dim<Reg<3, 2>, Lane<4>, Reg<2, 6>, Warp<2>, Reg<2>>;
  EXPECT_EQ(D::registers, 12);
  for (int i = 0; i < D::registers; ++i) {
    if (i > 0) {
      EXPECT_LT(D::ascending_part(i - 1), D::ascending_part(i));
    }
    EXPECT_EQ(D::register_part(D::register_number(D::ascending_part(i))),
              D::ascending_part(i));
  }
}

// Same threads: the digits of lanes and warps, whatever the registers.
TEST(DeviceFragment, SameThreads) {
  using Rows = FragmentMap<2, Dim<Warp<2>, Lane<4, 8>>, Dim<Lane<8>, Reg<4>>>;
  using Row = FragmentMap<2, Dim<Lane<8>, Reg<4>>>;
  using OtherLanes = FragmentMap<2, Dim<Lane<8, 4>, Reg<4>>>;
  using Shorter = FragmentMap<2, Dim<Lane<8>, Reg<2>>>;
  EXPECT_TRUE((same_threads<Row, Rows>(dims_without<0>())));
  EXPECT_FALSE((same_threads<Row, Rows>(dims_without<1>())));
  EXPECT_FALSE((same_threads<OtherLanes, Rows>(dims_without<0>())));
  EXPECT_FALSE((same_threads<Shorter, Rows>(dims_without<0>())));
}

} // namespace
