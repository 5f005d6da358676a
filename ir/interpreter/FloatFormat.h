//===- FloatFormat.h - Rounding to an element type -------------*- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_FLOATFORMAT_H
#define FUSE_IR_INTERPRETER_FLOATFORMAT_H

#include "mlir/IR/BuiltinTypes.h"
#include <cmath>
#include <cstring>

namespace fuse {

/// The largest power of two that |value| reaches; 0 for 0 and subnormals of
/// double, infinity for what is not finite.
inline double powerBelow(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits &= uint64_t(0x7ff) << 52;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

/// What rounding to a float type does, as numbers.
struct FloatFormat {
  int precision;    // bits of the significand, the leading one included
  double epsilon;   // distance of 1 and its successor, 2^(1-precision)
  double unit;      // relative error of one operation, epsilon/2; see `of`
  double tiny;      // smallest subnormal
  double minNormal; // smallest normal
  double max;       // largest finite value

  /// For f64 the reference errs as much as what it judges: it rounds products,
  /// sums and functions in double itself. Then `unit` is eight times as large.
  static FloatFormat of(mlir::Type floatType);

  /// Rounds to nearest, ties to even, from double at once.
  double round(double value) const;
  /// The distance of neighbours at `value`.
  double ulp(double value) const {
    return std::max(tiny, powerBelow(value) * epsilon);
  }
};

/// The type in which sums and composites of `elementType` are formed.
FloatFormat accumulatorFormat(mlir::Type elementType);

/// The rounding that one op adds of its own, beside what its operands carry.
struct OpRounding {
  FloatFormat format;
  /// True to leave it out, when asking what an op contributes to a bound.
  bool exact = false;

  /// The error of a result of at most this magnitude that is within `ulps`.
  double error(double magnitude, double ulps = 0.5) const {
    if (exact || ulps == 0)
      return 0;
    double ulp = std::max(format.tiny, powerBelow(magnitude) * 2 * format.unit);
    return ulps * ulp + format.tiny;
  }
  /// The relative error of a sum of `n` terms along a row. Such sums run in at
  /// least 32 chains, which a tree of five levels joins (ir/README.md), so that
  /// no term passes more than ceil(n / 32) + 4 additions. The reference of an
  /// f64 sum is one chain.
  double rowSum(double n) const {
    double oneChain = std::max(n - 1, 0.0);
    return chain(format.precision == 53
                     ? oneChain
                     : std::min(oneChain, std::ceil(n / 32) + 4));
  }
  /// `n u / (1 - n u)`: the relative error of `n` roundings in a row.
  double chain(double n) const {
    if (exact)
      return 0;
    double nu = n * format.unit;
    return nu < 1 ? nu / (1 - nu) : std::numeric_limits<double>::infinity();
  }
};

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_FLOATFORMAT_H
