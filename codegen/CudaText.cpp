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
    llvm::interleaveComma(map.factors(dim), os,
                          [&](const tile::Factor &factor) {
                            os << (factor.owner == tile::Owner::Register ? "Reg"
                                   : factor.owner == tile::Owner::Lane ? "Lane"
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

/// `2 * B * N + 1`, of an expression without fractions.
static std::string sumText(const DimExpr &expr,
                           function_ref<StringRef(StringRef)> symbolName) {
  SmallVector<std::string> terms;
  for (const DimExpr::Term &term : expr.getTerms()) {
    SmallVector<std::string> factors;
    if (term.numerator != 1 || term.powers.empty())
      factors.push_back(std::to_string(term.numerator));
    for (const DimExpr::Power &power : term.powers)
      factors.append(power.exponent, symbolName(power.symbol).str());
    terms.push_back(llvm::join(factors, " * "));
  }
  return terms.empty() ? "0" : llvm::join(terms, " + ");
}

std::string fuse::dimText(const DimExpr &expr,
                          function_ref<StringRef(StringRef)> symbolName) {
  auto [whole, numerator, denominator] = expr.getParts();
  if (numerator == DimExpr())
    return sumText(whole, symbolName);
  bool isSum = numerator.getTerms().size() > 1;
  bool isAtom = denominator.isSymbol() || denominator.constant();
  std::string text = (isSum ? "(" : "") + sumText(numerator, symbolName) +
                     (isSum ? ")" : "") + " / " + (isAtom ? "" : "(") +
                     sumText(denominator, symbolName) + (isAtom ? "" : ")");
  return whole == DimExpr() ? text : text + " + " + sumText(whole, symbolName);
}
