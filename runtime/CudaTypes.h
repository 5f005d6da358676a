//===- CudaTypes.h - the part of the driver API that we use -----*- C++ -*-===//
//
// Declared here, so that building needs no CUDA. Names and numbers are those of
// cuda.h, spelled in our style; a test compares them where there is a cuda.h.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CUDATYPES_H
#define FUSE_RUNTIME_CUDATYPES_H

#include <cstddef>
#include <cstdint>

namespace fuse::rt::cuda {

using Device = int;
using DevicePtr = unsigned long long;
using Context = struct ContextHandle *;
using Module = struct ModuleHandle *;
using Function = struct FunctionHandle *;
using Stream = struct StreamHandle *;
using Event = struct EventHandle *;
using Graph = struct GraphHandle *;
using GraphExec = struct GraphExecHandle *;

/// Error codes that are told apart.
enum ResultCode : int {
  Success = 0,
  ErrorOutOfMemory = 2,
  ErrorNoDevice = 100,
};

enum DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  MultiprocessorCount = 16,
  L2CacheSize = 38,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedMemoryPerBlockOptin = 97,
};

enum FunctionAttribute : int {
  FunctionMaxThreadsPerBlock = 0,
  FunctionNumRegs = 4,
  FunctionMaxDynamicSharedSizeBytes = 8,
};

constexpr unsigned kStreamNonBlocking = 1;
constexpr int kCaptureThreadLocal = 1;
constexpr int kProgrammaticStreamSerialization = 6;

struct LaunchAttribute {
  int id;
  char pad[4];
  union {
    char bytes[64];
    int programmaticStreamSerializationAllowed;
  } value;
};

struct LaunchConfig {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};

} // namespace fuse::rt::cuda

#endif // FUSE_RUNTIME_CUDATYPES_H
