//===- IndexFormBuilder.h - Finds the indices of a kernel ------*- C++ -*-===//

#ifndef FUSE_PASSES_INDEXFORMBUILDER_H
#define FUSE_PASSES_INDEXFORMBUILDER_H

#include "IndexTable.h"

namespace fuse {

using AxisLists = SmallVector<IndexList, 4>;

/// `index = start + step * result` of a slice or of a concatenation's piece.
struct Shift {
  IndexList index;
  IndexList result;
  DimExpr start;
  int64_t step;
};
/// An operand with its index maps seen through, before indices are final.
struct OpenUse {
  mlir::Value source; // a block argument, or a computed value
  AxisLists sourceAxes;
  AxisLists axes;
  SmallVector<Shift> shifts;
  std::optional<Read::Range> range;
  IndexList rangeIndex;
};

/// Walks a kernel once; then indices that nothing keeps apart become one.
class IndexFormBuilder {
public:
  IndexFormBuilder(mlir::func::FuncOp kernel, const DimAnalysis &dims,
                   bool isTrial)
      : kernel(kernel), dims(dims), isTrial(isTrial), table(dims.getFacts()) {}
  FailureOr<IndexForm> run();

private:
  LogicalResult addOp(mlir::Operation &op);
  LogicalResult addElementwise(mlir::Operation &op);
  LogicalResult addReduce(ReduceOp op);
  LogicalResult addEinsum(EinsumOp op);
  LogicalResult addConcat(ConcatOp op);

  /// Sees an operand, anew at each use: one buffer may be read at different
  /// indices.
  FailureOr<OpenUse> see(mlir::Value value);
  LogicalResult seeReshape(ReshapeOp op, OpenUse &use);
  LogicalResult seeBroadcast(BroadcastOp op, OpenUse &use);
  LogicalResult seeSlice(SliceOp op, OpenUse &use);

  /// Lets two reads of one value share indices where nothing keeps them apart,
  /// so that a row which is reduced and then used again is one row.
  void shareReads();
  /// The same for the new axes of a broadcast that several ops see through.
  void shareBroadcasts();
  /// Lets contractions of one operand with several others count their columns
  /// alike.
  void shareColumns();
  /// True if two axes have one extent, and no tensor has both.
  bool canBeOne(ArrayRef<IndexId> lhs, ArrayRef<IndexId> rhs);
  bool areApart(IndexId lhs, IndexId rhs);

  AxisLists freshAxes(ArrayRef<DimExpr> extents);
  LogicalResult unifyAxes(mlir::Operation &op, const AxisLists &lhs,
                          const AxisLists &rhs);
  LogicalResult fail(mlir::Location loc, const llvm::Twine &message) {
    if (!isTrial)
      mlir::emitError(loc, message);
    return mlir::failure();
  }
  LogicalResult fail(mlir::Operation &op, const llvm::Twine &message) {
    if (!isTrial)
      op.emitOpError(message);
    return mlir::failure();
  }
  LogicalResult fail(mlir::Operation &op) {
    return fail(op, "has no indices in common with its operands");
  }
  /// Null in a trial.
  DimInference::ErrorFn getErrorFn(mlir::Operation &op) {
    if (isTrial)
      return nullptr;
    return [&op] { return op.emitOpError(); };
  }
  FailureOr<Access> close(const OpenUse &use);
  FailureOr<IndexForm> finish();

  mlir::func::FuncOp kernel;
  const DimAnalysis &dims;
  bool isTrial;
  IndexTable table;
  llvm::MapVector<mlir::Value, AxisLists> computed;
  llvm::MapVector<mlir::OpOperand *, OpenUse> uses;
  /// What the new axes of a broadcast are, at each use.
  llvm::MapVector<std::pair<mlir::Operation *, int64_t>, SmallVector<IndexList>>
      broadcasts;
  SmallVector<IndexList> counted;
  SmallVector<std::pair<mlir::Operation *, IndexList>> iotas;
};
} // namespace fuse

#endif // FUSE_PASSES_INDEXFORMBUILDER_H
