//===- DTypeTest.cpp - element types and conversions ----------------------===//

#include "fuse/runtime/DType.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace fuse::rt;

constexpr double kInf = std::numeric_limits<double>::infinity();

namespace {
/// The two 16-bit formats, for tests that go through all their values.
class SmallFloat : public testing::TestWithParam<DType> {
protected:
  bool isHalf() const { return GetParam() == DType::F16; }

  uint16_t encode(double value) const {
    return isHalf() ? f16FromDouble(value) : bf16FromDouble(value);
  }
  double decode(uint16_t bits) const {
    return isHalf() ? f16ToDouble(bits) : bf16ToDouble(bits);
  }

  const uint16_t infinity = isHalf() ? 0x7c00 : 0x7f80;
  const double smallest = isHalf() ? 0x1p-24 : 0x1p-133;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Formats, SmallFloat,
                         testing::Values(DType::F16, DType::BF16),
                         [](const auto &info) {
                           return std::string(dtypeName(info.param));
                         });

TEST_P(SmallFloat, EveryPatternSurvivesTheWayThroughDouble) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    double value = decode(uint16_t(bits));
    ASSERT_EQ(encode(value), bits);
    ASSERT_EQ(std::isnan(value), (bits & 0x7fff) > infinity);
    ASSERT_EQ(std::signbit(value), bits >> 15 != 0);
  }
}

TEST_P(SmallFloat, PatternsAreInOrder) {
  EXPECT_EQ(decode(0), 0);
  EXPECT_EQ(decode(1), smallest);
  for (uint16_t bits = 1; bits <= infinity; ++bits)
    ASSERT_LT(decode(bits - 1), decode(bits));
  EXPECT_EQ(decode(infinity), kInf);
}

// Between each two neighbours the midpoint goes to the even one and the doubles
// beside it to the nearer one. Rounding is monotone, so this is all of it.
TEST_P(SmallFloat, RoundsToNearestEvenInOneStep) {
  for (uint16_t low = 0; low < infinity; ++low) {
    uint16_t high = low + 1;
    // The largest finite value is followed by what would be next in range.
    double next =
        high == infinity ? 2 * decode(low) - decode(low - 1) : decode(high);
    double middle = (decode(low) + next) / 2;
    uint16_t even = low % 2 == 0 ? low : high;
    for (uint16_t sign : {0, 0x8000}) {
      double s = sign ? -1 : 1;
      ASSERT_EQ(encode(s * middle), even | sign) << middle;
      ASSERT_EQ(encode(s * std::nextafter(middle, 0)), low | sign) << middle;
      ASSERT_EQ(encode(s * std::nextafter(middle, kInf)), high | sign);
    }
  }
}

TEST_P(SmallFloat, ExtremesOfDouble) {
  EXPECT_EQ(encode(kInf), infinity);
  EXPECT_EQ(encode(-kInf), infinity | 0x8000);
  EXPECT_EQ(encode(std::numeric_limits<double>::max()), infinity);
  EXPECT_EQ(encode(std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(encode(-std::numeric_limits<double>::denorm_min()), 0x8000);
  EXPECT_EQ(encode(-0.0), 0x8000);
}

TEST_P(SmallFloat, NaNStaysNaN) {
  EXPECT_TRUE(std::isnan(decode(encode(std::nan("")))));
  EXPECT_TRUE(std::signbit(decode(encode(-std::nan("")))));
  // The only payload bit is one that the format has no room for.
  uint64_t bits = 0x7ff0000000000001;
  double value;
  std::memcpy(&value, &bits, sizeof value);
  EXPECT_TRUE(std::isnan(decode(encode(value))));
}

TEST(DType, TwoRoundingsWouldBeWrong) {
  // Just above the midpoint of 1 and 1 + 2^-10, by less than half a float's
  // last place: by way of float it would be a tie, and go to 1.
  double value = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(roundToDType(DType::F16, static_cast<float>(value)), 1);
  EXPECT_EQ(roundToDType(DType::F16, value), 1 + 0x1p-10);
}

TEST(DType, SizesAndNames) {
  const char *names[] = {"f16", "bf16", "f32", "f64", "i32", "i1"};
  int64_t sizes[] = {2, 2, 4, 8, 4, 1};
  for (size_t i = 0; i < std::size(kAllDTypes); ++i) {
    EXPECT_EQ(dtypeName(kAllDTypes[i]), names[i]);
    EXPECT_EQ(dtypeSize(kAllDTypes[i]), sizes[i]);
    EXPECT_EQ(parseDType(names[i]), kAllDTypes[i]);
    EXPECT_EQ(isFloat(kAllDTypes[i]), i < 4);
  }
  for (const char *name : {"", "f", "f8", "F32", "f32 ", "bool", "i64"})
    EXPECT_EQ(parseDType(name), std::nullopt) << name;
}

TEST(DType, FloatAndDouble) {
  EXPECT_EQ(roundToDType(DType::F32, 0.1), double{0.1f});
  EXPECT_EQ(roundToDType(DType::F32, 1 + 0x1p-24), 1);
  EXPECT_EQ(roundToDType(DType::F32, 1e39), kInf);
  EXPECT_EQ(roundToDType(DType::F32, 0x1p-149), 0x1p-149);
  EXPECT_TRUE(std::isnan(roundToDType(DType::F32, std::nan(""))));
  EXPECT_EQ(roundToDType(DType::F64, 0.1), 0.1);
}

TEST(DType, IntegersRoundAndSaturate) {
  auto round = [](double value) { return roundToDType(DType::I32, value); };
  EXPECT_EQ(round(2.5), 2);
  EXPECT_EQ(round(3.5), 4);
  EXPECT_EQ(round(-2.5), -2);
  EXPECT_EQ(round(2147483647), 2147483647);
  EXPECT_EQ(round(2147483648), 2147483647);
  EXPECT_EQ(round(-2147483648.0), -2147483648.0);
  EXPECT_EQ(round(-kInf), -2147483648.0);
  EXPECT_EQ(round(std::nan("")), 0);
}

TEST(DType, BoolIsNotZero) {
  for (double value : {1.0, -3.0, 0.25, kInf, std::nan("")})
    EXPECT_EQ(roundToDType(DType::Bool, value), 1) << value;
  EXPECT_EQ(roundToDType(DType::Bool, 0), 0);
  EXPECT_EQ(roundToDType(DType::Bool, -0.0), 0);
}

TEST(DType, ElementsNeedNoAlignment) {
  unsigned char bytes[17] = {};
  for (DType dtype : kAllDTypes) {
    encodeElement(dtype, 1, bytes + 1);
    EXPECT_EQ(decodeElement(dtype, bytes + 1), 1);
    EXPECT_EQ(bytes[0], 0);
    EXPECT_EQ(bytes[1 + dtypeSize(dtype)], 0);
    std::memset(bytes, 0, sizeof bytes);
  }
}
