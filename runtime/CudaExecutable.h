//===- CudaExecutable.h - programs on an NVIDIA GPU -------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_CUDAEXECUTABLE_H
#define FUSE_RUNTIME_CUDAEXECUTABLE_H

#include "CudaDriver.h"
#include "Nvtx.h"
#include "fuse/runtime/Device.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fuse::rt {

/// One GPU. Holds its primary context, which other libraries in the process use
/// too, so that their memory and streams are good here.
struct CudaGpu {
  std::shared_ptr<const CudaDriver> driver;
  cuda::Device device = 0;
  cuda::Context context = nullptr;
  DeviceLimits limits;
  std::string arch;
  int64_t multiprocessors = 0;
  int64_t l2Bytes = 0;
  bool debugSync = false;
  Nvtx nvtx;

  CudaGpu() = default;
  CudaGpu(const CudaGpu &) = delete;
  CudaGpu &operator=(const CudaGpu &) = delete;
  ~CudaGpu();
};

class CudaCall;

class CudaExecutable final : public Executable {
public:
  /// Puts machine code, one for each source, on the GPU.
  static Result<std::unique_ptr<CudaExecutable>>
  create(const std::shared_ptr<const CudaGpu> &gpu,
         std::shared_ptr<const Program> program,
         const std::vector<std::string> &cubins, const CompileStats &stats);
  ~CudaExecutable() override;

  Status launch(const int64_t *dims, size_t numDims, const Call &call,
                void *stream) const override;
  Result<std::unique_ptr<CapturedCall>> capture(const int64_t *dims,
                                                size_t numDims,
                                                const Call &call,
                                                int64_t calls) const override;
  Result<RunResult>
  run(const Dims &dims,
      const std::vector<HostTensor> &arguments) const override;
  Result<std::vector<Measurement>>
  benchmark(const Dims &dims, const std::vector<HostTensor> &arguments,
            const BenchmarkOptions &options) const override;

  /// Queues the launches of a call that `Program` has checked. The context is
  /// current.
  Status enqueue(const Program::Plan &plan, const int64_t *dims,
                 const Call &call, cuda::Stream stream) const;
  /// The same with one of them.
  Status enqueueAlone(const Program::Plan &plan, size_t number,
                      const int64_t *dims, const Call &call,
                      cuda::Stream stream) const;

  const CudaGpu &getGpu() const { return *gpu; }

private:
  /// Buffers for calls one after another, each set with the arguments.
  Result<std::vector<CudaCall>>
  createSets(const Dims &dims, const std::vector<HostTensor> &arguments,
             int64_t most, cuda::Stream stream) const;
  /// A plan as a whole, and each of its kernels.
  Result<std::vector<Measurement>>
  measure(const Program::Plan &plan, const Dims &dims,
          const std::vector<CudaCall> &sets, cuda::Stream stream,
          const BenchmarkOptions &options) const;

  /// What is known of a launch before its grid is.
  struct LaunchInfo {
    cuda::Function function = nullptr;
    int64_t residentBlocks = 0; ///< That the whole GPU holds at once.
  };

  CudaExecutable(std::shared_ptr<const CudaGpu> gpu,
                 std::shared_ptr<const Program> program)
      : Executable(std::move(program)), gpu(std::move(gpu)) {}

  Status loadModules(const std::vector<std::string> &cubins);
  Status prepareLaunches();
  Status prepareLaunch(const Artifact::Launch &launch, LaunchInfo &info) const;
  Status enqueueKernel(const Artifact::Launch &launch, const LaunchInfo &info,
                       const int64_t *dims, const Call &call,
                       double &previousShare, cuda::Stream stream) const;
  Status startKernel(const ResolvedLaunch &launch, cuda::Function function,
                     bool overlap, cuda::Stream stream) const;
  Status waitFor(const Artifact::Launch &launch, cuda::Stream stream) const;

  std::shared_ptr<const CudaGpu> gpu;
  std::vector<cuda::Module> modules;
  std::vector<cuda::Function> functions;         ///< Of each kernel.
  std::vector<std::vector<LaunchInfo>> launches; ///< Of each plan.
};

/// Memory of a GPU, freed with the object.
class CudaBuffer {
public:
  explicit CudaBuffer(std::shared_ptr<const CudaGpu> gpu)
      : gpu(std::move(gpu)) {}
  CudaBuffer(CudaBuffer &&other) noexcept
      : gpu(std::move(other.gpu)), address(std::exchange(other.address, 0)) {}
  CudaBuffer &operator=(CudaBuffer &&) = delete;
  ~CudaBuffer();

  /// Null for 0 bytes. Resource, with what is free, if there is not enough.
  Status allocate(uint64_t bytes, const std::string &what);
  cuda::DevicePtr get() const { return address; }
  void *pointer() const { return reinterpret_cast<void *>(address); }

private:
  std::shared_ptr<const CudaGpu> gpu;
  cuda::DevicePtr address = 0;
};

/// Copies of a call's arguments, memory for its results and its workspace.
class CudaCall {
public:
  /// Queues the copies of `arguments` in `stream`, and fills results and
  /// workspace with ones, which are NaNs, so that what a kernel leaves out
  /// shows. The context is current.
  static Result<CudaCall> create(std::shared_ptr<const CudaGpu> gpu,
                                 const Program &program, const Dims &dims,
                                 const std::vector<HostTensor> &arguments,
                                 cuda::Stream stream);

  Call call() const;
  uint64_t bytes() const { return totalBytes; }
  cuda::DevicePtr buffer(size_t index) const { return buffers[index].get(); }

private:
  CudaCall() = default;

  std::vector<CudaBuffer> buffers; ///< Arguments, results, workspace.
  std::vector<void *> pointers;
  uint64_t workspaceBytes = 0, totalBytes = 0;
};

/// A stream of its own.
class CudaStream {
public:
  static Result<CudaStream> create(std::shared_ptr<const CudaGpu> gpu);
  CudaStream(CudaStream &&other) noexcept
      : gpu(std::move(other.gpu)),
        stream(std::exchange(other.stream, nullptr)) {}
  CudaStream &operator=(CudaStream &&) = delete;
  ~CudaStream();

  cuda::Stream get() const { return stream; }
  Status synchronize(std::string_view what) const;

private:
  CudaStream(std::shared_ptr<const CudaGpu> gpu, cuda::Stream stream)
      : gpu(std::move(gpu)), stream(stream) {}

  std::shared_ptr<const CudaGpu> gpu;
  cuda::Stream stream;
};

/// A point in a stream whose time is taken.
class CudaEvent {
public:
  explicit CudaEvent(std::shared_ptr<const CudaGpu> gpu)
      : gpu(std::move(gpu)) {}
  CudaEvent(CudaEvent &&other) noexcept
      : gpu(std::move(other.gpu)), event(std::exchange(other.event, nullptr)) {}
  CudaEvent &operator=(CudaEvent &&) = delete;
  ~CudaEvent();

  Status record(cuda::Stream stream);
  /// From `start` to here; both have happened.
  Result<double> nanosecondsSince(const CudaEvent &start) const;

private:
  std::shared_ptr<const CudaGpu> gpu;
  cuda::Event event = nullptr;
};

/// A graph of what `record` queues in a stream of its own.
Result<std::unique_ptr<CapturedCall>>
captureGraph(std::shared_ptr<const CudaGpu> gpu,
             const std::function<Status(cuda::Stream)> &record);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_CUDAEXECUTABLE_H
