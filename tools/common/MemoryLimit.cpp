//===- MemoryLimit.cpp - --max-memory -------------------------------------===//

#include "MemoryLimit.h"

#include <charconv>
#include <cstdio>
#include <iterator>
#include <unistd.h>

using namespace fuse;

int64_t fuse::defaultMaxBytes() {
  int64_t pages = sysconf(_SC_PHYS_PAGES), pageSize = sysconf(_SC_PAGESIZE);
  return pages > 0 && pageSize > 0 ? pages / 4 * 3 * pageSize : INT64_MAX;
}

static void skipBlanks(std::string_view &text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
}

static bool consume(std::string_view &text, char c) {
  if (text.empty() || text.front() != c)
    return false;
  text.remove_prefix(1);
  return true;
}

rt::Result<int64_t> fuse::parseMemorySize(std::string_view text) {
  auto malformed = rt::Status::invalidInput("expects a size such as 4GiB");
  skipBlanks(text);
  uint64_t size = 0;
  auto [rest, error] =
      std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc())
    return malformed;
  text.remove_prefix(size_t(rest - text.data()));
  skipBlanks(text);
  uint64_t unit = 1;
  for (char prefix : {'K', 'M', 'G', 'T'}) {
    unit *= 1024;
    if (consume(text, prefix)) {
      consume(text, 'i');
      break;
    }
    if (prefix == 'T')
      unit = 1;
  }
  consume(text, 'B');
  skipBlanks(text);
  uint64_t bytes;
  if (!text.empty() || __builtin_mul_overflow(size, unit, &bytes) ||
      bytes > uint64_t(INT64_MAX))
    return malformed;
  return int64_t(bytes);
}

std::string fuse::formatBytes(int64_t bytes) {
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double size = double(bytes);
  size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(units); ++unit)
    size /= 1024;
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f %s", size, units[unit]);
  return text;
}

rt::Status fuse::checkMemory(int64_t needed, int64_t allowed) {
  if (needed <= allowed)
    return {};
  return rt::Status::resource("the run needs about " + formatBytes(needed) +
                              ", but only " + formatBytes(allowed) +
                              " are allowed (--max-memory)");
}
