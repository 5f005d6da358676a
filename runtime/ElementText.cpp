//===- ElementText.cpp - one element as decimal text ----------------------===//

#include "fuse/runtime/ElementText.h"

#include "NoThrow.h"
#include "Text.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

using namespace fuse::rt;

/// The whole of `text` as a number; the locale plays no part.
template <class T>
static std::optional<T> parseNumber(std::string_view text) {
  T value;
  const char *end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end)
    return std::nullopt;
  return value;
}

template <class T>
static std::string formatNumber(T value) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

static bool sameElement(DType dtype, double a, double b) {
  return roundToDType(dtype, a) == roundToDType(dtype, b);
}

/// The double nearest to the shortest decimal that rounds to the 16-bit float
/// `value`. A decimal this short survives in a double, so printing that as the
/// shortest decimal of a double gives the decimal itself.
static double shortestAs16Bit(DType dtype, double value) {
  for (int digits = 1;; ++digits) {
    char buffer[64];
    char *end = std::to_chars(buffer, buffer + sizeof buffer, value,
                              std::chars_format::scientific, digits - 1)
                    .ptr;
    // At a power of two the interval that rounds to `value` is lopsided: the
    // nearest decimal may miss it where its neighbour further off does not.
    std::string_view nearest(buffer, static_cast<size_t>(end - buffer));
    size_t split = nearest.find('e');
    std::string integer(nearest.substr(0, split));
    if (size_t point = integer.find('.'); point != std::string::npos)
      integer.erase(point, 1);
    std::string_view power = nearest.substr(split + 1);
    power.remove_prefix(power.front() == '+');
    int exponent = *parseNumber<int>(power) - (digits - 1);
    int significand = *parseNumber<int>(integer);
    for (int step : {0, 1, -1}) {
      double candidate = *parseNumber<double>(
          std::to_string(significand + step) + "e" + std::to_string(exponent));
      if (sameElement(dtype, candidate, value))
        return candidate;
    }
  }
}

static std::string formatFloat(DType dtype, double value) {
  if (std::isnan(value))
    return "nan";
  if (dtype == DType::F64 || std::isinf(value) || value == 0)
    return formatNumber(value);
  if (dtype == DType::F32)
    return formatNumber(static_cast<float>(value));
  return formatNumber(shortestAs16Bit(dtype, value));
}

/// A double, or nothing if `text` is no number or out of the range of double.
/// Takes neither "infinity" nor "nan(...)" nor hexadecimal.
template <class T>
static std::optional<T> parseFloat(std::string_view text) {
  std::string_view size = text;
  if (!size.empty() && (size.front() == '-' || size.front() == '+'))
    size.remove_prefix(1);
  bool isDecimal =
      !size.empty() && (isDigit(size.front()) || size.front() == '.');
  if (!isDecimal && size != "inf" && size != "nan")
    return std::nullopt;
  return parseNumber<T>(text.front() == '+' ? size : text);
}

std::string fuse::rt::formatElement(DType dtype, const void *from) {
  double value = decodeElement(dtype, from);
  if (isFloat(dtype))
    return formatFloat(dtype, value);
  if (dtype == DType::I32)
    return formatNumber(static_cast<int32_t>(value));
  return value ? "true" : "false";
}

static Status parseFloatElement(DType dtype, std::string_view text, void *to) {
  std::optional<double> value = parseFloat<double>(text);
  // Straight to float, where its range allows, spares f32 a second rounding.
  if (dtype == DType::F32)
    if (std::optional<float> direct = parseFloat<float>(text))
      value = *direct;
  if (!value ||
      (std::isfinite(*value) && std::isinf(roundToDType(dtype, *value))))
    return expected("a number in the range of " + std::string(dtypeName(dtype)),
                    quote(text));
  encodeElement(dtype, *value, to);
  return {};
}

Status fuse::rt::parseElement(DType dtype, std::string_view text, void *to) {
  return noThrow([&]() -> Status {
    if (isFloat(dtype))
      return parseFloatElement(dtype, text, to);
    if (dtype == DType::I32) {
      std::optional<int32_t> value = parseNumber<int32_t>(text);
      if (!value)
        return expected("an integer in the range of i32", quote(text));
      std::memcpy(to, &*value, sizeof *value);
      return {};
    }
    bool isTrue = text == "true" || text == "1";
    if (!isTrue && text != "false" && text != "0")
      return expected("true, false, 1 or 0 for i1", quote(text));
    encodeElement(dtype, isTrue, to);
    return {};
  });
}
