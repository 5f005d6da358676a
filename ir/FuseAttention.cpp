//===- FuseAttention.cpp - Indices and shape rule of fuse.attention -------===//

#include "fuse/ir/FuseOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

namespace {
/// The parsed patterns of an attention, with the rules that relate them.
class AttentionIndices {
public:
  static FailureOr<AttentionIndices> get(AttentionOp::Adaptor adaptor,
                                         DimInference &infer);

  IndexMapping mapping;
  IndexPattern scores;

private:
  LogicalResult verifyNames(DimInference &infer) const;
  LogicalResult verifyKeyPosition(DimInference &infer) const;
  LogicalResult verifyRoles(DimInference &infer) const;

  const IndexPattern &query() const { return mapping.operands[0]; }
  const IndexPattern &key() const { return mapping.operands[1]; }
  const IndexPattern &value() const { return mapping.operands[2]; }
  /// The index of the key position, the last axis of the scores.
  const std::string &position() const { return scores.axes.back().front(); }
};
} // namespace

static bool has(const IndexPattern &pattern, StringRef factor) {
  return llvm::is_contained(pattern.flat(), factor);
}

FailureOr<AttentionIndices> AttentionIndices::get(AttentionOp::Adaptor adaptor,
                                                  DimInference &infer) {
  AttentionIndices indices;
  std::string message;
  std::optional<IndexMapping> mapping =
      IndexMapping::parse(adaptor.getPattern(), message);
  std::optional<IndexPattern> scores;
  if (mapping)
    scores = IndexPattern::parse(adaptor.getScores(), message);
  if (!scores)
    return infer.error(message);
  if (mapping->operands.size() != 3)
    return infer.error("expects a pattern of 3 operands, but got " +
                       Twine(mapping->operands.size()) + " in '" +
                       adaptor.getPattern() + "'");
  indices.mapping = std::move(*mapping);
  indices.scores = std::move(*scores);
  if (failed(indices.verifyNames(infer)) ||
      failed(indices.verifyKeyPosition(infer)) ||
      failed(indices.verifyRoles(infer)))
    return failure();
  return indices;
}

LogicalResult AttentionIndices::verifyNames(DimInference &infer) const {
  for (const IndexPattern *pattern :
       {&query(), &key(), &value(), &mapping.result, &scores}) {
    SmallVector<std::string> seen;
    for (const std::string &factor : pattern->flat()) {
      if (isNumberFactor(factor))
        return infer.error("expects names only in attention patterns, but "
                           "got '" +
                           factor + "'");
      if (llvm::is_contained(seen, factor))
        return infer.error("expects each index once in pattern '" +
                           pattern->str() + "', but '" + factor +
                           "' is repeated");
      seen.push_back(factor);
    }
    // The decomposition has an axis for each index.
    if (seen.size() > maxRank)
      return infer.error("expects at most " + Twine(maxRank) +
                         " indices in pattern '" + pattern->str() +
                         "', but got " + Twine(seen.size()));
  }
  return success();
}

LogicalResult AttentionIndices::verifyKeyPosition(DimInference &infer) const {
  if (scores.axes.empty() || scores.axes.back().size() != 1)
    return infer.error("expects the last axis of scores '" + scores.str() +
                       "' to be the key position");
  const std::string &s = position();
  if (!has(key(), s) || !has(value(), s) || has(query(), s) ||
      has(mapping.result, s))
    return infer.error("expects the key position '" + s +
                       "' in key and value, and not in query and result");
  return success();
}

LogicalResult AttentionIndices::verifyRoles(DimInference &infer) const {
  const IndexPattern &result = mapping.result;
  for (const std::string &factor : scores.flat()) {
    if (!has(query(), factor) && !has(key(), factor))
      return infer.error("expects each score index in query or key, but '" +
                         factor + "' is in neither");
    if (factor != position() && !has(result, factor))
      return infer.error("expects each score index but the key position in "
                         "the result, but '" +
                         factor + "' is not");
  }
  for (const std::string &factor : query().flat())
    if (!has(scores, factor) && !has(key(), factor))
      return infer.error("expects each query index in key or scores, but '" +
                         factor + "' is in neither");
  for (const std::string &factor : key().flat())
    if (!has(scores, factor) && !has(query(), factor))
      return infer.error("expects each key index in query or scores, but '" +
                         factor + "' is in neither");
  for (const std::string &factor : value().flat())
    if (factor != position() && !has(result, factor))
      return infer.error("expects each value index but the key position in "
                         "the result, but '" +
                         factor + "' is not");
  for (const std::string &factor : result.flat())
    if (!has(scores, factor) && !has(value(), factor))
      return infer.error("expects each result index in scores or value, but '" +
                         factor + "' is in neither");
  return success();
}

/// Dims of `pattern`, one of an attention's result and scores.
static FailureOr<DimVector> inferPatternDims(const AttentionIndices &indices,
                                             const IndexPattern &pattern,
                                             DimInference &infer) {
  SmallVector<DimVector, 3> dims;
  for (unsigned index = 0; index < 3; ++index)
    dims.emplace_back(infer.operand(index));
  const std::string names[] = {"the query", "the key", "the value"};
  IndexBinder binder(infer);
  if (failed(binder.bind(indices.mapping.operands, dims, names)))
    return failure();
  return binder.dims(pattern);
}

LogicalResult AttentionOp::inferDims(Adaptor adaptor, DimInference &infer,
                                     SmallVectorImpl<DimVector> &results) {
  FailureOr<AttentionIndices> indices = AttentionIndices::get(adaptor, infer);
  if (failed(indices))
    return failure();
  FailureOr<DimVector> dims =
      inferPatternDims(*indices, indices->mapping.result, infer);
  if (failed(dims))
    return failure();
  results.push_back(std::move(*dims));
  return success();
}

FailureOr<DimVector> AttentionOp::inferScoreDims(Adaptor adaptor,
                                                 DimInference &infer) {
  FailureOr<AttentionIndices> indices = AttentionIndices::get(adaptor, infer);
  if (failed(indices))
    return failure();
  return inferPatternDims(*indices, indices->scores, infer);
}

Type AttentionOp::inferElementType(Adaptor adaptor) {
  return cast<RankedTensorType>(adaptor.getValue().getType()).getElementType();
}

LogicalResult AttentionOp::verifyRegions() {
  SmallVector<DimVector> operandDims;
  for (auto [index, operand] : llvm::enumerate(getOperands()))
    operandDims.push_back(dimsOfType(operand.getType(), index));
  DimInference infer(operandDims, [&] { return emitOpError(); });
  FailureOr<DimVector> dims = inferScoreDims(Adaptor(*this), infer);
  if (failed(dims))
    return failure();
  auto expected = cast<RankedTensorType>(typeOfDims(*dims, getComputeType()));
  auto matches = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getElementType() == expected.getElementType() &&
           succeeded(verifyCompatibleShape(tensor, expected));
  };
  Block *body = getScoreBody();
  if (body->getNumArguments() != 1 || !matches(body->getArgument(0).getType()))
    return emitOpError() << "expects a region with one argument of type "
                         << expected << ", but got ("
                         << body->getArgumentTypes() << ")";
  Value yielded = getYieldedScores();
  if (!yielded || !matches(yielded.getType()))
    return body->getTerminator()->emitOpError()
           << "expects to yield scores of type " << expected << ", but got "
           << (yielded ? yielded.getType() : Type(NoneType::get(getContext())));
  return success();
}
