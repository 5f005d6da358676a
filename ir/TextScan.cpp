//===- TextScan.cpp - Limits on text before it is parsed ------------------===//

#include "fuse/ir/TextScan.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using namespace fuse;

static bool isWordStart(char c) { return llvm::isAlpha(c) || c == '_'; }

static bool isWordChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

static bool isNameChar(char c) { return isWordChar(c) || c == '-'; }

namespace {
/// Splits text into the tokens of MLIR's lexer, as far as nesting goes. Where
/// the two could differ, the lexer has met an error, which ends parsing.
class TextScanner {
public:
  TextScanner(StringRef text, const TextLimits &limits)
      : text(text), limits(limits), expandedBytes(text.size()) {}

  std::optional<TextError> run();

private:
  struct Group {
    char open;
    /// Operators since the last comma.
    unsigned operators = 0;
  };
  /// What stands behind the name of an alias.
  struct Alias {
    unsigned depth = 0;
    uint64_t bytes = 0;
  };

  void scanToken();
  void scanPunctuation();
  StringRef rest() const { return text.drop_front(position); }
  StringRef take(size_t size);
  void skipBlank();
  void skipString();
  void skipNumber();
  StringRef takePrefixedName();

  void openGroup(char open);
  void closeGroup(char open);
  void addOperator();
  void endOperators();
  void deepen(unsigned levels);

  void scanAlias();
  void beginDefinition(StringRef name);
  void endDefinition();
  void useAlias(const Alias &alias);

  /// A token that could be a value by itself, and one that asks for more.
  void atValue();
  void atJoint() { expectsValue = true; }
  bool isInDefinition() const { return !definedName.empty(); }

  void fail(const Twine &message);

  StringRef text;
  TextLimits limits;
  size_t position = 0;
  size_t tokenStart = 0;
  uint64_t expandedBytes;
  std::optional<TextError> error;

  SmallVector<Group> groups;
  std::array<unsigned, 128> numOpen = {};
  unsigned depth = 0;

  llvm::StringMap<Alias> aliases;
  /// The definition being read: it starts among `outerGroups` open groups, at
  /// `outerDepth`, and ends where a second value would begin.
  std::string definedName;
  Alias definition;
  size_t definitionStart = 0, outerGroups = 0;
  unsigned outerDepth = 0;
  bool expectsValue = false;
};
} // namespace

void TextScanner::fail(const Twine &message) {
  if (!error)
    error = TextError{tokenStart, message.str()};
}

