//===- DType.cpp - element types and exact conversions --------------------===//

#include "fuse/runtime/DType.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace fuse::rt;

static_assert(std::numeric_limits<double>::is_iec559 &&
                  std::numeric_limits<float>::is_iec559,
              "the conversions work on IEEE formats");

namespace {
struct DTypeInfo {
  int64_t size;
  std::string_view name;
  bool isFloat;
};
} // namespace

template <class To, class From>
static To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

template <class T>
static T load(const void *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
static void store(T value, void *to) {
  std::memcpy(to, &value, sizeof value);
}

constexpr int kDoubleFraction = 52;
constexpr int kDoubleBias = 1023;
constexpr int kDoubleSpecial = 0x7ff;

namespace {
/// A 16-bit IEEE-like format: sign, exponent, fraction.
template <int ExponentBits, int FractionBits>
struct SmallFloat {
  static constexpr int kBias = (1 << (ExponentBits - 1)) - 1;
  static constexpr int kSpecial = (1 << ExponentBits) - 1;
  static constexpr int kFractionGap = kDoubleFraction - FractionBits;
  static constexpr uint64_t kInfinity = uint64_t{kSpecial} << FractionBits;

  static uint64_t encodeNaN(uint64_t fraction) {
    uint64_t payload = fraction >> kFractionGap;
    // A payload that loses all its bits must not turn into infinity.
    return kInfinity | (payload ? payload : uint64_t{1} << (FractionBits - 1));
  }

  static uint16_t encode(double value) {
    auto bits = bitCast<uint64_t>(value);
    uint64_t sign = bits >> 63 << (ExponentBits + FractionBits);
    uint64_t fraction = bits & ((uint64_t{1} << kDoubleFraction) - 1);
    int exponent = static_cast<int>(bits >> kDoubleFraction) & kDoubleSpecial;
    if (exponent == kDoubleSpecial && fraction)
      return static_cast<uint16_t>(sign | encodeNaN(fraction));

    // The exponent field that the result would have, were it not limited to
    // [0, kSpecial]. Below 1 the result is subnormal and keeps fewer bits.
    int field = exponent - kDoubleBias + kBias;
    int dropped = kFractionGap + std::max(0, 1 - field);
    if (dropped > kDoubleFraction + 1) // Less than half the smallest.
      return static_cast<uint16_t>(sign);

    uint64_t significand = fraction | uint64_t{1} << kDoubleFraction;
    uint64_t rest = significand & ((uint64_t{1} << dropped) - 1);
    uint64_t half = uint64_t{1} << (dropped - 1);
    uint64_t kept = significand >> dropped;
    kept += rest > half || (rest == half && (kept & 1));

    // The leading bit of `kept` adds the last 1 to the exponent field, and so
    // does a carry out of the rounding.
    uint64_t base = field > 1 ? uint64_t(field - 1) << FractionBits : 0;
    return static_cast<uint16_t>(sign | std::min(base + kept, kInfinity));
  }

  static double decode(uint16_t bits) {
    uint64_t sign = uint64_t(bits >> (ExponentBits + FractionBits)) << 63;
    uint64_t fraction = bits & ((1u << FractionBits) - 1);
    int field = bits >> FractionBits & kSpecial;
    if (field == 0) {
      double size = std::ldexp(double(fraction), 1 - kBias - FractionBits);
      return sign ? -size : size;
    }
    uint64_t exponent =
        field == kSpecial ? kDoubleSpecial : field - kBias + kDoubleBias;
    return bitCast<double>(sign | exponent << kDoubleFraction |
                           fraction << kFractionGap);
  }
};
} // namespace

using Half = SmallFloat<5, 10>;
using BFloat = SmallFloat<8, 7>;

static const DTypeInfo &info(DType dtype) {
  static constexpr DTypeInfo kInfo[] = {
      {2, "f16", true}, {2, "bf16", true}, {4, "f32", true},
      {8, "f64", true}, {4, "i32", false}, {1, "i1", false},
  };
  return kInfo[static_cast<int>(dtype)];
}

static int32_t toInt32(double value) {
  if (std::isnan(value))
    return 0;
  double nearest = std::nearbyint(value);
  return static_cast<int32_t>(
      std::clamp(nearest, double(std::numeric_limits<int32_t>::min()),
                 double(std::numeric_limits<int32_t>::max())));
}

int64_t fuse::rt::dtypeSize(DType dtype) { return info(dtype).size; }

std::string_view fuse::rt::dtypeName(DType dtype) { return info(dtype).name; }

bool fuse::rt::isFloat(DType dtype) { return info(dtype).isFloat; }

std::optional<DType> fuse::rt::parseDType(std::string_view name) {
  for (DType dtype : kAllDTypes)
    if (dtypeName(dtype) == name)
      return dtype;
  return std::nullopt;
}

uint16_t fuse::rt::f16FromDouble(double value) { return Half::encode(value); }

double fuse::rt::f16ToDouble(uint16_t bits) { return Half::decode(bits); }

uint16_t fuse::rt::bf16FromDouble(double value) {
  return BFloat::encode(value);
}

double fuse::rt::bf16ToDouble(uint16_t bits) { return BFloat::decode(bits); }

double fuse::rt::decodeElement(DType dtype, const void *from) {
  switch (dtype) {
  case DType::F16:
    return f16ToDouble(load<uint16_t>(from));
  case DType::BF16:
    return bf16ToDouble(load<uint16_t>(from));
  case DType::F32:
    return load<float>(from);
  case DType::F64:
    return load<double>(from);
  case DType::I32:
    return load<int32_t>(from);
  case DType::Bool:
    return load<uint8_t>(from) != 0;
  }
  return 0;
}

void fuse::rt::encodeElement(DType dtype, double value, void *to) {
  switch (dtype) {
  case DType::F16:
    return store(f16FromDouble(value), to);
  case DType::BF16:
    return store(bf16FromDouble(value), to);
  case DType::F32:
    return store(static_cast<float>(value), to);
  case DType::F64:
    return store(value, to);
  case DType::I32:
    return store(toInt32(value), to);
  case DType::Bool:
    return store(uint8_t{value != 0}, to);
  }
}

double fuse::rt::roundToDType(DType dtype, double value) {
  unsigned char element[sizeof(double)];
  encodeElement(dtype, value, element);
  return decodeElement(dtype, element);
}
