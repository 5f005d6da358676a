//===- GrantedUlps.cpp - the ulps of ScalarFn.def -------------------------===//

#include "MathTest.h"

double fuse::test::grantedUlps(const std::string &name) {
  // `sqrt` and `div` are primitives of the header.
  std::string spelling = name.substr(0, name.find("_rn"));
#define FUSE_SCALAR_FN(Name, text, arity, operands, ulps)                      \
  if (spelling == (text))                                                      \
    return ulps;
#include "fuse/ir/ScalarFn.def"
  return -1;
}
