//===- tile_reduce.h - sum, maximum and minimum along a dim -----*- C++ -*-===//
//
// And the sum of products along one. The order of a reduction is fixed, so that
// its result is the same bits on every machine:
//
//   1. Registers, by ascending coordinate, as a balanced tree: neighbours are
//      combined in pairs (the last of an odd number waits), again until one is
//      left.
//   2. Lanes, by exchange with the lane whose number differs in one bit, from
//      the lowest bit that the dim reads to the highest. Both compute the same
//      value, so all lanes hold it.
//   3. Warps are not combined: of a dim that they share, one element a warp is
//      left, for the kernel to send through shared memory.

#ifndef FUSE_RUNTIME_TILE_REDUCE_H
#define FUSE_RUNTIME_TILE_REDUCE_H

#include "tile_map.h"

namespace fuse {

struct Sum {
  template <class T>
  FUSE_INLINE static T apply(T a, T b) {
    return sum_of(a, b);
  }
};
/// NaN if an operand is; -0 is below 0.
struct Max {
  template <class T>
  FUSE_INLINE static T apply(T a, T b) {
    return maximum(a, b);
  }
};
struct Min {
  template <class T>
  FUSE_INLINE static T apply(T a, T b) {
    return minimum(a, b);
  }
};

/// `Count` values as a balanced tree.
template <class Op, int Count, class T>
FUSE_INLINE T reduce_registers(T (&values)[Count]) {
  FUSE_UNROLL
  for (int step = 1; step < Count; step *= 2) {
    FUSE_UNROLL
    for (int i = 0; i + step < Count; i += 2 * step)
      values[i] = Op::apply(values[i], values[i + step]);
  }
  return values[0];
}

/// The values of all lanes that differ in `Bits` only.
template <class Op, int Bits, class T>
FUSE_INLINE T reduce_lanes(T value) {
  FUSE_UNROLL
  for (int bit = 1; bit < warp_lanes; bit *= 2)
    if ((Bits & bit) != 0)
      value = Op::apply(value, shuffle_xor(value, bit));
  return value;
}

/// True if `Result` is what a reduction of dim `D` within warps leaves of
/// `Map`.
template <class Result, class Map, int D>
FUSE_INLINE constexpr bool is_left_by() {
  using Along = typename Map::template dim<D>;
  if constexpr (Along::warp_parts == 1) {
    return Result::rank == Map::rank - 1 &&
           same_threads<Result, Map>(dims_without<D>());
  } else {
    using Left = typename Result::template dim<D>;
    if (Result::rank != Map::rank || Left::extent != Along::warp_parts ||
        Left::warp_parts != Along::warp_parts)
      return false;
    for (int d = 0; d < Map::rank; ++d)
      if (d != D && !same_threads_along<Result, Map>(d, d))
        return false;
    return true;
  }
}

/// Combines the elements along dim `D`. `Result` is the map without that dim,
/// or, if warps share it, with their digits as what is left of it. Elements of
/// 16 bits are combined in float and rounded once, which a sum over several
/// warps must not be: cast to float before it.
template <class Op, int D, class Result, class T, class Map>
FUSE_INLINE Tile<T, Result> reduce(const Tile<T, Map> &tile) {
  using Along = typename Map::template dim<D>;
  constexpr DimList others = dims_without<D>();
  constexpr bool vanishes = Along::warp_parts == 1;
  constexpr DimList kept = vanishes ? dims_without<>() : others;
  static_assert(is_left_by<Result, Map, D>(),
                "expects the map that a reduction of this dim leaves");
  static_assert(!(is_16_bit_float<T> && is_same<Op, Sum> && !vanishes),
                "expects a float for a sum over several warps");

  Tile<T, Result> result;
  FUSE_UNROLL
  for (int q = 0; q < Result::registers; ++q) {
    Compute<T> values[Along::registers];
    FUSE_UNROLL
    for (int i = 0; i < Along::registers; ++i) {
      int reg = Along::register_number(Along::ascending_part(i));
      FUSE_UNROLL
      for (int s = 0; s < Map::rank - 1; ++s)
        reg += Map::register_number(others.of[s],
                                    Result::register_coordinate(kept.of[s], q));
      values[i] = convert<Compute<T>>(tile.reg[reg]);
    }
    result.reg[q] = convert<T>(
        reduce_lanes<Op, Along::lane_bits>(reduce_registers<Op>(values)));
  }
  return result;
}

/// `sum` plus the products of `a` and `b` along dim `D`, which lies in
/// registers: a chain of fused multiply-adds in ascending order.
template <int D, class T, class Map, class Result>
FUSE_INLINE Tile<T, Result>
accumulate(const Tile<T, Map> &a, const Tile<T, Map> &b, Tile<T, Result> sum) {
  using Along = typename Map::template dim<D>;
  static_assert(Along::lane_bits == 0 && Along::warp_parts == 1 &&
                    is_left_by<Result, Map, D>(),
                "expects a dim in registers, and the map without it");
  constexpr DimList others = dims_without<D>();
  FUSE_UNROLL
  for (int i = 0; i < Along::registers; ++i) {
    FUSE_UNROLL
    for (int q = 0; q < Result::registers; ++q) {
      int reg = Along::register_number(Along::ascending_part(i));
      FUSE_UNROLL
      for (int s = 0; s < Result::rank; ++s)
        reg += Map::register_number(others.of[s],
                                    Result::register_coordinate(s, q));
      sum.reg[q] = fma(a.reg[reg], b.reg[reg], sum.reg[q]);
    }
  }
  return sum;
}

} // namespace fuse

#endif // FUSE_RUNTIME_TILE_REDUCE_H
