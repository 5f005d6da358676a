//===- HostDevice.cpp - kernels on the CPU, run by the twin ---------------===//

#include "AtomicFile.h"
#include "CompileCached.h"
#include "NoThrow.h"
#include "Subprocess.h"
#include "Text.h"
#include "fuse/runtime/Device.h"

#include <algorithm>
#include <cstring>

using namespace fuse::rt;

namespace {
/// The memory of one call that the twin watches, and its launches.
class TwinCall {
public:
  TwinCall(const Program &program, const Program::Plan &plan, const Dims &dims)
      : program(program), plan(plan), dims(dims) {}

  /// Copies the arguments, the first of `pointers`.
  Status allocate(void *const *pointers);
  Status resolveLaunches();
  /// Copies the results to the last of `pointers`.
  void copyResults(void *const *pointers) const;

  const std::vector<TwinKernelLaunch> &getLaunches() const { return launches; }
  TwinMemory &getMemory() const { return *memory; }
  uint64_t bytes() const { return totalBytes; }

private:
  Status allocateBuffer(uint64_t bytes, BufferUse use, std::string name);

  const Program &program;
  const Program::Plan &plan;
  const Dims &dims;
  std::unique_ptr<TwinMemory> memory;
  std::vector<void *> buffers; ///< Arguments, results, workspace.
  std::vector<size_t> sizes;
  uint64_t totalBytes = 0;
  std::vector<ResolvedLaunch> values; ///< That launches point to.
  std::vector<TwinKernelLaunch> launches;
};

/// Shared memory of one block, as on Hopper: what runs here should run there.
constexpr int64_t kSharedBytes = 227 << 10;

class HostExecutable final : public Executable {
public:
  HostExecutable(std::shared_ptr<const Program> program,
                 const CompileStats &compileStats, TemporaryFolder folder,
                 std::unique_ptr<TwinModule> module, TwinOptions options)
      : Executable(std::move(program)), folder(std::move(folder)),
        module(std::move(module)), options(std::move(options)) {
    stats = compileStats;
  }

  Status launch(const int64_t *dims, size_t numDims, const Call &call,
                void *stream) const override;
  Result<std::unique_ptr<CapturedCall>>
  capture(const int64_t *, size_t, const Call &, int64_t) const override {
    return Status::invalidInput("device host has no graphs to record");
  }
  Result<RunResult>
  run(const Dims &dims,
      const std::vector<HostTensor> &arguments) const override;
  Result<std::vector<Measurement>>
  benchmark(const Dims &dims, const std::vector<HostTensor> &arguments,
            const BenchmarkOptions &options) const override;

private:
  struct Outcome {
    std::vector<std::string> findings;
    double seconds = 0;
    uint64_t bytes = 0;
  };

  /// Runs one call on copies of the arguments, in memory that the twin watches,
  /// and copies the results. Pointers are those of a call.
  Result<Outcome> execute(const Program::Plan &plan, const Dims &dims,
                          void *const *pointers) const;

  TemporaryFolder folder; ///< Of the library, which findings look up lines in.
  std::unique_ptr<TwinModule> module;
  TwinOptions options;
};

class HostDevice final : public Device {
public:
  HostDevice(HostCompiler compiler, HostOptions options)
      : compiler(std::move(compiler)), options(std::move(options)) {}

  std::string_view name() const override { return "host"; }
  std::string describe() const override;
  Result<std::unique_ptr<Executable>>
  load(std::shared_ptr<const Program> program) const override;
  Result<std::vector<Measurement>>
  calibrate(const BenchmarkOptions &) const override {
    return std::vector<Measurement>();
  }

private:
  HostCompiler compiler;
  HostOptions options;
};
} // namespace

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Status TwinCall::allocateBuffer(uint64_t bytes, BufferUse use,
                                std::string name) {
  Result<void *> buffer = memory->allocate(bytes, use, std::move(name));
  if (!buffer.ok())
    return buffer.status();
  buffers.push_back(*buffer);
  sizes.push_back(bytes);
  totalBytes += bytes;
  return {};
}

