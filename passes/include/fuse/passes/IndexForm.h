//===- IndexForm.h - A kernel's ops over common named indices --*- C++ -*-===//
//
// The ops of a kernel, seen as loops: every axis of every tensor is a row-major
// list of indices, and ops that agree on an axis share its indices. Where one
// op sees an axis whole and another sees factors of it, the axis is split.
// Index maps (transpose, reshape, broadcast, slice) disappear: they only say at
// which indices an operand is read.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PASSES_INDEXFORM_H
#define FUSE_PASSES_INDEXFORM_H

#include "fuse/ir/DimAnalysis.h"
#include "fuse/ir/FuseOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace fuse {

/// One index of the iteration space.
using IndexId = unsigned;
using IndexList = SmallVector<IndexId, 4>;

/// Where an element lies in a buffer: `offset + sum of stride * index`, in
/// elements. Indices without a stride do not matter to it.
struct Access {
  DimExpr offset;
  llvm::MapVector<IndexId, DimExpr> strides;

  DimExpr stride(IndexId index) const {
    const auto *it = strides.find(index);
    return it == strides.end() ? DimExpr() : it->second;
  }
  bool operator==(const Access &other) const;
};

/// An operand that is read from memory.
struct Read {
  mlir::BlockArgument buffer;
  Access access;
  /// The element exists only where this index lies in [begin, end): a piece of
  /// a concatenation.
  struct Range {
    IndexId index;
    DimExpr begin, end;
    bool isEmpty() const { return begin == end; }
  };
  std::optional<Range> range;
};

class IndexForm {
public:
  /// Analyses a kernel, a function of graph ops without composites. Fails if
  /// its ops share no common indices, with a diagnostic unless `isTrial`.
  static FailureOr<IndexForm> compute(mlir::func::FuncOp kernel,
                                      const DimAnalysis &dims,
                                      bool isTrial = false);

  const DimExpr &getExtent(IndexId index) const { return extents[index]; }
  /// The indices of a computed value, in row-major order.
  ArrayRef<IndexId> getIndices(mlir::Value value) const;
  /// The memory behind an operand; null if it is a computed value.
  const Read *getRead(mlir::OpOperand &operand) const;
  /// The computed value behind an operand; null for a read, and for an
  /// operand that only lends its shape.
  mlir::Value getSource(mlir::OpOperand &operand) const;
  /// Where result `number` of the kernel is stored.
  const Access &getResult(unsigned number) const { return results[number]; }
  /// The indices of an operand, reads included.
  ArrayRef<IndexId> getIndices(mlir::OpOperand &operand) const;
  /// The indices of the loops around an op: its result's and its operands'.
  llvm::SetVector<IndexId> getIterated(mlir::Operation &op) const;
  /// The row-major indices that an iota counts.
  ArrayRef<IndexId> getCounted(IotaOp op) const {
    return iotas.find(op.getOperation())->second;
  }
  /// All indices that occur, those of results first.
  ArrayRef<IndexId> getOrder() const { return order.getArrayRef(); }

  /// A new index of extent 1 that no buffer depends on. `root` and what is
  /// computed from it have it as their outermost one.
  IndexId addUnitIndex(mlir::Value root);
  /// The same for the operands of an outer product, to be summed over.
  IndexId addUnitDepth(EinsumOp op);

  /// Joins neighbouring indices that every access and every value could as
  /// well see as one.
  void coalesce();

private:
  friend class IndexFormBuilder;
  void forEachAccess(function_ref<void(Access &)> fn);
  void forEachIndices(function_ref<void(IndexList &)> fn);
  bool canJoin(IndexId outer, IndexId inner);
  void join(IndexId outer, IndexId inner);

  /// An operand after index maps are seen through.
  struct Use {
    mlir::Value source; // null for a read
    IndexList indices;
    std::optional<Read> read;
  };
  SmallVector<DimExpr> extents;
  llvm::MapVector<mlir::Value, IndexList> values;
  llvm::MapVector<mlir::OpOperand *, Use> uses;
  SmallVector<Access> results;
  llvm::SetVector<IndexId> order;
  /// Indices whose value matters (iota) or is compared (concat).
  llvm::SetVector<IndexId> counted;
  llvm::DenseMap<mlir::Operation *, IndexList> iotas;
};

/// True if a tensor is read for its shape alone.
bool isShapeUse(mlir::OpOperand &use);

/// True for the ops that only say at which indices their source is read.
bool isIndexMap(mlir::Operation *op);

} // namespace fuse

#endif // FUSE_PASSES_INDEXFORM_H
