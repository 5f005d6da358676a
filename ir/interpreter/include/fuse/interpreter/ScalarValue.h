//===- ScalarValue.h - Scalar functions in double --------------*- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_SCALARVALUE_H
#define FUSE_IR_INTERPRETER_SCALARVALUE_H

#include "fuse/ir/ScalarFn.h"

namespace fuse {

/// The value of a float function in double; NaN where it has none.
double evaluate(ScalarFn fn, ArrayRef<double> operands);

/// True if the comparison holds. Ordered: false with NaN, except `ne`.
bool holds(Comparison comparison, double lhs, double rhs);

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_SCALARVALUE_H
