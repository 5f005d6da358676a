//===- CudaRun.cpp - whole calls on a GPU ---------------------------------===//

#include "CompileCached.h"
#include "CudaExecutable.h"
#include "NoThrow.h"
#include "Text.h"

#include <algorithm>

using namespace fuse::rt;

Result<RunResult>
CudaExecutable::run(const Dims &dims,
                    const std::vector<HostTensor> &arguments) const {
  return noThrow([&]() -> Result<RunResult> {
    const CudaDriver &driver = *gpu->driver;
    if (Status status = checkArguments(dims, arguments); !status.ok())
      return status;
    ContextScope scope(driver, gpu->context);
    if (Status status = scope.status(); !status.ok())
      return status;
    Result<CudaStream> stream = CudaStream::create(gpu);
    if (!stream.ok())
      return stream.status();
    Result<CudaCall> memory =
        CudaCall::create(gpu, *loaded, dims, arguments, stream->get());
    if (!memory.ok())
      return memory.status();
    CudaEvent start(gpu), end(gpu);
    if (Status status = start.record(stream->get()); !status.ok())
      return status;
    if (Status status =
            launch(dims.data(), dims.size(), memory->call(), stream->get());
        !status.ok())
      return status;
    if (Status status = end.record(stream->get()); !status.ok())
      return status;
    if (Status status =
            stream->synchronize("run '" + loaded->artifact().name +
                                "' (--debug-sync names the kernel)");
        !status.ok())
      return status;
    RunResult result;
    result.bytes = memory->bytes();
    if (Result<double> time = end.nanosecondsSince(start); time.ok())
      result.seconds = *time * 1e-9;
    for (size_t i = 0; i < loaded->numResults(); ++i) {
      size_t index = loaded->numArguments() + i;
      Result<TensorType> type = loaded->tensorType(index, dims);
      Result<HostTensor> tensor =
          type.ok() ? HostTensor::createUninitialized(std::move(*type))
                    : Result<HostTensor>(type.status());
      if (!tensor.ok())
        return tensor.status();
      if (tensor->byteSize() > 0)
        if (Status status = driver.check(
                driver.copyToHost(tensor->data(), memory->buffer(index),
                                  size_t(tensor->byteSize()), stream->get()),
                "read " + loaded->describeTensor(index));
            !status.ok())
          return status;
      result.results.push_back(std::move(*tensor));
    }
    if (Status status = stream->synchronize("read the results"); !status.ok())
      return status;
    return result;
  });
}

Result<std::unique_ptr<CapturedCall>>
CudaExecutable::capture(const int64_t *dims, size_t numDims, const Call &call,
                        int64_t calls) const {
  return noThrow([&]() -> Result<std::unique_ptr<CapturedCall>> {
    Result<const Program::Plan *> plan = loaded->planCall(call, dims, numDims);
    if (!plan.ok())
      return plan.status();
    ContextScope scope(*gpu->driver, gpu->context);
    if (Status status = scope.status(); !status.ok())
      return status;
    return captureGraph(gpu, [&](cuda::Stream stream) {
      Status status;
      for (int64_t i = 0; i < calls && status.ok(); ++i)
        status = enqueue(**plan, dims, call, stream);
      return status;
    });
  });
}
