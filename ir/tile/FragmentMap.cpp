//===- FragmentMap.cpp - Where the elements of a tile live ----------------===//

#include "fuse/tile/FragmentMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>

using namespace fuse;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// Validation and normal form
//===----------------------------------------------------------------------===//

static StringRef ownerName(Owner owner) {
  switch (owner) {
  case Owner::Register:
    return "reg";
  case Owner::Lane:
    return "lane";
  case Owner::Warp:
    return "warp";
  }
  return "";
}

static std::string factorText(const Factor &factor) {
  return (ownerName(factor.owner) + " " + Twine(factor.extent) + "@" +
          Twine(factor.stride))
      .str();
}

/// All digits of one owner, by ascending stride.
static SmallVector<Factor *> factorsOf(Owner owner,
                                       MutableArrayRef<FragmentDim> dims) {
  SmallVector<Factor *> factors;
  for (FragmentDim &dim : dims)
    for (Factor &factor : dim)
      if (factor.owner == owner)
        factors.push_back(&factor);
  llvm::stable_sort(factors, [](const Factor *a, const Factor *b) {
    return a->stride < b->stride;
  });
  return factors;
}

/// Drops digits of extent 1 and joins neighbours that read adjacent digits.
static FragmentDim normalForm(const FragmentDim &dim) {
  FragmentDim result;
  for (const Factor &factor : dim) {
    if (factor.extent == 1)
      continue;
    if (!result.empty() && result.back().owner == factor.owner &&
        result.back().stride == factor.extent * factor.stride)
      result.back() = {factor.owner, result.back().extent * factor.extent,
                       factor.stride};
    else
      result.push_back(factor);
  }
  return result;
}

/// Checks that the digits of `owner` are apart, lie within `count` numbers, and
/// leave none out if they are registers.
static bool checkDigits(Owner owner, int64_t count,
                        MutableArrayRef<FragmentDim> dims, std::string &error) {
  auto fail = [&](const Twine &expected, const Twine &got) {
    error = ("expects " + expected + ", but got " + got).str();
    return false;
  };
  std::string name = ownerName(owner).str();
  bool isDense = owner == Owner::Register;
  Factor previous{owner, 1, 1};
  for (const Factor *factor : factorsOf(owner, dims)) {
    std::string text = factorText(*factor);
    int64_t next = previous.extent * previous.stride;
    if (isDense && factor->stride != next)
      return fail("register digits without gap or overlap",
                  text + " where stride " + Twine(next) + " is next");
    if (factor->stride % next != 0)
      return fail(name + " digits that are apart",
                  factorText(previous) + " and " + text);
    // Numbers up to `count` have a product in range.
    bool isWithin = factor->stride <= count && factor->extent <= count;
    int64_t end = isWithin ? factor->stride * factor->extent : count + 1;
    if (isDense && end > count)
      return fail("at most " + Twine(count) + " registers", text);
    if (!isDense && count % end != 0)
      return fail(name + " digits that divide " + Twine(count), text);
    previous = *factor;
  }
  return true;
}

std::optional<FragmentMap> FragmentMap::get(int64_t warps,
                                            ArrayRef<FragmentDim> dims,
                                            std::string &error) {
  if (warps < 1 || warps > kMaxWarps) {
    error = "expects 1 to " + std::to_string(kMaxWarps) + " warps, but got " +
            std::to_string(warps);
    return std::nullopt;
  }
  SmallVector<FragmentDim, 4> digits;
  for (const FragmentDim &dim : dims) {
    for (const Factor &factor : dim)
      if (factor.extent < 1 || factor.stride < 1) {
        error = "expects extents and strides of at least 1, but got " +
                factorText(factor);
        return std::nullopt;
      }
    // The stride of a digit of extent 1 says nothing.
    digits.emplace_back(llvm::make_filter_range(
        dim, [](const Factor &factor) { return factor.extent > 1; }));
  }
  if (!checkDigits(Owner::Register, kMaxRegisters, digits, error) ||
      !checkDigits(Owner::Lane, kLanes, digits, error) ||
      !checkDigits(Owner::Warp, warps, digits, error))
    return std::nullopt;
  return FragmentMap(warps, digits);
}

