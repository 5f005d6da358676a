//===- EvaluateScalar.h - Scalar functions with error bounds ---*- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_EVALUATESCALAR_H
#define FUSE_IR_INTERPRETER_EVALUATESCALAR_H

#include "FloatFormat.h"
#include "fuse/ir/ScalarValue.h"

namespace fuse {

/// One element: its value, the bound on its error, and whether a permitted
/// evaluation may take the other side of a discontinuity.
struct Scalar {
  double value = 0;
  double bound = 0;
  bool undecided = false;

  double low() const { return value - bound; }
  double high() const { return value + bound; }
};

/// |a - b|, 0 for equal infinities.
inline double gap(double a, double b) { return a == b ? 0 : std::fabs(a - b); }

/// How far a float function may move as its operands do, each on its own.
double propagatedError(ScalarFn fn, ArrayRef<Scalar> operands);

/// A float function, its operands' errors propagated and its own added. If more
/// is known of those errors, `propagated` is what they amount to.
Scalar evaluateFloat(ScalarFn fn, ArrayRef<Scalar> operands,
                     const OpRounding &rounding,
                     std::optional<double> propagated = std::nullopt);

/// A function of i32 or i1 elements. Sums, differences and products wrap.
/// Fails on a division by zero.
FailureOr<Scalar> evaluateInteger(ScalarFn fn, ArrayRef<Scalar> operands,
                                  unsigned width);

/// 1 or 0.
Scalar evaluate(Comparison comparison, const Scalar &lhs, const Scalar &rhs);

Scalar evaluateSelect(const Scalar &condition, const Scalar &onTrue,
                      const Scalar &onFalse);

/// Rounds the value, so that a double holds one of the target type.
Scalar evaluateCast(const Scalar &source, mlir::Type from, mlir::Type to);

/// Adds an op's own error to the propagated one. A value that is NaN or
/// infinite has bound 0 if nothing makes it uncertain, and a value that may
/// leave the format's range has none.
Scalar finish(double value, double propagated, double own, bool undecided,
              const FloatFormat &format);

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_EVALUATESCALAR_H
