//===- TileMemoryTest.cpp - tiles from and to memory ----------------------===//

#include "TileTest.h"

using namespace fuse;
using namespace fuse::test;

namespace {

/// A way for the elements of a tile to lie in memory. Along the dim that
/// vectors run along, neighbours are adjacent.
template <class Map>
struct Placement {
  Coordinates stride{};
  int elements = 1;

  int offset(const Coordinates &at) const {
    int offset = 0;
    for (int d = 0; d < Map::rank; ++d)
      offset += at[d] * stride[d];
    return offset;
  }
};

/// Row-major, but for dim `inner`, which comes last; rows are padded to a
/// multiple of 8 elements, by 1 at least, and then by `more`.
template <class Map>
Placement<Map> placed(int inner, int more = 0) {
  Placement<Map> result;
  if (Map::rank == 0)
    return result;
  result.stride[inner] = 1;
  result.elements = Map::extent(inner) / 8 * 8 + 8 + more;
  for (int d = Map::rank - 1; d >= 0; --d) {
    if (d == inner)
      continue;
    result.stride[d] = result.elements;
    result.elements *= Map::extent(d);
  }
  return result;
}

/// Calls `function` with each vector width that the map and type allow.
template <class T, class Map, class Function>
void forVectors(Function function) {
  auto one = [&](auto width) {
    if constexpr (Map::vector_dim(decltype(width)::value) >= 0 ||
                  decltype(width)::value == 1)
      function(width);
  };
  one(std::integral_constant<int, 1>());
  one(std::integral_constant<int, 2>());
  one(std::integral_constant<int, 4>());
}

/// Elements up to the last one that exists within the limits.
template <class Map>
int elementsWithin(const Placement<Map> &place, const Coordinates &limit) {
  Coordinates last{};
  for (int d = 0; d < Map::rank; ++d) {
    last[d] = std::min(limit[d], Map::extent(d)) - 1;
    if (last[d] < 0)
      return 0;
  }
  return place.offset(last) + 1;
}

/// Loads from rows that are `more` elements longer than vectors allow, and from
/// a base that is aligned or such that the last element ends where memory ends.
template <class T, class Map, int Vector>
void checkLoad(int more, bool isAligned) {
  const Placement<Map> place = placed<Map>(Map::vector_dim(Vector), more);
  const auto stride = indexOf<Map>(place.stride);
  const T fill = valueOf<T>(77);
  for (const Coordinates &limit : limitsOf<Map>()) {
    // What does not exist is not there to be read, if vectors are aligned.
    const int within = elementsWithin(place, limit);
    GuardedBuffer<T> buffer(isAligned ? (within + 15) / 16 * 16 : within);
    for (int i = 0; i < within; ++i)
      buffer.data[i] = valueOf<T>(i);
    auto want = [&](const Coordinates &at) {
      return exists<Map>(at, limit) ? valueOf<T>(place.offset(at)) : fill;
    };
    expectTile<T, Map>(
        [&] {
          return load<Map, Vector, AnyStride>(buffer.data, stride,
                                              indexOf<Map>(limit), fill);
        },
        want);
  }
}

/// All element types for some maps, and all maps for one type.
template <class Function>
void forTypesAndMaps(Function function) {
  forMaps([&](auto map) { function(Type<float>(), map); });
  forTypes<double, Half, BFloat16, int, bool>([&](auto type) {
    forTypes<Rows16x96, Ffma48x8, Mma32x24>(
        [&](auto map) { function(type, map); });
  });
}

TEST(TileMemory, LoadReadsWhatExists) {
  forTypesAndMaps([](auto type, auto map) {
    using T = typename decltype(type)::type;
    using Map = typename decltype(map)::type;
    forVectors<T, Map>([](auto width) {
      constexpr int vector = decltype(width)::value;
      checkLoad<T, Map, vector>(0, vector > 1);
      // Vectors where no address allows them.
      if constexpr (vector > 1) {
        checkLoad<T, Map, vector>(0, false);
        checkLoad<T, Map, vector>(1, true);
        checkLoad<T, Map, vector>(2, false);
      }
    });
  });
}

TEST(TileMemory, LoadWithoutLimits) {
  forMaps([](auto map) {
    using Map = typename decltype(map)::type;
    const Placement<Map> place = placed<Map>(Map::rank - 1);
    std::vector<float> data(place.elements);
    for (int i = 0; i < place.elements; ++i)
      data[i] = valueOf<float>(i);
    expectTile<float, Map>(
        [&] { return load<Map>(data.data(), indexOf<Map>(place.stride)); },
        [&](const Coordinates &at) { return data[place.offset(at)]; });
  });
}

// Strides may be anything without vectors: here one element stands for a row,
// and memory runs backwards.
TEST(TileMemory, LoadWithAnyStrides) {
  std::vector<float> data(96);
  for (int i = 0; i < 96; ++i)
    data[i] = valueOf<float>(i);
  expectTile<float, Rows16x96>(
      [&] { return load<Rows16x96>(data.data() + 95, strides(0, -1)); },
      [&](const Coordinates &at) { return data[95 - at[1]]; });
}

TEST(TileMemory, LoadIfReadsWhereTheConditionHolds) {
  forMaps([](auto map) {
    using Map = typename decltype(map)::type;
    const Placement<Map> place = placed<Map>(Map::rank - 1);
    const auto stride = indexOf<Map>(place.stride);
    std::vector<float> data(place.elements);
    for (int i = 0; i < place.elements; ++i)
      data[i] = valueOf<float>(i);
    expectTile<float, Map>(
        [&] {
          return load_if<Map>(data.data(), stride, numbered<bool, Map>(), -1);
        },
        [&](const Coordinates &at) {
          return valueOf<bool>(numberOf<Map>(at)) ? data[place.offset(at)]
                                                  : -1.0f;
        });
    const Coordinates limit = limitsOf<Map>().back();
    expectTile<float, Map>(
        [&] {
          return load_if<Map>(data.data(), stride, indexOf<Map>(limit),
                              numbered<bool, Map>(), -1);
        },
        [&](const Coordinates &at) {
          return valueOf<bool>(numberOf<Map>(at)) && exists<Map>(at, limit)
                     ? data[place.offset(at)]
                     : -1.0f;
        });
    for (bool condition : {false, true}) {
      expectTile<float, Map>(
          [&] {
            return load_if<Map>(data.data(), stride, fill<Scalar>(condition),
                                -1);
          },
          [&](const Coordinates &at) {
            return condition ? data[place.offset(at)] : -1.0f;
          });
      expectTile<float, Map>(
          [&] {
            return load_if<Map>(data.data(), stride, indexOf<Map>(limit),
                                fill<Scalar>(condition), -1);
          },
          [&](const Coordinates &at) {
            return condition && exists<Map>(at, limit) ? data[place.offset(at)]
                                                       : -1.0f;
          });
    }
  });
}

/// Stores a tile and expects what exists in place, and nothing else touched.
template <class T, class Map, int Vector>
void checkStore(int more, bool isAligned) {
  const Placement<Map> place = placed<Map>(Map::vector_dim(Vector), more);
  const auto stride = indexOf<Map>(place.stride);
  for (const Coordinates &limit : limitsOf<Map>()) {
    const int within = elementsWithin(place, limit);
    GuardedBuffer<T> buffer(isAligned ? (within + 15) / 16 * 16 : within);
    std::vector<uint64_t> want(within, bitsOf(valueOf<T>(1)));
    for (int i = 0; i < within; ++i)
      buffer.data[i] = valueOf<T>(1);
    for (int thread = 0; thread < Map::threads; ++thread)
      for (int reg = 0; reg < Map::registers; ++reg) {
        const Coordinates at = coordinatesOf<Map>(reg, thread);
        if (exists<Map>(at, limit))
          want[place.offset(at)] = bitsOf(valueOf<T>(numberOf<Map>(at)));
      }
    BlockRunner runner(Map::warps);
    ASSERT_TRUE(runner.run([&] {
      store<Vector, AnyStride>(numbered<T, Map>(), buffer.data, stride,
                               indexOf<Map>(limit));
    }));
    std::vector<uint64_t> got;
    for (int i = 0; i < within; ++i)
      got.push_back(bitsOf(buffer.data[i]));
    EXPECT_EQ(got, want);
  }
}

TEST(TileMemory, StoreWritesWhatExists) {
  forTypesAndMaps([](auto type, auto map) {
    using T = typename decltype(type)::type;
    using Map = typename decltype(map)::type;
    forVectors<T, Map>([](auto width) {
      constexpr int vector = decltype(width)::value;
      checkStore<T, Map, vector>(0, vector > 1);
      if constexpr (vector > 1) {
        checkStore<T, Map, vector>(0, false);
        checkStore<T, Map, vector>(1, true);
        checkStore<T, Map, vector>(2, false);
      }
    });
  });
}

// Each thread stores its number; of those that hold an element the first wins,
// in whatever order they run.
TEST(TileMemory, OneReplicaWrites) {
  forMaps([](auto map) {
    using Map = typename decltype(map)::type;
    const Placement<Map> place = placed<Map>(Map::rank - 1);
    std::vector<int> data(place.elements, -1), want = data;
    for (int thread = Map::threads - 1; thread >= 0; --thread)
      for (int reg = 0; reg < Map::registers; ++reg)
        want[place.offset(coordinatesOf<Map>(reg, thread))] = thread;
    BlockRunner runner(Map::warps, 1 << 16);
    ASSERT_TRUE(runner.run([&] {
      store(fill<Map>(thread_index()), data.data(), indexOf<Map>(place.stride));
    }));
    EXPECT_EQ(data, want);
  });
}

/// Through shared memory from one map to another.
template <class T, class From, class To, class Shared>
void checkExchange() {
  expectTile<T, To>(
      [] {
        const auto shared = alloc<Shared>(64);
        write(numbered<T, From>(), shared);
        barrier();
        return read<To>(shared);
      },
      [](const Coordinates &at) { return valueOf<T>(numberOf<To>(at)); },
      64 + sizeof(T) * Shared::elements);
}

TEST(TileMemory, SharedMemoryCarriesFromMapToMap) {
  forTypes<float, double, Half, BFloat16, int, bool>([](auto type) {
    using T = typename decltype(type)::type;
    using Rows = FragmentMap<2, Dim<Warp<2>, Reg<4, 4>, Lane<8, 4>>,
                             Dim<Lane<4>, Reg<4>, Reg<2, 16>>>;
    using Transposed = FragmentMap<2, Dim<Reg<16>, Lane<4>>,
                                   Dim<Lane<8, 4>, Warp<2>, Reg<2, 16>>>;
    checkExchange<T, Ffma64x32, Rows, SharedTile<T, 64, 32>>();
    checkExchange<T, Rows, Transposed, SharedTile<T, 64, 32>>();
    checkExchange<T, Transposed, Ffma64x32, SwizzledTile<T, 1, 64, 32>>();
    checkExchange<T, Ffma64x32, Transposed, SwizzledTile<T, 4, 64, 32>>();
    checkExchange<T, Rows, Rows, SwizzledTile<T, 2, 64, 32>>();
    // Extents that are no powers of two, replicas, other ranks.
    checkExchange<T, Rows12x20, Rows12x20, SharedTile<T, 12, 20>>();
    checkExchange<T, Rows3x7, Rows3x7, SharedTile<T, 3, 7>>();
    checkExchange<T, Rows16x96, Rows16x96, SwizzledTile<T, 1, 16, 96>>();
    checkExchange<T, Cube3x8x32, Cube3x8x32, SwizzledTile<T, 2, 3, 8, 32>>();
    checkExchange<T, Line128, Line128, SharedTile<T, 128>>();
    checkExchange<T, Scalar, Scalar, SharedTile<T>>();
  });
}

/// The same for a tile that comes there with its dims exchanged.
template <class T, class From, class To, class Shared>
void checkTransposed() {
  expectTile<T, To>(
      [] {
        const auto shared = alloc<Shared>(128);
        write_transposed(numbered<T, From>(), shared);
        barrier();
        return read<To>(shared);
      },
      [](const Coordinates &at) {
        return valueOf<T>(numberOf<From>({at[1], at[0], 0}));
      },
      128 + sizeof(T) * Shared::elements);
}

TEST(TileMemory, TransposedWritesExchangeDims) {
  forTypes<float, double, Half, bool>([](auto type) {
    using T = typename decltype(type)::type;
    using To = FragmentMap<2, Dim<Warp<2>, Reg<16>>, Dim<Lane<32>, Reg<2, 16>>>;
    // Runs along both dims, along one, and along none.
    using Blocks =
        FragmentMap<2, Dim<Warp<2>, Reg<2, 16>, Lane<4, 8>, Reg<4, 4>>,
                    Dim<Lane<8>, Reg<4>>>;
    using Apart = FragmentMap<2, Dim<Reg<32>, Warp<2>>, Dim<Lane<32>>>;
    checkTransposed<T, Blocks, To, SharedTile<T, 32, 64>>();
    checkTransposed<T, Blocks, To, SwizzledTile<T, 4, 32, 64>>();
    checkTransposed<T, Ffma64x32, To, SwizzledTile<T, 1, 32, 64>>();
    checkTransposed<T, Apart, To, SwizzledTile<T, 4, 32, 64>>();
    // Extents that are no powers of two, and replicas.
    checkTransposed<T, Rows3x7, FragmentMap<2, Dim<Reg<7>>, Dim<Reg<3, 7>>>,
                    SharedTile<T, 7, 3>>();
    checkTransposed<T, Rows12x20,
                    FragmentMap<3, Dim<Reg<20, 12>>, Dim<Reg<12>>>,
                    SharedTile<T, 20, 12>>();
  });
}

// Turns beyond the slots begin anew; slots do not touch each other.
TEST(TileMemory, SlotsTakeTurns) {
  using Shared = SharedTile<float, 3, 7>;
  using Two = Slots<Shared, 2>;
  EXPECT_EQ(Two::bytes, 128);
  for (int64_t turn : {0, 1, 2, 7})
    expectTile<float, Rows3x7>(
        [=] {
          const auto slots = alloc<Two>(128);
          write(numbered<float, Rows3x7>(), slot(slots, turn));
          write(numbered<float, Rows3x7>(500), slot(slots, turn + 1));
          barrier();
          return read<Rows3x7>(Shared{128 + static_cast<int>(turn % 2) * 128});
        },
        [](const Coordinates &at) {
          return valueOf<float>(numberOf<Rows3x7>(at));
        },
        128 + Two::elements * sizeof(float));
}

// A bijection of the places of a tile, also where rows are few chunks.
TEST(TileMemory, SwizzledPlacesAreDistinct) {
  forTypes<SwizzledTile<float, 1, 16, 32>, SwizzledTile<float, 4, 64, 16>,
           SwizzledTile<float, 2, 8, 96>, SwizzledTile<Half, 1, 16, 24>,
           SwizzledTile<double, 1, 8, 6>>([](auto type) {
    using Shared = typename decltype(type)::type;
    std::vector<int> used(Shared::elements);
    for (int row = 0; row < Shared::extent(0); ++row)
      for (int column = 0; column < Shared::columns; ++column) {
        const int place = Shared::template place<false>(row, 0, column, 0);
        ASSERT_TRUE(0 <= place && place < Shared::elements);
        ++used[place];
        // Constant parts in disjoint bits change nothing.
        EXPECT_EQ(place, Shared::template place<true>(row & ~3, row & 3,
                                                      column & ~1, column & 1));
      }
    EXPECT_EQ(used, std::vector<int>(Shared::elements, 1));
  });
}

template <class T, int Vector, int Threads, class Shared, class Map>
void checkCopy() {
  const Placement<Map> place = placed<Map>(Map::rank - 1);
  for (const Coordinates &limit : limitsOf<Map>()) {
    const int within = elementsWithin(place, limit);
    GuardedBuffer<T> buffer((within + 15) / 16 * 16);
    for (int i = 0; i < within; ++i)
      buffer.data[i] = valueOf<T>(i + 1);
    expectTile<T, Map>(
        [&] {
          const auto shared = alloc<Shared>(0);
          copy_async<Vector, Threads>(shared, buffer.data,
                                      indexOf<Map>(place.stride),
                                      indexOf<Map>(limit));
          commit();
          fuse::wait<0>();
          barrier();
          return read<Map>(shared);
        },
        [&](const Coordinates &at) {
          return exists<Map>(at, limit) ? valueOf<T>(place.offset(at) + 1)
                                        : T();
        },
        sizeof(T) * Shared::elements);
  }
}

TEST(TileMemory, CopiesFillWithZero) {
  checkCopy<float, 4, 64, SharedTile<float, 64, 32>, Ffma64x32>();
  checkCopy<float, 4, 64, SwizzledTile<float, 4, 64, 32>, Ffma64x32>();
  checkCopy<float, 1, 64, SwizzledTile<float, 1, 64, 32>, Ffma64x32>();
  checkCopy<float, 2, 0, SharedTile<float, 64, 32>, Ffma64x32>();
  checkCopy<double, 2, 64, SwizzledTile<double, 2, 64, 32>, Ffma64x32>();
  checkCopy<Half, 8, 64, SwizzledTile<Half, 1, 64, 32>, Ffma64x32>();
  checkCopy<Half, 1, 64, SharedTile<Half, 64, 32>, Ffma64x32>();
  checkCopy<bool, 2, 64, SharedTile<bool, 64, 32>, Ffma64x32>();
  // Threads do not cover whole rows, or not all of them in the last pass.
  checkCopy<float, 4, 96, SharedTile<float, 12, 20>, Rows12x20>();
  checkCopy<float, 1, 64, SharedTile<float, 3, 7>, Rows3x7>();
  checkCopy<int, 4, 64, SharedTile<int, 3, 8, 32>, Cube3x8x32>();
  checkCopy<int, 4, 0, SharedTile<int, 3, 8, 32>, Cube3x8x32>();
  checkCopy<float, 2, 64, SharedTile<float, 128>, Line128>();
}

} // namespace
