//===- FloatEvaluator.h - Programs evaluated in float ----------*- C++ -*-===//
//
// A second evaluator of the graph dialect, in the arithmetic that kernels have:
// f32 in float, f64 in double, 16-bit types rounded at every op, and sums in an
// order of choice among those that ir/README.md permits. It shares no
// evaluation with the interpreter, whose bounds must hold for what it computes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_LIB_FLOATEVALUATOR_H
#define FUSE_TEST_LIB_FLOATEVALUATOR_H

#include "FloatSums.h"
#include "fuse/ir/DimAnalysis.h"

namespace fuse::test {

/// The elements of each argument or result, row-major; each is a value of its
/// element type.
using TensorValues = std::vector<std::vector<double>>;

/// Evaluates a function whose ops are all of the dialect, for extents that
/// `DimAnalysis::bindDims` has accepted; check ops are skipped. Fails on an
/// integer division by zero.
FailureOr<TensorValues> evaluateInFloat(mlir::FunctionOpInterface function,
                                        const DimAnalysis &analysis,
                                        const DimBindings &bindings,
                                        const TensorValues &arguments,
                                        const EvaluationOrder &order);

} // namespace fuse::test

#endif // FUSE_TEST_LIB_FLOATEVALUATOR_H
