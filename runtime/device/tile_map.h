//===- tile_map.h - element by element --------------------------*- C++ -*-===//
//
// The scalar functions on tiles, by the names of the graph's functions; `and`,
// `or`, `xor` and `not`, which are words of C++, are `logical_and` and so on,
// and comparisons are `compare_lt` and so on. Operands are tiles of one map and
// one element type; some may be of rank 0 or plain scalars, which stand for
// every element. 16-bit floats are computed in float and then rounded to their
// type.

#ifndef FUSE_RUNTIME_TILE_MAP_H
#define FUSE_RUNTIME_TILE_MAP_H

#include "math.h"
#include "tile.h"

namespace fuse {

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Of two maps of operands, the one of rank above 0.
template <class A, class B>
struct MapOfBoth {
  static_assert(is_same<A, B> || A::rank == 0 || B::rank == 0,
                "expects operands of one map");
  static constexpr bool first = A::rank > 0;
  template <bool First, class X, class>
  struct Choose {
    using Type = X;
  };
  template <class X, class Y>
  struct Choose<false, X, Y> {
    using Type = Y;
  };
  using Type = typename Choose<first, A, B>::Type;
};

/// The tile type that some operands stand for: elements of the first tile, the
/// map of those above rank 0. Void if none is a tile.
template <class Found, class... Operands>
struct CommonTile {
  using Type = Found;
};
template <class Found, class Scalar, class... Rest>
struct CommonTile<Found, Scalar, Rest...> : CommonTile<Found, Rest...> {};
template <class T, class Map, class... Rest>
struct CommonTile<void, Tile<T, Map>, Rest...>
    : CommonTile<Tile<T, Map>, Rest...> {};
template <class T, class Map, class U, class Other, class... Rest>
struct CommonTile<Tile<T, Map>, Tile<U, Other>, Rest...>
    : CommonTile<Tile<T, typename MapOfBoth<Map, Other>::Type>, Rest...> {};

/// Fails to substitute where there is no tile, so that scalars are left to the
/// scalar functions.
template <class... Operands>
using TileOf = typename CommonTile<void, Operands...>::Type;
template <class... Operands>
using MapOf = typename TileOf<Operands...>::Layout;
template <class... Operands>
using ElementOf = typename TileOf<Operands...>::Element;

/// Element `reg` of an operand.
template <class T, class Scalar>
FUSE_INLINE T element(Scalar value, int) {
  return convert<T>(value);
}
template <class T, class U, class Map>
FUSE_INLINE T element(const Tile<U, Map> &tile, int reg) {
  static_assert(is_same<T, U>, "expects operands of one element type");
  return tile.reg[Map::rank == 0 ? 0 : reg];
}

/// `function` of elements of type `T`, computed in `Compute<T>`.
template <class Result, class T, class Map, class Function, class... Operands>
FUSE_INLINE Tile<Result, Map> map_elements(Function function,
                                           const Operands &...operands) {
  Tile<Result, Map> result;
  FUSE_UNROLL
  for (int r = 0; r < Map::registers; ++r)
    result.reg[r] = convert<Result>(
        function(convert<Compute<T>>(element<T>(operands, r))...));
  return result;
}

//===----------------------------------------------------------------------===//
// Arithmetic that integers share
//===----------------------------------------------------------------------===//

// Integers wrap, which C++ grants to unsigned ones only.

template <class T>
FUSE_INLINE T sum_of(T a, T b) {
  if constexpr (is_same<T, int>)
    return static_cast<int>(static_cast<uint32_t>(a) +
                            static_cast<uint32_t>(b));
  else
    return a + b;
}
template <class T>
FUSE_INLINE T difference_of(T a, T b) {
  if constexpr (is_same<T, int>)
    return static_cast<int>(static_cast<uint32_t>(a) -
                            static_cast<uint32_t>(b));
  else
    return a - b;
}
template <class T>
FUSE_INLINE T product_of(T a, T b) {
  if constexpr (is_same<T, int>)
    return static_cast<int>(static_cast<uint32_t>(a) *
                            static_cast<uint32_t>(b));
  else
    return a * b;
}
template <class T>
FUSE_INLINE T negative_of(T a) {
  if constexpr (is_same<T, int>)
    return difference_of(0, a);
  else
    return -a;
}
template <class T>
FUSE_INLINE T magnitude_of(T a) {
  if constexpr (is_same<T, int>)
    return a < 0 ? negative_of(a) : a;
  else
    return absolute(a);
}
template <class T>
FUSE_INLINE T complement_of(T a) {
  if constexpr (is_same<T, bool>)
    return !a;
  else
    return ~a;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

// Tiles of one type have an overload of their own: it is more special than the
// scalar templates of the same name, which would take them as numbers. A scalar
// function of another type than the operands' is refused: there must be none
// that computes a double in float.

#define FUSE_SCALAR_OF(...)                                                    \
  using Real = Compute<T>;                                                     \
  static_assert(is_same<decltype(__VA_ARGS__), Real>,                          \
                "expects a function for this element type");                   \
  return __VA_ARGS__;

#define FUSE_LIFT_1(name, ...)                                                 \
  template <class T, class Map>                                                \
  FUSE_INLINE Tile<T, Map> name(const Tile<T, Map> &a) {                       \
    return map_elements<T, T, Map>(                                            \
        [](Compute<T> x) { FUSE_SCALAR_OF(__VA_ARGS__) }, a);                  \
  }

#define FUSE_LIFT_2(name, ...)                                                 \
  template <class T, class Map>                                                \
  FUSE_INLINE Tile<T, Map> name(const Tile<T, Map> &a,                         \
                                const Tile<T, Map> &b) {                       \
    return map_elements<T, T, Map>(                                            \
        [](Compute<T> x, Compute<T> y) { FUSE_SCALAR_OF(__VA_ARGS__) }, a, b); \
  }                                                                            \
  template <class A, class B, class T = ElementOf<A, B>>                       \
  FUSE_INLINE Tile<T, MapOf<A, B>> name(const A &a, const B &b) {              \
    return map_elements<T, T, MapOf<A, B>>(                                    \
        [](Compute<T> x, Compute<T> y) { FUSE_SCALAR_OF(__VA_ARGS__) }, a, b); \
  }

#define FUSE_LIFT_3(name, ...)                                                 \
  template <class T, class Map>                                                \
  FUSE_INLINE Tile<T, Map> name(const Tile<T, Map> &a, const Tile<T, Map> &b,  \
                                const Tile<T, Map> &c) {                       \
    return map_elements<T, T, Map>(                                            \
        [](Compute<T> x, Compute<T> y, Compute<T> z) {                         \
          FUSE_SCALAR_OF(__VA_ARGS__)                                          \
        },                                                                     \
        a, b, c);                                                              \
  }                                                                            \
  template <class A, class B, class C, class T = ElementOf<A, B, C>>           \
  FUSE_INLINE Tile<T, MapOf<A, B, C>> name(const A &a, const B &b,             \
                                           const C &c) {                       \
    return map_elements<T, T, MapOf<A, B, C>>(                                 \
        [](Compute<T> x, Compute<T> y, Compute<T> z) {                         \
          FUSE_SCALAR_OF(__VA_ARGS__)                                          \
        },                                                                     \
        a, b, c);                                                              \
  }

#define FUSE_LIFT_COMPARISON(name, op)                                         \
  template <class A, class B, class T = ElementOf<A, B>>                       \
  FUSE_INLINE Tile<bool, MapOf<A, B>> name(const A &a, const B &b) {           \
    return map_elements<bool, T, MapOf<A, B>>(                                 \
        [](Compute<T> x, Compute<T> y) { return x op y; }, a, b);              \
  }

FUSE_LIFT_1(neg, negative_of(x))
FUSE_LIFT_1(abs, magnitude_of(x))
FUSE_LIFT_2(add, sum_of(x, y))
FUSE_LIFT_2(sub, difference_of(x, y))
FUSE_LIFT_2(mul, product_of(x, y))
FUSE_LIFT_2(div, div_rn(x, y))
FUSE_LIFT_2(min, minimum(x, y))
FUSE_LIFT_2(max, maximum(x, y))
FUSE_LIFT_3(clamp, fuse::clamp(x, y, z))
FUSE_LIFT_3(fma, fuse::fma(x, y, z))
FUSE_LIFT_2(floordiv, fuse::floordiv(x, y))
FUSE_LIFT_2(mod, fuse::mod(x, y))

FUSE_LIFT_2(pow, fuse::pow(x, y))
FUSE_LIFT_1(sqrt, sqrt_rn(x))
FUSE_LIFT_1(rsqrt, fuse::rsqrt(x))
FUSE_LIFT_1(exp, fuse::exp(x))
FUSE_LIFT_1(exp2, fuse::exp2(x))
FUSE_LIFT_1(expm1, fuse::expm1(x))
FUSE_LIFT_1(log, fuse::log(x))
FUSE_LIFT_1(log2, fuse::log2(x))
FUSE_LIFT_1(log1p, fuse::log1p(x))

FUSE_LIFT_1(sin, fuse::sin(x))
FUSE_LIFT_1(cos, fuse::cos(x))
FUSE_LIFT_1(tanh, fuse::tanh(x))
FUSE_LIFT_1(erf, fuse::erf(x))

FUSE_LIFT_1(sigmoid, fuse::sigmoid(x))
FUSE_LIFT_1(silu, fuse::silu(x))
FUSE_LIFT_1(gelu, fuse::gelu(x))
FUSE_LIFT_1(gelu_tanh, fuse::gelu_tanh(x))
FUSE_LIFT_1(softplus, fuse::softplus(x))
FUSE_LIFT_1(relu, fuse::relu(x))
FUSE_LIFT_2(leaky_relu, fuse::leaky_relu(x, y))
FUSE_LIFT_2(elu, fuse::elu(x, y))

FUSE_LIFT_1(floor, fuse::floor(x))
FUSE_LIFT_1(ceil, fuse::ceil(x))
FUSE_LIFT_1(round, fuse::round(x))

FUSE_LIFT_2(logical_and, static_cast<Real>(x &y))
FUSE_LIFT_2(logical_or, static_cast<Real>(x | y))
FUSE_LIFT_2(logical_xor, static_cast<Real>(x ^ y))
FUSE_LIFT_1(logical_not, complement_of(x))

// Ordered: false if an operand is NaN, but `ne` is true.
FUSE_LIFT_COMPARISON(compare_eq, ==)
FUSE_LIFT_COMPARISON(compare_ne, !=)
FUSE_LIFT_COMPARISON(compare_lt, <)
FUSE_LIFT_COMPARISON(compare_le, <=)
FUSE_LIFT_COMPARISON(compare_gt, >)
FUSE_LIFT_COMPARISON(compare_ge, >=)

#undef FUSE_LIFT_1
#undef FUSE_LIFT_2
#undef FUSE_LIFT_3
#undef FUSE_LIFT_COMPARISON
#undef FUSE_SCALAR_OF

//===----------------------------------------------------------------------===//
// Choice, type and shape
//===----------------------------------------------------------------------===//

/// The type of a value chosen among two operands.
template <class A, class B, class Common = TileOf<A, B>>
struct ChosenOf {
  using Type = typename Common::Element;
};
template <class A, class B>
struct ChosenOf<A, B, void> {
  using Type = A;
};

/// `a` where the condition holds, else `b`; the other has no influence.
template <class C, class A, class B, class T = typename ChosenOf<A, B>::Type>
FUSE_INLINE Tile<T, MapOf<C, A, B>> select(const C &condition, const A &a,
                                           const B &b) {
  using Map = MapOf<C, A, B>;
  Tile<T, Map> result;
  FUSE_UNROLL
  for (int r = 0; r < Map::registers; ++r)
    result.reg[r] =
        element<bool>(condition, r) ? element<T>(a, r) : element<T>(b, r);
  return result;
}

/// Another element type, as `convert`.
template <class To, class T, class Map>
FUSE_INLINE Tile<To, Map> cast(const Tile<T, Map> &tile) {
  Tile<To, Map> result;
  FUSE_UNROLL
  for (int r = 0; r < Map::registers; ++r)
    result.reg[r] = convert<To>(tile.reg[r]);
  return result;
}

/// Repeats a tile along dims `New` of the result. The tile's map is that of the
/// result without them (or reads the same lanes and warps), so no value moves.
/// Without `New`, renames registers.
template <class Map, int... New, class T, class Source>
FUSE_INLINE Tile<T, Map> broadcast(const Tile<T, Source> &tile) {
  constexpr DimList dims = dims_without<New...>();
  static_assert(Source::rank + sizeof...(New) == Map::rank,
                "expects the dims that the tile lacks");
  static_assert(same_threads<Source, Map>(dims),
                "expects a tile whose threads hold what they need");
  Tile<T, Map> result;
  FUSE_UNROLL
  for (int r = 0; r < Map::registers; ++r) {
    int source = 0;
    FUSE_UNROLL
    for (int s = 0; s < Source::rank; ++s)
      source +=
          Source::register_number(s, Map::register_coordinate(dims.of[s], r));
    result.reg[r] = tile.reg[source];
  }
  return result;
}

/// The same elements in row-major order under another shape.
template <class Map, class T, class Source>
FUSE_INLINE Tile<T, Map> reshape(const Tile<T, Source> &tile) {
  static_assert(Source::registers == Map::registers,
                "expects the registers of the tile");
  Tile<T, Map> result;
  FUSE_UNROLL
  for (int r = 0; r < Map::registers; ++r)
    result.reg[r] = tile.reg[r];
  return result;
}

/// Repeats a scalar.
template <class Map, class T>
FUSE_INLINE Tile<T, Map> broadcast(T value) {
  return fill<Map>(value);
}

} // namespace fuse

#endif // FUSE_RUNTIME_TILE_MAP_H
