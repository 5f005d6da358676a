//===- HostTensor.cpp - dense tensor in host memory -----------------------===//

#include "fuse/runtime/HostTensor.h"

#include "NoThrow.h"
#include "Text.h"

#include "fuse/runtime/ElementText.h"

#include <cstring>
#include <new>

using namespace fuse::rt;

Result<HostTensor> HostTensor::createUninitialized(TensorType type) {
  return noThrow([&]() -> Result<HostTensor> {
    Result<int64_t> elements = rt::numElements(type);
    if (!elements.ok())
      return elements.status();
    auto bytes = static_cast<size_t>(*elements * dtypeSize(type.dtype));
    std::unique_ptr<std::byte[]> storage(new (std::nothrow) std::byte[bytes]);
    if (!storage)
      return Status::resource("cannot allocate " + std::to_string(bytes) +
                              " bytes for " + formatTensorType(type));
    return HostTensor(std::move(type), *elements, std::move(storage));
  });
}

Result<HostTensor> HostTensor::create(TensorType type) {
  Result<HostTensor> tensor = createUninitialized(std::move(type));
  if (tensor.ok())
    std::memset(tensor->data(), 0, static_cast<size_t>(tensor->byteSize()));
  return tensor;
}

Result<HostTensor>
HostTensor::fromDoubles(TensorType type, const double *values, int64_t count) {
  return noThrow([&]() -> Result<HostTensor> {
    Result<HostTensor> tensor = createUninitialized(std::move(type));
    if (!tensor.ok())
      return tensor;
    if (count != tensor->numElements())
      return expected(std::to_string(tensor->numElements()) + " values for " +
                          formatTensorType(tensor->type()),
                      std::to_string(count));
    for (int64_t i = 0; i < count; ++i) {
      tensor->set(i, values[i]);
      if (!isFloat(tensor->dtype()) && tensor->get(i) != values[i])
        return expected("values that " +
                            std::string(dtypeName(tensor->dtype())) +
                            " can hold",
                        formatElement(DType::F64, &values[i]) + " at element " +
                            std::to_string(i));
    }
    return tensor;
  });
}

Result<HostTensor> HostTensor::clone() const {
  return noThrow([&]() -> Result<HostTensor> {
    Result<HostTensor> copy = createUninitialized(tensorType);
    if (copy.ok())
      std::memcpy(copy->data(), data(), static_cast<size_t>(byteSize()));
    return copy;
  });
}

Result<std::vector<double>> HostTensor::toDoubles() const {
  return noThrow([&]() -> Result<std::vector<double>> {
    std::vector<double> values(static_cast<size_t>(elements));
    for (int64_t i = 0; i < elements; ++i)
      values[static_cast<size_t>(i)] = get(i);
    return values;
  });
}
