//===- Tensor.cpp - Values with error bounds ------------------------------===//

#include "fuse/interpreter/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace fuse;

int64_t Box::size() const {
  int64_t size = 1;
  for (int64_t length : extent)
    size *= length;
  return size;
}

bool Box::contains(const Box &other) const {
  for (unsigned axis = 0; axis < getRank(); ++axis)
    if (other.offset[axis] < offset[axis] || other.end(axis) > end(axis))
      return false;
  return true;
}

Tensor::Tensor(mlir::Type elementType, Box box)
    : elementType(elementType), box(std::move(box)) {
  value.resize(this->box.size());
  bound.resize(value.size());
}

void Tensor::setUndecided(int64_t index) {
  if (undecided.empty())
    undecided.resize(value.size());
  undecided[index] = 1;
}

SmallVector<int64_t, 4> Tensor::strides() const {
  SmallVector<int64_t, 4> strides(box.getRank());
  int64_t stride = 1;
  for (unsigned axis = box.getRank(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= box.extent[axis];
  }
  return strides;
}

int64_t Tensor::position(ArrayRef<int64_t> index) const {
  int64_t position = 0;
  for (unsigned axis = 0; axis < box.getRank(); ++axis)
    position = position * box.extent[axis] + index[axis] - box.offset[axis];
  return position;
}
