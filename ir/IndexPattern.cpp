//===- IndexPattern.cpp - Named-axis patterns and einsum strings ----------===//

#include "fuse/ir/IndexPattern.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fuse;

bool fuse::isSymbolFactor(StringRef factor) {
  return !factor.empty() && llvm::isUpper(factor.front());
}

bool fuse::isNumberFactor(StringRef factor) {
  return !factor.empty() && llvm::isDigit(factor.front());
}

SmallVector<std::string> IndexPattern::flat() const {
  SmallVector<std::string> result;
  for (const AxisFactors &axis : axes)
    result.append(axis.begin(), axis.end());
  return result;
}

std::string IndexPattern::str() const {
  return llvm::join(llvm::map_range(axes,
                                    [](const AxisFactors &axis) {
                                      std::string text = llvm::join(axis, " ");
                                      return axis.size() == 1
                                                 ? text
                                                 : "(" + text + ")";
                                    }),
                    " ");
}

static bool isValidFactor(StringRef factor) {
  int64_t number;
  if (isNumberFactor(factor))
    return !factor.getAsInteger(10, number);
  return llvm::isAlpha(factor.front()) && llvm::all_of(factor, [](char c) {
           return llvm::isAlnum(c) || c == '_';
         });
}

std::optional<IndexPattern> IndexPattern::parse(StringRef text,
                                                std::string &error) {
  auto fail = [&](const Twine &message) {
    error = (message + " in pattern '" + text.trim() + "'").str();
    return std::nullopt;
  };
  IndexPattern pattern;
  bool inGroup = false;
  for (StringRef rest = text.ltrim(); !rest.empty(); rest = rest.ltrim()) {
    if (rest.consume_front("(")) {
      if (inGroup)
        return fail("expects groups that do not nest");
      inGroup = true;
      pattern.axes.emplace_back();
      continue;
    }
    if (rest.consume_front(")")) {
      if (!inGroup)
        return fail("expects '(' before ')'");
      inGroup = false;
      if (pattern.axes.back().empty())
        return fail("expects a factor inside '()'; write 1 for an axis of "
                    "extent one");
      continue;
    }
    StringRef factor = rest.take_until(
        [](char c) { return llvm::isSpace(c) || c == '(' || c == ')'; });
    if (!isValidFactor(factor))
      return fail("expects a name or a number, but got '" + factor + "'");
    rest = rest.drop_front(factor.size());
    if (!inGroup)
      pattern.axes.emplace_back();
    pattern.axes.back().push_back(factor.str());
  }
  if (inGroup)
    return fail("expects ')'");
  return pattern;
}

std::optional<IndexMapping> IndexMapping::parse(StringRef text,
                                                std::string &error) {
  size_t arrow = text.find("->");
  if (arrow == StringRef::npos) {
    error = ("expects '->' in pattern '" + text + "'").str();
    return std::nullopt;
  }
  IndexMapping mapping;
  SmallVector<StringRef> operands;
  text.take_front(arrow).split(operands, ',');
  for (StringRef operand : operands) {
    std::optional<IndexPattern> pattern = IndexPattern::parse(operand, error);
    if (!pattern)
      return std::nullopt;
    mapping.operands.push_back(std::move(*pattern));
  }
  std::optional<IndexPattern> result =
      IndexPattern::parse(text.drop_front(arrow + 2), error);
  if (!result)
    return std::nullopt;
  mapping.result = std::move(*result);
  return mapping;
}

std::string EinsumSpec::reduced() const {
  std::string letters;
  for (const std::string &operand : operands)
    for (char letter : operand)
      if (!llvm::is_contained(result, letter) &&
          !llvm::is_contained(letters, letter))
        letters += letter;
  return letters;
}

EinsumSpec EinsumSpec::ofFactors(ArrayRef<IndexPattern> operands,
                                 const IndexPattern &result) {
  SmallVector<std::string> names;
  auto letters = [&](const IndexPattern &pattern) {
    std::string text;
    for (const std::string &factor : pattern.flat()) {
      auto *it = llvm::find(names, factor);
      text += static_cast<char>('a' + (it - names.begin()));
      if (it == names.end())
        names.push_back(factor);
    }
    return text;
  };
  EinsumSpec spec;
  for (const IndexPattern &operand : operands)
    spec.operands.push_back(letters(operand));
  spec.result = letters(result);
  return spec;
}

std::string EinsumSpec::str() const {
  return llvm::join(operands, ",") + "->" + result;
}

std::optional<EinsumSpec> EinsumSpec::parse(StringRef text,
                                            std::string &error) {
  auto fail = [&](const Twine &message) {
    error = (message + " in einsum string '" + text + "'").str();
    return std::nullopt;
  };
  if (text.contains("..."))
    return fail("expects every axis to be named, but got '...'");
  size_t arrow = text.find("->");
  if (arrow == StringRef::npos)
    return fail("expects '->'");
  EinsumSpec spec;
  SmallVector<StringRef> operands;
  text.take_front(arrow).split(operands, ',');
  if (operands.size() > 2)
    return fail("expects one or two operands, but got " +
                Twine(operands.size()));
  for (StringRef operand : operands)
    spec.operands.push_back(operand.trim().str());
  spec.result = text.drop_front(arrow + 2).trim().str();

  for (StringRef letters :
       {StringRef(spec.operands.front()), StringRef(spec.operands.back()),
        StringRef(spec.result)}) {
    StringRef bad = letters.drop_while(llvm::isAlpha);
    if (!bad.empty())
      return fail("expects letters only, but got '" + bad.take_front(1) + "'");
  }
  for (auto [index, letter] : llvm::enumerate(spec.result)) {
    if (spec.result.find(letter, index + 1) != std::string::npos)
      return fail("expects each result index once, but '" + Twine(letter) +
                  "' is repeated");
    if (llvm::none_of(spec.operands, [&, l = letter](const std::string &s) {
          return llvm::is_contained(s, l);
        }))
      return fail("expects each result index in an operand, but '" +
                  Twine(letter) + "' is in none");
  }
  return spec;
}