Status TwinCall::allocate(void *const *pointers) {
  Result<std::unique_ptr<TwinMemory>> created = TwinMemory::create();
  if (!created.ok())
    return created.status();
  memory = std::move(*created);
  size_t numArguments = program.numArguments();
  for (size_t i = 0; i < numArguments + program.numResults(); ++i) {
    Result<TensorType> type = program.tensorType(i, dims);
    if (!type.ok())
      return type.status();
    Result<int64_t> bytes = byteSize(*type);
    if (!bytes.ok())
      return bytes.status();
    BufferUse use = i < numArguments ? BufferUse::Input : BufferUse::Output;
    if (Status status =
            allocateBuffer(uint64_t(*bytes), use, program.tensor(i).name);
        !status.ok())
      return status;
    if (i < numArguments && *bytes > 0)
      std::memcpy(buffers[i], pointers[i], size_t(*bytes));
  }
  Result<uint64_t> workspace = program.workspaceBytes(plan, dims.data());
  if (!workspace.ok())
    return workspace.status();
  return allocateBuffer(*workspace, BufferUse::Workspace, "workspace");
}

Status TwinCall::resolveLaunches() {
  Call call;
  call.pointers = buffers.data();
  call.numPointers = buffers.size() - 1;
  call.workspace = buffers.back();
  call.workspaceBytes = sizes.back();
  values.reserve(plan.launches.size());
  for (const Artifact::Launch &launch : plan.launches) {
    Result<ResolvedLaunch> resolved =
        program.resolveLaunch(launch, call, dims.data());
    if (!resolved.ok())
      return resolved.status();
    if (resolved->gridBlocks == 0)
      continue;
    values.push_back(*resolved);
    TwinKernelLaunch &entry = launches.emplace_back();
    entry.kernel = program.artifact().kernels[launch.kernel].name;
    entry.gridBlocks = resolved->gridBlocks;
    entry.blockThreads = launch.threads;
    entry.sharedBytes = launch.sharedBytes;
    entry.overlapsPredecessor = launch.overlap && launches.size() > 1;
    for (size_t i = 0; i < launch.operands.size(); ++i)
      entry.arguments.push_back(&values.back().values[i]);
  }
  return {};
}

void TwinCall::copyResults(void *const *pointers) const {
  for (size_t i = program.numArguments(); i + 1 < buffers.size(); ++i)
    if (sizes[i] > 0)
      std::memcpy(pointers[i], buffers[i], sizes[i]);
}

Result<HostExecutable::Outcome>
HostExecutable::execute(const Program::Plan &plan, const Dims &dims,
                        void *const *pointers) const {
  TwinCall call(*loaded, plan, dims);
  if (Status status = call.allocate(pointers); !status.ok())
    return status;
  if (Status status = call.resolveLaunches(); !status.ok())
    return status;
  Stopwatch watch;
  Result<std::vector<TwinFinding>> findings =
      module->run(call.getLaunches(), call.getMemory(), options);
  if (!findings.ok())
    return findings.status();
  Outcome outcome;
  outcome.seconds = watch.seconds();
  outcome.bytes = call.bytes();
  for (const TwinFinding &finding : *findings)
    outcome.findings.push_back("kernel '" + finding.kernel + "': " +
                               std::string(fuse::rt::name(finding.kind)) +
                               ": " + finding.message);
  call.copyResults(pointers);
  return outcome;
}

Status HostExecutable::launch(const int64_t *dims, size_t numDims,
                              const Call &call, void *) const {
  return noThrow([&]() -> Status {
    Result<const Program::Plan *> plan = loaded->planCall(call, dims, numDims);
    if (!plan.ok())
      return plan.status();
    Result<Outcome> outcome =
        execute(**plan, Dims(dims, dims + numDims), call.pointers);
    if (!outcome.ok())
      return outcome.status();
    if (!outcome->findings.empty())
      return Status::runtime(outcome->findings.front());
    return {};
  });
}

