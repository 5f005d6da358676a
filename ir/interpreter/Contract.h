//===- Contract.h - Sums of products with error bounds ---------*- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_CONTRACT_H
#define FUSE_IR_INTERPRETER_CONTRACT_H

#include "FloatFormat.h"
#include "fuse/interpreter/Tensor.h"
#include "fuse/ir/FuseOps.h"

namespace fuse {

/// A contraction with one index an axis, as `fuse.einsum` spells it.
struct Contraction {
  EinsumSpec spec;
  Precision precision = Precision::Ieee;
  /// The type of the result, to which the sum is rounded at the end.
  mlir::Type resultType;
  bool exact = false;
};

/// The block of each operand that a block of the result needs; `shapes` are
/// the operands' whole shapes.
SmallVector<Box, 2> contractOperandBoxes(const EinsumSpec &spec,
                                         ArrayRef<SmallVector<int64_t>> shapes,
                                         const Box &result);

/// Where an index is in the packed block of an operand: the sum of the strides
/// of all axes that carry it, and the offset of the range from `start`.
std::pair<int64_t, int64_t> strideOf(StringRef letters, char letter,
                                     const Tensor &tensor, int64_t start);

/// Evaluates one block of the result. The operands hold at least the blocks
/// that it needs, and reduced indices run over their whole extents.
Tensor contract(const Contraction &contraction, ArrayRef<const Tensor *> inputs,
                ArrayRef<SmallVector<int64_t>> shapes, const Box &result,
                mlir::MLIRContext *context);

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_CONTRACT_H
