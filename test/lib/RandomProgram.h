//===- RandomProgram.h - Random small tensor programs ----------*- C++ -*-===//
//
// Valid programs of static shapes, with arguments to call them with. A program
// is made from its results: each is a random shape, for which an op is chosen
// that can have it, and so on for the operands. Shapes are mostly odd, and the
// ops are biased to the chains that matter (norm, linear, activation, norm;
// scores, mask, softmax, values; pairs of contractions), to values with several
// uses, to index maps, scalars and dims of 1. Operands of functions with a
// limited domain are mostly kept inside it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_LIB_RANDOMPROGRAM_H
#define FUSE_TEST_LIB_RANDOMPROGRAM_H

#include <cstdint>
#include <string>
#include <vector>

namespace fuse::test {

struct RandomProgram {
  /// A module with the one function `main`.
  std::string text;
  /// The elements of each argument, row-major.
  std::vector<std::vector<double>> arguments;
};

/// The same program for the same seed.
RandomProgram generateProgram(uint64_t seed);

} // namespace fuse::test

#endif // FUSE_TEST_LIB_RANDOMPROGRAM_H
