//===- Approximate.h - functions that hardware approximates -----*- C++ -*-===//

#ifndef FUSE_RUNTIME_TWIN_APPROXIMATE_H
#define FUSE_RUNTIME_TWIN_APPROXIMATE_H

#include <cstdint>

namespace fuse::rt::twin {

/// 2 to the power of x, off by up to 2 ulp as drawn from x and the seed:
/// whoever relies on more than the documented accuracy sees other results.
/// Exact where PTX says so: at zeros and infinities; NaN for NaN.
float approximateExp2(float x, uint64_t seed);

/// 1 / sqrt(x), likewise: +-infinity at zeros, 0 at infinity, NaN below zero.
float approximateRsqrt(float x, uint64_t seed);

} // namespace fuse::rt::twin

#endif // FUSE_RUNTIME_TWIN_APPROXIMATE_H
