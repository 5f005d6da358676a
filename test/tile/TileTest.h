//===- TileTest.h - what tests of tile operations share ---------*- C++ -*-===//

#ifndef FUSE_TEST_TILE_TILETEST_H
#define FUSE_TEST_TILE_TILETEST_H

// The device header, as the host compiles it.
#include "tile_contract.h"
#include "tile_memory.h"
#include "tile_reduce.h"

#include "BlockRunner.h"
#include "gtest/gtest.h"
#include <array>
#include <functional>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace fuse::test {

template <class T>
struct Type {
  using type = T;
};

/// Calls `function` with a value of each type, from which it takes the type.
template <class... Types, class Function>
void forTypes(Function function) {
  (function(Type<Types>()), ...);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

// Rows in whole vectors; rows of odd extent, replicated in lanes; everything in
// every thread; rows that warps share.
using Rows16x96 =
    FragmentMap<4, Dim<Warp<4>, Lane<4, 8>>, Dim<Reg<3, 4>, Lane<8>, Reg<4>>>;
using Rows12x20 = FragmentMap<3, Dim<Warp<3>, Lane<4>>, Dim<Reg<20>>>;
using Rows3x7 = FragmentMap<2, Dim<Reg<3, 7>>, Dim<Reg<7>>>;
using Rows2x512 =
    FragmentMap<4, Dim<Lane<2, 16>>, Dim<Reg<2, 4>, Warp<4>, Lane<16>, Reg<4>>>;
// Accumulators of fused multiply-adds and of tensor cores.
using Ffma64x32 =
    FragmentMap<2, Dim<Warp<2>, Reg<2, 16>, Lane<4, 8>, Reg<4, 4>>,
                Dim<Lane<8>, Reg<4>>>;
using Ffma48x8 =
    FragmentMap<2, Dim<Warp<2>, Reg<3, 2>, Lane<4, 8>, Reg<2>>, Dim<Lane<8>>>;
using Mma32x24 = FragmentMap<2, Dim<Warp<2>, Reg<2, 2>, Lane<8, 4>>,
                             Dim<Reg<3, 4>, Lane<4>, Reg<2>>>;
// Other ranks.
using Cube3x8x32 = FragmentMap<2, Dim<Reg<3, 4>>, Dim<Warp<2>, Lane<4, 8>>,
                               Dim<Lane<8>, Reg<4>>>;
using Line128 = FragmentMap<2, Dim<Warp<2>, Lane<32>, Reg<2>>>;
using Scalar = FragmentMap<2>;

template <class Function>
void forMaps(Function function) {
  forTypes<Rows16x96, Rows12x20, Rows3x7, Rows2x512, Ffma64x32, Ffma48x8,
           Mma32x24, Cube3x8x32, Line128, Scalar>(function);
}

using Coordinates = std::array<int, 3>;

/// Row-major number of an element.
template <class Map>
int numberOf(const Coordinates &at) {
  int number = 0;
  for (int d = 0; d < Map::rank; ++d)
    number = number * Map::extent(d) + at[d];
  return number;
}

template <class Map>
Coordinates coordinatesOf(int reg, int thread) {
  Coordinates at{};
  for (int d = 0; d < Map::rank; ++d)
    at[d] = Map::register_coordinate(d, reg) +
            Map::thread_coordinate(d, thread % 32, thread / 32);
  return at;
}

template <class Map>
Index<Map::rank> indexOf(const Coordinates &values) {
  Index<Map::rank> index{};
  for (int d = 0; d < Map::rank; ++d)
    index.value[d] = values[d];
  return index;
}

/// True if the element is within the limits.
template <class Map>
bool exists(const Coordinates &at, const Coordinates &limit) {
  for (int d = 0; d < Map::rank; ++d)
    if (at[d] >= limit[d])
      return false;
  return true;
}

/// Limits that leave a tile whole, cut it in each dim and in all, and leave
/// nothing of it.
template <class Map>
std::vector<Coordinates> limitsOf() {
  Coordinates whole{};
  for (int d = 0; d < Map::rank; ++d)
    whole[d] = Map::extent(d);
  std::vector<Coordinates> all = {whole};
  Coordinates corner = whole;
  for (int d = 0; d < Map::rank; ++d) {
    for (int limit : {Map::extent(d) + 5, Map::extent(d) / 2 + 1, 1, 0, -7}) {
      all.push_back(whole);
      all.back()[d] = limit;
    }
    corner[d] = Map::extent(d) * 3 / 4;
  }
  all.push_back(corner);
  return all;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Some value, different for many `i`; small integers and fractions.
template <class T>
T valueOf(int i) {
  if constexpr (is_same<T, bool>)
    return i * 7 % 5 < 2;
  else if constexpr (is_same<T, int>)
    return static_cast<int>(i * 2654435u - 1000u);
  else
    return convert<T>((i % 1021 - 300) * 0.4375f + (i % 3) * 1e-3f);
}

/// The bits of a value, so that comparisons are exact and see signs and NaN.
template <class T>
uint64_t bitsOf(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T, class Map>
using Kernel = std::function<Tile<T, Map>()>;

/// Runs `kernel`, which returns a tile, and passes each element in each place
/// to `check`.
template <class T, class Map>
void forEachPlace(
    const Kernel<T, Map> &kernel,
    const std::function<void(T got, const Coordinates &at)> &check,
    size_t sharedBytes = 0) {
  std::vector<Tile<T, Map>> tiles(Map::threads);
  BlockRunner runner(Map::warps, sharedBytes);
  ASSERT_TRUE(runner.run([&] { tiles[thread_index()] = kernel(); }));
  for (int thread = 0; thread < Map::threads; ++thread)
    for (int reg = 0; reg < Map::registers; ++reg)
      check(tiles[thread].reg[reg], coordinatesOf<Map>(reg, thread));
}

/// Expects the tile that `kernel` returns to be `expected(coordinates)`, bit by
/// bit, in every place.
template <class T, class Map, class Expected>
void expectTile(const Kernel<T, Map> &kernel, Expected expected,
                size_t sharedBytes = 0) {
  int wrong = 0;
  forEachPlace<T, Map>(
      kernel,
      [&](T got, const Coordinates &at) {
        if (bitsOf(got) == bitsOf<T>(expected(at)) || ++wrong > 3)
          return;
        ADD_FAILURE() << "element " << at[0] << ", " << at[1] << ", " << at[2]
                      << ": got bits " << bitsOf(got) << ", want "
                      << bitsOf<T>(expected(at));
      },
      sharedBytes);
  EXPECT_EQ(wrong, 0);
}

/// The tile whose elements are valueOf(first + number).
template <class T, class Map>
Tile<T, Map> numbered(int first = 0) {
  Tile<T, Map> tile;
  for (int r = 0; r < Map::registers; ++r)
    tile.reg[r] = valueOf<T>(
        first + numberOf<Map>(coordinatesOf<Map>(r, thread_index())));
  return tile;
}

/// Elements that end where memory ends: touching one behind them is fatal.
template <class T>
class GuardedBuffer {
public:
  explicit GuardedBuffer(size_t elements)
      : page(static_cast<size_t>(sysconf(_SC_PAGESIZE))),
        mapped((elements * sizeof(T) + page - 1) / page * page + page),
        memory(static_cast<unsigned char *>(
            mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(memory + mapped - page, page, PROT_NONE);
    data = reinterpret_cast<T *>(memory + mapped - page) - elements;
  }
  ~GuardedBuffer() { munmap(memory, mapped); }
  GuardedBuffer(const GuardedBuffer &) = delete;
  GuardedBuffer &operator=(const GuardedBuffer &) = delete;

  T *data;

private:
  size_t page, mapped;
  unsigned char *memory;
};

} // namespace fuse::test

#endif // FUSE_TEST_TILE_TILETEST_H
