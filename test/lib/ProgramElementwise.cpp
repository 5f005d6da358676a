//===- ProgramElementwise.cpp - Elementwise ops of random programs --------===//

#include "ProgramGenerator.h"
#include "llvm/ADT/STLExtras.h"

using namespace fuse;
using namespace fuse::test;

Named ProgramGenerator::mapOf(StringRef fn, ArrayRef<Named> operands,
                              const TensorSpec &type) {
  std::string names;
  for (const Named &operand : operands)
    names += (names.empty() ? "" : ", ") + operand.name;
  return builder.op("map " + fn.str() + " " + names, operands, type);
}

Named ProgramGenerator::castTo(const Named &source, const TensorSpec &type) {
  return builder.opWithSignature("cast " + source.name,
                                 source.type.str() + " -> " + type.str(), type);
}

Named ProgramGenerator::positive(const Named &x) {
  Named size = x;
  switch (choices.below(4)) {
  case 0:
    size = mapOf("softplus", {x}, x.type);
    break;
  case 1:
    size = mapOf("mul", {x, x}, x.type);
    break;
  case 2:
    size = mapOf("exp", {bounded(x)}, x.type);
    break;
  default:
    size = mapOf("abs", {x}, x.type);
    break;
  }
  Named least = builder.scalarConstant(
      choices.pick<std::string>({"0.25", "1.0"}), x.type.element);
  return mapOf("add", {size, least}, x.type);
}

Named ProgramGenerator::bounded(const Named &x) {
  if (choices.percent(40)) {
    Named low = builder.scalarConstant("-3.0", x.type.element);
    Named high = builder.scalarConstant("4.0", x.type.element);
    return mapOf("clamp", {x, low, high}, x.type);
  }
  return mapOf(choices.pick<StringRef>({"tanh", "sigmoid", "erf", "sin"}), {x},
               x.type);
}

Named ProgramGenerator::activation(const Named &x) {
  return mapOf(choices.pick<StringRef>({"silu", "gelu", "gelu_tanh", "relu",
                                        "sigmoid", "softplus"}),
               {x}, x.type);
}

SmallVector<Named>
ProgramGenerator::operandsOf(ScalarFn fn, const TensorSpec &type, int depth) {
  SmallVector<Named> x{value(type, depth)};
  for (unsigned i = 1; i < getInfo(fn).arity; ++i)
    x.push_back(choices.percent(30) ? scalar(type.element, depth)
                                    : value(type, depth));
  if (choices.percent(6))
    return x; // the wild side
  switch (fn) {
  case ScalarFn::Exp:
  case ScalarFn::Exp2:
  case ScalarFn::Expm1:
    x[0] = bounded(x[0]);
    break;
  case ScalarFn::Sqrt:
  case ScalarFn::Rsqrt:
  case ScalarFn::Log:
  case ScalarFn::Log2:
  case ScalarFn::Log1p:
    x[0] = positive(x[0]);
    break;
  case ScalarFn::Pow:
    x[0] = positive(x[0]);
    x[1] = bounded(x[1]);
    break;
  case ScalarFn::Div:
    x[1] = positive(x[1]);
    break;
  case ScalarFn::Clamp:
    x[1] = builder.scalarConstant("-0.75", type.element);
    break;
  case ScalarFn::Elu:
  case ScalarFn::LeakyRelu:
    if (choices.percent(70))
      x[1] = builder.scalarConstant("0.1", type.element);
    break;
  default:
    break;
  }
  return x;
}

/// All functions of floats, from the table.
static SmallVector<ScalarFn> floatFunctions() {
  SmallVector<ScalarFn> functions;
  for (StringRef spelling : scalarFnSpellings()) {
    ScalarFn fn = *symbolizeScalarFn(spelling);
    ScalarOperands operands = getInfo(fn).operands;
    if (operands == ScalarOperands::Float || operands == ScalarOperands::Number)
      functions.push_back(fn);
  }
  return functions;
}

std::optional<Named> ProgramGenerator::map(const TensorSpec &type, int depth) {
  ScalarFn fn = choices.pickFrom(floatFunctions());
  // Products and sums are what programs are made of.
  if (choices.percent(25))
    fn = choices.pick({ScalarFn::Add, ScalarFn::Sub, ScalarFn::Mul});
  // Jumps leave little to judge behind them.
  bool jumps =
      fn == ScalarFn::Floor || fn == ScalarFn::Ceil || fn == ScalarFn::Round;
  if (jumps && choices.percent(70))
    return std::nullopt;
  return mapOf(stringify(fn), operandsOf(fn, type, depth), type);
}

std::optional<Named> ProgramGenerator::castFrom(const TensorSpec &type,
                                                int depth) {
  std::string element =
      choices.pick<std::string>({"f32", "bf16", "f16", "f64", "i32", "i1"});
  if (element == type.element)
    return std::nullopt;
  return castTo(value(type.with(element), depth), type);
}

std::optional<Named> ProgramGenerator::select(const TensorSpec &type,
                                              int depth) {
  Named condition = value(type.with("i1"), depth);
  Named onTrue =
      choices.percent(30) ? scalar(type.element, depth) : value(type, depth);
  Named onFalse = value(type, depth);
  return builder.op("select " + condition.name + ", " + onTrue.name + ", " +
                        onFalse.name,
                    {condition, onTrue, onFalse}, type);
}
