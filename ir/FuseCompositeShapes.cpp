//===- FuseCompositeShapes.cpp - The shape rule of each composite ---------===//
//
// That of attention is in FuseAttention.cpp.
//
//===----------------------------------------------------------------------===//

#include "fuse/ir/FuseOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

using Results = SmallVectorImpl<DimVector>;

LogicalResult LinearOp::inferDims(Adaptor adaptor, DimInference &infer,
                                  Results &results) {
  ArrayRef<DimExpr> x = infer.operand(0), weight = infer.operand(1);
  if (x.empty())
    return infer.error("expects x with at least one axis, but got rank 0");
  if (failed(infer.requireRank(1, 2, "the weight")) ||
      failed(infer.requireEqual(weight[1], x.back(), "axis 1 of the weight")))
    return failure();
  if (adaptor.getBias() &&
      failed(infer.requireSameDims(infer.operand(2), weight[0], "the bias")))
    return failure();
  DimVector &dims = results.emplace_back(x);
  dims.back() = weight[0];
  return success();
}

Type LinearOp::inferElementType(Adaptor adaptor) {
  return getElementTypeOrSelf(adaptor.getX());
}

/// The rule of both norms: gamma and beta have the extent of the axis.
static LogicalResult inferNorm(int64_t axis, ArrayRef<StringRef> vectors,
                               DimInference &infer, Results &results) {
  if (failed(infer.requireAxis(axis, infer.getRank(0))))
    return failure();
  for (auto [index, name] : llvm::enumerate(vectors))
    if (failed(infer.requireSameDims(infer.operand(index + 1),
                                     infer.operand(0)[axis], name)))
      return failure();
  results.emplace_back(infer.operand(0));
  return success();
}

LogicalResult LayerNormOp::inferDims(Adaptor adaptor, DimInference &infer,
                                     Results &results) {
  SmallVector<StringRef, 2> vectors;
  if (adaptor.getGamma())
    vectors.push_back("gamma");
  if (adaptor.getBeta())
    vectors.push_back("beta");
  return inferNorm(adaptor.getAxis(), vectors, infer, results);
}

Type LayerNormOp::inferElementType(Adaptor adaptor) {
  return getElementTypeOrSelf(adaptor.getX());
}

LogicalResult RmsNormOp::inferDims(Adaptor adaptor, DimInference &infer,
                                   Results &results) {
  SmallVector<StringRef, 1> vectors;
  if (adaptor.getGamma())
    vectors.push_back("gamma");
  return inferNorm(adaptor.getAxis(), vectors, infer, results);
}

Type RmsNormOp::inferElementType(Adaptor adaptor) {
  return getElementTypeOrSelf(adaptor.getX());
}

LogicalResult SoftmaxOp::inferDims(Adaptor adaptor, DimInference &infer,
                                   Results &results) {
  results.emplace_back(infer.operand(0));
  return infer.requireAxis(adaptor.getAxis(), infer.getRank(0));
}

Type SoftmaxOp::inferElementType(Adaptor adaptor) {
  return getElementTypeOrSelf(adaptor.getX());
}
