//===- TensorType.h - element type and shape --------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_TENSORTYPE_H
#define FUSE_RUNTIME_TENSORTYPE_H

#include "fuse/runtime/DType.h"
#include "fuse/runtime/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuse::rt {

/// Highest rank of a tensor.
inline constexpr int64_t kMaxRank = 8;

/// Element type and static sizes. Rank 0 and sizes 0 and 1 are ordinary.
struct TensorType {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;

  friend bool operator==(const TensorType &a, const TensorType &b) {
    return a.dtype == b.dtype && a.shape == b.shape;
  }
  friend bool operator!=(const TensorType &a, const TensorType &b) {
    return !(a == b);
  }
};

/// Number of elements and of bytes. Fails (InvalidInput) on rank above
/// `kMaxRank`, a negative size, or 2^63 bytes and more. The last holds for the
/// product of the nonzero sizes, so that strides never overflow either.
Result<int64_t> numElements(const TensorType &type);
Result<int64_t> byteSize(const TensorType &type);

/// `4x8`; empty for rank 0.
std::string formatShape(const std::vector<int64_t> &shape);

/// `4x8xf32`; `f32` for rank 0.
std::string formatTensorType(const TensorType &type);

/// The inverse of `formatTensorType`; the result passes `byteSize`.
Result<TensorType> parseTensorType(std::string_view text);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_TENSORTYPE_H
