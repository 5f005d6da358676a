//===- FakeCuda.cpp - a CUDA driver without a GPU -------------------------===//

#include "FakeCuda.h"

#include "CudaTypes.h"

#include <cstdlib>
#include <cstring>
#include <memory>

using namespace fuse::rt;
using Launch = FakeCudaState::Launch;

// NOLINTBEGIN(readability-identifier-naming): the names are the driver's.

static FakeCudaState state;

extern "C" FakeCudaState *fakecuda_state() { return &state; }

/// Notes a call; nonzero if it is to fail.
static int enter(const char *name) {
  if (state.quiet)
    return cuda::Success;
  state.calls.emplace_back(name);
  if (state.failing == name && state.failAfter-- <= 0)
    return state.failure;
  return cuda::Success;
}

#define ENTER(name)                                                            \
  if (int failure = enter(name))                                               \
  return failure

namespace {
/// A launch with copies of its parameters.
struct Recorded {
  Launch launch;
  std::vector<int64_t> values;
};

struct FakeStream {
  bool capturing = false;
  std::vector<Recorded> recorded;
};

struct FakeFunction {
  std::string name;
};

struct FakeModule {
  std::vector<std::unique_ptr<FakeFunction>> functions;
};

using FakeGraph = std::vector<Recorded>;
} // namespace

static void execute(Recorded &recorded) {
  std::vector<void *> parameters;
  for (int64_t &value : recorded.values)
    parameters.push_back(&value);
  state.launches.push_back(recorded.launch);
  state.nanoseconds += 1000;
  const FakeCudaState::Kernel &kernel = state.kernels[recorded.launch.kernel];
  if (kernel.body)
    kernel.body(recorded.launch, parameters.data());
}

