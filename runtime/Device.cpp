//===- Device.cpp - what runs programs ------------------------------------===//

#include "fuse/runtime/Device.h"

#include "Text.h"

using namespace fuse::rt;

CapturedCall::~CapturedCall() = default;
Executable::~Executable() = default;
Device::~Device() = default;

Status
Executable::checkArguments(const Dims &dims,
                           const std::vector<HostTensor> &arguments) const {
  const Program &program = *loaded;
  if (arguments.size() != program.numArguments())
    return expected(std::to_string(program.numArguments()) + " arguments",
                    std::to_string(arguments.size()));
  for (size_t i = 0; i < arguments.size(); ++i) {
    Result<TensorType> type = program.tensorType(i, dims);
    if (!type.ok())
      return type.status();
    if (*type != arguments[i].type())
      return expected(program.describeTensor(i) + " to be " +
                          formatTensorType(*type),
                      formatTensorType(arguments[i].type()));
  }
  return {};
}
