//===- AttentionSemantics.cpp - The contractions of an attention ----------===//

#include "AttentionSemantics.h"
#include "Rows.h"

using namespace mlir;
using namespace fuse;

/// One axis a factor.
static IndexPattern opened(const IndexPattern &pattern) {
  IndexPattern flat;
  for (const std::string &factor : pattern.flat())
    flat.axes.push_back({factor});
  return flat;
}

static SmallVector<int64_t> shapeOf(const IndexPattern &pattern,
                                    const llvm::StringMap<int64_t> &extents) {
  return llvm::map_to_vector(pattern.flat(), [&](const std::string &factor) {
    return extents.lookup(factor);
  });
}

AttentionSemantics::AttentionSemantics(AttentionOp op,
                                       const Semantics &semantics)
    : op(op), semantics(semantics) {
  IndexMapping mapping = op.getMapping();
  IndexPattern scorePattern = op.getScorePattern();
  auto extents = bindFactors(mapping.operands,
                             {semantics.getShape(op.getQuery()),
                              semantics.getShape(op.getKey()),
                              semantics.getShape(op.getValue())},
                             semantics.getBindings());
  auto open = [&](const IndexPattern &pattern) {
    return IndexMap::get(pattern, opened(pattern), extents);
  };
  auto close = [&](const IndexPattern &pattern) {
    return IndexMap::get(opened(pattern), pattern, extents);
  };
  openQuery = open(mapping.operands[0]);
  openKey = open(mapping.operands[1]);
  openValue = open(mapping.operands[2]);
  openScores = open(scorePattern);
  closeScores = close(scorePattern);
  closeResult = close(mapping.result);
  bool exact = semantics.isExact(op);
  scoreContraction = {
      EinsumSpec::ofFactors({mapping.operands[0], mapping.operands[1]},
                            scorePattern),
      op.getPrecision(), op.getComputeType(), exact};
  resultContraction = {EinsumSpec::ofFactors(
                           {scorePattern, mapping.operands[2]}, mapping.result),
                       op.getPrecision(), op.getType().getElementType(), exact};
  query = shapeOf(mapping.operands[0], extents);
  key = shapeOf(mapping.operands[1], extents);
  value = shapeOf(mapping.operands[2], extents);
  weights = shapeOf(scorePattern, extents);
}

/// Gathers a block, with shared errors. Opening and closing the groups of axes
/// keeps the order of elements, so they carry over if the block is all of them
/// and their axis, or the fastest of its factors, is the last one.
static Tensor withSharedErrors(const Tensor &source, const IndexMap &map,
                               const Box &box) {
  Tensor result = map.gather(source, box);
  if (source.shared && result.size() == source.size() &&
      source.sharedAxis + 1 == source.box.getRank()) {
    result.shared = source.shared;
    result.sharedAxis = box.getRank() - 1;
  }
  return result;
}

SmallVector<Box, 2>
AttentionSemantics::scoreOperandBoxes(const Box &scores) const {
  auto boxes = contractOperandBoxes(scoreContraction.spec, {query, key},
                                    closeScores.sourceBox(scores));
  return {openQuery.sourceBox(boxes[0]), openKey.sourceBox(boxes[1])};
}

Tensor AttentionSemantics::scores(const Tensor &queryTensor,
                                  const Tensor &keyTensor,
                                  const Box &box) const {
  Box inner = closeScores.sourceBox(box);
  auto boxes = contractOperandBoxes(scoreContraction.spec, {query, key}, inner);
  Tensor lhs = openQuery.gather(queryTensor, boxes[0]);
  Tensor rhs = openKey.gather(keyTensor, boxes[1]);
  return closeScores.gather(contract(scoreContraction, {&lhs, &rhs},
                                     {query, key}, inner,
                                     semantics.getContext()),
                            box);
}

SmallVector<Box, 2>
AttentionSemantics::resultOperandBoxes(const Box &result) const {
  auto boxes = contractOperandBoxes(resultContraction.spec, {weights, value},
                                    closeResult.sourceBox(result));
  return {openScores.sourceBox(boxes[0]), openValue.sourceBox(boxes[1])};
}

Tensor AttentionSemantics::result(const Tensor &edited,
                                  const Tensor &valueTensor,
                                  const Box &box) const {
  Box inner = closeResult.sourceBox(box);
  auto boxes =
      contractOperandBoxes(resultContraction.spec, {weights, value}, inner);
  Box rows = openScores.sourceBox(boxes[0]);
  // The weights are rounded to the value's element type as they are cast.
  Type type = op.getType().getElementType();
  OpRounding rounding{accumulatorFormat(type), semantics.isExact(op)};
  auto softmax = [&, format = FloatFormat::of(type)](Row &row) {
    softmaxRow(row, op.getMaskedRows(), rounding, format);
  };
  Tensor probabilities = mapRows(
      edited, rows.getRank() - 1, rows, type, softmax,
      std::make_shared<SoftmaxErrors>(rows.size()), semantics.getContext());
  Tensor lhs = withSharedErrors(probabilities, openScores, boxes[0]);
  Tensor rhs = withSharedErrors(valueTensor, openValue, boxes[1]);
  Tensor product = contract(resultContraction, {&lhs, &rhs}, {weights, value},
                            inner, semantics.getContext());
  return withSharedErrors(product, closeResult, box);
}
