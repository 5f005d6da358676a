//===- Text.cpp - helpers for parsing and for messages --------------------===//

#include "Text.h"

using namespace fuse::rt;

Status fuse::rt::expected(std::string_view wanted, std::string_view found) {
  return Status::invalidInput("expects " + std::string(wanted) + ", but got " +
                              std::string(found));
}

std::string fuse::rt::quote(std::string_view text) {
  constexpr size_t kLongest = 40;
  constexpr char kHex[] = "0123456789abcdef";
  std::string quoted = "'";
  for (char c : text.substr(0, kLongest)) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      quoted += c;
    else
      quoted += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
  }
  return quoted + (text.size() > kLongest ? "...'" : "'");
}

std::string_view fuse::rt::trim(std::string_view text) {
  while (!text.empty() && isBlank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back()))
    text.remove_suffix(1);
  return text;
}
