//===- ProgramGenerator.h - Choice of ops for a random program *- C++ -*-===//

#ifndef FUSE_TEST_LIB_PROGRAMGENERATOR_H
#define FUSE_TEST_LIB_PROGRAMGENERATOR_H

#include "ProgramBuilder.h"
#include "fuse/ir/ScalarFn.h"

namespace fuse::test {

class ProgramGenerator {
public:
  explicit ProgramGenerator(uint64_t seed) : choices(seed), builder(choices) {}
  RandomProgram run();

private:
  /// Limits on the elements of one tensor and the products of one contraction.
  static constexpr int64_t maxElements = 400, maxProducts = 12000;
  /// That of the dialect.
  static constexpr size_t maxRank = 8;

  int64_t extent(int64_t limit);
  /// As many as keep the products for a result of this size few.
  int64_t reducedExtent(const Shape &result);
  Shape permuted(ArrayRef<int64_t> axes);
  Shape permutation(int64_t size);

  /// A new or a known value. `depth` is how many ops may stand above each
  /// other.
  Named value(const TensorSpec &type, int depth);
  Named leaf(const TensorSpec &type);
  Named floatValue(const TensorSpec &type, int depth);
  Named boolValue(const TensorSpec &type, int depth);
  Named intValue(const TensorSpec &type, int depth);
  Named scalar(const std::string &element, int depth);

  // Productions: a value of this type by one kind of op, or nothing if the type
  // does not suit.
  std::optional<Named> map(const TensorSpec &type, int depth);
  std::optional<Named> castFrom(const TensorSpec &type, int depth);
  std::optional<Named> select(const TensorSpec &type, int depth);
  std::optional<Named> norm(const TensorSpec &type, int depth);
  std::optional<Named> softmax(const TensorSpec &type, int depth);
  std::optional<Named> linear(const TensorSpec &type, int depth);
  std::optional<Named> einsum(const TensorSpec &type, int depth);
  std::optional<Named> einsumOfOne(const TensorSpec &type, int depth);
  std::optional<Named> reduce(const TensorSpec &type, int depth);
  std::optional<Named> broadcast(const TensorSpec &type, int depth);
  std::optional<Named> transpose(const TensorSpec &type, int depth);
  std::optional<Named> reshape(const TensorSpec &type, int depth);
  std::optional<Named> slice(const TensorSpec &type, int depth);
  std::optional<Named> concat(const TensorSpec &type, int depth);
  std::optional<Named> attention(const TensorSpec &type, int depth);
  /// norm, linear, activation, norm
  std::optional<Named> chain(const TensorSpec &type, int depth);

  // Ops on given operands.
  Named mapOf(StringRef fn, ArrayRef<Named> operands, const TensorSpec &type);
  Named castTo(const Named &source, const TensorSpec &type);
  Named normOf(const Named &x);
  Named linearOf(const Named &x, int64_t outputs);
  /// Made larger than 0, or kept between moderate limits.
  Named positive(const Named &x);
  Named bounded(const Named &x);
  Named activation(const Named &x);
  /// The operands of a function, mostly in its domain.
  SmallVector<Named> operandsOf(ScalarFn fn, const TensorSpec &type, int depth);
  /// What the region of an attention makes of the scores.
  Named editedScores(const Named &scores, int depth);
  std::string precisionOf(const std::string &element);

  Choices choices;
  ProgramBuilder builder;
  int opsLeft = 14;
};

} // namespace fuse::test

#endif // FUSE_TEST_LIB_PROGRAMGENERATOR_H