/// Takes valid digits; renumbers registers densely in their order.
FragmentMap::FragmentMap(int64_t warps, ArrayRef<FragmentDim> digits)
    : numWarps(warps), dims(digits) {
  int64_t next = 1;
  for (Factor *factor : factorsOf(Owner::Register, dims)) {
    factor->stride = next;
    next *= factor->extent;
  }
  for (FragmentDim &dim : dims)
    dim = normalForm(dim);
}

llvm::hash_code fuse::tile::hash_value(const FragmentMap &map) {
  llvm::hash_code hash = llvm::hash_combine(map.numWarps, map.rank());
  for (const FragmentDim &dim : map.dims) {
    hash = llvm::hash_combine(hash, dim.size());
    for (const Factor &factor : dim)
      hash =
          llvm::hash_combine(hash, factor.owner, factor.extent, factor.stride);
  }
  return hash;
}

//===----------------------------------------------------------------------===//
// Elements and places
//===----------------------------------------------------------------------===//

static int64_t indexOf(const Holder &holder, Owner owner) {
  switch (owner) {
  case Owner::Register:
    return holder.reg;
  case Owner::Lane:
    return holder.lane;
  case Owner::Warp:
    return holder.warp;
  }
  return 0;
}

int64_t FragmentMap::extent(int64_t dim) const {
  int64_t product = 1;
  for (const Factor &factor : dims[dim])
    product *= factor.extent;
  return product;
}

SmallVector<int64_t> FragmentMap::shape() const {
  SmallVector<int64_t> result;
  for (int64_t dim = 0; dim < rank(); ++dim)
    result.push_back(extent(dim));
  return result;
}

int64_t FragmentMap::registers() const {
  int64_t product = 1;
  for (const FragmentDim &dim : dims)
    for (const Factor &factor : dim)
      if (factor.owner == Owner::Register)
        product *= factor.extent;
  return product;
}

int64_t FragmentMap::replication() const {
  int64_t elements = 1;
  for (int64_t extent : shape())
    elements *= extent;
  return registers() * kLanes * numWarps / elements;
}

SmallVector<int64_t> FragmentMap::coordinates(int64_t reg, int64_t lane,
                                              int64_t warp) const {
  Holder holder{reg, lane, warp};
  SmallVector<int64_t> result;
  for (const FragmentDim &dim : dims) {
    int64_t coordinate = 0;
    for (const Factor &factor : dim)
      coordinate = coordinate * factor.extent + indexOf(holder, factor.owner) /
                                                    factor.stride %
                                                    factor.extent;
    result.push_back(coordinate);
  }
  return result;
}

/// All numbers below `count` whose digits at `factors` are zero, ascending.
static SmallVector<int64_t> replicaNumbers(int64_t count,
                                           ArrayRef<Factor> factors) {
  SmallVector<int64_t> numbers;
  for (int64_t number = 0; number < count; ++number)
    if (llvm::all_of(factors, [&](const Factor &factor) {
          return number / factor.stride % factor.extent == 0;
        }))
      numbers.push_back(number);
  return numbers;
}

SmallVector<Holder> FragmentMap::holders(ArrayRef<int64_t> coordinates) const {
  assert(int64_t(coordinates.size()) == rank() && "one coordinate a dim");
  Holder first{0, 0, 0};
  SmallVector<Factor> lanes, warps;
  for (auto [dim, coordinate] : llvm::zip_equal(dims, coordinates)) {
    int64_t rest = coordinate;
    for (const Factor &factor : llvm::reverse(dim)) {
      int64_t number = rest % factor.extent * factor.stride;
      rest /= factor.extent;
      switch (factor.owner) {
      case Owner::Register:
        first.reg += number;
        break;
      case Owner::Lane:
        first.lane += number;
        lanes.push_back(factor);
        break;
      case Owner::Warp:
        first.warp += number;
        warps.push_back(factor);
        break;
      }
    }
  }
  SmallVector<Holder> result;
  for (int64_t warp : replicaNumbers(numWarps, warps))
    for (int64_t lane : replicaNumbers(kLanes, lanes))
      result.push_back({first.reg, first.lane + lane, first.warp + warp});
  return result;
}

