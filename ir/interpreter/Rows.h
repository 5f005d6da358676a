//===- Rows.h - Reductions, softmax and norms with error bounds *- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_ROWS_H
#define FUSE_IR_INTERPRETER_ROWS_H

#include "EvaluateScalar.h"
#include "SharedErrors.h"
#include "fuse/interpreter/Tensor.h"
#include "fuse/ir/FuseOps.h"

namespace fuse {

/// Reduces `source`, which holds whole extents along `axes`.
Tensor reduce(ReduceKind kind, const Tensor &source, ArrayRef<int64_t> axes,
              const Box &result, bool exact, mlir::MLIRContext *context);

/// One row: elements, and what is beside each in the `SharedErrors` of the
/// result, by field. No other row has its number.
struct Row {
  double number = 0;
  std::vector<Scalar> elements;
  std::vector<std::vector<double>> fields;
};

/// What a norm or softmax does to one row: the input elements become the
/// results in place.
using RowFn = std::function<void(Row &row)>;

/// Applies `fn` to each row of `source` along `axis`, of which it holds whole
/// extents, and keeps what lies in `result`; `shared` is for that block.
Tensor mapRows(const Tensor &source, int64_t axis, const Box &result,
               mlir::Type resultType, const RowFn &fn,
               std::shared_ptr<SharedErrors> shared,
               mlir::MLIRContext *context);

/// Fields as in `SoftmaxErrors`.
void softmaxRow(Row &row, MaskedRows maskedRows, const OpRounding &inner,
                const FloatFormat &format);

/// `gamma` and `beta` may be null; they hold the whole axis. Fields as in
/// `RowErrors`.
void layerNormRow(Row &row, const Tensor *gamma, const Tensor *beta, double eps,
                  const OpRounding &inner, const FloatFormat &format);
void rmsNormRow(Row &row, const Tensor *gamma, double eps,
                const OpRounding &inner, const FloatFormat &format);

/// The rounding of a value computed inside to the type of the result.
Scalar roundResult(Scalar value, const OpRounding &inner,
                   const FloatFormat &format);

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_ROWS_H