Result<RunResult>
HostExecutable::run(const Dims &dims,
                    const std::vector<HostTensor> &arguments) const {
  return noThrow([&]() -> Result<RunResult> {
    if (Status status = checkArguments(dims, arguments); !status.ok())
      return status;
    Result<const Program::Plan *> plan =
        loaded->selectPlan(dims.data(), dims.size());
    if (!plan.ok())
      return plan.status();
    RunResult result;
    std::vector<void *> pointers;
    pointers.reserve(loaded->numArguments() + loaded->numResults());
    for (const HostTensor &argument : arguments)
      pointers.push_back(const_cast<std::byte *>(argument.data()));
    for (size_t i = 0; i < loaded->numResults(); ++i) {
      Result<TensorType> type =
          loaded->tensorType(loaded->numArguments() + i, dims);
      Result<HostTensor> tensor = type.ok()
                                      ? HostTensor::create(std::move(*type))
                                      : Result<HostTensor>(type.status());
      if (!tensor.ok())
        return tensor.status();
      pointers.push_back(tensor->data());
      result.results.push_back(std::move(*tensor));
    }
    Result<Outcome> outcome = execute(**plan, dims, pointers.data());
    if (!outcome.ok())
      return outcome.status();
    result.findings = std::move(outcome->findings);
    result.seconds = outcome->seconds;
    result.bytes = outcome->bytes;
    return result;
  });
}

Result<std::vector<Measurement>>
HostExecutable::benchmark(const Dims &dims,
                          const std::vector<HostTensor> &arguments,
                          const BenchmarkOptions &options) const {
  return noThrow([&]() -> Result<std::vector<Measurement>> {
    constexpr int64_t kFewest = 3;
    Measurement measurement = {"twin", 1, {}};
    double total = 0;
    for (int64_t i = 0;
         i < options.mostReplays && (i < kFewest || total < options.seconds);
         ++i) {
      Result<RunResult> result = run(dims, arguments);
      if (!result.ok())
        return result.status();
      if (!result->findings.empty())
        return Status::runtime(result->findings.front());
      measurement.nanoseconds.push_back(result->seconds * 1e9);
      total += result->seconds;
    }
    return std::vector<Measurement>{std::move(measurement)};
  });
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// `g++ (Debian 12.2.0-14) 12.2.0`: the first line of the version.
std::string HostDevice::describe() const {
  const std::string &version = compiler.version();
  return "host twin, " + version.substr(0, version.find('\n'));
}

/// A fused multiply-add is one instruction, if this machine has it. Its result
/// is the same either way.
static bool hasFma() {
#ifdef __x86_64__
  return __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

Result<std::unique_ptr<Executable>>
HostDevice::load(std::shared_ptr<const Program> program) const {
  return noThrow([&]() -> Result<std::unique_ptr<Executable>> {
    Stopwatch watch;
    if (Status status = program->checkLimits(
            {"device host", FUSE_MAX_BLOCK_THREADS, kSharedBytes});
        !status.ok())
      return status;
    const Artifact &artifact = program->artifact();
    std::vector<std::string> flags = twinCompileOptions(options.twin.checks);
    if (hasFma())
      flags.emplace_back("-mfma");
    CacheKey key = {"host", compiler.version()};
    key.insert(key.end(), compiler.command().begin(), compiler.command().end());
    key.insert(key.end(), flags.begin(), flags.end());
    for (const Artifact::Source &source : artifact.sources)
      key.insert(key.end(), {source.name, source.text});
    CompileStats stats;
    Result<std::string> library = compileCached(
        Cache(options.cache), key, int64_t(artifact.kernels.size()), stats,
        [&] { return compiler.compile(artifact.sources, flags); });
    if (!library.ok())
      return library.status();
    Result<TemporaryFolder> folder =
        TemporaryFolder::create(options.compiler.temporaryFolder);
    if (!folder.ok())
      return folder.status();
    std::string path = folder->file("kernels.so");
    if (Status status =
            writeFileAtomically(path, {{library->data(), library->size()}});
        !status.ok())
      return status;
    Result<std::unique_ptr<TwinModule>> module = TwinModule::load(path);
    if (!module.ok())
      return module.status();
    stats.loadSeconds = watch.seconds() - stats.compileSeconds;
    return std::unique_ptr<Executable>(std::make_unique<HostExecutable>(
        std::move(program), stats, std::move(*folder), std::move(*module),
        options.twin));
  });
}

Result<std::unique_ptr<Device>>
fuse::rt::openHostDevice(const HostOptions &options) {
  return noThrow([&]() -> Result<std::unique_ptr<Device>> {
    Result<HostCompiler> compiler = HostCompiler::find(options.compiler);
    if (!compiler.ok())
      return compiler.status();
    return std::unique_ptr<Device>(
        std::make_unique<HostDevice>(std::move(*compiler), options));
  });
}
