//===- HostTensor.h - dense tensor in host memory ---------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_HOSTTENSOR_H
#define FUSE_RUNTIME_HOSTTENSOR_H

#include "fuse/runtime/Status.h"
#include "fuse/runtime/TensorType.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace fuse::rt {

/// A tensor that owns its elements: contiguous, row-major, in host byte order,
/// aligned for every element type. It moves, and copies only by `clone`,
/// because a copy can fail. A moved-from tensor may only be assigned to or
/// destroyed.
class HostTensor {
public:
  /// All elements zero (false). Fails as `byteSize` does, or with Resource if
  /// the memory is not there.
  static Result<HostTensor> create(TensorType type);

  /// Contents unspecified, for code that is about to write every byte.
  static Result<HostTensor> createUninitialized(TensorType type);

  /// Rounds `count` values in row-major order to `type.dtype`. Fails if `count`
  /// is not the number of elements, or if i32 or bool cannot hold a value
  /// exactly.
  static Result<HostTensor> fromDoubles(TensorType type, const double *values,
                                        int64_t count);
  static Result<HostTensor> fromDoubles(TensorType type,
                                        const std::vector<double> &values) {
    return fromDoubles(std::move(type), values.data(),
                       static_cast<int64_t>(values.size()));
  }

  Result<HostTensor> clone() const;

  const TensorType &type() const { return tensorType; }
  DType dtype() const { return tensorType.dtype; }
  const std::vector<int64_t> &shape() const { return tensorType.shape; }
  int64_t rank() const { return static_cast<int64_t>(tensorType.shape.size()); }
  int64_t numElements() const { return elements; }
  int64_t byteSize() const { return elements * dtypeSize(dtype()); }

  /// `byteSize()` bytes; bool is one byte, 0 or 1.
  std::byte *data() { return storage.get(); }
  const std::byte *data() const { return storage.get(); }

  /// Element `index` in row-major order; conversions as in DType.h.
  double get(int64_t index) const {
    return decodeElement(dtype(), elementAt(index));
  }
  void set(int64_t index, double value) {
    encodeElement(dtype(), value, const_cast<std::byte *>(elementAt(index)));
  }

  /// All elements in row-major order, exact. Fails with Resource only.
  Result<std::vector<double>> toDoubles() const;

private:
  HostTensor(TensorType type, int64_t elements,
             std::unique_ptr<std::byte[]> storage)
      : tensorType(std::move(type)), elements(elements),
        storage(std::move(storage)) {}

  const std::byte *elementAt(int64_t index) const {
    assert(index >= 0 && index < elements && "element index out of range");
    return storage.get() + index * dtypeSize(dtype());
  }

  TensorType tensorType;
  int64_t elements;
  std::unique_ptr<std::byte[]> storage;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_HOSTTENSOR_H