//===----------------------------------------------------------------------===//
// Derived maps
//===----------------------------------------------------------------------===//

FragmentMap FragmentMap::sliceDim(int64_t dim) const {
  SmallVector<FragmentDim, 4> rest(dims);
  rest.erase(rest.begin() + dim);
  return FragmentMap(numWarps, rest);
}

FragmentMap FragmentMap::partialDim(int64_t dim) const {
  SmallVector<FragmentDim, 4> result(dims);
  llvm::erase_if(result[dim], [](const Factor &factor) {
    return factor.owner != Owner::Warp;
  });
  return FragmentMap(numWarps, result);
}

FragmentMap FragmentMap::permute(ArrayRef<int64_t> permutation) const {
  assert(int64_t(permutation.size()) == rank() && "one source a dim");
  SmallVector<FragmentDim, 4> result;
  for (int64_t source : permutation)
    result.push_back(dims[source]);
  return FragmentMap(numWarps, result);
}

std::optional<FragmentMap> FragmentMap::reshape(ArrayRef<int64_t> shape) const {
  FragmentDim digits;
  for (const FragmentDim &dim : dims)
    llvm::append_range(digits, dim);
  digits = normalForm(digits);
  SmallVector<FragmentDim, 4> result(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;)
    for (int64_t left = shape[dim]; left != 1;) {
      if (left < 1 || digits.empty())
        return std::nullopt;
      Factor digit = digits.pop_back_val();
      if (digit.extent > left) {
        if (digit.extent % left != 0)
          return std::nullopt;
        digits.push_back(
            {digit.owner, digit.extent / left, digit.stride * left});
        digit.extent = left;
      }
      if (left % digit.extent != 0)
        return std::nullopt;
      left /= digit.extent;
      result[dim].insert(result[dim].begin(), digit);
    }
  if (!digits.empty())
    return std::nullopt;
  return FragmentMap(numWarps, result);
}

FragmentMap FragmentMap::repeat(ArrayRef<int64_t> registerCopies,
                                ArrayRef<int64_t> warpCopies) const {
  assert(int64_t(registerCopies.size()) == rank() &&
         int64_t(warpCopies.size()) == rank() && "copies along each dim");
  SmallVector<FragmentDim, 4> result(dims);
  int64_t nextRegister = registers(), nextWarp = numWarps;
  for (int64_t dim = rank() - 1; dim >= 0; --dim) {
    Factor factors[] = {{Owner::Warp, warpCopies[dim], nextWarp},
                        {Owner::Register, registerCopies[dim], nextRegister}};
    result[dim].insert(result[dim].begin(), std::begin(factors),
                       std::end(factors));
    nextWarp *= warpCopies[dim];
    nextRegister *= registerCopies[dim];
  }
  assert(nextWarp <= kMaxWarps && nextRegister <= kMaxRegisters &&
         "copies within the limits");
  return FragmentMap(nextWarp, result);
}

