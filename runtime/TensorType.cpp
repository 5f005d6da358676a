//===- TensorType.cpp - element type and shape ----------------------------===//

#include "fuse/runtime/TensorType.h"

#include "NoThrow.h"
#include "Text.h"

#include <charconv>
#include <limits>
#include <optional>

using namespace fuse::rt;

/// Product of sizes that are not negative; nothing if it exceeds 2^63 - 1.
static std::optional<int64_t> multiply(int64_t a, int64_t b) {
  if (b != 0 && a > std::numeric_limits<int64_t>::max() / b)
    return std::nullopt;
  return a * b;
}

static Status checkShape(const TensorType &type) {
  auto rank = static_cast<int64_t>(type.shape.size());
  if (rank > kMaxRank)
    return expected("a tensor of rank " + std::to_string(kMaxRank) + " at most",
                    "rank " + std::to_string(rank));
  std::optional<int64_t> bytes = dtypeSize(type.dtype);
  for (int64_t size : type.shape) {
    if (size < 0)
      return expected("sizes of 0 or more", std::to_string(size));
    bytes = multiply(*bytes, size ? size : 1);
    if (!bytes)
      return expected("a tensor of less than 2^63 bytes",
                      formatTensorType(type));
  }
  return {};
}

Result<int64_t> fuse::rt::numElements(const TensorType &type) {
  return noThrow([&]() -> Result<int64_t> {
    if (Status status = checkShape(type); !status.ok())
      return status;
    int64_t product = 1;
    for (int64_t size : type.shape)
      product *= size;
    return product;
  });
}

Result<int64_t> fuse::rt::byteSize(const TensorType &type) {
  Result<int64_t> elements = numElements(type);
  if (!elements.ok())
    return elements;
  return *elements * dtypeSize(type.dtype);
}

std::string fuse::rt::formatShape(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

std::string fuse::rt::formatTensorType(const TensorType &type) {
  return formatShape(type.shape) + (type.shape.empty() ? "" : "x") +
         std::string(dtypeName(type.dtype));
}

Result<TensorType> fuse::rt::parseTensorType(std::string_view text) {
  return noThrow([&]() -> Result<TensorType> {
    TensorType type;
    TextCursor cursor(text);
    while (isDigit(cursor.peek())) {
      std::string_view digits = cursor.takeWhile(isDigit);
      int64_t size = 0;
      const char *end = digits.data() + digits.size();
      if (std::from_chars(digits.data(), end, size).ec != std::errc())
        return expected("sizes of less than 2^63", quote(digits));
      if (!cursor.consume("x"))
        return expected("a type such as 4x8xf32", quote(text));
      type.shape.push_back(size);
    }
    std::optional<DType> dtype = parseDType(cursor.rest());
    if (!dtype)
      return expected("a type such as 4x8xf32 over f16, bf16, f32, f64, i32 or "
                      "i1",
                      quote(text));
    type.dtype = *dtype;
    if (Result<int64_t> bytes = byteSize(type); !bytes.ok())
      return bytes.status();
    return type;
  });
}
