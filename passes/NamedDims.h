//===- NamedDims.h - Dims of a function as text ----------------*- C++ -*-===//
//
// What keeps the dims of a program known while its ops move into kernels.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PASSES_NAMEDDIMS_H
#define FUSE_PASSES_NAMEDDIMS_H

#include "fuse/ir/DimAnalysis.h"
#include "mlir/IR/Builders.h"

namespace fuse {

/// `fuse.dims` of a value: numbers, and expressions of named symbols.
mlir::ArrayAttr getDimsAttr(mlir::Builder &builder, ArrayRef<DimExpr> dims);

/// True if the dims are expressions over names; what foreign ops give, and
/// quotients by sums, have none.
bool areNamed(ArrayRef<DimExpr> dims);

/// Gives every dim of an argument that has no name one, so that each dim in the
/// function is an expression over names.
void nameDims(mlir::FunctionOpInterface function, const DimAnalysis &dims);

/// Rewrites ops that read a computed tensor for its shape alone (`fuse.dim`,
/// `like`), so that it need not exist for that.
void detachShapes(mlir::FunctionOpInterface function, const DimAnalysis &dims);

/// States as facts of the function what its ops demanded of the dims of a call
/// (`before`), and its launches do not: a kernel cannot refuse a call.
LogicalResult keepConstraints(mlir::FunctionOpInterface function,
                              const DimAnalysis &before);

} // namespace fuse

#endif // FUSE_PASSES_NAMEDDIMS_H