int64_t FragmentMap::registerStep(int64_t dim) const {
  if (dims[dim].empty())
    return 1;
  const Factor &innermost = dims[dim].back();
  return innermost.owner == Owner::Register && innermost.stride == 1
             ? innermost.extent
             : 1;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

namespace {
/// A digit of one owner and what it counts for in a coordinate.
struct Weighted {
  int64_t weight, extent, stride;
  bool operator==(const Weighted &other) const {
    return weight == other.weight && extent == other.extent &&
           stride == other.stride;
  }
};
} // namespace

/// The digits of `owner` in a dim in normal form, outermost first.
static SmallVector<Weighted> digitsOf(Owner owner, ArrayRef<Factor> dim) {
  SmallVector<Weighted> digits;
  int64_t weight = 1;
  for (const Factor &factor : llvm::reverse(dim)) {
    if (factor.owner == owner)
      digits.push_back({weight, factor.extent, factor.stride});
    weight *= factor.extent;
  }
  return digits;
}

/// True if each of `digits`, read off a coordinate, is the same digit of the
/// owner's number wherever a map with digits `others` puts that coordinate.
static bool contained(ArrayRef<Weighted> digits, ArrayRef<Weighted> others) {
  return llvm::all_of(digits, [&](const Weighted &digit) {
    return llvm::any_of(others, [&](const Weighted &other) {
      int64_t scale = digit.weight / other.weight;
      return digit.weight % other.weight == 0 &&
             digit.stride == scale * other.stride &&
             other.extent % (scale * digit.extent) == 0;
    });
  });
}

Conversion fuse::tile::conversion(const FragmentMap &from,
                                  const FragmentMap &to) {
  assert(from.warps() == to.warps() && from.shape() == to.shape() &&
         "tiles of one shape and one block");
  if (from == to)
    return Conversion::Same;
  bool sameThreads = true, sameWarps = true;
  for (int64_t dim = 0; dim < from.rank(); ++dim) {
    auto digits = [&](Owner owner) {
      return std::make_pair(digitsOf(owner, from.factors(dim)),
                            digitsOf(owner, to.factors(dim)));
    };
    auto [fromLanes, toLanes] = digits(Owner::Lane);
    auto [fromWarps, toWarps] = digits(Owner::Warp);
    sameThreads &= fromLanes == toLanes && fromWarps == toWarps;
    sameWarps &= contained(fromWarps, toWarps);
  }
  return sameThreads ? Conversion::Registers
         : sameWarps ? Conversion::Lanes
                     : Conversion::Shared;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string FragmentMap::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "warps " << numWarps;
  for (const FragmentDim &dim : dims) {
    os << ", [";
    llvm::interleaveComma(
        dim, os, [&](const Factor &factor) { os << factorText(factor); });
    os << "]";
  }
  return text;
}

namespace {
/// Recursive descent over the text form.
class Parser {
public:
  Parser(StringRef text, std::string &error)
      : whole(text), rest(text), error(error) {}

  bool parse(int64_t &warps, SmallVectorImpl<FragmentDim> &dims) {
    if (!keyword("warps") || !integer(warps))
      return false;
    while (accept(","))
      if (!dim(dims.emplace_back()))
        return false;
    rest = rest.ltrim();
    return rest.empty() || fail("',' or the end");
  }

private:
  bool fail(StringRef expected) {
    StringRef found = rest.take_until([](char c) { return c == ' '; });
    error = ("expects " + expected + " at offset " +
             Twine(whole.size() - rest.size()) + ", but got " +
             (found.empty() ? "the end" : "'" + found.str() + "'"))
                .str();
    return false;
  }
  bool accept(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  bool keyword(StringRef word) {
    return accept(word) || fail("'" + word.str() + "'");
  }
  bool integer(int64_t &value) {
    rest = rest.ltrim();
    if (!rest.empty() && llvm::isDigit(rest.front()) &&
        !rest.consumeInteger(10, value))
      return true;
    return fail("a whole number");
  }
  bool factor(Factor &factor) {
    if (accept("reg"))
      factor.owner = Owner::Register;
    else if (accept("lane"))
      factor.owner = Owner::Lane;
    else if (accept("warp"))
      factor.owner = Owner::Warp;
    else
      return fail("'reg', 'lane' or 'warp'");
    return integer(factor.extent) && keyword("@") && integer(factor.stride);
  }
  bool dim(FragmentDim &dim) {
    if (!keyword("["))
      return false;
    if (accept("]"))
      return true;
    do {
      if (!factor(dim.emplace_back(Factor{Owner::Register, 1, 1})))
        return false;
    } while (accept(","));
    return keyword("]");
  }

  StringRef whole, rest;
  std::string &error;
};
} // namespace

std::optional<FragmentMap> FragmentMap::parse(StringRef text,
                                              std::string &error) {
  int64_t warps = 0;
  SmallVector<FragmentDim, 4> dims;
  if (!Parser(text, error).parse(warps, dims))
    return std::nullopt;
  return get(warps, dims, error);
}
