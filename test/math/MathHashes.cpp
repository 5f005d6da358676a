//===- MathHashes.cpp - prints the hash of each scalar function -----------===//
//
// fuse-math-hashes [FIRST STRIDE COUNT]
//
// What the kernel in conformance.cu computes, a line `number name type hash`
// for each function. Built by several compilers at several levels, whose lines
// must be the same.
//
//===----------------------------------------------------------------------===//

#include "conformance.h"
#include <cstdio>
#include <cstdlib>

static const char *const realNames[] = {
#define FUSE_NAME(name) #name,
    FUSE_UNARY_FUNCTIONS(FUSE_NAME) FUSE_BINARY_FUNCTIONS(FUSE_NAME)};
static const char *const integerNames[] = {FUSE_INTEGER_FUNCTIONS(FUSE_NAME)};

static void printHash(int function, unsigned first, unsigned stride,
                      unsigned count) {
  constexpr int real = fuse::realCount;
  bool isInteger = function >= 2 * real;
  const char *name = isInteger ? integerNames[function - 2 * real]
                               : realNames[function % real];
  const char *type = isInteger ? "i32" : function < real ? "f32" : "f64";
  std::printf("%2d %-10s %s %016lx\n", function, name, type,
              fuse::conformanceSum(function, first, stride, count, 0, 1));
}

int main(int argc, char **argv) {
  auto argument = [&](int i, unsigned other) {
    return argc > i ? unsigned(std::strtoul(argv[i], nullptr, 0)) : other;
  };
  for (int function = 0; function < fuse::functionCount; ++function)
    printHash(function, argument(1, 0), argument(2, 32771),
              argument(3, 131072));
}
