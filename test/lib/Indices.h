//===- Indices.h - Row-major index arithmetic of tests ---------*- C++ -*-===//

#ifndef FUSE_TEST_LIB_INDICES_H
#define FUSE_TEST_LIB_INDICES_H

#include "fuse/ir/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace fuse::test {

using Shape = SmallVector<int64_t>;

inline int64_t countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// Row-major strides, in elements.
inline Shape stridesOf(ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

inline int64_t positionOf(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    position = position * shape[axis] + index[axis];
  return position;
}

/// Calls `fn(index)` for each index of a shape, in row-major order.
template <typename Fn>
void forEachIndex(ArrayRef<int64_t> shape, Fn fn) {
  Shape index(shape.size(), 0);
  for (int64_t i = 0, e = countElements(shape); i < e; ++i) {
    fn(ArrayRef<int64_t>(index));
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis])
        break;
      index[axis] = 0;
    }
  }
}

} // namespace fuse::test

#endif // FUSE_TEST_LIB_INDICES_H
