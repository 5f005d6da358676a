//===- HostTensors.cpp - Between files and the interpreter ----------------===//

#include "HostTensors.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace fuse;

rt::DType fuse::dtypeOf(Type elementType) {
  if (elementType.isF16())
    return rt::DType::F16;
  if (elementType.isBF16())
    return rt::DType::BF16;
  if (elementType.isF32())
    return rt::DType::F32;
  if (elementType.isF64())
    return rt::DType::F64;
  return elementType.isInteger(1) ? rt::DType::Bool : rt::DType::I32;
}

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