std::optional<TextError> TextScanner::run() {
  if (text.size() > limits.maxBytes) {
    fail("expects a text of at most " + Twine(limits.maxBytes) +
         " bytes, but got " + Twine(text.size()));
    return error;
  }
  for (skipBlank(); position < text.size() && !error; skipBlank()) {
    tokenStart = position;
    scanToken();
  }
  return error;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

StringRef TextScanner::take(size_t size) {
  StringRef taken = rest().take_front(size);
  position += taken.size();
  return taken;
}

void TextScanner::skipBlank() {
  while (!rest().empty()) {
    char c = rest().front();
    if (llvm::isSpace(c) || c == '\0')
      ++position;
    else if (rest().starts_with("//"))
      position = std::min(text.find_first_of("\r\n", position), text.size());
    else
      return;
  }
}

/// Up to the closing quote, or the end of the line, where a string must end.
void TextScanner::skipString() {
  for (++position; position < text.size(); ++position) {
    char c = text[position];
    if (c == '\\' && position + 1 < text.size() && text[position + 1] != '\n')
      ++position;
    else if (c == '"' || c == '\n')
      break;
  }
  take(1);
}

/// `42`, `0x2a` or `4.2e+1`. In `4x2` and `4mod 2` it is `4`.
void TextScanner::skipNumber() {
  if (rest().starts_with("0x") && rest().size() > 2 &&
      llvm::isHexDigit(rest()[2])) {
    position += 2;
    take(rest().take_while(llvm::isHexDigit).size());
    return;
  }
  take(rest().take_while(llvm::isDigit).size());
  if (!rest().starts_with("."))
    return;
  take(1 + rest().drop_front().take_while(llvm::isDigit).size());
  StringRef exponent = rest();
  if (exponent.consume_front_insensitive("e")) {
    if (!exponent.consume_front("+"))
      exponent.consume_front("-");
    StringRef digits = exponent.take_while(llvm::isDigit);
    if (!digits.empty())
      position = digits.end() - text.begin();
  }
}

/// The mark and the name after `#`, `!`, `%` or `^`.
StringRef TextScanner::takePrefixedName() {
  StringRef name = rest().drop_front();
  bool isNumber = !name.empty() && llvm::isDigit(name.front());
  name = name.take_while(isNumber ? llvm::isDigit : isNameChar);
  return take(1 + name.size());
}

void TextScanner::scanToken() {
  char c = text[position];
  if (llvm::isDigit(c)) {
    atValue();
    return skipNumber();
  }
  if (isWordStart(c)) {
    StringRef word = take(rest().take_while(isWordChar).size());
    if (word == "mod" || word == "floordiv" || word == "ceildiv")
      return addOperator();
    return atValue();
  }
  switch (c) {
  case '"':
    atValue();
    return skipString();
  case '#':
  case '!':
    return scanAlias();
  case '%':
  case '^':
    atValue();
    takePrefixedName();
    return;
  case '@':
    atValue();
    ++position;
    if (rest().starts_with("\""))
      return skipString();
    take(rest().take_while(isWordChar).size());
    return;
  default:
    return scanPunctuation();
  }
}

void TextScanner::scanPunctuation() {
  char c = text[position];
  if (rest().starts_with("->")) {
    position += 2;
    return atJoint();
  }
  ++position;
  switch (c) {
  case '(':
  case '[':
  case '{':
  case '<':
    return openGroup(c);
  case ')':
    return closeGroup('(');
  case ']':
    return closeGroup('[');
  case '}':
    return closeGroup('{');
  case '>':
    // Elsewhere it is part of a comparison.
    if (!groups.empty() && groups.back().open == '<')
      closeGroup('<');
    return;
  case '+':
  case '-':
  case '*':
    atJoint();
    return addOperator();
  case ',':
    endOperators();
    return atJoint();
  default:
    return atJoint();
  }
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void TextScanner::deepen(unsigned levels) {
  if (levels > limits.maxDepth - depth)
    return fail("expects at most " + Twine(limits.maxDepth) +
                " levels of nesting, but this is deeper");
  unsigned inDefinition = depth + levels - std::min(depth, outerDepth);
  definition.depth = std::max(definition.depth, inDefinition);
}

void TextScanner::openGroup(char open) {
  deepen(1);
  ++depth;
  ++numOpen[open];
  groups.push_back({open});
}

/// Also closes the groups inside, where `<` was no bracket after all.
void TextScanner::closeGroup(char open) {
  if (numOpen[open] == 0)
    return;
  for (char closed = 0; closed != open;) {
    endOperators();
    --depth;
    closed = groups.pop_back_val().open;
    --numOpen[closed];
  }
  expectsValue = false;
}

/// Operators outside of brackets and directly in braces are signs of numbers.
void TextScanner::addOperator() {
  if (groups.empty() || groups.back().open == '{')
    return;
  deepen(1);
  ++depth;
  ++groups.back().operators;
}

void TextScanner::endOperators() {
  if (groups.empty())
    return;
  depth -= groups.back().operators;
  groups.back().operators = 0;
}

//===----------------------------------------------------------------------===//
// Aliases
//===----------------------------------------------------------------------===//

/// `#name` or `!name`: the use or, before `=`, the definition of an alias. The
/// two kinds of names do not meet, so the mark is part of the name.
void TextScanner::scanAlias() {
  StringRef name = takePrefixedName();
  skipBlank();
  if (name.size() > 1 && rest().starts_with("=") && !rest().starts_with("=="))
    return beginDefinition(name);
  atValue();
  auto alias = aliases.find(name);
  if (alias != aliases.end())
    useAlias(alias->second);
}

void TextScanner::beginDefinition(StringRef name) {
  endDefinition();
  definedName = name.str();
  definition = Alias();
  definitionStart = tokenStart;
  outerGroups = groups.size();
  outerDepth = depth;
  expectsValue = true;
  ++position;
}

void TextScanner::endDefinition() {
  if (!isInDefinition())
    return;
  definition.bytes =
      llvm::SaturatingAdd(definition.bytes, tokenStart - definitionStart);
  aliases[definedName] = definition;
  definedName.clear();
  outerDepth = 0;
}

void TextScanner::useAlias(const Alias &alias) {
  deepen(alias.depth);
  expandedBytes = llvm::SaturatingAdd(expandedBytes, alias.bytes);
  definition.bytes = llvm::SaturatingAdd(definition.bytes, alias.bytes);
  if (expandedBytes > limits.maxBytes)
    fail("expects a text of at most " + Twine(limits.maxBytes) +
         " bytes with every alias expanded, but this is longer");
}

/// Two values in a row are never one attribute or type, so the second begins
/// what follows the definition.
void TextScanner::atValue() {
  if (isInDefinition() && groups.size() <= outerGroups && !expectsValue)
    endDefinition();
  expectsValue = false;
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

bool fuse::isBytecode(StringRef data) { return data.starts_with("ML\xefR"); }

std::optional<TextError> fuse::scanText(StringRef text,
                                        const TextLimits &limits) {
  return TextScanner(text, limits).run();
}
