//===- ElementTextTest.cpp - elements as decimal text ---------------------===//

#include "TestUtils.h"

#include "fuse/runtime/ElementText.h"

#include "rapidcheck/gtest.h"

#include <cstdio>
#include <cstring>
#include <limits>

using namespace fuse::rt;

static std::string format(DType dtype, double value) {
  unsigned char element[8];
  encodeElement(dtype, value, element);
  return formatElement(dtype, element);
}

/// The value of the element that `text` parses to, or the message.
static std::string reparse(DType dtype, const std::string &text) {
  unsigned char element[8];
  Status status = parseElement(dtype, text, element);
  return status.ok() ? formatElement(dtype, element) : status.message();
}

/// Significant digits of a decimal number.
static int countDigits(std::string text) {
  text = text.substr(0, text.find('e'));
  std::string digits;
  for (char c : text)
    if (c >= '0' && c <= '9')
      digits += c;
  digits.erase(0, digits.find_first_not_of('0'));
  if (text.find('.') == std::string::npos)
    digits.erase(digits.find_last_not_of('0') + 1);
  return int(digits.size());
}

namespace {
class SmallFloatText : public testing::TestWithParam<DType> {};
} // namespace

INSTANTIATE_TEST_SUITE_P(Formats, SmallFloatText,
                         testing::Values(DType::F16, DType::BF16),
                         [](const auto &info) {
                           return std::string(dtypeName(info.param));
                         });

TEST_P(SmallFloatText, EveryElementReadsBack) {
  for (uint32_t i = 0; i <= 0xffff; ++i) {
    auto bits = uint16_t(i), back = uint16_t(~i);
    std::string text = formatElement(GetParam(), &bits);
    ASSERT_EQ(messageOf(parseElement(GetParam(), text, &back)), "");
    if (text == "nan")
      ASSERT_TRUE(std::isnan(decodeElement(GetParam(), &back)));
    else
      ASSERT_EQ(back, bits) << text;
  }
}

// Of all decimals with one digit less, the two around the value come closest;
// if neither rounds to it, none does.
TEST_P(SmallFloatText, NoShorterDecimalWouldDo) {
  for (uint32_t i = 1; i < 0x8000; ++i) {
    auto bits = uint16_t(i);
    double value = decodeElement(GetParam(), &bits);
    if (!std::isfinite(value))
      break;
    std::string text = formatElement(GetParam(), &bits);
    int digits = countDigits(text);
    if (digits == 1)
      continue;
    char nearest[64];
    std::snprintf(nearest, sizeof nearest, "%.*e", digits - 2, value);
    double unit = std::pow(10.0, std::floor(std::log10(value)) - digits + 2);
    for (double step : {0.0, unit, -unit}) {
      char shorter[64];
      std::snprintf(shorter, sizeof shorter, "%.*e", digits - 2,
                    std::strtod(nearest, nullptr) + step);
      ASSERT_NE(roundToDType(GetParam(), std::strtod(shorter, nullptr)), value)
          << text << " could be " << shorter;
    }
  }
}

TEST(ElementText, FormatsTheShortest) {
  EXPECT_EQ(format(DType::F16, 0.1), "0.1");
  EXPECT_EQ(format(DType::F16, 65504), "65500");
  EXPECT_EQ(format(DType::F16, 0x1p-24), "6e-08");
  EXPECT_EQ(format(DType::F16, 1.0 / 3), "0.3333");
  EXPECT_EQ(format(DType::BF16, 0.1), "0.1");
  EXPECT_EQ(format(DType::BF16, 3.14159), "3.14");
  EXPECT_EQ(format(DType::BF16, 3.39e38), "3.39e+38");
  EXPECT_EQ(format(DType::BF16, 0x1p-133), "9e-41");
  EXPECT_EQ(format(DType::F32, 0.1), "0.1");
  EXPECT_EQ(format(DType::F32, 16777216), "16777216");
  EXPECT_EQ(format(DType::F32, 1.0 / 3), "0.33333334");
  EXPECT_EQ(format(DType::F64, 0.1), "0.1");
  EXPECT_EQ(format(DType::F64, 5e-324), "5e-324");
  EXPECT_EQ(format(DType::I32, -2147483648.0), "-2147483648");
  EXPECT_EQ(format(DType::Bool, 1), "true");
  EXPECT_EQ(format(DType::Bool, 0), "false");
}

