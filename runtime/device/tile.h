//===- tile.h - tiles in registers and in shared memory ---------*- C++ -*-===//
//
// The values that tile operations work on, and the operations that need none:
// fill, splat, iota, alloc. An operation is one function on one tile, and all
// threads of the block call it.

#ifndef FUSE_RUNTIME_TILE_H
#define FUSE_RUNTIME_TILE_H

#include "fragment.h"
#include "types.h"

namespace fuse {

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// This thread's part of a tile in registers. A tile of rank 0 is one value
/// that every thread holds.
template <class T, class Map>
struct Tile {
  using Element = T;
  using Layout = Map;
  T reg[Map::registers];
};

/// The last of some numbers, and 1 if there is none.
template <class... Ints>
FUSE_INLINE constexpr int last_of(Ints... values) {
  int last = 1;
  ((last = values), ...);
  return last;
}

/// Where an element of a tile lies, in elements: a part that may differ between
/// threads, and one that the compiler knows.
struct Place {
  int varying, constant;
  FUSE_INLINE constexpr operator int() const { return varying + constant; }
};

/// One part after the other, the first one in bytes without a sign: where
/// compilers hold addresses in 64 bits, places are computed in 32 all the same,
/// and the known part is left to the instruction.
template <class T>
FUSE_INLINE T *operator+(T *data, Place place) {
  const unsigned bytes =
      static_cast<unsigned>(place.varying) * static_cast<unsigned>(sizeof(T));
  return reinterpret_cast<T *>(reinterpret_cast<unsigned char *>(data) +
                               bytes) +
         place.constant;
}

/// A tile in shared memory, `offset` bytes behind its start: row-major, where a
/// row is what the last dim counts. If `SwizzleRows` is not 0, the 16-byte
/// chunks of row r trade places within groups of up to 8: chunk c moves to
/// c ^ (r / SwizzleRows). Threads that read the same chunk of rows
/// `SwizzleRows` apart then meet different banks.
template <class T, int SwizzleRows, int... Extents>
struct SwizzledTile {
  using Element = T;
  int offset;

  static constexpr int rank = sizeof...(Extents);
  static constexpr int elements = (1 * ... * Extents);
  static constexpr int columns = last_of(Extents...);
  /// Elements of a chunk, and chunks of a group.
  static constexpr int chunk = 16 / static_cast<int>(sizeof(T));
  static constexpr int chunks = columns / chunk;
  static constexpr int group = chunks % 8 == 0 ? 8 : chunks & -chunks;
  static_assert(SwizzleRows == 0 || columns % chunk == 0,
                "expects swizzled rows of whole chunks");
  static_assert((SwizzleRows & (SwizzleRows - 1)) == 0,
                "expects a power of two");

  FUSE_INLINE static constexpr int extent(int d) {
    const int all[] = {Extents..., 1};
    return all[d];
  }

  FUSE_INLINE T *data() const {
    return reinterpret_cast<T *>(shared_arena() + offset);
  }

  /// Where an element lies, in elements. Its row and column are each the sum of
  /// a part that differs between threads and one that is constant. If the two
  /// parts have no bit in common (`Disjoint`), all work on the latter is done
  /// by the compiler.
  template <bool Disjoint>
  FUSE_INLINE static constexpr Place place(int row, int constant_row,
                                           int column, int constant_column) {
    if constexpr (SwizzleRows == 0)
      return {row * columns + column, constant_row * columns + constant_column};
    else if constexpr (Disjoint) {
      // Only the bits that the swizzle changes are not just added.
      const int moved = swizzled(constant_row, constant_column);
      return {row * columns + column % chunk +
                  (swizzled(row, column) ^ moved % group) * chunk,
              constant_row * columns + constant_column % chunk +
                  moved / group * group * chunk};
    } else
      return place<true>(row + constant_row, 0, column + constant_column, 0);
  }

private:
  FUSE_INLINE static constexpr int swizzled(int row, int column) {
    return column / chunk ^ row / SwizzleRows % group;
  }
};

/// The same without swizzle.
template <class T, int... Extents>
using SharedTile = SwizzledTile<T, 0, Extents...>;

/// `Count` tiles in shared memory that take turns, `offset` bytes behind its
/// start.
template <class Shared, int Count>
struct Slots {
  using Element = typename Shared::Element;
  int offset;

