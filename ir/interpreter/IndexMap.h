//===- IndexMap.h - Ops that only rename indices ---------------*- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_INDEXMAP_H
#define FUSE_IR_INTERPRETER_INDEXMAP_H

#include "fuse/interpreter/Tensor.h"
#include "fuse/ir/FuseOps.h"

namespace fuse {

/// Where each element of a result is in its source. A result axis is made of
/// factors, slowest first, each of which moves along one source axis.
class IndexMap {
public:
  struct Factor {
    int64_t extent;
    /// Nothing for a new axis of a broadcast.
    std::optional<unsigned> sourceAxis;
    /// Steps along that axis, in elements.
    int64_t stride = 0;
  };

  /// The map of a broadcast, transpose, reshape or slice. `source` and
  /// `result` are whole shapes, `like` that of the second operand.
  static IndexMap get(mlir::Operation *op, ArrayRef<int64_t> source,
                      ArrayRef<int64_t> like, ArrayRef<int64_t> result,
                      const DimBindings &bindings);
  /// The map of one pattern to another with the same factors.
  static IndexMap get(const IndexPattern &source, const IndexPattern &result,
                      const llvm::StringMap<int64_t> &extents);

  /// The smallest block of the source that a block of the result reads.
  Box sourceBox(const Box &result) const;
  Tensor gather(const Tensor &source, const Box &result) const;

private:
  SmallVector<SmallVector<Factor, 2>> axes; // one a result axis
  SmallVector<int64_t> start;               // one a source axis
};

/// The extent of every factor of the patterns, from the shapes they match.
llvm::StringMap<int64_t> bindFactors(ArrayRef<IndexPattern> patterns,
                                     ArrayRef<SmallVector<int64_t>> shapes,
                                     const DimBindings &bindings);

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_INDEXMAP_H
