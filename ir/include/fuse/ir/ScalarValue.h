//===- ScalarValue.h - Scalar functions in double --------------*- C++ -*-===//

#ifndef FUSE_IR_SCALARVALUE_H
#define FUSE_IR_SCALARVALUE_H

#include "fuse/ir/ScalarFn.h"

namespace fuse {

/// The value of a float function in double; NaN where it has none.
double evaluate(ScalarFn fn, ArrayRef<double> operands);

/// Where a function of one variable turns or jumps, apart from `floor` and its
/// kin: between these points it is monotone.
ArrayRef<double> turningPoints(ScalarFn fn);

/// True if the comparison holds. Ordered: false with NaN, except `ne`.
bool holds(Comparison comparison, double lhs, double rhs);

} // namespace fuse

#endif // FUSE_IR_SCALARVALUE_H
