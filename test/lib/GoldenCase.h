//===- GoldenCase.h - The calls stored in test/data ------------*- C++ -*-===//

#ifndef FUSE_TEST_LIB_GOLDENCASE_H
#define FUSE_TEST_LIB_GOLDENCASE_H

#include "TestProgram.h"

namespace fuse::test {

/// A program of examples/ and one call of it. `isValid` of the program is
/// false, and the test has failed, if a file cannot be read.
struct GoldenCase {
  std::unique_ptr<TestProgram> program;
  TensorValues arguments;

  /// `folder` holds one .npy file an argument.
  GoldenCase(const std::string &programFile, const std::string &folder);
};

} // namespace fuse::test

#endif // FUSE_TEST_LIB_GOLDENCASE_H
