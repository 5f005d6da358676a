//===- FloatContraction.h - Contractions over named axes -------*- C++ -*-===//

#ifndef FUSE_TEST_LIB_FLOATCONTRACTION_H
#define FUSE_TEST_LIB_FLOATCONTRACTION_H

#include "FloatScalar.h"
#include "FloatSums.h"
#include "Indices.h"
#include "fuse/ir/FuseOps.h"

namespace fuse::test {

/// A whole tensor, row-major.
struct Array {
  mlir::Type elementType;
  Shape shape;
  std::vector<double> elements;
};

using Names = SmallVector<std::string>;
using FactorExtents = llvm::StringMap<int64_t>;

struct NamedArray {
  Array array;
  Names names;
};

/// f32, or f64 for f64: the type inside composites and sums.
mlir::Type computeTypeOf(mlir::Type elementType);

/// The extent of every factor of patterns that match these shapes.
FactorExtents solveFactors(ArrayRef<IndexPattern> patterns,
                           ArrayRef<Shape> shapes, const DimBindings &bindings);
Shape extentsOf(ArrayRef<std::string> names, const FactorExtents &extents);

/// Sums products over the names that are not in `result`, rounded to
/// `resultType`.
std::vector<double> contract(ArrayRef<NamedArray> operands,
                             ArrayRef<std::string> result, Precision precision,
                             mlir::Type resultType,
                             const EvaluationOrder &order);

double reduceRow(ReduceKind kind, ArrayRef<double> row, mlir::Type elementType,
                 const EvaluationOrder &order);

template <typename Real, typename Fn>
void applyToRow(Array &array, int64_t start, int64_t stride, int64_t length,
                Fn fn) {
  std::vector<Real> row(length);
  for (int64_t k = 0; k < length; ++k)
    row[k] = static_cast<Real>(array.elements[start + k * stride]);
  fn(MutableArrayRef<Real>(row));
  for (int64_t k = 0; k < length; ++k)
    array.elements[start + k * stride] = roundTo(array.elementType, row[k]);
}

/// Replaces each row along an axis by what `fn(MutableArrayRef<Real>)` makes of
/// it, rounded to the array's element type.
template <typename Fn>
void forEachRow(Array &array, int64_t axis, Fn fn) {
  Shape others(array.shape);
  others[axis] = 1;
  const int64_t stride = stridesOf(array.shape)[axis];
  const int64_t length = array.shape[axis];
  forEachIndex(others, [&](ArrayRef<int64_t> index) {
    int64_t start = positionOf(index, array.shape);
    if (array.elementType.isF64())
      applyToRow<double>(array, start, stride, length, fn);
    else
      applyToRow<float>(array, start, stride, length, fn);
  });
}

} // namespace fuse::test

#endif // FUSE_TEST_LIB_FLOATCONTRACTION_H
