//===- NumberList.cpp - plain and bracketed lists of numbers --------------===//

#include "NumberList.h"

#include "Text.h"

#include "fuse/runtime/ElementText.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

using namespace fuse::rt;

namespace {
/// Takes the text token by token; only counts of the open lists are kept, so
/// that no nesting, however deep, costs stack.
class NumberListParser {
public:
  explicit NumberListParser(std::string_view text) : cursor(text) {}

  Result<NumberList> parse() {
    for (cursor.skipBlanks(); !cursor.atEnd(); cursor.skipBlanks())
      if (Status status = parseToken(); !status.ok())
        return status;
    if (!open.empty())
      return expected("a ']' for every '['", "the end of the values");
    if (afterComma)
      return expected("a value after ','", "the end of the values");
    if (levels.empty())
      return std::move(list);
    list.brackets.emplace();
    for (const Level &level : levels)
      list.brackets->push_back(*level.size);
    return std::move(list);
  }

private:
  enum class Entry { Value, List };

  /// What all lists at one depth have in common.
  struct Level {
    std::optional<Entry> entry;
    std::optional<int64_t> size;
  };

  Status parseToken() {
    if (cursor.consume("["))
      return openList();
    if (cursor.consume("]"))
      return closeList();
    if (cursor.consume(","))
      return parseComma();
    return parseValue();
  }

  Status openList() {
    if (Status status = countEntry(Entry::List); !status.ok())
      return status;
    if (open.size() == kMaxRank)
      return expected("brackets nested " + std::to_string(kMaxRank) +
                          " deep at most",
                      "more");
    open.push_back(0);
    levels.resize(std::max(levels.size(), open.size()));
    return {};
  }

  Status closeList() {
    if (open.empty() || afterComma)
      return expected("a value or '['", "']'");
    Level &level = levels[open.size() - 1];
    int64_t size = open.back();
    if (level.size && *level.size != size)
      return expected("lists of equal length",
                      std::to_string(*level.size) + " and " +
                          std::to_string(size) + " entries");
    level.size = size;
    open.pop_back();
    afterEntry = true;
    return {};
  }

  Status parseComma() {
    if (!afterEntry)
      return expected("a value before ','", "none");
    afterEntry = false;
    afterComma = true;
    return {};
  }

  Status parseValue() {
    if (Status status = countEntry(Entry::Value); !status.ok())
      return status;
    std::string_view value = cursor.takeWhile(
        [](char c) { return !isBlank(c) && c != ',' && c != '[' && c != ']'; });
    list.elements.emplace_back(value);
    afterEntry = true;
    return {};
  }

  /// Checks that an entry of this kind may come next, and counts it.
  Status countEntry(Entry entry) {
    bool nothingYet = levels.empty() && list.elements.empty();
    afterEntry = afterComma = false;
    if (open.empty()) {
      bool plain = entry == Entry::Value && levels.empty();
      return plain || nothingYet
                 ? Status()
                 : expected("plain values or one bracketed list", "more");
    }
    Level &level = levels[open.size() - 1];
    if (level.entry && *level.entry != entry)
      return expected("brackets of equal depth", "a list beside a value");
    level.entry = entry;
    ++open.back();
    return {};
  }

  TextCursor cursor;
  NumberList list;
  std::vector<int64_t> open; ///< Entries so far of each open list.
  std::vector<Level> levels;
  bool afterEntry = false, afterComma = false;
};
} // namespace

/// `shape` up to its first 0: more than that brackets cannot show.
static std::vector<int64_t> bracketsOf(const std::vector<int64_t> &shape) {
  auto zero = std::find(shape.begin(), shape.end(), 0);
  return {shape.begin(), zero == shape.end() ? zero : zero + 1};
}

Result<NumberList> fuse::rt::parseNumberList(std::string_view text) {
  return NumberListParser(text).parse();
}

Result<HostTensor> fuse::rt::materializeSplat(std::string_view element,
                                              const TensorType &type) {
  std::byte bytes[sizeof(double)];
  if (Status status = parseElement(type.dtype, element, bytes); !status.ok())
    return status;
  Result<HostTensor> tensor = HostTensor::createUninitialized(type);
  if (!tensor.ok())
    return tensor;
  auto size = static_cast<size_t>(dtypeSize(type.dtype));
  for (int64_t i = 0; i < tensor->numElements(); ++i)
    std::memcpy(tensor->data() + size_t(i) * size, bytes, size);
  return tensor;
}

Result<HostTensor> fuse::rt::materializeNumbers(const NumberList &list,
                                                const TensorType &type) {
  auto count = static_cast<int64_t>(list.elements.size());
  Result<int64_t> wanted = numElements(type);
  if (!wanted.ok())
    return wanted.status();
  if (list.brackets && *list.brackets != bracketsOf(type.shape))
    return expected("values nested as " + formatTensorType(type),
                    formatShape(*list.brackets));
  if (!list.brackets && count == 1 && *wanted > 1)
    return materializeSplat(list.elements.front(), type);
  if (count != *wanted)
    return expected(std::to_string(*wanted) + " values for " +
                        formatTensorType(type),
                    std::to_string(count));

  Result<HostTensor> tensor = HostTensor::createUninitialized(type);
  if (!tensor.ok())
    return tensor;
  std::byte *to = tensor->data();
  for (const std::string &element : list.elements) {
    if (Status status = parseElement(type.dtype, element, to); !status.ok())
      return status;
    to += dtypeSize(type.dtype);
  }
  return tensor;
}