  /// From one to the next: tiles stay aligned as the first is.
  static constexpr int bytes =
      (Shared::elements * static_cast<int>(sizeof(Element)) + 127) / 128 * 128;
  static constexpr int elements =
      Count * bytes / static_cast<int>(sizeof(Element));
};

/// One int64 a dim.
template <int Rank>
struct Index {
  int64_t value[Rank > 0 ? Rank : 1];
  FUSE_INLINE int64_t operator[](int d) const { return value[d]; }
};

/// Distances in memory between neighbours along each dim, in elements.
template <class... Ints>
FUSE_INLINE Index<sizeof...(Ints)> strides(Ints... values) {
  return {{static_cast<int64_t>(values)...}};
}
/// How many elements there are along each dim: those at coordinates from the
/// limit on do not exist. May exceed the tile, be zero or negative.
template <class... Ints>
FUSE_INLINE Index<sizeof...(Ints)> limits(Ints... values) {
  return {{static_cast<int64_t>(values)...}};
}

/// The block's place along the last of the dims that `tile` numbers, of which
/// there are `count`; `tile` goes on with the others. Grids have less than 2^31
/// blocks, so that neither takes 64 bits, in which dividing is slow.
FUSE_INLINE int64_t take_coordinate(int64_t &tile, int64_t count) {
  const auto number = static_cast<uint32_t>(tile);
  const auto base = static_cast<uint32_t>(count);
  tile = number / base;
  return number % base;
}

/// Where a loop ends that stops at either.
FUSE_INLINE int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/// A parameter type that takes no part in deduction.
template <class T>
struct Same {
  using Type = T;
};

//===----------------------------------------------------------------------===//
// Conversions of single values
//===----------------------------------------------------------------------===//

/// The type in which operations on `T` compute.
template <class T>
struct ComputeOf {
  using Type = T;
};
template <>
struct ComputeOf<Half> {
  using Type = float;
};
template <>
struct ComputeOf<BFloat16> {
  using Type = float;
};
template <class T>
using Compute = typename ComputeOf<T>::Type;

template <class T>
constexpr bool is_16_bit_float = sizeof(T) != sizeof(Compute<T>);

template <class A, class B>
constexpr bool is_same = false;
template <class A>
constexpr bool is_same<A, A> = true;

/// `value` as a float whose last bit is set if it is not exact. Rounding that
/// to 16 bits is rounding `value`, once.
FUSE_INLINE float round_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || value != value)
    return nearest;
  const double magnitude = value < 0 ? -value : value;
  uint32_t bits = bit_cast<uint32_t>(nearest);
  if (static_cast<double>(bit_cast<float>(bits & 0x7fffffffu)) > magnitude)
    bits -= 1;
  return bit_cast<float>(bits | 1u);
}

/// Toward zero, saturating, NaN to 0.
template <class T>
FUSE_INLINE int to_int(T value) {
  if (!(value == value))
    return 0;
  if (value >= static_cast<T>(2147483648.0))
    return 2147483647;
  if (value < static_cast<T>(-2147483648.0))
    return -2147483647 - 1;
  return static_cast<int>(value);
}

/// `value` as a `To`, as fuse.cast: floats round to nearest with ties to even,
/// integers as in `to_int`, and bool says whether it is not zero. `From` may
/// also be int64_t; beyond 2^53 it may round twice to 16-bit floats.
template <class To, class From>
FUSE_INLINE To convert(From value) {
  if constexpr (is_same<To, From>)
    return value;
  else if constexpr (is_16_bit_float<From>)
    return convert<To>(static_cast<float>(value));
  else if constexpr (is_same<To, bool>)
    return value != From(0);
  else if constexpr (is_16_bit_float<To> && is_same<From, float>)
    return To(value);
  else if constexpr (is_16_bit_float<To>)
    return To(round_to_odd(static_cast<double>(value)));
  else if constexpr (is_same<To, int> &&
                     (is_same<From, float> || is_same<From, double>))
    return to_int(value);
  else
    return static_cast<To>(value);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// One value for all elements.
template <class Map, class T>
FUSE_INLINE Tile<T, Map> fill(T value) {
  Tile<T, Map> result;
  FUSE_UNROLL
  for (int r = 0; r < Map::registers; ++r)
    result.reg[r] = value;
  return result;
}

/// A whole number, such as the extent of a dim, as a `T`.
template <class T>
FUSE_INLINE T splat(int64_t value) {
  return convert<T>(value);
}

/// The coordinate along dim `D`, counted from `start`; it wraps as i32 does.
template <class Map, int D>
FUSE_INLINE Tile<int, Map> iota(int64_t start = 0) {
  const int64_t first = start + Map::thread_coordinate(D);
  Tile<int, Map> result;
  FUSE_UNROLL
  for (int r = 0; r < Map::registers; ++r)
    result.reg[r] = static_cast<int>(first + Map::register_coordinate(D, r));
  return result;
}

/// A tile of shared memory, `offset` bytes behind its start: 16-byte aligned
/// for vector accesses. Its elements are undefined.
template <class Shared>
FUSE_INLINE Shared alloc(int offset, const char *name = "tile") {
  shared_region<typename Shared::Element>(offset, Shared::elements, name);
  return Shared{offset};
}

/// Rows `first` to `first + Rows` of a tile; `first` is a multiple of `Rows`.
template <int Rows, class T, int SwizzleRows, int All, int Columns>
FUSE_INLINE SwizzledTile<T, SwizzleRows, Rows, Columns>
rows(SwizzledTile<T, SwizzleRows, All, Columns> tile, int64_t first) {
  static_assert(All % Rows == 0 &&
                    (SwizzleRows == 0 || Rows % (8 * SwizzleRows) == 0),
                "expects rows after which the swizzle repeats");
  return {tile.offset +
          static_cast<int>(first) * Columns * static_cast<int>(sizeof(T))};
}

/// The tile whose turn it is at number `turn`, which is not negative.
template <class Shared, int Count>
FUSE_INLINE Shared slot(Slots<Shared, Count> slots, int64_t turn) {
  return Shared{slots.offset + static_cast<int>(turn % Count) * slots.bytes};
}

} // namespace fuse

#endif // FUSE_RUNTIME_TILE_H
