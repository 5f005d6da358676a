//===- CudaExecutable.cpp - launches on an NVIDIA GPU ---------------------===//

#include "CudaExecutable.h"

#include "NoThrow.h"
#include "Text.h"

#include <algorithm>
#include <array>
#include <limits>

using namespace fuse::rt;

CudaGpu::~CudaGpu() {
  if (context)
    driver->contextRelease(device);
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Result<std::unique_ptr<CudaExecutable>>
CudaExecutable::create(const std::shared_ptr<const CudaGpu> &gpu,
                       std::shared_ptr<const Program> program,
                       const std::vector<std::string> &cubins,
                       const CompileStats &stats) {
  ContextScope scope(*gpu->driver, gpu->context);
  Status status = scope.status();
  if (!status.ok())
    return status;
  std::unique_ptr<CudaExecutable> executable(
      new CudaExecutable(gpu, std::move(program)));
  executable->stats = stats;
  status = executable->loadModules(cubins);
  if (status.ok())
    status = executable->prepareLaunches();
  if (!status.ok())
    return status;
  return executable;
}

CudaExecutable::~CudaExecutable() {
  ContextScope scope(*gpu->driver, gpu->context);
  for (cuda::Module module : modules)
    gpu->driver->moduleUnload(module);
}

Status CudaExecutable::loadModules(const std::vector<std::string> &cubins) {
  const CudaDriver &driver = *gpu->driver;
  const Artifact &artifact = loaded->artifact();
  for (size_t i = 0; i < cubins.size(); ++i) {
    cuda::Module module = nullptr;
    if (Status status = driver.check(
            driver.moduleLoad(&module, cubins[i].data()),
            "load the machine code of " + artifact.sources[i].name);
        !status.ok())
      return status;
    modules.push_back(module);
  }
  for (const Artifact::Kernel &kernel : artifact.kernels) {
    cuda::Function function = nullptr;
    if (Status status = driver.check(
            driver.moduleGetFunction(&function, modules[kernel.source],
                                     kernel.name.c_str()),
            "find kernel '" + kernel.name + "' in " +
                artifact.sources[kernel.source].name);
        !status.ok())
      return status;
    functions.push_back(function);
  }
  return {};
}

/// Shared memory beyond what every kernel may have is asked for once, for the
/// launch of the kernel that needs the most.
Status CudaExecutable::prepareLaunches() {
  const CudaDriver &driver = *gpu->driver;
  const Artifact &artifact = loaded->artifact();
  std::vector<int> sharedBytes(functions.size());
  for (const Program::Plan &plan : artifact.plans)
    for (const Artifact::Launch &launch : plan.launches)
      sharedBytes[launch.kernel] =
          std::max(sharedBytes[launch.kernel], int(launch.sharedBytes));
  for (size_t i = 0; i < functions.size(); ++i)
    if (sharedBytes[i] > 0)
      if (Status status = driver.check(
              driver.functionSetAttribute(
                  functions[i], cuda::FunctionMaxDynamicSharedSizeBytes,
                  sharedBytes[i]),
              "give kernel '" + artifact.kernels[i].name + "' " +
                  std::to_string(sharedBytes[i]) + " bytes of shared memory");
          !status.ok())
        return status;
  for (const Program::Plan &plan : artifact.plans) {
    std::vector<LaunchInfo> &infos = launches.emplace_back();
    for (const Artifact::Launch &launch : plan.launches)
      if (Status status = prepareLaunch(launch, infos.emplace_back());
          !status.ok())
        return status;
  }
  return {};
}

Status CudaExecutable::prepareLaunch(const Artifact::Launch &launch,
                                     LaunchInfo &info) const {
  const CudaDriver &driver = *gpu->driver;
  const std::string &kernel = loaded->artifact().kernels[launch.kernel].name;
  info.function = functions[launch.kernel];
  int most = 0, registers = 0, perMultiprocessor = 0;
  if (Status status = driver.check(
          driver.functionGetAttribute(&most, cuda::FunctionMaxThreadsPerBlock,
                                      info.function),
          "query kernel '" + kernel + "'");
      !status.ok())
    return status;
  if (int64_t(launch.threads) > most) {
    driver.functionGetAttribute(&registers, cuda::FunctionNumRegs,
                                info.function);
    return Status::resource(
        "kernel '" + kernel + "': expects at most " + std::to_string(most) +
        " threads a block with its " + std::to_string(registers) +
        " registers a thread, but got " + std::to_string(launch.threads));
  }
  if (Status status = driver.check(
          driver.occupancy(&perMultiprocessor, info.function,
                           int(launch.threads), launch.sharedBytes),
          "query kernel '" + kernel + "'");
      !status.ok())
    return status;
  info.residentBlocks = perMultiprocessor * gpu->multiprocessors;
  return {};
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

Status CudaExecutable::startKernel(const ResolvedLaunch &launch,
                                   cuda::Function function, bool overlap,
                                   cuda::Stream stream) const {
  const Artifact::Launch &info = *launch.launch;
  const std::string &kernel = loaded->artifact().kernels[info.kernel].name;
  std::array<void *, FUSE_MAX_OPERANDS> parameters;
  for (size_t i = 0; i < info.operands.size(); ++i)
    parameters[i] = const_cast<int64_t *>(&launch.values[i]);
  cuda::LaunchAttribute attribute = {};
  attribute.id = cuda::kProgrammaticStreamSerialization;
  attribute.value.programmaticStreamSerializationAllowed = 1;
  cuda::LaunchConfig config = {};
  config.gridX = launch.gridBlocks;
  config.blockX = info.threads;
  config.gridY = config.gridZ = config.blockY = config.blockZ = 1;
  config.sharedBytes = info.sharedBytes;
  config.stream = stream;
  config.attributes = overlap ? &attribute : nullptr;
  config.numAttributes = overlap ? 1 : 0;
  Nvtx::Range range(gpu->nvtx, kernel.c_str());
  int result = gpu->driver->launchKernel(&config, function, parameters.data(),
                                         /*extra=*/nullptr);
  if (result == cuda::Success)
    return {};
  return gpu->driver->check(result, "launch kernel '" + kernel + "'");
}

/// Errors of a kernel show up late; here they are caught at the kernel.
Status CudaExecutable::waitFor(const Artifact::Launch &launch,
                               cuda::Stream stream) const {
  const CudaDriver &driver = *gpu->driver;
  int capturing = 0;
  driver.streamIsCapturing(stream, &capturing);
  if (capturing)
    return {};
  int result = driver.streamSynchronize(stream);
  if (result == cuda::Success)
    return {};
  return Status::runtime("kernel '" +
                         loaded->artifact().kernels[launch.kernel].name +
                         "' failed: " + driver.describe(result));
}

/// The share of what precedes a call's launches: nothing overlaps it.
static constexpr double notOurs = std::numeric_limits<double>::infinity();

/// A launch overlaps the one in front of it only if the GPU holds both at once:
/// else the blocks that came early would only take their places. Unless these
/// need nothing of what is in front: then they have something to do.
/// `previousShare` is what of the GPU the launch in front takes; `notOurs` if
/// there is none.
Status CudaExecutable::enqueueKernel(const Artifact::Launch &launch,
                                     const LaunchInfo &info,
                                     const int64_t *dims, const Call &call,
                                     double &previousShare,
                                     cuda::Stream stream) const {
  Result<ResolvedLaunch> resolved = loaded->resolveLaunch(launch, call, dims);
  if (!resolved.ok())
    return resolved.status();
  if (resolved->gridBlocks == 0)
    return {};
  double share = double(resolved->gridBlocks) /
                 double(std::max<int64_t>(info.residentBlocks, 1));
  bool isUseful = launch.independent && previousShare != notOurs;
  bool overlap = launch.overlap && (isUseful || previousShare + share <= 1);
  previousShare = share;
  return startKernel(*resolved, info.function, overlap, stream);
}

Status CudaExecutable::enqueueAlone(const Program::Plan &plan, size_t number,
                                    const int64_t *dims, const Call &call,
                                    cuda::Stream stream) const {
  size_t index = static_cast<size_t>(&plan - loaded->artifact().plans.data());
  double previousShare = notOurs;
  return enqueueKernel(plan.launches[number], launches[index][number], dims,
                       call, previousShare, stream);
}

Status CudaExecutable::enqueue(const Program::Plan &plan, const int64_t *dims,
                               const Call &call, cuda::Stream stream) const {
  size_t index = static_cast<size_t>(&plan - loaded->artifact().plans.data());
  double previousShare = notOurs;
  for (size_t i = 0; i < plan.launches.size(); ++i) {
    const Artifact::Launch &launch = plan.launches[i];
    const LaunchInfo &info = launches[index][i];
    if (Status status =
            enqueueKernel(launch, info, dims, call, previousShare, stream);
        !status.ok())
      return status;
    if (gpu->debugSync)
      if (Status status = waitFor(launch, stream); !status.ok())
        return status;
  }
  return {};
}

Status CudaExecutable::launch(const int64_t *dims, size_t numDims,
                              const Call &call, void *stream) const {
  return noThrow([&]() -> Status {
    Result<const Program::Plan *> plan = loaded->planCall(call, dims, numDims);
    if (!plan.ok())
      return plan.status();
    ContextScope scope(*gpu->driver, gpu->context);
    if (Status status = scope.status(); !status.ok())
      return status;
    return enqueue(**plan, dims, call, static_cast<cuda::Stream>(stream));
  });
}
