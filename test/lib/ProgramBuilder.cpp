//===- ProgramBuilder.cpp - Text of a random program ----------------------===//

#include "ProgramBuilder.h"
#include "fuse/runtime/DType.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace fuse;
using namespace fuse::test;

std::string TensorSpec::str() const {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

std::vector<double> ProgramBuilder::drawElements(const TensorSpec &type) {
  rt::DType dtype = *rt::parseDType(type.element);
  // Mostly of one magnitude; some tensors have special values or outliers.
  double scale = choices.pick({1.0, 1.0, 1.0, 0.25, 3.0});
  bool isSpecial = choices.percent(4), isUneven = choices.percent(10);
  const double specials[] = {0.0,
                             -0.0,
                             std::nan(""),
                             1e-40,
                             -1e-42,
                             1e30,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()};
  std::vector<double> elements(countElements(type.shape));
  for (double &element : elements) {
    if (dtype == rt::DType::Bool)
      element = choices.percent(60);
    else if (dtype == rt::DType::I32)
      element = static_cast<double>(choices.below(17) - 8);
    else
      element = scale * rt::drawNormal(choices.source());
    if (!rt::isFloat(dtype))
      continue;
    if (isUneven)
      element *= std::ldexp(1.0, static_cast<int>(choices.below(12) - 6));
    if (isSpecial && choices.percent(5))
      element = choices.pickFrom(ArrayRef(specials));
    element = rt::roundToDType(dtype, element);
  }
  return elements;
}

Named ProgramBuilder::argument(const TensorSpec &type) {
  Named value{"%arg" + std::to_string(arguments.size()), type};
  signature += (arguments.empty() ? "" : ", ") + value.name + ": " + type.str();
  arguments.push_back(drawElements(type));
  argumentValues.push_back(value);
  return value;
}

Named ProgramBuilder::op(const std::string &text, ArrayRef<Named> operands,
                         const TensorSpec &type) {
  std::string types;
  for (const Named &operand : operands)
    types += (types.empty() ? "" : ", ") + operand.type.str();
  return opWithSignature(text, "(" + types + ") -> " + type.str(), type);
}

Named ProgramBuilder::opWithSignature(const std::string &text,
                                      const std::string &signature,
                                      const TensorSpec &type) {
  Named value{freshName(), type};
  line(value.name + " = fuse." + text + " : " + signature);
  values.push_back(value);
  return value;
}

std::optional<Named> ProgramBuilder::findValue(const TensorSpec &type) {
  SmallVector<Named> found;
  for (const std::vector<Named> *scope : {&argumentValues, &values})
    llvm::copy_if(*scope, std::back_inserter(found),
                  [&](const Named &value) { return value.type == type; });
  if (found.empty())
    return std::nullopt;
  return choices.pickFrom(found);
}

RandomProgram ProgramBuilder::finish(ArrayRef<Named> results) {
  std::string names, types;
  for (const Named &result : results) {
    names += (names.empty() ? "" : ", ") + result.name;
    types += (types.empty() ? "" : ", ") + result.type.str();
  }
  return {"func.func @main(" + signature + ") -> (" + types + ") {\n" + body +
              "  return " + names + " : " + types + "\n}\n",
          std::move(arguments)};
}
