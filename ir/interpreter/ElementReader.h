//===- ElementReader.h - Operands by the block of a result -----*- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_ELEMENTREADER_H
#define FUSE_IR_INTERPRETER_ELEMENTREADER_H

#include "EvaluateScalar.h"
#include "IndexSpace.h"
#include "fuse/interpreter/Tensor.h"

namespace fuse {

/// Reads an operand of an elementwise op by the position in the result block.
class ElementReader {
public:
  ElementReader(const Tensor &tensor, const Box &result) : tensor(tensor) {
    isScalar = tensor.box.getRank() == 0;
    isSame = tensor.box == result;
    if (isScalar || isSame)
      return;
    auto strides = tensor.strides();
    for (auto [axis, stride] : llvm::enumerate(strides)) {
      positions.append(result.extent[axis], stride);
      positions.shift(stride * (result.offset[axis] - tensor.box.offset[axis]));
    }
  }
  int64_t positionOf(int64_t i) const {
    return isScalar ? 0 : (isSame ? i : positions[i]);
  }
  Scalar operator[](int64_t i) const {
    const int64_t at = positionOf(i);
    return {tensor.value[at], tensor.bound[at], tensor.isUndecided(at)};
  }

private:
  const Tensor &tensor;
  IndexSpace positions;
  bool isScalar, isSame;
};

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_ELEMENTREADER_H
