//===- conformance_lines.h - hashes as lines of text ------------*- C++ -*-===//

#ifndef FUSE_TEST_MATH_CONFORMANCE_LINES_H
#define FUSE_TEST_MATH_CONFORMANCE_LINES_H

#include "conformance.h"
#include <cstdio>

namespace fuse {

#define FUSE_NAME(name) #name,
static const char *const realNames[] = {FUSE_UNARY_FUNCTIONS(FUSE_NAME)
                                            FUSE_BINARY_FUNCTIONS(FUSE_NAME)};
static const char *const integerNames[] = {FUSE_INTEGER_FUNCTIONS(FUSE_NAME)};
#undef FUSE_NAME

/// `number name type hash`.
inline void printHash(int function, unsigned long hash) {
  const bool isInteger = function >= 2 * realCount;
  const char *name = isInteger ? integerNames[function - 2 * realCount]
                               : realNames[function % realCount];
  const char *type = isInteger ? "i32" : function < realCount ? "f32" : "f64";
  std::printf("%2d %-10s %s %016lx\n", function, name, type, hash);
}

} // namespace fuse

#endif // FUSE_TEST_MATH_CONFORMANCE_LINES_H
