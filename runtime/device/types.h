//===- types.h - 16-bit storage types ---------------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_TYPES_H
#define FUSE_RUNTIME_TYPES_H

#include "primitives.h"

namespace fuse {

/// An IEEE binary16 number in memory. Arithmetic is done in float: conversions
/// are explicit, round to nearest with ties to even and keep NaN and
/// subnormals.
struct Half {
  uint16_t bits;

  Half() = default;
  FUSE_INLINE explicit Half(float value) : bits(half_bits(value)) {}
  FUSE_INLINE explicit operator float() const { return half_value(bits); }
};

/// A bfloat16 number in memory: the upper half of a float. As for Half.
struct BFloat16 {
  uint16_t bits;

  BFloat16() = default;
  FUSE_INLINE explicit BFloat16(float value) : bits(bfloat16_bits(value)) {}
  FUSE_INLINE explicit operator float() const { return bfloat16_value(bits); }
};

static_assert(sizeof(Half) == 2 && sizeof(BFloat16) == 2,
              "storage types are two bytes");

} // namespace fuse

#endif // FUSE_RUNTIME_TYPES_H
