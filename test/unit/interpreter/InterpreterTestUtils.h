//===- InterpreterTestUtils.h - Helpers of these tests --------*- C++ -*-===//
//-*-C++-*-===//

#ifndef FUSE_TEST_UNIT_INTERPRETER_INTERPRETERTESTUTILS_H
#define FUSE_TEST_UNIT_INTERPRETER_INTERPRETERTESTUTILS_H

#include "TestProgram.h"
#include "fuse/runtime/Random.h"
#include "rapidcheck.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

namespace fuse::test {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double quietNan = std::numeric_limits<double>::quiet_NaN();

/// True if the results are within the bounds of the reference.
inline bool passes(const Tensor &want, ArrayRef<double> got) {
  return judge(want, got, Criterion()).passed;
}

/// The same bits, but for all NaNs being one.
inline ::testing::AssertionResult sameBits(ArrayRef<double> got,
                                           ArrayRef<double> want) {
  if (got.size() != want.size())
    return ::testing::AssertionFailure()
           << got.size() << " elements instead of " << want.size();
  for (size_t i = 0; i < got.size(); ++i) {
    bool same = std::isnan(want[i])
                    ? std::isnan(got[i])
                    : got[i] == want[i] &&
                          std::signbit(got[i]) == std::signbit(want[i]);
    if (!same)
      return ::testing::AssertionFailure()
             << "element " << i << " is " << got[i] << " instead of "
             << want[i];
  }
  return ::testing::AssertionSuccess();
}

/// A single element `fuse.<op>` of scalars: `op` names the operands `%0`, ...
inline ResultTensor evaluateScalarOp(const std::string &op,
                                     ArrayRef<std::string> operandTypes,
                                     const std::string &signature,
                                     const std::string &resultType,
                                     ArrayRef<double> operands) {
  std::string arguments;
  TensorValues values;
  for (size_t i = 0; i < operandTypes.size(); ++i) {
    arguments += (i ? ", %a" : "%a") + std::to_string(i) + ": tensor<" +
                 operandTypes[i] + ">";
    values.push_back({operands[i]});
  }
  return evaluateProgram("func.func @main(" + arguments + ") -> tensor<" +
                             resultType + "> {\n  %y = fuse." + op + " : " +
                             signature + "\n  return %y : tensor<" +
                             resultType + ">\n}\n",
                         values);
}

/// `fuse.map fn` of scalars of one element type.
inline ResultTensor evaluateMap(const std::string &fn, const std::string &type,
                                ArrayRef<double> operands) {
  std::string names, types;
  for (size_t i = 0; i < operands.size(); ++i) {
    names += (i ? ", %a" : "%a") + std::to_string(i);
    types += (i ? ", " : "") + ("tensor<" + type + ">");
  }
  return evaluateScalarOp("map " + fn + " " + names,
                          std::vector<std::string>(operands.size(), type),
                          "(" + types + ") -> tensor<" + type + ">", type,
                          operands);
}

inline ResultTensor evaluateCastOp(const std::string &from,
                                   const std::string &to, double operand) {
  return evaluateScalarOp("cast %a0", {from},
                          "tensor<" + from + "> -> tensor<" + to + ">", to,
                          {operand});
}

/// For use in a rapidcheck property: values of f32.
inline std::vector<double> drawFloats(int64_t count) {
  std::vector<double> values(count);
  for (double &value : values)
    value = static_cast<float>(*rc::gen::inRange(-1000, 1001) / 256.0 *
                               std::ldexp(1.0, *rc::gen::inRange(-3, 4)));
  return values;
}

/// `3x4x`, as in the text of a type.
inline std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text;
}
inline std::string tensorText(ArrayRef<int64_t> shape,
                              const std::string &element = "f32") {
  return "tensor<" + shapeText(shape) + element + ">";
}

} // namespace fuse::test

#endif // FUSE_TEST_UNIT_INTERPRETER_INTERPRETERTESTUTILS_H
