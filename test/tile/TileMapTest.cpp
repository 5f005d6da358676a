//===- TileMapTest.cpp - operations element by element --------------------===//

#include "TileTest.h"
#include <cmath>
#include <limits>

using namespace fuse;
using namespace fuse::test;

namespace {

//===----------------------------------------------------------------------===//
// Values out of nothing
//===----------------------------------------------------------------------===//

TEST(TileMap, Fill) {
  forMaps([](auto map) {
    using Map = typename decltype(map)::type;
    expectTile<float, Map>([] { return fill<Map>(1.5f); },
                           [](const Coordinates &) { return 1.5f; });
  });
}

TEST(TileMap, IotaCountsFromItsStart) {
  forMaps([](auto map) {
    using Map = typename decltype(map)::type;
    if constexpr (Map::rank > 0) {
      constexpr int last = Map::rank - 1;
      expectTile<int, Map>([] { return iota<Map, 0>(); },
                           [](const Coordinates &at) { return at[0]; });
      expectTile<int, Map>(
          [] { return iota<Map, last>(1000); },
          [](const Coordinates &at) { return 1000 + at[last]; });
    }
  });
  // As the sum of two i32, it wraps.
  expectTile<int, Line128>([] { return iota<Line128, 0>(2147483647); },
                           [](const Coordinates &at) {
                             return static_cast<int>(2147483647u + at[0]);
                           });
}

TEST(TileMap, TakeCoordinateCountsTheLastDimFirst) {
  const int64_t counts[] = {5, 1, 3}; // of a grid of 3 x 1 x 5
  for (int64_t block = 0; block < 3 * 1 * 5; ++block) {
    int64_t tile = block;
    EXPECT_EQ(take_coordinate(tile, counts[0]), block % 5);
    EXPECT_EQ(take_coordinate(tile, counts[1]), 0);
    EXPECT_EQ(take_coordinate(tile, counts[2]), block / 5);
    EXPECT_EQ(tile, 0);
  }
  // The last block of the largest grid.
  int64_t tile = (int64_t(1) << 31) - 2;
  EXPECT_EQ(take_coordinate(tile, (int64_t(1) << 31) - 1),
            (int64_t(1) << 31) - 2);
  EXPECT_EQ(tile, 0);
  tile = (int64_t(1) << 31) - 2;
  EXPECT_EQ(take_coordinate(tile, 65537), ((int64_t(1) << 31) - 2) % 65537);
  EXPECT_EQ(tile, ((int64_t(1) << 31) - 2) / 65537);
}

TEST(TileMap, SplatRoundsOnce) {
  EXPECT_EQ(splat<float>((1 << 24) + 1), 16777216.0f);
  EXPECT_EQ(splat<double>((1 << 24) + 1), 16777217.0);
  EXPECT_EQ(splat<int>(77), 77);
  // Half way in bfloat16 after rounding to float, above it before.
  EXPECT_EQ(splat<BFloat16>(0x10100001).bits, 0x4d81);
  EXPECT_EQ(splat<BFloat16>(0x10100000).bits, 0x4d80);
}

TEST(TileMap, MaskIsTheIdentityBeyondTheLimits) {
  forMaps([](auto map) {
    using Map = typename decltype(map)::type;
    for (const Coordinates &limit : limitsOf<Map>())
      expectTile<float, Map>(
          [&] { return mask(numbered<float, Map>(), indexOf<Map>(limit), -1); },
          [&](const Coordinates &at) {
            return exists<Map>(at, limit) ? valueOf<float>(numberOf<Map>(at))
                                          : -1.0f;
          });
  });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Expects `tiled` of tiles to be `scalar` of each of their elements, computed
/// in `Compute<T>`. The values of the operands differ.
#define EXPECT_LIFTED_1(T, tiled, scalar)                                      \
  expectTile<T, Rows12x20>([] { return tiled(numbered<T, Rows12x20>()); },     \
                           [](const Coordinates &at) {                         \
                             const auto x = convert<Compute<T>>(               \
                                 valueOf<T>(numberOf<Rows12x20>(at)));         \
                             return convert<T>(scalar);                        \
                           })
#define EXPECT_LIFTED_2(T, tiled, scalar)                                      \
  expectTile<T, Rows12x20>(                                                    \
      [] {                                                                     \
        return tiled(numbered<T, Rows12x20>(), numbered<T, Rows12x20>(500));   \
      },                                                                       \
      [](const Coordinates &at) {                                              \
        const int i = numberOf<Rows12x20>(at);                                 \
        const auto x = convert<Compute<T>>(valueOf<T>(i));                     \
        const auto y = convert<Compute<T>>(valueOf<T>(500 + i));               \
        return convert<T>(scalar);                                             \
      })
#define EXPECT_LIFTED_3(T, tiled, scalar)                                      \
  expectTile<T, Rows12x20>(                                                    \
      [] {                                                                     \
        return tiled(numbered<T, Rows12x20>(), numbered<T, Rows12x20>(500),    \
                     numbered<T, Rows12x20>(300));                             \
      },                                                                       \
      [](const Coordinates &at) {                                              \
        const int i = numberOf<Rows12x20>(at);                                 \
        const auto x = convert<Compute<T>>(valueOf<T>(i));                     \
        const auto y = convert<Compute<T>>(valueOf<T>(500 + i));               \
        const auto z = convert<Compute<T>>(valueOf<T>(300 + i));               \
        return convert<T>(scalar);                                             \
      })

template <class T>
void checkFloatFunctions() {
  EXPECT_LIFTED_1(T, neg, -x);
  EXPECT_LIFTED_1(T, abs, std::fabs(x));
  EXPECT_LIFTED_2(T, add, x + y);
  EXPECT_LIFTED_2(T, sub, x - y);
  EXPECT_LIFTED_2(T, mul, x * y);
  EXPECT_LIFTED_2(T, fuse::div, x / y);
  EXPECT_LIFTED_2(T, min, std::min(x, y));
  EXPECT_LIFTED_2(T, max, std::max(x, y));
  EXPECT_LIFTED_3(T, clamp, std::min(std::max(x, y), z));
  EXPECT_LIFTED_3(T, fma, std::fma(x, y, z));
  EXPECT_LIFTED_1(T, sqrt, std::sqrt(x));
  EXPECT_LIFTED_1(T, relu, x <= 0 ? 0 : x);
  EXPECT_LIFTED_2(T, leaky_relu, x < 0 ? x * y : x);
  EXPECT_LIFTED_1(T, floor, std::floor(x));
  EXPECT_LIFTED_1(T, ceil, std::ceil(x));
  EXPECT_LIFTED_1(T, round, std::nearbyint(x));
}

TEST(TileMap, ExactFunctionsOfFloats) {
  checkFloatFunctions<float>();
  checkFloatFunctions<double>();
  checkFloatFunctions<Half>();
  checkFloatFunctions<BFloat16>();
}

// These are the scalar functions, whose values their own tests know.
template <class T>
void checkMathFunctions() {
  EXPECT_LIFTED_2(T, pow, fuse::pow(x, y));
  EXPECT_LIFTED_1(T, rsqrt, fuse::rsqrt(x));
  EXPECT_LIFTED_1(T, exp, fuse::exp(x));
  EXPECT_LIFTED_1(T, exp2, fuse::exp2(x));
  EXPECT_LIFTED_1(T, expm1, fuse::expm1(x));
  EXPECT_LIFTED_1(T, log, fuse::log(x));
  EXPECT_LIFTED_1(T, log2, fuse::log2(x));
  EXPECT_LIFTED_1(T, log1p, fuse::log1p(x));
  EXPECT_LIFTED_1(T, sin, fuse::sin(x));
  EXPECT_LIFTED_1(T, cos, fuse::cos(x));
  EXPECT_LIFTED_1(T, tanh, fuse::tanh(x));
  EXPECT_LIFTED_1(T, erf, fuse::erf(x));
  EXPECT_LIFTED_1(T, sigmoid, fuse::sigmoid(x));
  EXPECT_LIFTED_1(T, silu, fuse::silu(x));
  EXPECT_LIFTED_1(T, gelu, fuse::gelu(x));
  EXPECT_LIFTED_1(T, gelu_tanh, fuse::gelu_tanh(x));
  EXPECT_LIFTED_1(T, softplus, fuse::softplus(x));
  EXPECT_LIFTED_2(T, elu, fuse::elu(x, y));
}

TEST(TileMap, MathFunctions) {
  checkMathFunctions<float>();
  checkMathFunctions<Half>();
  checkMathFunctions<BFloat16>();
}

TEST(TileMap, MathFunctionsOfDoubles) { checkMathFunctions<double>(); }

// As if with infinite precision, modulo 2^32.
int wrapped(int64_t value) { return static_cast<int>(value); }

TEST(TileMap, FunctionsOfIntegersWrap) {
  EXPECT_LIFTED_1(int, neg, wrapped(-int64_t(x)));
  EXPECT_LIFTED_1(int, abs, wrapped(std::abs(int64_t(x))));
  EXPECT_LIFTED_2(int, add, wrapped(int64_t(x) + y));
  EXPECT_LIFTED_2(int, sub, wrapped(int64_t(x) - y));
  EXPECT_LIFTED_2(int, mul, wrapped(int64_t(x) * y));
  EXPECT_LIFTED_2(int, min, std::min(x, y));
  EXPECT_LIFTED_2(int, max, std::max(x, y));
  EXPECT_LIFTED_3(int, clamp, std::min(std::max(x, y), z));
  EXPECT_LIFTED_1(int, relu, std::max(x, 0));
  EXPECT_LIFTED_2(int, floordiv, wrapped(std::floor(double(x) / y)));
  EXPECT_LIFTED_2(int, mod, wrapped(x - y * std::floor(double(x) / y)));
  EXPECT_LIFTED_2(int, logical_and, x &y);
  EXPECT_LIFTED_2(int, logical_or, x | y);
  EXPECT_LIFTED_2(int, logical_xor, x ^ y);
  EXPECT_LIFTED_1(int, logical_not, ~x);
  const int lowest = std::numeric_limits<int>::min();
  EXPECT_EQ(neg(Tile<int, Scalar>{{lowest}}).reg[0], lowest);
  EXPECT_EQ(abs(Tile<int, Scalar>{{lowest}}).reg[0], lowest);
}

TEST(TileMap, LogicOfBools) {
  EXPECT_LIFTED_2(bool, logical_and, x &&y);
  EXPECT_LIFTED_2(bool, logical_or, x || y);
  EXPECT_LIFTED_2(bool, logical_xor, x != y);
  EXPECT_LIFTED_1(bool, logical_not, !x);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

// The other operand is a tile of rank 0 or a number, on either side.
TEST(TileMap, ScalarsStandForEveryElement) {
  using Map = Ffma48x8;
  const auto value = [](const Coordinates &at) {
    return valueOf<float>(numberOf<Map>(at));
  };
  expectTile<float, Map>(
      [] { return sub(numbered<float, Map>(), fill<Scalar>(3.0f)); },
      [&](const Coordinates &at) { return value(at) - 3; });
  expectTile<float, Map>(
      [] { return sub(fill<Scalar>(3.0f), numbered<float, Map>()); },
      [&](const Coordinates &at) { return 3 - value(at); });
  expectTile<float, Map>([] { return sub(3.0f, numbered<float, Map>()); },
                         [&](const Coordinates &at) { return 3 - value(at); });
  expectTile<float, Map>(
      [] { return fma(2.0f, numbered<float, Map>(), fill<Scalar>(1.0f)); },
      [&](const Coordinates &at) { return std::fma(2.0f, value(at), 1.0f); });
  expectTile<float, Scalar>(
      [] { return sub(fill<Scalar>(3.0f), fill<Scalar>(1.0f)); },
      [](const Coordinates &) { return 2.0f; });
  // A number takes the type of the elements before it counts: 1/3 in bfloat16.
  expectTile<BFloat16, Map>(
      [] { return mul(fill<Map>(BFloat16(3.0f)), 1.0f / 3); },
      [](const Coordinates &) {
        return BFloat16(3.0f * float(BFloat16(1.0f / 3)));
      });
}

TEST(TileMap, ComparisonsAreOrdered) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float values[] = {-0.0f, 0.0f, 1.0f, nan};
  for (float a : values)
    for (float b : values) {
      const Tile<float, Scalar> x{{a}}, y{{b}};
      EXPECT_EQ(compare_eq(x, y).reg[0], a == b);
      EXPECT_EQ(compare_ne(x, y).reg[0], a != b);
      EXPECT_EQ(compare_lt(x, y).reg[0], a < b);
      EXPECT_EQ(compare_le(x, y).reg[0], a <= b);
      EXPECT_EQ(compare_gt(x, y).reg[0], a > b);
      EXPECT_EQ(compare_ge(x, b).reg[0], a >= b);
    }
  expectTile<bool, Rows12x20>(
      [] { return compare_lt(numbered<int, Rows12x20>(), 50); },
      [](const Coordinates &at) {
        return valueOf<int>(numberOf<Rows12x20>(at)) < 50;
      });
  EXPECT_TRUE(compare_lt(Tile<Half, Scalar>{{Half(1.0f)}},
                         Tile<Half, Scalar>{{Half(1.5f)}})
                  .reg[0]);
  EXPECT_TRUE(compare_eq(Tile<bool, Scalar>{{true}}, true).reg[0]);
}

TEST(TileMap, SelectKeepsBits) {
  using Map = Rows12x20;
  const auto condition = [](const Coordinates &at) {
    return valueOf<bool>(numberOf<Map>(at));
  };
  const float nan = bit_cast<float>(0x7fa12345u);
  expectTile<float, Map>(
      [=] {
        return select(numbered<bool, Map>(), nan, numbered<float, Map>());
      },
      [=](const Coordinates &at) {
        return condition(at) ? nan : valueOf<float>(numberOf<Map>(at));
      });
  expectTile<int, Map>(
      [] { return select(numbered<bool, Map>(), 1, 2); },
      [=](const Coordinates &at) { return condition(at) ? 1 : 2; });
  expectTile<Half, Map>(
      [] {
        return select(fill<Scalar>(true), numbered<Half, Map>(), Half(1.0f));
      },
      [](const Coordinates &at) { return valueOf<Half>(numberOf<Map>(at)); });
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

TEST(TileMap, CastsOfTiles) {
  expectTile<BFloat16, Ffma48x8>(
      [] { return cast<BFloat16>(numbered<float, Ffma48x8>()); },
      [](const Coordinates &at) {
        return BFloat16(valueOf<float>(numberOf<Ffma48x8>(at)));
      });
  expectTile<int, Ffma48x8>(
      [] { return cast<int>(numbered<bool, Ffma48x8>()); },
      [](const Coordinates &at) {
        return valueOf<bool>(numberOf<Ffma48x8>(at)) ? 1 : 0;
      });
}

template <class T>
void checkCastsToInt() {
  const T infinity = std::numeric_limits<T>::infinity();
  EXPECT_EQ(convert<int>(T(1.9)), 1);
  EXPECT_EQ(convert<int>(T(-1.9)), -1);
  EXPECT_EQ(convert<int>(T(-2147483648.0)), -2147483647 - 1);
  EXPECT_EQ(convert<int>(T(2147483648.0)), 2147483647);
  EXPECT_EQ(convert<int>(infinity), 2147483647);
  EXPECT_EQ(convert<int>(-infinity), -2147483647 - 1);
  EXPECT_EQ(convert<int>(std::numeric_limits<T>::quiet_NaN()), 0);
  EXPECT_TRUE(convert<bool>(std::numeric_limits<T>::quiet_NaN()));
  EXPECT_TRUE(convert<bool>(std::numeric_limits<T>::denorm_min()));
  EXPECT_FALSE(convert<bool>(T(-0.0)));
}

TEST(TileMap, CastsToIntegersSaturate) {
  checkCastsToInt<float>();
  checkCastsToInt<double>();
  EXPECT_EQ(convert<int>(2147483647.0), 2147483647);
  EXPECT_EQ(convert<int>(2147483646.5), 2147483646);
  EXPECT_EQ(convert<int>(-2147483648.5), -2147483647 - 1);
  EXPECT_EQ(convert<int>(Half(-7.5f)), -7);
  EXPECT_TRUE(convert<bool>(Half(6e-8f)));
  EXPECT_TRUE(convert<bool>(-3));
}

/// To 16 bits by the definition: of the two neighbours the nearer, or the even.
template <class T>
uint16_t nearestBits(double value) {
  uint16_t best = 0;
  double distance = std::numeric_limits<double>::infinity();
  // Beyond the largest number lies infinity, where the next one would be.
  const double beyond = is_same<T, Half> ? 65536.0 : std::ldexp(1.0, 128);
  for (uint32_t bits = 0; bits < 0x8000; ++bits) {
    T candidate;
    candidate.bits = static_cast<uint16_t>(bits);
    double magnitude = static_cast<float>(candidate);
    if (std::isnan(magnitude))
      break;
    if (std::isinf(magnitude))
      magnitude = beyond;
    const double gap = std::fabs(magnitude - std::fabs(value));
    if (gap < distance || (gap == distance && bits % 2 == 0)) {
      best = static_cast<uint16_t>(bits);
      distance = gap;
    }
  }
  return static_cast<uint16_t>(best | (std::signbit(value) ? 0x8000 : 0));
}

// Not twice, by way of float: ties in 16 bits, moved by less than float has.
template <class T>
void checkCastsTo16Bits(std::initializer_list<double> ties) {
  for (double tie : ties)
    for (double moved :
         {tie, std::nextafter(tie, 0.0), std::nextafter(tie, 1e39),
          -std::nextafter(tie, 0.0), -std::nextafter(tie, 1e39)})
      EXPECT_EQ(convert<T>(moved).bits, nearestBits<T>(moved)) << moved;
}

TEST(TileMap, CastsTo16BitsRoundOnce) {
  checkCastsTo16Bits<Half>({1 + 0x1p-11, 1 + 0x3p-11, 65520.0, 0x1p-25, 0x3p-25,
                            0x1p-14 + 0x1p-25, 3.14159, 0x1p-140});
  checkCastsTo16Bits<BFloat16>({1 + 0x1p-8, 1 + 0x3p-8, 0x1.ffp127, 0x1p-134,
                                0x3p-134, 2.71828, 0x1p-160});
  EXPECT_EQ(convert<BFloat16>(0x10100001).bits, 0x4d81);
  EXPECT_EQ(convert<BFloat16>(-0x10100001).bits, 0xcd81);
  EXPECT_EQ(convert<Half>(65519).bits, 0x7bff);
  EXPECT_EQ(convert<Half>(65520).bits, 0x7c00);
  EXPECT_EQ(convert<Half>(true).bits, 0x3c00);
  EXPECT_EQ(convert<Half>(std::numeric_limits<double>::quiet_NaN()).bits,
            0x7fff);
  EXPECT_EQ(convert<Half>(std::numeric_limits<double>::infinity()).bits,
            0x7c00);
  EXPECT_EQ(convert<double>(Half(0.333f)), double(float(Half(0.333f))));
  EXPECT_EQ(convert<float>((1 << 24) + 1), 16777216.0f);
  EXPECT_EQ(convert<float>(1 + 0x1.8p-24), 1 + 0x1p-23f);
}

//===----------------------------------------------------------------------===//
// Broadcast
//===----------------------------------------------------------------------===//

/// Repeats a numbered tile along dims `New` and expects the element of the
/// other coordinates.
template <class Map, class Source, int... New>
void checkBroadcast() {
  expectTile<float, Map>(
      [] { return broadcast<Map, New...>(numbered<float, Source>()); },
      [](const Coordinates &at) {
        Coordinates source{};
        int s = 0;
        for (int d = 0; d < Map::rank; ++d)
          if (!(false || ... || (d == New)))
            source[s++] = at[d];
        return valueOf<float>(numberOf<Source>(source));
      });
}

TEST(TileMap, BroadcastAlongNewDims) {
  checkBroadcast<Rows16x96, FragmentMap<4, Dim<Warp<4>, Lane<4, 8>>>, 1>();
  checkBroadcast<Rows16x96, FragmentMap<4, Dim<Reg<3, 4>, Lane<8>, Reg<4>>>,
                 0>();
  checkBroadcast<Rows16x96, FragmentMap<4>, 0, 1>();
  checkBroadcast<Ffma64x32,
                 FragmentMap<2, Dim<Warp<2>, Reg<2, 4>, Lane<4, 8>, Reg<4>>>,
                 1>();
  checkBroadcast<Mma32x24, FragmentMap<2, Dim<Reg<3, 2>, Lane<4>, Reg<2>>>,
                 0>();
  checkBroadcast<Cube3x8x32,
                 FragmentMap<2, Dim<Reg<3>>, Dim<Lane<8>, Reg<4, 3>>>, 1>();
  checkBroadcast<Cube3x8x32, FragmentMap<2, Dim<Warp<2>, Lane<4, 8>>>, 0, 2>();
  // Without new dims it renames registers.
  checkBroadcast<Rows3x7, FragmentMap<2, Dim<Reg<3>>, Dim<Reg<7, 3>>>>();
  expectTile<float, Rows3x7>([] { return broadcast<Rows3x7>(2.0f); },
                             [](const Coordinates &) { return 2.0f; });
}

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

/// The coordinates that have the same number in row-major order.
template <class Map>
Coordinates coordinatesOfNumber(int number) {
  Coordinates at{};
  for (int d = Map::rank; d-- > 0; number /= Map::extent(d))
    at[d] = number % Map::extent(d);
  return at;
}

template <class Map, class Source>
int rowMajorNumber(const Coordinates &at) {
  int number = 0;
  for (int d = 0; d < Map::rank; ++d)
    number = number * Map::extent(d) + at[d];
  return numberOf<Source>(coordinatesOfNumber<Source>(number));
}

template <class Map, class Source>
void checkReshape() {
  expectTile<float, Map>([] { return reshape<Map>(numbered<float, Source>()); },
                         [](const Coordinates &at) {
                           return valueOf<float>(
                               rowMajorNumber<Map, Source>(at));
                         });
}

TEST(TileMap, ReshapeMovesNothing) {
  using Split = FragmentMap<2, Dim<Warp<2>, Lane<4, 8>>, Dim<Reg<4, 2>>,
                            Dim<Lane<8>, Reg<2>>>;
  using Joined =
      FragmentMap<2, Dim<Warp<2>, Lane<4, 8>, Reg<4, 2>>, Dim<Lane<8>, Reg<2>>>;
  checkReshape<Joined, Split>();
  checkReshape<Split, Joined>();
}

} // namespace
