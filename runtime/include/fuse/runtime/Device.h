//===- Device.h - what runs programs ----------------------------*- C++ -*-===//
//
// Two devices: `cuda`, an NVIDIA GPU, and `host`, the same kernels compiled by
// a C++ compiler and run by the twin. A device is opened once, programs are
// loaded on it, and loading compiles all their kernels: calls compile nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_DEVICE_H
#define FUSE_RUNTIME_DEVICE_H

#include "fuse/runtime/Benchmark.h"
#include "fuse/runtime/Cache.h"
#include "fuse/runtime/HostCompiler.h"
#include "fuse/runtime/HostTensor.h"
#include "fuse/runtime/Nvrtc.h"
#include "fuse/runtime/Program.h"
#include "fuse/runtime/Status.h"
#include "fuse/runtime/Twin.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fuse::rt {

/// Where the kernels of a loaded program came from.
struct CompileStats {
  int64_t compiled = 0;  ///< Kernels that a compiler was run for.
  int64_t fromCache = 0; ///< Kernels that the cache had.
  int64_t prebuilt = 0;  ///< Kernels whose machine code the artifact has.
  double compileSeconds = 0;
  double loadSeconds = 0; ///< Everything else until they could be launched.
};

struct RunResult {
  std::vector<HostTensor> results;
  /// What the twin found, one line each. Results may then be incomplete.
  std::vector<std::string> findings;
  double seconds = 0; ///< Of the launches alone.
  uint64_t bytes = 0; ///< Of device memory: arguments, results, workspace.
};

/// A call recorded as a graph. It holds on to the pointers it was recorded
/// with.
class CapturedCall {
public:
  virtual ~CapturedCall();
  virtual Status launch(void *stream) const = 0;
};

/// A program whose kernels are on a device. Its functions may be called from
/// several threads at once.
class Executable {
public:
  virtual ~Executable();

  const Program &program() const { return *loaded; }
  const CompileStats &compileStats() const { return stats; }

  /// Launches the kernels of one call. On `cuda` they are queued in `stream`, a
  /// CUstream, and pointers are device memory; on `host` they have run when it
  /// returns, and pointers are any memory. Allocates nothing on `cuda`, unless
  /// it fails. InvalidInput for what `Program` finds wrong.
  virtual Status launch(const int64_t *dims, size_t numDims, const Call &call,
                        void *stream) const = 0;

  /// Records `calls` launches of one call as a graph. InvalidInput on `host`.
  virtual Result<std::unique_ptr<CapturedCall>>
  capture(const int64_t *dims, size_t numDims, const Call &call,
          int64_t calls) const = 0;

  /// A whole call on tensors of the host, whose types must be right.
  virtual Result<RunResult>
  run(const Dims &dims, const std::vector<HostTensor> &arguments) const = 0;

  /// Times calls on copies of these arguments.
  virtual Result<std::vector<Measurement>>
  benchmark(const Dims &dims, const std::vector<HostTensor> &arguments,
            const BenchmarkOptions &options) const = 0;

protected:
  explicit Executable(std::shared_ptr<const Program> program)
      : loaded(std::move(program)) {}

  /// InvalidInput unless `arguments` have the types that `dims` give them.
  Status checkArguments(const Dims &dims,
                        const std::vector<HostTensor> &arguments) const;

  std::shared_ptr<const Program> loaded;
  CompileStats stats;
};

class Device {
public:
  virtual ~Device();

  virtual std::string_view name() const = 0; ///< `cuda` or `host`.
  /// For people: which GPU or compiler, and versions.
  virtual std::string describe() const = 0;

  /// Compiles, or finds compiled, every kernel. InvalidInput if a compiler
  /// takes a text amiss, Resource if a kernel needs more than the device has,
  /// NoDevice if a compiler is needed and missing.
  virtual Result<std::unique_ptr<Executable>>
  load(std::shared_ptr<const Program> program) const = 0;

  /// What any call takes: on `cuda` the times of one empty kernel, as those of
  /// `Executable::benchmark`; on `host` nothing is known.
  virtual Result<std::vector<Measurement>>
  calibrate(const BenchmarkOptions &options) const = 0;
};

struct CudaOptions {
  std::string driver; ///< Path of the driver; empty: libcuda.so.1.
  int ordinal = 0;    ///< Which GPU.
  NvrtcSearch nvrtc;  ///< Needed only for what is not compiled yet.
  CacheOptions cache;
  /// Wait after each launch, and name the kernel that failed.
  bool debugSync = false;
  /// Ranges for profilers, named after the kernels; needs a library of NVTX.
  bool profilerRanges = false;
};

/// NoDevice, with the reason, without a driver or a GPU.
Result<std::unique_ptr<Device>> openCudaDevice(const CudaOptions &options);

struct HostOptions {
  HostCompilerOptions compiler;
  CacheOptions cache;
  TwinOptions twin;
};

/// NoDevice, with the reason, without a C++ compiler.
Result<std::unique_ptr<Device>> openHostDevice(const HostOptions &options);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_DEVICE_H