extern "C" {

int cuInit(unsigned) {
  ENTER("cuInit");
  return state.devices > 0 ? cuda::Success : cuda::ErrorNoDevice;
}

int cuDriverGetVersion(int *version) {
  ENTER("cuDriverGetVersion");
  *version = 13000;
  return cuda::Success;
}

int cuGetErrorName(int error, const char **name) {
  *name = error == cuda::ErrorOutOfMemory ? "CUDA_ERROR_OUT_OF_MEMORY"
                                          : "CUDA_ERROR_FAKE";
  return cuda::Success;
}

int cuGetErrorString(int error, const char **text) {
  *text = error == cuda::ErrorOutOfMemory ? "out of memory" : "planted";
  return cuda::Success;
}

int cuDeviceGetCount(int *count) {
  ENTER("cuDeviceGetCount");
  *count = state.devices;
  return cuda::Success;
}

int cuDeviceGet(cuda::Device *device, int ordinal) {
  ENTER("cuDeviceGet");
  *device = ordinal;
  return cuda::Success;
}

int cuDeviceGetName(char *name, int size, cuda::Device) {
  ENTER("cuDeviceGetName");
  std::strncpy(name, "a fake GPU", size_t(size));
  return cuda::Success;
}

int cuDeviceGetAttribute(int *value, int attribute, cuda::Device) {
  ENTER("cuDeviceGetAttribute");
  const std::map<int, int> values = {
      {cuda::ComputeCapabilityMajor, state.major},
      {cuda::ComputeCapabilityMinor, state.minor},
      {cuda::MaxThreadsPerBlock, state.maxThreads},
      {cuda::MaxSharedMemoryPerBlockOptin, state.sharedBytes},
      {cuda::MultiprocessorCount, state.multiprocessors},
      {cuda::L2CacheSize, state.l2Bytes}};
  *value = values.at(attribute);
  return cuda::Success;
}

int cuDevicePrimaryCtxRetain(cuda::Context *context, cuda::Device) {
  ENTER("cuDevicePrimaryCtxRetain");
  *context = reinterpret_cast<cuda::Context>(&state);
  ++state.objects;
  return cuda::Success;
}

int cuDevicePrimaryCtxRelease_v2(cuda::Device) {
  --state.objects;
  return cuda::Success;
}

int cuCtxPushCurrent_v2(cuda::Context) {
  ENTER("cuCtxPushCurrent_v2");
  return cuda::Success;
}

int cuCtxPopCurrent_v2(cuda::Context *context) {
  *context = nullptr;
  return cuda::Success;
}

int cuModuleLoadData(cuda::Module *module, const void *image) {
  ENTER("cuModuleLoadData");
  if (std::strncmp(static_cast<const char *>(image), "fake cubin", 10) != 0)
    return 200; // CUDA_ERROR_INVALID_IMAGE
  *module = reinterpret_cast<cuda::Module>(new FakeModule);
  ++state.objects;
  return cuda::Success;
}

int cuModuleUnload(cuda::Module module) {
  delete reinterpret_cast<FakeModule *>(module);
  --state.objects;
  return cuda::Success;
}

int cuModuleGetFunction(cuda::Function *function, cuda::Module module,
                        const char *name) {
  ENTER("cuModuleGetFunction");
  if (!state.kernels.count(name))
    return 500; // CUDA_ERROR_NOT_FOUND
  auto &functions = reinterpret_cast<FakeModule *>(module)->functions;
  functions.push_back(std::make_unique<FakeFunction>(FakeFunction{name}));
  *function = reinterpret_cast<cuda::Function>(functions.back().get());
  return cuda::Success;
}

int cuFuncGetAttribute(int *value, int attribute, cuda::Function) {
  ENTER("cuFuncGetAttribute");
  *value = attribute == cuda::FunctionMaxThreadsPerBlock ? state.functionThreads
                                                         : 40;
  return cuda::Success;
}

int cuFuncSetAttribute(cuda::Function, int, int value) {
  ENTER("cuFuncSetAttribute");
  state.functionShared = value;
  return cuda::Success;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, cuda::Function,
                                                int, size_t) {
  ENTER("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  *blocks = state.residentBlocks;
  return cuda::Success;
}

int cuMemAlloc_v2(cuda::DevicePtr *address, size_t bytes) {
  ENTER("cuMemAlloc_v2");
  if (bytes > state.memory)
    return cuda::ErrorOutOfMemory;
  // The size goes in front, in 256 bytes so that alignment stays.
  auto *block = static_cast<char *>(
      std::aligned_alloc(256, (bytes + 767) & ~size_t(255)));
  std::memcpy(block, &bytes, sizeof(bytes));
  state.memory -= bytes;
  state.allocated += bytes;
  *address = reinterpret_cast<cuda::DevicePtr>(block + 256);
  return cuda::Success;
}

int cuMemFree_v2(cuda::DevicePtr address) {
  char *block = reinterpret_cast<char *>(address) - 256;
  size_t bytes;
  std::memcpy(&bytes, block, sizeof(bytes));
  state.memory += bytes;
  state.allocated -= bytes;
  std::free(block);
  return cuda::Success;
}

int cuMemGetInfo_v2(size_t *free, size_t *total) {
  *free = state.memory;
  *total = state.memory + state.allocated;
  return cuda::Success;
}

int cuMemcpyHtoDAsync_v2(cuda::DevicePtr to, const void *from, size_t bytes,
                         cuda::Stream) {
  ENTER("cuMemcpyHtoDAsync_v2");
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return cuda::Success;
}

int cuMemcpyDtoHAsync_v2(void *to, cuda::DevicePtr from, size_t bytes,
                         cuda::Stream) {
  ENTER("cuMemcpyDtoHAsync_v2");
  std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
  return cuda::Success;
}

int cuMemsetD8Async(cuda::DevicePtr to, unsigned char value, size_t bytes,
                    cuda::Stream) {
  ENTER("cuMemsetD8Async");
  std::memset(reinterpret_cast<void *>(to), value, bytes);
  return cuda::Success;
}

int cuStreamCreate(cuda::Stream *stream, unsigned) {
  ENTER("cuStreamCreate");
  *stream = reinterpret_cast<cuda::Stream>(new FakeStream);
  ++state.objects;
  return cuda::Success;
}

int cuStreamDestroy_v2(cuda::Stream stream) {
  delete reinterpret_cast<FakeStream *>(stream);
  --state.objects;
  return cuda::Success;
}

int cuStreamSynchronize(cuda::Stream) {
  ENTER("cuStreamSynchronize");
  return cuda::Success;
}

int cuStreamBeginCapture_v2(cuda::Stream stream, int) {
  ENTER("cuStreamBeginCapture_v2");
  reinterpret_cast<FakeStream *>(stream)->capturing = true;
  return cuda::Success;
}

int cuStreamEndCapture(cuda::Stream stream, cuda::Graph *graph) {
  auto *fake = reinterpret_cast<FakeStream *>(stream);
  fake->capturing = false;
  ENTER("cuStreamEndCapture");
  *graph =
      reinterpret_cast<cuda::Graph>(new FakeGraph(std::move(fake->recorded)));
  ++state.objects;
  return cuda::Success;
}

int cuStreamIsCapturing(cuda::Stream stream, int *status) {
  ENTER("cuStreamIsCapturing");
  *status = stream && reinterpret_cast<FakeStream *>(stream)->capturing;
  return cuda::Success;
}

int cuGraphInstantiateWithFlags(cuda::GraphExec *executable, cuda::Graph graph,
                                unsigned long long) {
  ENTER("cuGraphInstantiateWithFlags");
  *executable = reinterpret_cast<cuda::GraphExec>(
      new FakeGraph(*reinterpret_cast<FakeGraph *>(graph)));
  ++state.objects;
  return cuda::Success;
}

int cuGraphDestroy(cuda::Graph graph) {
  delete reinterpret_cast<FakeGraph *>(graph);
  --state.objects;
  return cuda::Success;
}

int cuGraphExecDestroy(cuda::GraphExec graph) {
  delete reinterpret_cast<FakeGraph *>(graph);
  --state.objects;
  return cuda::Success;
}

int cuGraphLaunch(cuda::GraphExec graph, cuda::Stream) {
  ENTER("cuGraphLaunch");
  for (Recorded &recorded : *reinterpret_cast<FakeGraph *>(graph))
    execute(recorded);
  return cuda::Success;
}

int cuEventCreate(cuda::Event *event, unsigned) {
  ENTER("cuEventCreate");
  *event = reinterpret_cast<cuda::Event>(new double(0));
  ++state.objects;
  return cuda::Success;
}

int cuEventDestroy_v2(cuda::Event event) {
  delete reinterpret_cast<double *>(event);
  --state.objects;
  return cuda::Success;
}

int cuEventRecord(cuda::Event event, cuda::Stream) {
  ENTER("cuEventRecord");
  *reinterpret_cast<double *>(event) = state.nanoseconds;
  return cuda::Success;
}

int cuEventElapsedTime(float *milliseconds, cuda::Event start,
                       cuda::Event end) {
  ENTER("cuEventElapsedTime");
  *milliseconds = float(
      (*reinterpret_cast<double *>(end) - *reinterpret_cast<double *>(start)) *
      1e-6);
  return cuda::Success;
}

int cuLaunchKernelEx(const cuda::LaunchConfig *config, cuda::Function function,
                     void **parameters, void **) {
  ENTER("cuLaunchKernelEx");
  if (state.quiet)
    return cuda::Success;
  Recorded recorded;
  recorded.launch = {
      reinterpret_cast<FakeFunction *>(function)->name, config->gridX,
      config->blockX, config->sharedBytes,
      config->numAttributes == 1 &&
          config->attributes->id == cuda::kProgrammaticStreamSerialization &&
          config->attributes->value.programmaticStreamSerializationAllowed ==
              1};
  size_t count = state.kernels[recorded.launch.kernel].numParameters;
  for (size_t i = 0; i < count; ++i)
    recorded.values.push_back(*static_cast<int64_t *>(parameters[i]));
  auto *stream = reinterpret_cast<FakeStream *>(config->stream);
  if (stream && stream->capturing)
    stream->recorded.push_back(std::move(recorded));
  else
    execute(recorded);
  return cuda::Success;
}

} // extern "C"

// NOLINTEND(readability-identifier-naming)
