//===- TileContractTest.cpp - contractions, bit by bit --------------------===//

#include "TileTest.h"
#include <cmath>

using namespace fuse;
using namespace fuse::test;

namespace {

template <class T>
T multiplyAdd(T a, T b, T c) {
  return std::fma(a, b, c);
}

/// Fills a shared tile with valueOf(first + row-major number), by all threads.
template <class Shared>
void fillShared(Shared shared, int first) {
  for (int i = thread_index(); i < Shared::elements; i += block_threads())
    shared.data()[Shared::template place<false>(i / Shared::columns, 0,
                                                i % Shared::columns, 0)] =
        valueOf<typename Shared::Element>(first + i);
}

/// Contracts two shared tiles and expects the bits of the documented order.
template <LhsLayout Lhs, RhsLayout Rhs, class T, class Map, class A, class B,
          bool OneChain = false>
void checkContract() {
  constexpr int depth = A::extent(Lhs == MK ? 1 : 0);
  constexpr size_t bytes = sizeof(typename A::Element) * A::elements;
  auto want = [](const Coordinates &at) {
    T sum = valueOf<T>(numberOf<Map>(at));
    for (int begin = 0; begin < depth; begin += 32) {
      T chain = OneChain ? sum : T(0);
      for (int k = begin; k < depth && k < begin + 32; ++k) {
        const int a =
            Lhs == MK ? at[0] * depth + k : k * Map::extent(0) + at[0];
        const int b =
            Rhs == NK ? at[1] * depth + k : k * Map::extent(1) + at[1];
        chain = multiplyAdd(convert<T>(valueOf<typename A::Element>(5 + a)),
                            convert<T>(valueOf<typename B::Element>(900 + b)),
                            chain);
      }
      sum = OneChain ? chain : sum + chain;
    }
    return sum;
  };
  expectTile<T, Map>(
      [] {
        const auto a = alloc<A>(0);
        const auto b = alloc<B>((bytes + 15) / 16 * 16);
        fillShared(a, 5);
        fillShared(b, 900);
        barrier();
        if constexpr (OneChain)
          return contract_chain<Lhs, Rhs>(numbered<T, Map>(), a, b);
        else
          return contract<Lhs, Rhs>(numbered<T, Map>(), a, b);
      },
      want, bytes + 16 + sizeof(typename B::Element) * B::elements);
}

TEST(TileContract, OperandsInEachLayout) {
  checkContract<MK, KN, float, Ffma64x32, SharedTile<float, 64, 32>,
                SharedTile<float, 32, 32>>();
  checkContract<KM, KN, float, Ffma64x32, SharedTile<float, 32, 64>,
                SharedTile<float, 32, 32>>();
  checkContract<MK, NK, float, Ffma64x32, SwizzledTile<float, 4, 64, 32>,
                SwizzledTile<float, 4, 32, 32>>();
  checkContract<KM, NK, float, Ffma64x32, SwizzledTile<float, 1, 32, 64>,
                SharedTile<float, 32, 32>>();
}

TEST(TileContract, AnyDepth) {
  checkContract<KM, KN, float, Ffma64x32, SharedTile<float, 1, 64>,
                SharedTile<float, 1, 32>>();
  checkContract<KM, KN, float, Ffma64x32, SharedTile<float, 33, 64>,
                SharedTile<float, 33, 32>>();
  checkContract<MK, NK, float, Ffma64x32, SharedTile<float, 64, 7>,
                SharedTile<float, 32, 7>>();
  checkContract<MK, NK, float, Ffma64x32, SwizzledTile<float, 4, 64, 48>,
                SwizzledTile<float, 4, 32, 48>>();
  checkContract<KM, KN, float, Ffma64x32, SharedTile<float, 96, 64>,
                SharedTile<float, 96, 32>>();
  checkContract<MK, KN, float, Ffma64x32, SharedTile<float, 64, 80>,
                SharedTile<float, 80, 32>>();
}

// Any map of rank 2 can accumulate: thread tiles that are no multiple of 4,
// rows of 20, tensor-core fragments, replicas.
TEST(TileContract, AnyMap) {
  checkContract<KM, KN, float, Ffma48x8, SharedTile<float, 32, 48>,
                SharedTile<float, 32, 8>>();
  checkContract<MK, NK, float, Ffma48x8, SwizzledTile<float, 2, 48, 32>,
                SwizzledTile<float, 1, 8, 32>>();
  checkContract<MK, KN, float, Rows12x20, SwizzledTile<float, 1, 12, 32>,
                SharedTile<float, 32, 20>>();
  checkContract<KM, NK, float, Mma32x24, SharedTile<float, 16, 32>,
                SharedTile<float, 24, 16>>();
  checkContract<KM, KN, float, Rows3x7, SharedTile<float, 5, 3>,
                SharedTile<float, 5, 7>>();
}

TEST(TileContract, ElementTypes) {
  checkContract<MK, KN, double, Ffma64x32, SwizzledTile<double, 4, 64, 32>,
                SharedTile<double, 32, 32>>();
  checkContract<MK, NK, float, Ffma64x32, SwizzledTile<Half, 4, 64, 64>,
                SwizzledTile<Half, 4, 32, 64>>();
  checkContract<KM, KN, float, Ffma64x32, SharedTile<BFloat16, 64, 64>,
                SharedTile<BFloat16, 64, 32>>();
  // Runs of 8 and of 4 along k.
  checkContract<MK, NK, float, Ffma64x32, SwizzledTile<BFloat16, 4, 64, 64>,
                SwizzledTile<float, 4, 32, 64>>();
}

TEST(TileContract, OneChain) {
  checkContract<KM, KN, float, Ffma64x32, SharedTile<float, 96, 64>,
                SharedTile<float, 96, 32>, true>();
  checkContract<MK, NK, float, Ffma64x32, SwizzledTile<float, 4, 64, 48>,
                SwizzledTile<float, 4, 32, 48>, true>();
  checkContract<MK, KN, double, Ffma64x32, SwizzledTile<double, 4, 64, 32>,
                SharedTile<double, 32, 32>, true>();
  checkContract<KM, KN, float, Rows3x7, SharedTile<float, 5, 3>,
                SharedTile<float, 5, 7>, true>();
}

// A chain starts from zero, so that -0 products vanish in it.
TEST(TileContract, ChainsStartFromZero) {
  expectTile<float, Ffma64x32>(
      [] {
        const auto a = alloc<SharedTile<float, 1, 64>>(0);
        const auto b = alloc<SharedTile<float, 1, 32>>(256);
        for (int i = thread_index(); i < 64; i += 64)
          a.data()[i] = -0.0f, b.data()[i % 32] = 1.0f;
        barrier();
        return contract<KM, KN>(fill<Ffma64x32>(-0.0f), a, b);
      },
      [](const Coordinates &) { return 0.0f; }, 512);
}

//===----------------------------------------------------------------------===//
// Rows in registers
//===----------------------------------------------------------------------===//

/// 16 rows of 64, each in 8 lanes.
using Rows16x64 = FragmentMap<2, Dim<Reg<2, 4>, Warp<2>, Lane<4, 8>>,
                              Dim<Reg<2, 8>, Lane<8>, Reg<4>>>;
using Rows16 = Dim<Reg<2>, Warp<2>, Lane<4, 8>>;

/// Multiplies numbered rows by a shared tile and expects the bits of the
/// documented order.
template <RhsLayout Rhs, ResultLayout Out, class T, class Map, class B>
void checkRows() {
  constexpr int columns = B::extent(Rhs == NK ? 0 : 1), lanesOfRow = 8;
  auto want = [](const Coordinates &at) {
    const int m = at[Out == MN ? 0 : 1], n = at[Out == MN ? 1 : 0];
    T sums[lanesOfRow] = {};
    for (int k = 0; k < 64; ++k) {
      T &sum = sums[k / 4 % lanesOfRow];
      const int b = Rhs == NK ? n * 64 + k : k * columns + n;
      sum = multiplyAdd(valueOf<T>(7 + m * 64 + k),
                        convert<T>(valueOf<typename B::Element>(900 + b)), sum);
    }
    for (int half = lanesOfRow / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i)
        sums[i] = sums[i] + sums[half + i];
    return valueOf<T>(numberOf<Map>(at)) + sums[0];
  };
  expectTile<T, Map>(
      [] {
        const auto b = alloc<B>(0);
        fillShared(b, 900);
        barrier();
        return contract_rows<Rhs, Out>(numbered<T, Map>(),
                                       numbered<T, Rows16x64>(7), b);
      },
      want, sizeof(typename B::Element) * B::elements);
}

TEST(TileContract, RowsInRegisters) {
  checkRows<NK, MN, float, FragmentMap<2, Rows16, Dim<Lane<8>>>,
            SharedTile<float, 8, 64>>();
  checkRows<NK, NM, float, FragmentMap<2, Dim<Lane<8>>, Rows16>,
            SwizzledTile<float, 4, 8, 64>>();
  checkRows<KN, NM, float, FragmentMap<2, Dim<Lane<8>>, Rows16>,
            SharedTile<float, 64, 8>>();
  checkRows<KN, MN, double, FragmentMap<2, Rows16, Dim<Lane<8>>>,
            SharedTile<Half, 64, 8>>();
}

// More columns than lanes of a row, fewer, and one.
TEST(TileContract, RowsTimesAnyNumberOfColumns) {
  checkRows<NK, MN, float, FragmentMap<2, Rows16, Dim<Lane<8>, Reg<2, 2>>>,
            SharedTile<float, 16, 64>>();
  checkRows<KN, NM, float, FragmentMap<2, Dim<Lane<4, 2>>, Rows16>,
            SharedTile<float, 64, 4>>();
  checkRows<NK, NM, float, FragmentMap<2, Dim<>, Rows16>,
            SharedTile<float, 1, 64>>();
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

/// How often lanes that shared memory serves together, 8 for accesses of 16
/// bytes, want different chunks from the same banks, where all threads read
/// chunk `k` (of a row along k) or row `k` for all their coordinates in `D`.
template <class Shared, class Map, int D, bool AlongK>
int bankConflicts() {
  using Along = typename Map::template dim<D>;
  int conflicts = 0;
  for (int k = 0; k < 8; ++k)
    for (int i = 0; i < Along::registers; i += AlongK ? 1 : 4)
      for (int first = 0; first < Map::threads; first += 8) {
        std::array<int, 8> wanted;
        wanted.fill(-1);
        for (int thread = first; thread < first + 8; ++thread) {
          const int coordinate = Along::thread_part(thread % 32, thread / 32) +
                                 Along::ascending_part(i);
          const int chunk =
              (AlongK ? Shared::template place<false>(coordinate, 0, 4 * k, 0)
                      : Shared::template place<false>(k, 0, coordinate, 0)) /
              4;
          int &bank = wanted[chunk % 8];
          conflicts += bank >= 0 && bank != chunk;
          bank = chunk;
        }
      }
  return conflicts;
}

// The maps of tile::ffmaAccumulator, for 8 x 8 and 8 x 4 elements a thread.
using Ffma128x128 =
    FragmentMap<8,
                Dim<Warp<4, 2>, Reg<2, 32>, Lane<2, 16>, Lane<2, 2>, Reg<4, 8>>,
                Dim<Warp<2>, Reg<2, 4>, Lane<4, 4>, Lane<2>, Reg<4>>>;
using Ffma128x64 =
    FragmentMap<4,
                Dim<Warp<2, 2>, Reg<2, 32>, Lane<4, 8>, Lane<2, 2>, Reg<4, 8>>,
                Dim<Warp<2>, Reg<2, 4>, Lane<2, 4>, Lane<2>, Reg<4>>>;

template <class Map>
void expectNoConflicts() {
  constexpr int m = Map::extent(0), n = Map::extent(1);
  EXPECT_EQ((bankConflicts<SharedTile<float, 32, m>, Map, 0, false>()), 0);
  EXPECT_EQ((bankConflicts<SharedTile<float, 32, n>, Map, 1, false>()), 0);
  EXPECT_EQ((bankConflicts<SwizzledTile<float, 4, m, 32>, Map, 0, true>()), 0);
  EXPECT_EQ((bankConflicts<SwizzledTile<float, 4, n, 32>, Map, 1, true>()), 0);
}

TEST(TileContract, ReadsMeetNoBankTwice) {
  expectNoConflicts<Ffma128x128>();
  expectNoConflicts<Ffma128x64>();
  expectNoConflicts<Ffma64x32>();
  // Without swizzle, or with that of other rows, they do.
  EXPECT_GT((bankConflicts<SharedTile<float, 128, 32>, Ffma128x128, 1, true>()),
            0);
  EXPECT_GT(
      (bankConflicts<SwizzledTile<float, 1, 128, 32>, Ffma128x128, 1, true>()),
      0);
}

} // namespace
