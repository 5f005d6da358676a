//===- Tensor.h - Values with error bounds ---------------------*- C++ -*-===//
//
// What the interpreter computes: for each element its value in double, and a
// bound on how far any permitted evaluation may be from it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_INTERPRETER_TENSOR_H
#define FUSE_IR_INTERPRETER_TENSOR_H

#include "fuse/ir/LLVM.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace fuse {

class SharedErrors;

/// A block of a tensor: along each axis the indices `offset .. offset+extent`.
struct Box {
  SmallVector<int64_t, 4> offset;
  SmallVector<int64_t, 4> extent;

  static Box whole(ArrayRef<int64_t> shape) {
    return {SmallVector<int64_t, 4>(shape.size(), 0),
            SmallVector<int64_t, 4>(shape)};
  }
  /// One element.
  static Box element(ArrayRef<int64_t> index) {
    return {SmallVector<int64_t, 4>(index),
            SmallVector<int64_t, 4>(index.size(), 1)};
  }
  unsigned getRank() const { return offset.size(); }
  int64_t end(unsigned axis) const { return offset[axis] + extent[axis]; }
  int64_t size() const;
  bool contains(const Box &other) const;
  bool operator==(const Box &other) const {
    return offset == other.offset && extent == other.extent;
  }
};

/// A block of a tensor's elements, row-major. i32 and i1 are whole numbers.
struct Tensor {
  mlir::Type elementType;
  Box box;
  std::vector<double> value;
  /// Absolute; infinite where nothing can be said. 0 for a value that is NaN
  /// or infinite whatever the evaluation, and for exact ones.
  std::vector<double> bound;
  /// 1 where a permitted evaluation may take the other side of a discontinuity
  /// (`floor`, a comparison, a cast to i32); the bound then covers both sides.
  /// Empty if no element is.
  std::vector<uint8_t> undecided;
  /// What the errors of elements along `sharedAxis` have in common, where that
  /// is known; each element's bound covers it.
  std::shared_ptr<SharedErrors> shared;
  int64_t sharedAxis = -1;

  Tensor() = default;
  /// Zeros without error.
  Tensor(mlir::Type elementType, Box box);

  int64_t size() const { return value.size(); }
  bool isUndecided(int64_t index) const {
    return !undecided.empty() && undecided[index];
  }
  void setUndecided(int64_t index);
  /// Row-major strides of the block, in elements.
  SmallVector<int64_t, 4> strides() const;
  /// Where the element with these tensor coordinates is in `value`.
  int64_t position(ArrayRef<int64_t> index) const;
};

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_TENSOR_H
