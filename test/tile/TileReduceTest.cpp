//===- TileReduceTest.cpp - reductions and their order, bit by bit --------===//

#include "TileTest.h"
#include <cmath>
#include <limits>

using namespace fuse;
using namespace fuse::test;

namespace {

/// Neighbours are combined in pairs, an odd last one waits; again until one is
/// left.
template <class Op, class T>
T balancedTree(std::vector<T> values) {
  while (values.size() > 1) {
    std::vector<T> next;
    for (size_t i = 0; i < values.size(); i += 2)
      next.push_back(i + 1 < values.size() ? Op::apply(values[i], values[i + 1])
                                           : values[i]);
    values = next;
  }
  return values.front();
}

/// What lane `lane` holds after exchanging its value with the lanes that differ
/// in one bit of `bits`, from the lowest bit up.
template <class Op, class T>
T butterfly(const std::array<T, 32> &values, int lane, int bits) {
  int highest = 16;
  while (highest > 0 && (bits & highest) == 0)
    highest /= 2;
  if (highest == 0)
    return values[lane];
  const int rest = bits & (highest - 1);
  return Op::apply(butterfly<Op, T>(values, lane, rest),
                   butterfly<Op, T>(values, lane ^ highest, rest));
}

/// The values, in T, of the elements of `warp` whose coordinates but dim `dim`
/// are those of `at`: by lane, and in each by ascending coordinate.
template <class Map, class Value>
auto gathered(const Coordinates &at, int dim, int warp, Value value) {
  std::array<std::vector<std::pair<int, int>>, 32> found;
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < Map::registers; ++reg) {
      Coordinates here = coordinatesOf<Map>(reg, warp * 32 + lane);
      const int along = here[dim];
      const int number = numberOf<Map>(here);
      here[dim] = at[dim];
      if (here == at)
        found[lane].emplace_back(along, number);
    }
  std::array<std::vector<decltype(value(0))>, 32> values;
  for (int lane = 0; lane < 32; ++lane) {
    std::sort(found[lane].begin(), found[lane].end());
    for (auto [along, number] : found[lane])
      values[lane].push_back(value(number));
  }
  return values;
}

/// Reduces dim `D` in registers and lanes and expects, in every place, the bits
/// that the documented order gives.
template <class Op, int D, class Result, class T, class Map, class Value>
void checkReduce(Value value) {
  constexpr bool partial = Result::rank == Map::rank;
  constexpr int bits = Map::template dim<D>::lane_bits;
  std::vector<Tile<T, Result>> got(Map::threads);
  BlockRunner runner(Map::warps);
  ASSERT_TRUE(runner.run([&] {
    Tile<T, Map> tile;
    for (int r = 0; r < Map::registers; ++r)
      tile.reg[r] = value(numberOf<Map>(coordinatesOf<Map>(r, thread_index())));
    got[thread_index()] = reduce<Op, D, Result>(tile);
  }));
  for (int thread = 0; thread < Map::threads; ++thread)
    for (int reg = 0; reg < Result::registers; ++reg) {
      Coordinates at = coordinatesOf<Result>(reg, thread);
      if (partial)
        at[D] = 0;
      else
        for (int d = Map::rank - 1; d > D; --d)
          at[d] = at[d - 1];
      at[D] = 0;
      std::array<Compute<T>, 32> lanes{};
      auto values = gathered<Map>(at, D, thread / 32, value);
      // Lanes without a part of this row are none of the butterfly's.
      for (int lane = 0; lane < 32; ++lane)
        if (!values[lane].empty()) {
          std::vector<Compute<T>> terms;
          for (T term : values[lane])
            terms.push_back(convert<Compute<T>>(term));
          lanes[lane] = balancedTree<Op>(terms);
        }
      const T want = convert<T>(butterfly<Op>(lanes, thread % 32, bits));
      ASSERT_EQ(bitsOf(got[thread].reg[reg]), bitsOf(want))
          << "thread " << thread << " register " << reg;
    }
}

template <int D, class Result, class Map>
void checkAllKinds() {
  const auto number = [](auto type) {
    return [](int i) { return valueOf<typename decltype(type)::type>(i); };
  };
  checkReduce<Sum, D, Result, float, Map>(number(Type<float>()));
  checkReduce<Max, D, Result, float, Map>(number(Type<float>()));
  checkReduce<Min, D, Result, float, Map>(number(Type<float>()));
  checkReduce<Sum, D, Result, double, Map>(number(Type<double>()));
  checkReduce<Sum, D, Result, int, Map>(number(Type<int>()));
  checkReduce<Max, D, Result, Half, Map>(number(Type<Half>()));
  checkReduce<Min, D, Result, BFloat16, Map>(number(Type<BFloat16>()));
  if constexpr (Result::rank < Map::rank) {
    checkReduce<Sum, D, Result, Half, Map>(number(Type<Half>()));
    checkReduce<Sum, D, Result, BFloat16, Map>(number(Type<BFloat16>()));
  }
}

TEST(TileReduce, TreeThenButterfly) {
  checkAllKinds<1, FragmentMap<4, Dim<Warp<4>, Lane<4, 8>>>, Rows16x96>();
  checkAllKinds<1, FragmentMap<3, Dim<Warp<3>, Lane<4>>>, Rows12x20>();
  checkAllKinds<0, FragmentMap<2, Dim<Reg<7>>>, Rows3x7>();
  checkAllKinds<1, FragmentMap<2, Dim<Reg<3>>>, Rows3x7>();
  checkAllKinds<1, FragmentMap<2, Dim<Warp<2>, Reg<2, 4>, Lane<4, 8>, Reg<4>>>,
                Ffma64x32>();
  checkAllKinds<1, FragmentMap<2, Dim<Warp<2>, Reg<2>, Lane<8, 4>>>,
                Mma32x24>();
  checkAllKinds<0,
                FragmentMap<2, Dim<Warp<2>, Lane<4, 8>>, Dim<Lane<8>, Reg<4>>>,
                Cube3x8x32>();
  checkAllKinds<2, FragmentMap<2, Dim<Reg<3>>, Dim<Warp<2>, Lane<4, 8>>>,
                Cube3x8x32>();
}

