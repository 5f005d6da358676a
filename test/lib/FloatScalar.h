//===- FloatScalar.h - Scalar functions as kernels compute them *- C++ -*-===//

#ifndef FUSE_TEST_LIB_FLOATSCALAR_H
#define FUSE_TEST_LIB_FLOATSCALAR_H

#include "fuse/ir/ScalarFn.h"

namespace fuse::test {

/// Rounds to an element type: to nearest even for floats; i32 and i1 as
/// `fuse.cast` converts.
double roundTo(mlir::Type elementType, double value);

/// One element of `fuse.map`, computed in float (double for f64) and rounded to
/// the element type. Nothing for an integer division by zero.
std::optional<double> applyScalarFn(ScalarFn fn, ArrayRef<double> operands,
                                    mlir::Type elementType);

bool applyComparison(Comparison comparison, double lhs, double rhs);

} // namespace fuse::test

#endif // FUSE_TEST_LIB_FLOATSCALAR_H
