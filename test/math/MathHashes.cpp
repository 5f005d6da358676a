//===- MathHashes.cpp - prints the hash of each scalar function -----------===//
//
// fuse-math-hashes [FIRST STRIDE COUNT]
//
// What the kernel in conformance.cu computes, a line `number name type hash`
// for each function. Built by several compilers at several levels, whose lines
// must be the same.
//
//===----------------------------------------------------------------------===//

#include "conformance_lines.h"
#include <cstdlib>

int main(int argc, char **argv) {
  auto argument = [&](int i, unsigned other) {
    return argc > i ? unsigned(std::strtoul(argv[i], nullptr, 0)) : other;
  };
  for (int function = 0; function < fuse::functionCount; ++function)
    fuse::printHash(function, fuse::conformanceSum(function, argument(1, 0),
                                                   argument(2, 32771),
                                                   argument(3, 131072), 0, 1));
}