TEST(TileReduce, WarpsRemain) {
  checkAllKinds<1, FragmentMap<4, Dim<Lane<2, 16>>, Dim<Warp<4>>>, Rows2x512>();
  checkAllKinds<0, FragmentMap<2, Dim<Warp<2>>, Dim<Lane<8>, Reg<4>>>,
                Ffma64x32>();
  checkAllKinds<
      1, FragmentMap<2, Dim<Reg<3, 4>>, Dim<Warp<2>>, Dim<Lane<8>, Reg<4>>>,
      Cube3x8x32>();
  checkAllKinds<0, FragmentMap<2, Dim<Warp<2>>>, Line128>();
}

// Registers of the result may be numbered in any order.
TEST(TileReduce, ResultOfAnyRegisterOrder) {
  checkReduce<Sum, 2, FragmentMap<2, Dim<Warp<2>, Lane<4, 8>>, Dim<Reg<3>>>,
              float,
              FragmentMap<2, Dim<Warp<2>, Lane<4, 8>>, Dim<Reg<3>>,
                          Dim<Reg<4, 3>, Lane<8>>>>(
      [](int i) { return valueOf<float>(i); });
  checkReduce<Max, 0, FragmentMap<1, Dim<Reg<3>, Lane<32>, Reg<2, 3>>>, float,
              FragmentMap<1, Dim<Reg<2>>, Dim<Reg<3, 4>, Lane<32>, Reg<2, 2>>>>(
      [](int i) { return valueOf<float>(i); });
}

TEST(TileReduce, NanAndSignedZero) {
  const auto rows = [](auto op, auto special) {
    using Op = decltype(op);
    return [special](int row) {
      float result = 0;
      BlockRunner runner(4);
      EXPECT_TRUE(runner.run([&] {
        Tile<float, Rows16x96> tile;
        for (int r = 0; r < Rows16x96::registers; ++r) {
          const Coordinates at = coordinatesOf<Rows16x96>(r, thread_index());
          tile.reg[r] = special(at[0], at[1]);
        }
        const auto reduced =
            reduce<Op, 1, FragmentMap<4, Dim<Warp<4>, Lane<4, 8>>>>(tile);
        if (thread_index() == row * 8 + 7)
          result = reduced.reg[0];
      }));
      return result;
    };
  };
  // One NaN in row r, at column 7 r.
  const auto nan = [](int row, int column) {
    return column == 7 * row && row != 3
               ? std::numeric_limits<float>::quiet_NaN()
               : float(column - 40);
  };
  EXPECT_TRUE(std::isnan(rows(Max(), nan)(2)));
  EXPECT_TRUE(std::isnan(rows(Min(), nan)(13)));
  EXPECT_EQ(rows(Max(), nan)(3), 55.0f);
  EXPECT_EQ(rows(Min(), nan)(3), -40.0f);
  // One zero of the other sign.
  const auto zeros = [](int row, int column) {
    return (column == 5 * row) == (row % 2 == 0) ? 0.0f : -0.0f;
  };
  EXPECT_FALSE(std::signbit(rows(Max(), zeros)(4)));
  EXPECT_FALSE(std::signbit(rows(Max(), zeros)(5)));
  EXPECT_TRUE(std::signbit(rows(Min(), zeros)(4)));
  EXPECT_TRUE(std::signbit(rows(Min(), zeros)(5)));
}

/// Products along dim `D`, in ascending order, and expects the bits of a chain.
template <int D, class Result, class T, class Map>
void checkAccumulate() {
  constexpr int terms = Map::extent(D);
  auto numberAt = [](const Coordinates &at, int term) {
    Coordinates whole = at;
    std::copy_backward(whole.begin() + D, whole.end() - 1, whole.end());
    whole[D] = term;
    return numberOf<Map>(whole);
  };
  expectTile<T, Result>(
      [] {
        const auto a = numbered<T, Map>();
        return accumulate<D>(a, add(a, T(1)), numbered<T, Result>());
      },
      [&](const Coordinates &at) {
        T sum = valueOf<T>(numberOf<Result>(at));
        for (int term = 0; term < terms; ++term) {
          const T value = valueOf<T>(numberAt(at, term));
          sum = std::fma(value, value + T(1), sum);
        }
        return sum;
      });
}

TEST(TileReduce, ProductsAreAccumulatedInOrder) {
  using Lanes = FragmentMap<2, Dim<Warp<2>, Lane<4>>, Dim<Lane<8, 4>, Reg<2>>>;
  using First = FragmentMap<2, Dim<Reg<8, 2>>, Dim<Warp<2>, Lane<4>>,
                            Dim<Lane<8, 4>, Reg<2>>>;
  using Middle = FragmentMap<2, Dim<Warp<2>, Lane<4>>, Dim<Reg<8, 2>>,
                             Dim<Lane<8, 4>, Reg<2>>>;
  checkAccumulate<0, Lanes, float, First>();
  checkAccumulate<1, Lanes, float, Middle>();
  checkAccumulate<0, Lanes, double, First>();
}

} // namespace