// The doubles that round to a power of two reach half as far down as up.
TEST(ElementText, LopsidedIntervalAtAPowerOfTwo) {
  for (int exponent = -133; exponent < 128; ++exponent) {
    double value = std::ldexp(1.0, exponent);
    std::string text = format(DType::BF16, value);
    EXPECT_EQ(roundToDType(DType::BF16, std::strtod(text.c_str(), nullptr)),
              value);
  }
}

TEST(ElementText, SpecialValuesInAllFloats) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F32, DType::F64}) {
    EXPECT_EQ(format(dtype, INFINITY), "inf");
    EXPECT_EQ(format(dtype, -INFINITY), "-inf");
    EXPECT_EQ(format(dtype, NAN), "nan");
    EXPECT_EQ(format(dtype, -NAN), "nan");
    EXPECT_EQ(format(dtype, -0.0), "-0");
    for (const char *text : {"inf", "-inf", "nan", "0", "-0", "1", "-1.5"})
      EXPECT_EQ(reparse(dtype, text), text);
    EXPECT_EQ(reparse(dtype, "+inf"), "inf");
    EXPECT_EQ(reparse(dtype, "-nan"), "nan");
    EXPECT_EQ(reparse(dtype, "+1.50e+0"), "1.5");
    EXPECT_EQ(reparse(dtype, ".5"), "0.5");
    EXPECT_EQ(reparse(dtype, "5."), "5");
  }
}

template <class T>
static void checkRoundTrip(DType dtype) {
  auto bits = *rc::gen::arbitrary<T>();
  T back = 0;
  RC_PRE(!std::isnan(decodeElement(dtype, &bits)));
  std::string text = formatElement(dtype, &bits);
  RC_ASSERT(parseElement(dtype, text, &back).ok());
  RC_ASSERT(back == bits);
}
RC_GTEST_PROP(ElementText, F32ReadsBack, ()) {
  checkRoundTrip<uint32_t>(DType::F32);
}
RC_GTEST_PROP(ElementText, F64ReadsBack, ()) {
  checkRoundTrip<uint64_t>(DType::F64);
}
RC_GTEST_PROP(ElementText, I32ReadsBack, ()) {
  checkRoundTrip<uint32_t>(DType::I32);
}

TEST(ElementText, RoundsTextToFloatOnce) {
  // 1 + 2^-24 is the midpoint of two floats; a little above it, by less than a
  // double can tell, must go up.
  EXPECT_EQ(reparse(DType::F32, "1.000000059604644775390625"), "1");
  EXPECT_EQ(reparse(DType::F32, "1.00000005960464477539062500001"),
            "1.0000001");
}

TEST(ElementText, LimitsOfRange) {
  EXPECT_EQ(reparse(DType::F16, "65519"), "65500");
  EXPECT_EQ(reparse(DType::F16, "65520"),
            "expects a number in the range of f16, but got '65520'");
  EXPECT_EQ(reparse(DType::F32, "3.5e38"),
            "expects a number in the range of f32, but got '3.5e38'");
  EXPECT_EQ(reparse(DType::F64, "1e309"),
            "expects a number in the range of f64, but got '1e309'");
  EXPECT_EQ(reparse(DType::F32, "1e-46"), "0");
  EXPECT_EQ(reparse(DType::F16, "-1e-300"), "-0");
  EXPECT_EQ(reparse(DType::I32, "2147483647"), "2147483647");
  EXPECT_EQ(reparse(DType::I32, "2147483648"),
            "expects an integer in the range of i32, but got '2147483648'");
}

TEST(ElementText, RejectsWhatIsNoElement) {
  for (const char *text : {"", " 1", "1 ", "1e", "0x10", "infinity", "INF",
                           "nan(1)", "--1", "+-1", "e5", "true", "1,5", "-"})
    EXPECT_EQ(reparse(DType::F32, text),
              "expects a number in the range of f32, but got '" +
                  std::string(text) + "'");
  for (const char *text : {"", "1.0", "1e3", "true", "+1", "0x1", "nan"})
    EXPECT_EQ(reparse(DType::I32, text),
              "expects an integer in the range of i32, but got '" +
                  std::string(text) + "'");
  EXPECT_EQ(reparse(DType::Bool, "1"), "true");
  EXPECT_EQ(reparse(DType::Bool, "0"), "false");
  for (const char *text : {"", "2", "True", "0.0", "yes"})
    EXPECT_EQ(reparse(DType::Bool, text),
              "expects true, false, 1 or 0 for i1, but got '" +
                  std::string(text) + "'");
}
