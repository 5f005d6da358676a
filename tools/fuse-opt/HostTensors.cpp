//===- HostTensors.cpp - Between files and the interpreter ----------------===//

#include "HostTensors.h"
#include "fuse/codegen/BuildArtifact.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace fuse;

rt::TensorType fuse::tensorTypeOf(Type elementType, ArrayRef<int64_t> shape) {
  return {dtypeOf(elementType), {shape.begin(), shape.end()}};
}

Tensor fuse::toTensor(const rt::HostTensor &tensor, Type elementType) {
  Tensor result(elementType, Box::whole(tensor.shape()));
  for (int64_t i = 0, e = result.size(); i < e; ++i)
    result.value[i] = tensor.get(i);
  return result;
}

rt::Result<rt::HostTensor> fuse::toHostTensor(const Tensor &tensor,
                                              rt::DType dtype) {
  ArrayRef<int64_t> shape = tensor.box.extent;
  auto result = rt::HostTensor::createUninitialized(
      {dtype, {shape.begin(), shape.end()}});
  if (result.ok())
    for (int64_t i = 0, e = tensor.size(); i < e; ++i)
      result->set(i, tensor.value[i]);
  return result;
}

std::vector<double> fuse::roundedValues(const Tensor &tensor) {
  rt::DType dtype = dtypeOf(tensor.elementType);
  std::vector<double> values;
  values.reserve(tensor.size());
  for (double value : tensor.value)
    values.push_back(rt::roundToDType(dtype, value));
  return values;
}
