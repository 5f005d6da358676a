//===- CudaDriver.h - the CUDA driver, loaded while running -----*- C++ -*-===//

#ifndef FUSE_RUNTIME_CUDADRIVER_H
#define FUSE_RUNTIME_CUDADRIVER_H

#include "CudaTypes.h"
#include "SharedLibrary.h"
#include "fuse/runtime/Status.h"

#include <memory>
#include <string>

namespace fuse::rt {

/// Functions of the driver: name of ours, symbol, parameters.
#define FUSE_CUDA_FUNCTIONS(X)                                                 \
  X(init, "cuInit", (unsigned))                                                \
  X(driverGetVersion, "cuDriverGetVersion", (int *))                           \
  X(getErrorName, "cuGetErrorName", (int, const char **))                      \
  X(getErrorString, "cuGetErrorString", (int, const char **))                  \
  X(deviceGetCount, "cuDeviceGetCount", (int *))                               \
  X(deviceGet, "cuDeviceGet", (cuda::Device *, int))                           \
  X(deviceGetName, "cuDeviceGetName", (char *, int, cuda::Device))             \
  X(deviceGetAttribute, "cuDeviceGetAttribute", (int *, int, cuda::Device))    \
  X(contextRetain, "cuDevicePrimaryCtxRetain",                                 \
    (cuda::Context *, cuda::Device))                                           \
  X(contextRelease, "cuDevicePrimaryCtxRelease_v2", (cuda::Device))            \
  X(contextPush, "cuCtxPushCurrent_v2", (cuda::Context))                       \
  X(contextPop, "cuCtxPopCurrent_v2", (cuda::Context *))                       \
  X(moduleLoad, "cuModuleLoadData", (cuda::Module *, const void *))            \
  X(moduleUnload, "cuModuleUnload", (cuda::Module))                            \
  X(moduleGetFunction, "cuModuleGetFunction",                                  \
    (cuda::Function *, cuda::Module, const char *))                            \
  X(functionGetAttribute, "cuFuncGetAttribute", (int *, int, cuda::Function))  \
  X(functionSetAttribute, "cuFuncSetAttribute", (cuda::Function, int, int))    \
  X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                  \
    (int *, cuda::Function, int, size_t))                                      \
  X(memoryAllocate, "cuMemAlloc_v2", (cuda::DevicePtr *, size_t))              \
  X(memoryFree, "cuMemFree_v2", (cuda::DevicePtr))                             \
  X(memoryInfo, "cuMemGetInfo_v2", (size_t *, size_t *))                       \
  X(copyToDevice, "cuMemcpyHtoDAsync_v2",                                      \
    (cuda::DevicePtr, const void *, size_t, cuda::Stream))                     \
  X(copyToHost, "cuMemcpyDtoHAsync_v2",                                        \
    (void *, cuda::DevicePtr, size_t, cuda::Stream))                           \
  X(memorySet, "cuMemsetD8Async",                                              \
    (cuda::DevicePtr, unsigned char, size_t, cuda::Stream))                    \
  X(streamCreate, "cuStreamCreate", (cuda::Stream *, unsigned))                \
  X(streamDestroy, "cuStreamDestroy_v2", (cuda::Stream))                       \
  X(streamSynchronize, "cuStreamSynchronize", (cuda::Stream))                  \
  X(captureBegin, "cuStreamBeginCapture_v2", (cuda::Stream, int))              \
  X(captureEnd, "cuStreamEndCapture", (cuda::Stream, cuda::Graph *))           \
  X(streamIsCapturing, "cuStreamIsCapturing", (cuda::Stream, int *))           \
  X(graphInstantiate, "cuGraphInstantiateWithFlags",                           \
    (cuda::GraphExec *, cuda::Graph, unsigned long long))                      \
  X(graphDestroy, "cuGraphDestroy", (cuda::Graph))                             \
  X(graphExecDestroy, "cuGraphExecDestroy", (cuda::GraphExec))                 \
  X(graphLaunch, "cuGraphLaunch", (cuda::GraphExec, cuda::Stream))             \
  X(eventCreate, "cuEventCreate", (cuda::Event *, unsigned))                   \
  X(eventDestroy, "cuEventDestroy_v2", (cuda::Event))                          \
  X(eventRecord, "cuEventRecord", (cuda::Event, cuda::Stream))                 \
  X(eventElapsed, "cuEventElapsedTime", (float *, cuda::Event, cuda::Event))   \
  X(launchKernel, "cuLaunchKernelEx",                                          \
    (const cuda::LaunchConfig *, cuda::Function, void **, void **))

/// The functions, and the library that they are in.
class CudaDriver {
public:
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration.
#define FUSE_DECLARE(name, symbol, parameters) int(*name) parameters = nullptr;
  FUSE_CUDA_FUNCTIONS(FUSE_DECLARE)
#undef FUSE_DECLARE

  /// Loads and initialises; `path` is empty for libcuda.so.1. NoDevice if there
  /// is no driver, or none that works.
  static Result<std::shared_ptr<const CudaDriver>> load(std::string path);

  /// Success, or "cannot <what>: <name>: <description>": Resource for missing
  /// memory, else Runtime.
  Status check(int result, std::string_view what) const;

  /// `CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected`.
  std::string describe(int result) const;

  int version() const { return versionNumber; } ///< 13000 for 13.0.

private:
  SharedLibrary library;
  int versionNumber = 0;
};

/// A context that is current while this lives.
class ContextScope {
public:
  ContextScope(const CudaDriver &driver, cuda::Context context)
      : driver(driver), result(driver.contextPush(context)) {}
  ~ContextScope() {
    cuda::Context ignored;
    if (result == cuda::Success)
      driver.contextPop(&ignored);
  }
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  Status status() const { return driver.check(result, "use the device"); }

private:
  const CudaDriver &driver;
  int result;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_CUDADRIVER_H
