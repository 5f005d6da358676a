//===- CudaDevice.cpp - an NVIDIA GPU -------------------------------------===//

#include "CompileCached.h"
#include "CudaExecutable.h"
#include "NoThrow.h"
#include "Text.h"

#include <algorithm>

using namespace fuse::rt;

namespace {
class CudaDevice final : public Device {
public:
  CudaDevice(std::shared_ptr<const CudaGpu> gpu, const CudaOptions &options)
      : gpu(std::move(gpu)), nvrtcSearch(options.nvrtc), cache(options.cache) {}

  std::string_view name() const override { return "cuda"; }
  std::string describe() const override;
  Result<std::unique_ptr<Executable>>
  load(std::shared_ptr<const Program> program) const override;
  Result<std::vector<Measurement>>
  calibrate(const BenchmarkOptions &options) const override;

private:
  /// Machine code of one source. Loads `nvrtc` if it is needed for the first
  /// time.
  Result<std::string> compile(const Artifact &artifact, size_t index,
                              std::shared_ptr<const Nvrtc> &nvrtc,
                              CompileStats &stats) const;

  std::shared_ptr<const CudaGpu> gpu;
  NvrtcSearch nvrtcSearch;
  Cache cache;
};
} // namespace

std::string CudaDevice::describe() const {
  int version = gpu->driver->version();
  return gpu->limits.name + " (" + gpu->arch + "), driver for CUDA " +
         std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

Result<std::string> CudaDevice::compile(const Artifact &artifact, size_t index,
                                        std::shared_ptr<const Nvrtc> &nvrtc,
                                        CompileStats &stats) const {
  const Artifact::Source &source = artifact.sources[index];
  int64_t kernels = countKernels(artifact, index);
  for (const Artifact::Cubin &cubin : artifact.cubins)
    if (cubin.source == index && cubin.arch == gpu->arch) {
      stats.prebuilt += kernels;
      return cubin.bytes;
    }
  if (!nvrtc) {
    Result<std::shared_ptr<const Nvrtc>> loaded = Nvrtc::load(nvrtcSearch);
    if (!loaded.ok())
      return loaded.status();
    nvrtc = std::move(*loaded);
  }
  // The driver is none of it: a cubin is machine code as it is.
  CacheKey key = {"cubin", nvrtc->version(), source.name, source.text};
  for (std::string &option : nvrtc->options(source, gpu->arch))
    key.push_back(std::move(option));
  return compileCached(
      cache, key, kernels, stats, [&]() -> Result<std::string> {
        Result<CudaBinary> binary = nvrtc->compile(source, gpu->arch);
        if (!binary.ok())
          return binary.status();
        return std::move(binary->code);
      });
}

Result<std::unique_ptr<Executable>>
CudaDevice::load(std::shared_ptr<const Program> program) const {
  return noThrow([&]() -> Result<std::unique_ptr<Executable>> {
    Stopwatch watch;
    if (Status status = program->checkLimits(gpu->limits); !status.ok())
      return status;
    CompileStats stats;
    std::vector<std::string> cubins;
    std::shared_ptr<const Nvrtc> nvrtc;
    const Artifact &artifact = program->artifact();
    for (size_t i = 0; i < artifact.sources.size(); ++i) {
      Result<std::string> cubin = compile(artifact, i, nvrtc, stats);
      if (!cubin.ok())
        return cubin.status();
      cubins.push_back(std::move(*cubin));
    }
    stats.loadSeconds = watch.seconds() - stats.compileSeconds;
    auto executable =
        CudaExecutable::create(gpu, std::move(program), cubins, stats);
    if (!executable.ok())
      return executable.status();
    return std::unique_ptr<Executable>(std::move(*executable));
  });
}

/// A program of one kernel that does nothing.
static Result<std::shared_ptr<const Program>> makeEmptyProgram() {
  Artifact artifact;
  artifact.name = "empty";
  artifact.results = {{"nothing", DType::F32, {0}, 4, false}};
  artifact.sources = {{"empty.cu",
                       "extern \"C\" __global__ void empty_kernel() {}\n",
                       {},
                       true}};
  artifact.kernels = {{"empty_kernel", 0, ""}};
  artifact.plans.emplace_back();
  artifact.plans[0].name = "empty";
  artifact.plans[0].launches.emplace_back();
  artifact.plans[0].launches[0].grid = 1;
  artifact.plans[0].launches[0].threads = 32;
  return Program::create(std::move(artifact));
}

Result<std::vector<Measurement>>
CudaDevice::calibrate(const BenchmarkOptions &options) const {
  Result<std::shared_ptr<const Program>> program = makeEmptyProgram();
  if (!program.ok())
    return program.status();
  Result<std::unique_ptr<Executable>> executable = load(std::move(*program));
  if (!executable.ok())
    return executable.status();
  Result<std::vector<Measurement>> all =
      (*executable)->benchmark({}, {}, options);
  if (!all.ok())
    return all;
  all->resize(2); // Its kernel is all there is to it.
  for (Measurement &measurement : *all)
    measurement.name = "empty_kernel_" + measurement.name;
  return all;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Fills in what the driver knows of the GPU.
static Status queryGpu(CudaGpu &gpu, int ordinal) {
  const CudaDriver &driver = *gpu.driver;
  int count = 0;
  if (Status status =
          driver.check(driver.deviceGetCount(&count), "count the GPUs");
      !status.ok())
    return status;
  if (ordinal < 0 || ordinal >= count)
    return Status::noDevice(
        "device cuda expects a GPU with number " + std::to_string(ordinal) +
        ", but there " +
        (count == 1 ? "is 1" : "are " + std::to_string(count)));
  char name[256] = "";
  int major = 0, minor = 0, threads = 0, shared = 0, multiprocessors = 0,
      l2Bytes = 0;
  const std::pair<int, int *> attributes[] = {
      {cuda::ComputeCapabilityMajor, &major},
      {cuda::ComputeCapabilityMinor, &minor},
      {cuda::MaxThreadsPerBlock, &threads},
      {cuda::MaxSharedMemoryPerBlockOptin, &shared},
      {cuda::MultiprocessorCount, &multiprocessors},
      {cuda::L2CacheSize, &l2Bytes}};
  int result = driver.deviceGet(&gpu.device, ordinal);
  if (result == cuda::Success)
    result = driver.deviceGetName(name, sizeof(name) - 1, gpu.device);
  for (auto [attribute, value] : attributes)
    if (result == cuda::Success)
      result = driver.deviceGetAttribute(value, attribute, gpu.device);
  if (result == cuda::Success)
    result = driver.contextRetain(&gpu.context, gpu.device);
  gpu.limits = {name, threads, shared};
  gpu.arch = archName(major, minor);
  gpu.multiprocessors = multiprocessors;
  gpu.l2Bytes = l2Bytes;
  return driver.check(result, "use the GPU");
}

Result<std::unique_ptr<Device>>
fuse::rt::openCudaDevice(const CudaOptions &options) {
  return noThrow([&]() -> Result<std::unique_ptr<Device>> {
    Result<std::shared_ptr<const CudaDriver>> driver =
        CudaDriver::load(options.driver);
    if (!driver.ok())
      return driver.status();
    auto gpu = std::make_shared<CudaGpu>();
    gpu->driver = std::move(*driver);
    gpu->debugSync = options.debugSync;
    if (options.profilerRanges)
      gpu->nvtx = Nvtx::load();
    if (Status status = queryGpu(*gpu, options.ordinal); !status.ok())
      return status;
    return std::unique_ptr<Device>(
        std::make_unique<CudaDevice>(std::move(gpu), options));
  });
}
