//===- CudaText.cpp - Spelling of types and numbers -----------------------===//

#include "CudaText.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include <charconv>

using namespace mlir;
using namespace fuse;

StringRef fuse::typeText(Type elementType) {
  if (elementType.isF32())
    return "float";
  if (elementType.isF64())
    return "double";
  if (elementType.isF16())
    return "Half";
  if (elementType.isBF16())
    return "BFloat16";
  return elementType.isInteger(1) ? "bool" : "int";
}

/// The shortest decimal that reads back, as a literal of a floating type.
template <typename Real>
static std::string shortestText(Real value) {
  char buffer[64];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  std::string text(buffer, end);
  if (StringRef(text).find_first_of(".e") == StringRef::npos)
    text += ".0";
  return text;
}

static std::string floatText(FloatAttr value) {
  Type type = value.getType();
  const llvm::APFloat &number = value.getValue();
  bool isNarrow = type.isF16() || type.isBF16();
  std::string compute = type.isF64() ? "double" : "float";
  std::string text;
  if (number.isNaN())
    text = "nan_of<" + compute + ">()";
  else if (number.isInfinity())
    text = (number.isNegative() ? "-infinity_of<" : "infinity_of<") + compute +
           ">()";
  else if (type.isF64())
    text = shortestText(number.convertToDouble());
  else
    text = shortestText(static_cast<float>(value.getValueAsDouble())) + "f";
  return isNarrow ? (typeText(type) + "(" + text + ")").str() : text;
}

std::string fuse::numberText(Attribute value) {
  return TypeSwitch<Attribute, std::string>(value)
      .Case([](FloatAttr value) { return floatText(value); })
      .Case([](IntegerAttr value) -> std::string {
        if (value.getType().isInteger(1))
          return value.getValue().isZero() ? "false" : "true";
        // The lowest int has no literal: -2147483648 is an expression.
        if (value.getValue().isMinSignedValue())
          return "(-2147483647 - 1)";
        return std::to_string(value.getValue().getSExtValue());
      })
      .Default([](Attribute) -> std::string {
        llvm_unreachable("elements are floats, integers or booleans");
      });
}

std::string fuse::mapText(const tile::FragmentMap &map) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "FragmentMap<" << map.warps();
  for (int64_t dim = 0; dim < map.rank(); ++dim) {
    os << ", Dim<";
    llvm::interleaveComma(map.factors(dim), os, [&](const tile::Factor &factor) {
      os << (factor.owner == tile::Owner::Register ? "Reg"
             : factor.owner == tile::Owner::Lane   ? "Lane"
                                                   : "Warp")
         << "<" << factor.extent;
      if (factor.stride != 1)
        os << ", " << factor.stride;
      os << ">";
    });
    os << ">";
  }
  os << ">";
  return text;
}

std::string fuse::functionText(ScalarFn fn) {
  // `and`, `or`, `xor` and `not` are words of C++.
  bool isWord = getInfo(fn).operands == ScalarOperands::Logic;
  return ((isWord ? "logical_" : "") + stringify(fn)).str();
}

std::string fuse::functionText(Comparison comparison) {
  return ("compare_" + stringify(comparison)).str();
}

/// `2 * B * N / 3`; exact, so the order of the operations does not matter.
static std::string termText(const DimExpr::Term &term,
                            function_ref<StringRef(StringRef)> symbolName) {
  SmallVector<std::string> factors, divisors;
  if (term.numerator != 1)
    factors.push_back(std::to_string(term.numerator));
  if (term.denominator != 1)
    divisors.push_back(std::to_string(term.denominator));
  for (const DimExpr::Power &power : term.powers)
    for (int i = 0; i < std::abs(power.exponent); ++i)
      (power.exponent > 0 ? factors : divisors)
          .push_back(symbolName(power.symbol).str());
  if (factors.empty())
    factors.emplace_back("1");
  std::string text = llvm::join(factors, " * ");
  for (const std::string &divisor : divisors)
    text += " / " + divisor;
  return text;
}

std::string fuse::dimText(const DimExpr &expr,
                          function_ref<StringRef(StringRef)> symbolName) {
  if (expr.getTerms().empty())
    return "0";
  SmallVector<std::string> terms;
  for (const DimExpr::Term &term : expr.getTerms())
    terms.push_back(termText(term, symbolName));
  return llvm::join(terms, " + ");
}
