//===- FragmentMapTest.cpp - Laws of fragment maps ------------------------===//

#include "fuse/tile/FragmentMap.h"
#include "gtest/gtest.h"
#include <map>
#include <numeric>
#include <set>

// After gtest, which it extends.
#include "rapidcheck/gtest.h"

using namespace fuse;
using namespace fuse::tile;

namespace {

using Coordinates = std::vector<int64_t>;

FragmentMap parse(StringRef text) {
  std::string error;
  std::optional<FragmentMap> map = FragmentMap::parse(text, error);
  EXPECT_TRUE(map) << error;
  return map.value_or(FragmentMap());
}

std::string parseError(StringRef text) {
  std::string error;
  EXPECT_FALSE(FragmentMap::parse(text, error)) << text.str();
  return error;
}

Coordinates at(const FragmentMap &map, int64_t reg, int64_t lane,
               int64_t warp) {
  SmallVector<int64_t> coordinates = map.coordinates(reg, lane, warp);
  return Coordinates(coordinates.begin(), coordinates.end());
}

/// Calls `visit` with each register, lane and warp of `map`.
void forEachPlace(const FragmentMap &map,
                  llvm::function_ref<void(const Holder &)> visit) {
  for (int64_t warp = 0; warp < map.warps(); ++warp)
    for (int64_t lane = 0; lane < kLanes; ++lane)
      for (int64_t reg = 0; reg < map.registers(); ++reg)
        visit({reg, lane, warp});
}

/// All places of each element, by evaluating the map everywhere.
std::map<Coordinates, std::vector<Holder>> table(const FragmentMap &map) {
  std::map<Coordinates, std::vector<Holder>> places;
  forEachPlace(map, [&](const Holder &p) {
    places[at(map, p.reg, p.lane, p.warp)].push_back(p);
  });
  return places;
}

bool sameFunction(const FragmentMap &a, const FragmentMap &b) {
  if (a.warps() != b.warps() || a.registers() != b.registers() ||
      a.rank() != b.rank())
    return false;
  bool same = true;
  forEachPlace(a, [&](const Holder &p) {
    same &= a.coordinates(p.reg, p.lane, p.warp) ==
            b.coordinates(p.reg, p.lane, p.warp);
  });
  return same;
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

int64_t draw(std::initializer_list<int64_t> values) {
  return *rc::gen::elementOf(std::vector<int64_t>(values));
}

/// A split of `count` numbers into digits; some are left out if `gaps`.
std::vector<Factor> drawDigits(Owner owner, int64_t count, bool gaps) {
  std::vector<Factor> factors;
  for (int64_t stride = 1; count > 1;) {
    std::vector<int64_t> divisors;
    for (int64_t d = 2; d <= count; ++d)
      if (count % d == 0)
        divisors.push_back(d);
    int64_t extent = *rc::gen::elementOf(divisors);
    if (!gaps || *rc::gen::inRange(0, 4) != 0)
      factors.push_back({owner, extent, stride});
    stride *= extent;
    count /= extent;
  }
  return factors;
}

/// Digits of all owners, dealt to `rank` dims in any order.
std::vector<FragmentDim> drawDims(int64_t warps, int64_t rank) {
  std::vector<Factor> factors = drawDigits(
      Owner::Register, draw({1, 2, 3, 4, 6, 8, 12, 15, 16, 24}), false);
  for (auto [owner, count] :
       {std::make_pair(Owner::Lane, kLanes), {Owner::Warp, warps}})
    for (Factor factor : drawDigits(owner, count, true))
      factors.push_back(factor);
  if (*rc::gen::inRange(0, 3) == 0)
    factors.push_back({Owner::Lane, 1, 7});
  std::vector<FragmentDim> dims(rank);
  while (rank > 0 && !factors.empty()) {
    auto picked =
        factors.begin() + *rc::gen::inRange<size_t>(0, factors.size());
    dims[*rc::gen::inRange<int64_t>(0, rank)].push_back(*picked);
    factors.erase(picked);
  }
  return dims;
}

FragmentMap drawMap(int64_t warps, int64_t rank) {
  std::string error;
  std::optional<FragmentMap> map =
      FragmentMap::get(warps, drawDims(warps, rank), error);
  RC_ASSERT(map.has_value());
  return *map;
}

FragmentMap drawMap(int64_t minRank = 0) {
  return drawMap(draw({1, 2, 3, 4, 6, 8}),
                 *rc::gen::inRange<int64_t>(minRank, 4));
}

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

RC_GTEST_PROP(FragmentMapLaws, HoldersAreThePlacesOfAnElement, ()) {
  FragmentMap map = drawMap();
  std::map<Coordinates, std::vector<Holder>> places = table(map);
  size_t elements = 1;
  for (int64_t extent : map.shape())
    elements *= extent;
  RC_ASSERT(places.size() == elements);
  for (const auto &[coordinates, expected] : places) {
    SmallVector<Holder> holders = map.holders(coordinates);
    RC_ASSERT(std::vector<Holder>(holders.begin(), holders.end()) == expected);
    RC_ASSERT(int64_t(holders.size()) == map.replication());
    for (auto [coordinate, extent] : llvm::zip(coordinates, map.shape()))
      RC_ASSERT(0 <= coordinate && coordinate < extent);
  }
}

RC_GTEST_PROP(FragmentMapLaws, TextRoundTrips, ()) {
  FragmentMap map = drawMap();
  RC_ASSERT(parse(map.str()) == map);
}

// Digits cut in pieces, and digits of extent 1, make no other map.
RC_GTEST_PROP(FragmentMapLaws, EqualIsTheSameFunction, ()) {
  int64_t warps = draw({1, 2, 4, 6}), rank = *rc::gen::inRange<int64_t>(0, 3);
  FragmentMap a = drawMap(warps, rank), b = drawMap(warps, rank);
  RC_ASSERT((a == b) == sameFunction(a, b));
  std::vector<FragmentDim> cut;
  for (int64_t d = 0; d < rank; ++d) {
    FragmentDim &dim = cut.emplace_back();
    for (const Factor &factor : a.factors(d)) {
      int64_t inner = std::gcd(factor.extent, draw({1, 2, 3, 4}));
      dim.push_back(
          {factor.owner, factor.extent / inner, factor.stride * inner});
      dim.push_back({factor.owner, inner, factor.stride});
    }
  }
  std::string error;
  std::optional<FragmentMap> same = FragmentMap::get(warps, cut, error);
  RC_ASSERT(same == a);
  RC_ASSERT(hash_value(*same) == hash_value(a));
}

RC_GTEST_PROP(FragmentMapLaws, SliceForgetsACoordinate, ()) {
  FragmentMap map = drawMap(1);
  int64_t dim = *rc::gen::inRange<int64_t>(0, map.rank());
  FragmentMap slice = map.sliceDim(dim);
  // Threads keep exactly the elements they had, less the coordinate, and hold
  // each once.
  for (int64_t warp = 0; warp < map.warps(); ++warp)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      std::set<Coordinates> expected, got;
      for (int64_t reg = 0; reg < map.registers(); ++reg) {
        Coordinates coordinates = at(map, reg, lane, warp);
        coordinates.erase(coordinates.begin() + dim);
        expected.insert(coordinates);
      }
      for (int64_t reg = 0; reg < slice.registers(); ++reg)
        RC_ASSERT(got.insert(at(slice, reg, lane, warp)).second);
      RC_ASSERT(got == expected);
    }
}

RC_GTEST_PROP(FragmentMapLaws, SlicesCommute, ()) {
  FragmentMap map = drawMap(2);
  int64_t first = *rc::gen::inRange<int64_t>(0, map.rank() - 1);
  int64_t second = *rc::gen::inRange<int64_t>(first + 1, map.rank());
  RC_ASSERT(map.sliceDim(second).sliceDim(first) ==
            map.sliceDim(first).sliceDim(second - 1));
}

RC_GTEST_PROP(FragmentMapLaws, PartialKeepsTheWarpDigits, ()) {
  FragmentMap map = drawMap(1);
  int64_t dim = *rc::gen::inRange<int64_t>(0, map.rank());
  FragmentMap partial = map.partialDim(dim);
  RC_ASSERT(partial.sliceDim(dim) == map.sliceDim(dim));
  RC_ASSERT(partial.partialDim(dim) == partial);
  // Lanes and registers of the dim hold one coordinate, each warp its own.
  std::map<int64_t, std::set<int64_t>> coarse;
  forEachPlace(map, [&](const Holder &p) {
    int64_t part = partial.coordinates(0, p.lane, p.warp)[dim];
    RC_ASSERT(part == partial.coordinates(0, 0, p.warp)[dim]);
    coarse[part].insert(map.coordinates(p.reg, p.lane, p.warp)[dim]);
  });
  size_t elements = 0;
  for (auto &[part, coordinates] : coarse)
    elements += coordinates.size();
  RC_ASSERT(int64_t(elements) == map.extent(dim));
  RC_ASSERT(int64_t(coarse.size()) == partial.extent(dim));
}

RC_GTEST_PROP(FragmentMapLaws, PermutationHasAnInverse, ()) {
  FragmentMap map = drawMap();
  std::vector<int64_t> permutation(map.rank()), inverse(map.rank());
  std::iota(permutation.begin(), permutation.end(), 0);
  for (size_t i = permutation.size(); i > 1; --i)
    std::swap(permutation[i - 1], permutation[*rc::gen::inRange<size_t>(0, i)]);
  for (int64_t i = 0; i < map.rank(); ++i)
    inverse[permutation[i]] = i;
  FragmentMap permuted = map.permute(permutation);
  RC_ASSERT(permuted.permute(inverse) == map);
  for (int64_t i = 0; i < map.rank(); ++i)
    RC_ASSERT(permuted.factors(i) == map.factors(permutation[i]));
}

int64_t rowMajor(const Coordinates &at, ArrayRef<int64_t> shape) {
  int64_t number = 0;
  for (auto [coordinate, extent] : llvm::zip_equal(at, shape))
    number = number * extent + coordinate;
  return number;
}

RC_GTEST_PROP(FragmentMapLaws, ReshapeMovesNothing, ()) {
  FragmentMap map = drawMap();
  SmallVector<int64_t> shape = map.shape();
  int64_t elements = std::accumulate(shape.begin(), shape.end(), int64_t(1),
                                     std::multiplies<>());
  std::vector<int64_t> divisors;
  for (int64_t d = 1; d <= elements; ++d)
    if (elements % d == 0)
      divisors.push_back(d);
  int64_t inner = *rc::gen::elementOf(divisors);
  SmallVector<int64_t> other = {elements / inner, inner};
  // One dim has every map.
  std::optional<FragmentMap> flat = map.reshape({elements});
  RC_ASSERT(flat.has_value());
  std::optional<FragmentMap> result = map.reshape(other);
  RC_ASSERT(result == flat->reshape(other));
  if (result) {
    forEachPlace(map, [&](const Holder &p) {
      RC_ASSERT(rowMajor(at(map, p.reg, p.lane, p.warp), shape) ==
                rowMajor(at(*result, p.reg, p.lane, p.warp), other));
    });
    RC_ASSERT(result->reshape(shape) == map);
  }
}

TEST(FragmentMap, ReshapeFails) {
  FragmentMap map = parse("warps 1, [reg 6@1], [lane 4@1]");
  EXPECT_FALSE(map.reshape({4, 6})); // 6 ends within the 6 registers.
  EXPECT_FALSE(map.reshape({6, 2}));
  EXPECT_FALSE(map.reshape({6, 8}));
  EXPECT_FALSE(map.reshape({24, 0}));
  EXPECT_EQ(map.reshape({2, 12})->str(),
            "warps 1, [reg 2@3], [reg 3@1, lane 4@1]");
  EXPECT_EQ(map.reshape({6, 2, 1, 2})->str(),
            "warps 1, [reg 6@1], [lane 2@2], [], [lane 2@1]");
}

RC_GTEST_PROP(FragmentMapLaws, RegisterStepIsTheWidestVector, ()) {
  FragmentMap map = drawMap(1);
  int64_t dim = *rc::gen::inRange<int64_t>(0, map.rank());
  int64_t step = map.registerStep(dim);
  RC_ASSERT(map.registers() % step == 0);
  forEachPlace(map, [&](const Holder &p) {
    Coordinates first = at(map, p.reg / step * step, p.lane, p.warp);
    first[dim] += p.reg % step;
    RC_ASSERT(at(map, p.reg, p.lane, p.warp) == first);
  });
  if (step < map.registers()) {
    Coordinates beyond = at(map, 0, 0, 0);
    beyond[dim] += step;
    RC_ASSERT(at(map, step, 0, 0) != beyond);
  }
}

RC_GTEST_PROP(FragmentMapLaws, RepeatsAreCopies, ()) {
  FragmentMap map = drawMap(draw({1, 2, 3}), *rc::gen::inRange<int64_t>(1, 3));
  std::vector<int64_t> registers, warps;
  for (int64_t dim = 0; dim < map.rank(); ++dim) {
    registers.push_back(draw({1, 2, 3}));
    warps.push_back(draw({1, 2, 3}));
  }
  FragmentMap large = map.repeat(registers, warps);
  RC_ASSERT(large.replication() == map.replication());
  forEachPlace(large, [&](const Holder &p) {
    Coordinates got = at(large, p.reg, p.lane, p.warp);
    Coordinates atom =
        at(map, p.reg % map.registers(), p.lane, p.warp % map.warps());
    int64_t reg = p.reg / map.registers(), warp = p.warp / map.warps();
    for (int64_t dim = map.rank() - 1; dim >= 0; --dim) {
      int64_t copy = warp % warps[dim] * registers[dim] + reg % registers[dim];
      reg /= registers[dim];
      warp /= warps[dim];
      RC_ASSERT(got[dim] == copy * map.extent(dim) + atom[dim]);
    }
  });
}

/// What a conversion needs, by looking at every place.
Conversion conversionByTable(const FragmentMap &from, const FragmentMap &to) {
  if (sameFunction(from, to))
    return Conversion::Same;
  bool renames = true, warpLocal = true;
  std::vector<int64_t> source(to.registers(), -1);
  forEachPlace(to, [&](const Holder &p) {
    bool inThread = false, inWarp = false;
    for (const Holder &holder :
         from.holders(to.coordinates(p.reg, p.lane, p.warp))) {
      inWarp |= holder.warp == p.warp;
      if (holder.warp != p.warp || holder.lane != p.lane)
        continue;
      inThread |= source[p.reg] < 0 || source[p.reg] == holder.reg;
      source[p.reg] = holder.reg;
    }
    renames &= inThread;
    warpLocal &= inWarp;
  });
  return renames     ? Conversion::Registers
         : warpLocal ? Conversion::Lanes
                     : Conversion::Shared;
}

/// Another map of the shape of `map`: its digits in another order, or a
/// default one.
FragmentMap drawSibling(const FragmentMap &map) {
  std::string error;
  switch (*rc::gen::inRange(0, 3)) {
  case 0:
    return rowBlocked(map.shape(), map.warps(), draw({1, 2, 4}));
  case 1: { // neighbours trade places
    std::vector<FragmentDim> dims;
    for (int64_t d = 0; d < map.rank(); ++d) {
      dims.emplace_back(map.factors(d));
      if (dims[d].size() > 1 && *rc::gen::arbitrary<bool>()) {
        size_t i = *rc::gen::inRange<size_t>(1, dims[d].size());
        std::swap(dims[d][i - 1], dims[d][i]);
      }
    }
    return *FragmentMap::get(map.warps(), dims, error);
  }
  default: { // registers in the reverse order
    std::vector<FragmentDim> dims;
    for (int64_t d = 0; d < map.rank(); ++d) {
      dims.emplace_back(map.factors(d));
      for (Factor &factor : dims.back())
        if (factor.owner == Owner::Register)
          factor.stride = map.registers() / (factor.stride * factor.extent);
    }
    return *FragmentMap::get(map.warps(), dims, error);
  }
  }
}

RC_GTEST_PROP(FragmentMapLaws, ConversionSaysWhatIsNeeded, ()) {
  FragmentMap from = drawMap(1), to = drawSibling(from);
  if (*rc::gen::arbitrary<bool>())
    std::swap(from, to);
  RC_ASSERT(conversion(from, to) == conversionByTable(from, to));
  RC_ASSERT(conversion(from, from) == Conversion::Same);
}

TEST(FragmentMap, ConversionOfEachKind) {
  FragmentMap rows =
      parse("warps 2, [warp 2@1, lane 8@4], [lane 4@1, reg 4@1]");
  EXPECT_EQ(conversion(rows, rows), Conversion::Same);
  EXPECT_EQ(conversion(parse("warps 1, [reg 2@2], [lane 32@1, reg 2@1]"),
                       parse("warps 1, [reg 2@1], [lane 32@1, reg 2@2]")),
            Conversion::Registers);
  EXPECT_EQ(conversion(rows, parse("warps 2, [warp 2@1, lane 8@4], "
                                   "[reg 4@1, lane 4@1]")),
            Conversion::Lanes);
  // Every warp has everything, so any map is within reach; the way back is not.
  FragmentMap replicas = parse("warps 2, [reg 2@1, lane 8@4], "
                               "[lane 4@1, reg 4@2]");
  EXPECT_EQ(conversion(replicas, rows), Conversion::Lanes);
  EXPECT_EQ(conversion(rows, replicas), Conversion::Shared);
}

//===----------------------------------------------------------------------===//
// Text and errors
//===----------------------------------------------------------------------===//

TEST(FragmentMap, TextOfTheNormalForm) {
  EXPECT_EQ(
      parse(" warps 4 ,[warp 4@1,lane 8 @ 4,reg 2@2],[reg 2@1,lane 1@9]").str(),
      "warps 4, [warp 4@1, lane 8@4, reg 2@2], [reg 2@1]");
  EXPECT_EQ(parse("warps 1, [reg 3@4, reg 2@2, reg 2@1], []").str(),
            "warps 1, [reg 12@1], []");
  EXPECT_EQ(parse("warps 1").str(), "warps 1");
  EXPECT_EQ(parse("warps 6").replication(), 192);
}

TEST(FragmentMap, TextErrors) {
  EXPECT_EQ(parseError(""), "expects 'warps' at offset 0, but got the end");
  EXPECT_EQ(parseError("warps x"),
            "expects a whole number at offset 6, but got 'x'");
  EXPECT_EQ(parseError("warps 99999999999999999999"),
            "expects a whole number at offset 6, but got "
            "'99999999999999999999'");
  EXPECT_EQ(parseError("warps 4 [reg 2@1]"),
            "expects ',' or the end at offset 8, but got '[reg'");
  EXPECT_EQ(parseError("warps 4, reg 2@1"),
            "expects '[' at offset 9, but got 'reg'");
  EXPECT_EQ(parseError("warps 4, [thread 2@1]"),
            "expects 'reg', 'lane' or 'warp' at offset 10, but got 'thread'");
  EXPECT_EQ(parseError("warps 4, [reg 2]"),
            "expects '@' at offset 15, but got ']'");
  EXPECT_EQ(parseError("warps 4, [reg 2@1"),
            "expects ']' at offset 17, but got the end");
  EXPECT_EQ(parseError("warps 4, [reg -2@1]"),
            "expects a whole number at offset 14, but got '-2@1]'");
}

TEST(FragmentMap, DigitErrors) {
  EXPECT_EQ(parseError("warps 0"), "expects 1 to 32 warps, but got 0");
  EXPECT_EQ(parseError("warps 33"), "expects 1 to 32 warps, but got 33");
  EXPECT_EQ(parseError("warps 1, [reg 0@1]"),
            "expects extents and strides of at least 1, but got reg 0@1");
  EXPECT_EQ(parseError("warps 1, [reg 2@0]"),
            "expects extents and strides of at least 1, but got reg 2@0");
  EXPECT_EQ(parseError("warps 1, [reg 2@2]"),
            "expects register digits without gap or overlap, but got reg 2@2 "
            "where stride 1 is next");
  EXPECT_EQ(parseError("warps 1, [reg 2@1], [reg 2@1]"),
            "expects register digits without gap or overlap, but got reg 2@1 "
            "where stride 2 is next");
  EXPECT_EQ(parseError("warps 1, [reg 65537@1]"),
            "expects at most 65536 registers, but got reg 65537@1");
  EXPECT_EQ(parseError("warps 1, [reg 9223372036854775807@1], [reg 2@2]"),
            "expects at most 65536 registers, but got reg "
            "9223372036854775807@1");
  EXPECT_EQ(parseError("warps 1, [lane 4@1], [lane 4@2]"),
            "expects lane digits that are apart, but got lane 4@1 and lane "
            "4@2");
  EXPECT_EQ(parseError("warps 1, [lane 3@1]"),
            "expects lane digits that divide 32, but got lane 3@1");
  EXPECT_EQ(parseError("warps 1, [lane 2@32]"),
            "expects lane digits that divide 32, but got lane 2@32");
  EXPECT_EQ(parseError("warps 6, [warp 4@1]"),
            "expects warp digits that divide 6, but got warp 4@1");
  EXPECT_EQ(parseError("warps 6, [warp 2@2]"),
            "expects warp digits that divide 6, but got warp 2@2");
  EXPECT_EQ(parseError("warps 6, [warp 3@1], [warp 3@1]"),
            "expects warp digits that are apart, but got warp 3@1 and warp "
            "3@1");
}

} // namespace
