//===- NpyHeader.cpp - the header of a .npy file --------------------------===//

#include "NpyHeader.h"

#include "Text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

using namespace fuse::rt;

namespace {
/// How NumPy spells an element type, without the byte order.
struct NpyCode {
  std::string_view code;
  DType dtype;
};
} // namespace

constexpr NpyCode kNpyCodes[] = {
    {"f2", DType::F16}, {"V2", DType::BF16}, {"f4", DType::F32},
    {"f8", DType::F64}, {"i4", DType::I32},  {"b1", DType::Bool},
};

static bool hostIsLittleEndian() {
  uint16_t one = 1;
  unsigned char first;
  std::memcpy(&first, &one, 1);
  return first == 1;
}

static char hostByteOrder() { return hostIsLittleEndian() ? '<' : '>'; }

namespace {
/// Recursive descent over the one form of Python literal that a header may be.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : cursor(text) {}

  Result<NpyHeader> parse() {
    if (!consume("{"))
      return expected("a dictionary as header", found());
    while (!consume("}")) {
      if (Status status = parseEntry(); !status.ok())
        return status;
      if (consume(","))
        continue;
      if (!consume("}"))
        return expected("',' or '}' in the header", found());
      break;
    }
    cursor.skipBlanks();
    if (!cursor.atEnd())
      return expected("only blanks after the dictionary in the header",
                      found());
    for (const Key &key : keys)
      if (!key.seen)
        return expected("'descr', 'fortran_order' and 'shape' in the header",
                        "no " + quote(key.name));
    return std::move(header);
  }

private:
  struct Key {
    std::string_view name;
    Status (HeaderParser::*parseValue)();
    bool seen = false;
  };

  bool consume(std::string_view token) {
    cursor.skipBlanks();
    return cursor.consume(token);
  }

  std::string found() {
    cursor.skipBlanks();
    return cursor.atEnd() ? "its end" : quote(cursor.rest());
  }

  Result<std::string_view> parseString() {
    cursor.skipBlanks();
    char mark = cursor.peek();
    if (mark != '\'' && mark != '"')
      return expected("a string in the header", found());
    cursor.consume({&mark, 1});
    std::string_view text =
        cursor.takeWhile([mark](char c) { return c != mark; });
    if (!cursor.consume({&mark, 1}))
      return expected("a closing quote in the header", "its end");
    return text;
  }

  Status parseEntry() {
    Result<std::string_view> name = parseString();
    if (!name.ok())
      return name.status();
    auto *key = std::find_if(std::begin(keys), std::end(keys),
                             [&](const Key &k) { return k.name == *name; });
    if (key == std::end(keys))
      return expected("'descr', 'fortran_order' and 'shape' in the header",
                      "unknown key " + quote(*name));
    if (key->seen)
      return expected(quote(*name) + " once in the header", "it twice");
    key->seen = true;
    if (!consume(":"))
      return expected("':' after " + quote(*name) + " in the header", found());
    return (this->*key->parseValue)();
  }

  Status parseDescr() {
    cursor.skipBlanks();
    if (cursor.peek() == '[')
      return expected("a plain element type as 'descr'",
                      "a structured type " + quote(cursor.rest()));
    Result<std::string_view> descr = parseString();
    if (!descr.ok())
      return descr.status();

    std::string_view code = *descr;
    char order = hostByteOrder();
    if (!code.empty() && (code[0] == '<' || code[0] == '>')) {
      order = code[0];
      code.remove_prefix(1);
    } else if (!code.empty() && (code[0] == '=' || code[0] == '|')) {
      code.remove_prefix(1);
    }
    for (const NpyCode &known : kNpyCodes)
      if (known.code == code || (code == "bfloat16" && known.code == "V2")) {
        header.type.dtype = known.dtype;
        header.swapBytes = order != hostByteOrder();
        return {};
      }
    return expected("element type f16 '<f2', bf16 '<V2', f32 '<f4', f64 "
                    "'<f8', i32 '<i4' or bool '|b1'",
                    quote(*descr));
  }

  Status parseFortranOrder() {
    header.fortranOrder = consume("True");
    if (!header.fortranOrder && !consume("False"))
      return expected("True or False as 'fortran_order'", found());
    return {};
  }

  Status parseShape() {
    if (!consume("("))
      return expected("a tuple as 'shape'", found());
    while (!consume(")")) {
      if (Status status = parseSize(); !status.ok())
        return status;
      if (consume(","))
        continue;
      // One size in parentheses is a number to Python, not a tuple.
      if (header.type.shape.size() == 1 || !consume(")"))
        return expected("',' after a size in 'shape'", found());
      break;
    }
    return {};
  }

  Status parseSize() {
    cursor.skipBlanks();
    std::string_view before = cursor.rest();
    bool negative = cursor.consume("-");
    std::string_view digits = cursor.takeWhile(isDigit);
    std::string_view text = before.substr(0, digits.size() + negative);
    if (digits.empty())
      return expected("a size in 'shape'", found());
    if (negative)
      return expected("sizes of 0 or more in 'shape'", quote(text));
    int64_t size = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), size)
            .ec != std::errc())
      return expected("sizes of less than 2^63 in 'shape'", quote(text));
    if (header.type.shape.size() == kMaxRank)
      return expected("a 'shape' of rank " + std::to_string(kMaxRank) +
                          " at most",
                      "more sizes");
    header.type.shape.push_back(size);
    cursor.consume("L"); // Python 2 wrote long integers so.
    return {};
  }

  TextCursor cursor;
  NpyHeader header;
  Key keys[3] = {{"descr", &HeaderParser::parseDescr},
                 {"fortran_order", &HeaderParser::parseFortranOrder},
                 {"shape", &HeaderParser::parseShape}};
};
} // namespace

static std::string formatDescr(DType dtype) {
  auto *known =
      std::find_if(std::begin(kNpyCodes), std::end(kNpyCodes),
                   [&](const NpyCode &c) { return c.dtype == dtype; });
  // A byte has no order.
  return (dtype == DType::Bool ? '|' : hostByteOrder()) +
         std::string(known->code);
}

Result<NpyHeader> fuse::rt::parseNpyHeader(std::string_view text) {
  return HeaderParser(text).parse();
}

std::string fuse::rt::formatNpyHeader(const TensorType &type) {
  constexpr size_t kAlignment = 64;
  constexpr size_t kGrowthDigits = 21; // Room to grow the first size in place.

  std::string shape;
  for (int64_t size : type.shape)
    shape += (shape.empty() ? "" : ", ") + std::to_string(size);
  if (type.shape.size() == 1)
    shape += ",";
  std::string text = "{'descr': '" + formatDescr(type.dtype) +
                     "', 'fortran_order': False, 'shape': (" + shape + "), }";
  if (!type.shape.empty())
    text.append(kGrowthDigits - std::to_string(type.shape[0]).size(), ' ');

  size_t prefix = kNpyMagic.size() + 4;
  text.append(kAlignment - (prefix + text.size() + 1) % kAlignment, ' ');
  text += '\n';

  std::string whole(kNpyMagic);
  whole += {'\1', '\0', static_cast<char>(text.size() & 0xff),
            static_cast<char>(text.size() >> 8)};
  return whole + text;
}
