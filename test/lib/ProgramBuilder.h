//===- ProgramBuilder.h - Text of a random program -------------*- C++ -*-===//

#ifndef FUSE_TEST_LIB_PROGRAMBUILDER_H
#define FUSE_TEST_LIB_PROGRAMBUILDER_H

#include "Indices.h"
#include "RandomProgram.h"
#include "fuse/runtime/Random.h"
#include <optional>

namespace fuse::test {

/// Choices from one seed.
class Choices {
public:
  explicit Choices(uint64_t seed) : generator(seed) {}

  /// 0 .. count - 1.
  int64_t below(int64_t count) { return generator.next() % count; }
  bool percent(int64_t chance) { return below(100) < chance; }
  template <typename T>
  T pick(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  template <typename Range>
  const auto &pickFrom(const Range &range) {
    return range[below(range.size())];
  }
  rt::SplitMix64 &source() { return generator; }

private:
  rt::SplitMix64 generator;
};

/// `tensor<3x4xf32>`, by its parts.
struct TensorSpec {
  std::string element;
  Shape shape;

  std::string str() const;
  TensorSpec with(std::string otherElement) const {
    return {std::move(otherElement), shape};
  }
  TensorSpec with(Shape otherShape) const {
    return {element, std::move(otherShape)};
  }
  bool operator==(const TensorSpec &other) const {
    return element == other.element && shape == other.shape;
  }
};

/// An SSA value.
struct Named {
  std::string name;
  TensorSpec type;
};

/// Writes ops and draws arguments.
class ProgramBuilder {
public:
  explicit ProgramBuilder(Choices &choices) : choices(choices) {}

  /// A new function argument with random elements.
  Named argument(const TensorSpec &type);
  /// `%name = fuse.<text> : (operand types) -> type`; the text names the
  /// operands, of which only the types are taken here.
  Named op(const std::string &text, ArrayRef<Named> operands,
           const TensorSpec &type);
  /// The same with `signature` after the colon.
  Named opWithSignature(const std::string &text, const std::string &signature,
                        const TensorSpec &type);
  Named scalarConstant(const std::string &value, const std::string &element) {
    return opWithSignature("constant " + value, TensorSpec{element, {}}.str(),
                           {element, {}});
  }
  /// A line of text, for what the functions above cannot write.
  void line(const std::string &text) { body += "  " + text + "\n"; }
  /// Makes a value known that `line` has defined.
  void define(const Named &value) { values.push_back(value); }
  std::string freshName() { return "%" + std::to_string(numValues++); }

  /// A value that is in scope here.
  std::optional<Named> findValue(const TensorSpec &type);
  /// What is defined inside a region is not for use after it.
  size_t enterRegion() const { return values.size(); }
  void leaveRegion(size_t entered) { values.resize(entered); }
  ArrayRef<Named> getValues() const { return values; }

  RandomProgram finish(ArrayRef<Named> results);

private:
  std::vector<double> drawElements(const TensorSpec &type);

  Choices &choices;
  std::string signature, body;
  std::vector<Named> argumentValues, values;
  std::vector<std::vector<double>> arguments;
  unsigned numValues = 0;
};

} // namespace fuse::test

#endif // FUSE_TEST_LIB_PROGRAMBUILDER_H
