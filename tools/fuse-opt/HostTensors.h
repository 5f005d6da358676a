//===- HostTensors.h - Between files and the interpreter -------*- C++ -*-===//

#ifndef FUSE_TOOLS_HOSTTENSORS_H
#define FUSE_TOOLS_HOSTTENSORS_H

#include "fuse/interpreter/Tensor.h"
#include "fuse/runtime/HostTensor.h"

namespace fuse {

rt::TensorType tensorTypeOf(mlir::Type elementType, ArrayRef<int64_t> shape);

/// The exact values of an argument.
Tensor toTensor(const rt::HostTensor &tensor, mlir::Type elementType);

/// What a computed tensor holds, rounded to `dtype`.
rt::Result<rt::HostTensor> toHostTensor(const Tensor &tensor, rt::DType dtype);

/// What a computed tensor holds, rounded to its element type.
std::vector<double> roundedValues(const Tensor &tensor);

} // namespace fuse

#endif // FUSE_TOOLS_HOSTTENSORS_H
