//===- RandomProgram.cpp - Random small tensor programs -------------------===//

#include "RandomProgram.h"
#include "ProgramGenerator.h"

using namespace fuse;
using namespace fuse::test;

RandomProgram fuse::test::generateProgram(uint64_t seed) {
  return ProgramGenerator(seed).run();
}

RandomProgram ProgramGenerator::run() {
  TensorSpec type{
      choices.pick<std::string>({"f32", "f32", "f32", "f32", "f32", "f32",
                                 "f32", "f16", "bf16", "f64"}),
      {}};
  for (int64_t rank = choices.pick({0, 1, 2, 2, 2, 3, 3, 3, 4}); rank > 0;
       --rank)
    type.shape.push_back(
        extent(maxElements / std::max<int64_t>(countElements(type.shape), 1)));
  SmallVector<Named> results{value(type, 2 + int(choices.below(4)))};
  // A value inside the program may be a result, too.
  if (choices.percent(25))
    if (!builder.getValues().empty())
      results.push_back(choices.pickFrom(builder.getValues()));
  return builder.finish(results);
}

int64_t ProgramGenerator::extent(int64_t limit) {
  static constexpr int64_t extents[] = {1,  1,  1,  2,  2,  3,  3,  4,  5,
                                        5,  7,  8,  9,  11, 13, 15, 16, 17,
                                        24, 31, 33, 40, 63, 65, 130};
  if (choices.percent(1))
    return 0;
  int64_t chosen = choices.pickFrom(ArrayRef(extents));
  if (chosen <= limit)
    return chosen;
  return limit < 3 ? 1 : choices.pick<int64_t>({1, 2, 3});
}

//===----------------------------------------------------------------------===//
// Any value of a type
//===----------------------------------------------------------------------===//

Named ProgramGenerator::leaf(const TensorSpec &type) {
  if (choices.percent(60))
    if (std::optional<Named> known = builder.findValue(type))
      return *known;
  return builder.argument(type);
}

Named ProgramGenerator::value(const TensorSpec &type, int depth) {
  if (depth <= 0 || opsLeft <= 0)
    return leaf(type);
  if (choices.percent(15))
    if (std::optional<Named> known = builder.findValue(type))
      return *known;
  --opsLeft;
  if (type.element == "i1")
    return boolValue(type, depth - 1);
  if (type.element == "i32")
    return intValue(type, depth - 1);
  if (type.shape.empty() && choices.percent(50))
    return scalar(type.element, depth - 1);
  return floatValue(type, depth - 1);
}

Named ProgramGenerator::floatValue(const TensorSpec &type, int depth) {
  using Production =
      std::optional<Named> (ProgramGenerator::*)(const TensorSpec &, int);
  struct Weighted {
    int weight;
    Production production;
  };
  static constexpr Weighted productions[] = {
      {24, &ProgramGenerator::map},        {6, &ProgramGenerator::castFrom},
      {8, &ProgramGenerator::norm},        {5, &ProgramGenerator::softmax},
      {9, &ProgramGenerator::linear},      {12, &ProgramGenerator::einsum},
      {3, &ProgramGenerator::einsumOfOne}, {7, &ProgramGenerator::reduce},
      {4, &ProgramGenerator::broadcast},   {4, &ProgramGenerator::transpose},
      {5, &ProgramGenerator::reshape},     {3, &ProgramGenerator::slice},
      {3, &ProgramGenerator::concat},      {4, &ProgramGenerator::select},
      {6, &ProgramGenerator::attention},   {5, &ProgramGenerator::chain}};
  for (;;) {
    int64_t at = choices.below(108);
    for (auto [weight, production] : productions) {
      at -= weight;
      if (at >= 0)
        continue;
      if (std::optional<Named> made = (this->*production)(type, depth))
        return *made;
      break;
    }
  }
}

Named ProgramGenerator::scalar(const std::string &element, int depth) {
  TensorSpec type{element, {}};
  switch (choices.below(5)) {
  case 0:
    return builder.argument(type);
  case 1: {
    ArrayRef<Named> values = builder.getValues();
    if (values.empty() || choices.pickFrom(values).type.shape.empty())
      break;
    const Named &source = choices.pickFrom(values);
    if (source.type.shape.empty())
      break;
    return builder.opWithSignature(
        "dim " + source.name + " axis " +
            std::to_string(choices.below(source.type.shape.size())),
        source.type.str() + " -> " + type.str(), type);
  }
  case 2:
    return floatValue(type, depth);
  default:
    break;
  }
  return builder.scalarConstant(
      choices.pick<std::string>({"0.5", "2.0", "-1.5", "0.0", "3.0e-2"}),
      element);
}

//===----------------------------------------------------------------------===//
// i1 and i32
//===----------------------------------------------------------------------===//

Named ProgramGenerator::boolValue(const TensorSpec &type, int depth) {
  if (choices.percent(25))
    return builder.argument(type);
  if (choices.percent(25)) {
    std::string fn = choices.pick<std::string>({"and", "or", "xor", "not"});
    SmallVector<Named> operands{value(type, depth)};
    if (fn != "not")
      operands.push_back(value(type, depth));
    return mapOf(fn, operands, type);
  }
  // Computed floats may be too near to decide.
  bool isComputed = choices.percent(20);
  TensorSpec operand =
      type.with(choices.pick<std::string>({"f32", "f32", "i32", "bf16"}));
  Named lhs = isComputed ? value(operand, depth)
                         : (operand.element == "i32" ? intValue(operand, depth)
                                                     : leaf(operand));
  Named rhs = operand.element == "i32"
                  ? intValue(operand, depth)
                  : builder.scalarConstant("0.25", operand.element);
  std::string comparison =
      choices.pick<std::string>({"eq", "ne", "lt", "le", "gt", "ge"});
  return builder.op("compare " + comparison + " " + lhs.name + ", " + rhs.name,
                    {lhs, rhs}, type);
}

Named ProgramGenerator::intValue(const TensorSpec &type, int depth) {
  if (depth <= 0 || choices.percent(25))
    return builder.argument(type);
  if (!type.shape.empty() && choices.percent(40)) {
    std::string extents;
    for (int64_t length : type.shape)
      extents += (extents.empty() ? "" : " ") + std::to_string(length);
    return builder.opWithSignature(
        "iota axis " + std::to_string(choices.below(type.shape.size())) +
            " shape \"" + extents + "\"",
        type.str(), type);
  }
  if (choices.percent(10)) {
    Named source = leaf(type.with(choices.pick<std::string>({"f32", "i1"})));
    return castTo(source, type);
  }
  std::string fn = choices.pick<std::string>(
      {"add", "sub", "mul", "min", "max", "neg", "abs", "and", "or", "xor",
       "not", "relu", "floordiv", "mod", "clamp"});
  SmallVector<Named> operands{intValue(type, depth - 1)};
  if (fn == "floordiv" || fn == "mod")
    operands.push_back(builder.scalarConstant(
        choices.pick<std::string>({"3", "-2", "7"}), "i32"));
  else if (fn == "clamp")
    operands.append({builder.scalarConstant("-2", "i32"),
                     builder.scalarConstant("5", "i32")});
  else if (fn != "neg" && fn != "abs" && fn != "not" && fn != "relu")
    operands.push_back(intValue(type, depth - 1));
  return mapOf(fn, operands, type);
}
