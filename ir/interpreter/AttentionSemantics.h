//===- AttentionSemantics.h - The contractions of an attention -*- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_ATTENTIONSEMANTICS_H
#define FUSE_IR_INTERPRETER_ATTENTIONSEMANTICS_H

#include "Contract.h"
#include "IndexMap.h"
#include "Semantics.h"

namespace fuse {

/// `fuse.attention` before and after its region, for one set of extents. Its
/// contractions work on tensors with one axis a factor; index maps open the
/// groups of the operands and close those of the results.
class AttentionSemantics {
public:
  AttentionSemantics(AttentionOp op, const Semantics &semantics);

  /// The blocks of query and key behind a block of the scores.
  SmallVector<Box, 2> scoreOperandBoxes(const Box &scores) const;
  Tensor scores(const Tensor &query, const Tensor &key, const Box &box) const;

  /// The blocks of the edited scores, with whole rows, and of the value behind
  /// a block of the result.
  SmallVector<Box, 2> resultOperandBoxes(const Box &result) const;
  Tensor result(const Tensor &edited, const Tensor &value,
                const Box &box) const;

private:
  mutable AttentionOp op; // MLIR accessors are not const
  const Semantics &semantics;
  IndexMap openQuery, openKey, openValue, openScores, closeScores, closeResult;
  Contraction scoreContraction, resultContraction;
  /// Shapes with one axis a factor.
  SmallVector<int64_t> query, key, value, weights;
};

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_ATTENTIONSEMANTICS_H
