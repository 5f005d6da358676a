//===- CudaMemory.cpp - memory, streams, events and graphs of a GPU -------===//

#include "CudaExecutable.h"

#include "Text.h"

using namespace fuse::rt;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

CudaBuffer::~CudaBuffer() {
  if (address == 0)
    return;
  ContextScope scope(*gpu->driver, gpu->context);
  gpu->driver->memoryFree(address);
}

Status CudaBuffer::allocate(uint64_t bytes, const std::string &what) {
  if (bytes == 0)
    return {};
  const CudaDriver &driver = *gpu->driver;
  int result = driver.memoryAllocate(&address, bytes);
  if (result != cuda::ErrorOutOfMemory)
    return driver.check(result, "allocate " + what);
  size_t free = 0, total = 0;
  driver.memoryInfo(&free, &total);
  return Status::resource("expects " + std::to_string(bytes) + " bytes for " +
                          what + " on " + gpu->limits.name + ", but only " +
                          std::to_string(free) + " of " +
                          std::to_string(total) + " are free");
}

Result<CudaCall> CudaCall::create(std::shared_ptr<const CudaGpu> gpu,
                                  const Program &program, const Dims &dims,
                                  const std::vector<HostTensor> &arguments,
                                  cuda::Stream stream) {
  const CudaDriver &driver = *gpu->driver;
  CudaCall call;
  auto add = [&](uint64_t bytes, const std::string &what,
                 const HostTensor *contents) -> Status {
    CudaBuffer buffer(gpu);
    if (Status status = buffer.allocate(bytes, what); !status.ok())
      return status;
    call.totalBytes += bytes;
    Status status;
    if (bytes > 0)
      status = driver.check(
          contents ? driver.copyToDevice(buffer.get(), contents->data(), bytes,
                                         stream)
                   : driver.memorySet(buffer.get(), 0xff, bytes, stream),
          "fill " + what);
    call.buffers.push_back(std::move(buffer));
    return status;
  };
  size_t count = program.numArguments() + program.numResults();
  for (size_t i = 0; i < count; ++i) {
    bool isArgument = i < program.numArguments();
    Result<TensorType> type = program.tensorType(i, dims);
    if (!type.ok())
      return type.status();
    Result<int64_t> bytes = byteSize(*type);
    if (!bytes.ok())
      return bytes.status();
    if (Status status = add(uint64_t(*bytes), program.describeTensor(i),
                            isArgument ? &arguments[i] : nullptr);
        !status.ok())
      return status;
    call.pointers.push_back(call.buffers.back().pointer());
  }
  Result<const Program::Plan *> plan =
      program.selectPlan(dims.data(), dims.size());
  if (!plan.ok())
    return plan.status();
  Result<uint64_t> workspace = program.workspaceBytes(**plan, dims.data());
  if (!workspace.ok())
    return workspace.status();
  call.workspaceBytes = *workspace;
  if (Status status = add(*workspace, "the workspace", nullptr); !status.ok())
    return status;
  return call;
}

Call CudaCall::call() const {
  Call call;
  call.pointers = pointers.data();
  call.numPointers = pointers.size();
  call.workspace = buffers.back().pointer();
  call.workspaceBytes = workspaceBytes;
  return call;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Result<CudaStream> CudaStream::create(std::shared_ptr<const CudaGpu> gpu) {
  cuda::Stream stream = nullptr;
  if (Status status = gpu->driver->check(
          gpu->driver->streamCreate(&stream, cuda::kStreamNonBlocking),
          "make a stream");
      !status.ok())
    return status;
  return CudaStream(std::move(gpu), stream);
}

CudaStream::~CudaStream() {
  if (!stream)
    return;
  ContextScope scope(*gpu->driver, gpu->context);
  gpu->driver->streamDestroy(stream);
}

Status CudaStream::synchronize(std::string_view what) const {
  return gpu->driver->check(gpu->driver->streamSynchronize(stream), what);
}

CudaEvent::~CudaEvent() {
  if (!event)
    return;
  ContextScope scope(*gpu->driver, gpu->context);
  gpu->driver->eventDestroy(event);
}

Status CudaEvent::record(cuda::Stream stream) {
  const CudaDriver &driver = *gpu->driver;
  if (!event)
    if (Status status =
            driver.check(driver.eventCreate(&event, 0), "make an event");
        !status.ok())
      return status;
  return driver.check(driver.eventRecord(event, stream), "record an event");
}

Result<double> CudaEvent::nanosecondsSince(const CudaEvent &start) const {
  float milliseconds = 0;
  if (Status status = gpu->driver->check(
          gpu->driver->eventElapsed(&milliseconds, start.event, event),
          "read an event");
      !status.ok())
    return status;
  return double(milliseconds) * 1e6;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {
class CudaGraph final : public CapturedCall {
public:
  CudaGraph(std::shared_ptr<const CudaGpu> gpu, cuda::GraphExec graph)
      : gpu(std::move(gpu)), graph(graph) {}
  ~CudaGraph() override {
    ContextScope scope(*gpu->driver, gpu->context);
    gpu->driver->graphExecDestroy(graph);
  }

  Status launch(void *stream) const override {
    ContextScope scope(*gpu->driver, gpu->context);
    if (Status status = scope.status(); !status.ok())
      return status;
    return gpu->driver->check(
        gpu->driver->graphLaunch(graph, static_cast<cuda::Stream>(stream)),
        "launch a graph");
  }

private:
  std::shared_ptr<const CudaGpu> gpu;
  cuda::GraphExec graph;
};
} // namespace

Result<std::unique_ptr<CapturedCall>>
fuse::rt::captureGraph(std::shared_ptr<const CudaGpu> gpu,
                       const std::function<Status(cuda::Stream)> &record) {
  const CudaDriver &driver = *gpu->driver;
  Result<CudaStream> stream = CudaStream::create(gpu);
  if (!stream.ok())
    return stream.status();
  if (Status status = driver.check(
          driver.captureBegin(stream->get(), cuda::kCaptureThreadLocal),
          "begin a graph");
      !status.ok())
    return status;
  // A capture must end, whatever happened in it.
  Status recorded = record(stream->get());
  cuda::Graph graph = nullptr;
  Status ended =
      driver.check(driver.captureEnd(stream->get(), &graph), "end a graph");
  cuda::GraphExec executable = nullptr;
  Status instantiated;
  if (recorded.ok() && ended.ok())
    instantiated = driver.check(driver.graphInstantiate(&executable, graph, 0),
                                "instantiate a graph");
  if (graph)
    driver.graphDestroy(graph);
  for (const Status &status : {recorded, ended, instantiated})
    if (!status.ok())
      return status;
  return std::unique_ptr<CapturedCall>(
      std::make_unique<CudaGraph>(std::move(gpu), executable));
}
