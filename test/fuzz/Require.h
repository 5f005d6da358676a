//===- Require.h - what a fuzzer holds to be true ---------------*- C++ -*-===//

#ifndef FUSE_TEST_FUZZ_REQUIRE_H
#define FUSE_TEST_FUZZ_REQUIRE_H

#include <cstdio>
#include <cstdlib>

/// Ends the process, which keeps the input, if it does not hold.
inline void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

#endif // FUSE_TEST_FUZZ_REQUIRE_H
