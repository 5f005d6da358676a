//===- fuse-run.cpp - Run compiled tensor programs ------------------------===//

#include "DeviceChoice.h"
#include "Environment.h"
#include "ExitCode.h"
#include "MemoryLimit.h"
#include "Options.h"
#include "OutputFiles.h"
#include "SignalFiles.h"
#include "fuse/runtime/Abi.h"
#include "fuse/runtime/Benchmark.h"
#include "fuse/runtime/PrintTensor.h"
#include "fuse/runtime/Program.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

using namespace fuse;
using rt::Status;

//===----------------------------------------------------------------------===//
// Console
//===----------------------------------------------------------------------===//

static void printError(const std::string &message) {
  bool inColour = isatty(STDERR_FILENO);
  std::fprintf(stderr, "fuse-run: %serror: %s%s\n",
               inColour ? "\033[1;31m" : "", inColour ? "\033[0m" : "",
               message.c_str());
}

static void printInfo(const std::string &message) {
  std::fprintf(stderr, "fuse-run: %s\n", message.c_str());
}

static ExitCode fail(const Status &status, ExitCode code) {
  printError(status.message());
  return code;
}

/// For a failure of something else than reading what the user gave.
static ExitCode fail(const Status &status) {
  return fail(status, exitCodeOf(status));
}

static ExitCode failInput(const Status &status) {
  return fail(status, exitCodeOfInput(status));
}

/// Writes to stdout; fails if it cannot take it all (a full disk).
static ExitCode print(const std::string &text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
      std::fflush(stdout) == 0)
    return ExitCode::Ok;
  printError("stdout: cannot write");
  return ExitCode::Runtime;
}

//===----------------------------------------------------------------------===//
// One call
//===----------------------------------------------------------------------===//

namespace {
/// Step by step. Every step prints what is wrong.
class Run {
public:
  Run(const RunOptions &options, SignalCleanup cleanup)
      : options(options), cleanup(cleanup),
        device(options.device, cudaOptions(options), hostOptions(options)) {}

  ExitCode execute();

private:
  static rt::CudaOptions cudaOptions(const RunOptions &options);
  static rt::HostOptions hostOptions(const RunOptions &options);

  ExitCode openDevice();
  ExitCode collectInputs();
  ExitCode checkCall();
  ExitCode load();
  ExitCode makeArguments();
  ExitCode runOnce();
  ExitCode benchmark();
  ExitCode putResults();
  ExitCode checkOutputType() const;
  void printStats() const;

  const RunOptions &options;
  SignalCleanup cleanup;
  DeviceChoice device;
  std::shared_ptr<const rt::Program> program;
  std::optional<rt::Arguments> inputs;
  rt::Dims dims;
  std::vector<std::vector<int64_t>> shapes; ///< Of the arguments.
  std::vector<std::string> resultNames;
  std::vector<rt::HostTensor> arguments;
  std::unique_ptr<rt::Executable> executable;
  rt::RunResult result;
};
} // namespace

rt::CudaOptions Run::cudaOptions(const RunOptions &options) {
  rt::CudaOptions cuda = cudaOptionsFromEnvironment();
  cuda.ordinal = options.gpu;
  cuda.debugSync = options.debugSync;
  cuda.profilerRanges = options.profilerRanges;
  return cuda;
}

rt::HostOptions Run::hostOptions(const RunOptions &options) {
  rt::HostOptions host = hostOptionsFromEnvironment();
  host.twin = options.twin;
  return host;
}

ExitCode Run::execute() {
  auto read = rt::Program::readFile(options.artifact);
  if (!read.ok())
    return failInput(read.status());
  program = std::move(*read);
  for (ExitCode (Run::*step)() :
       {&Run::openDevice, &Run::collectInputs, &Run::checkCall, &Run::load,
        &Run::makeArguments})
    if (ExitCode code = (this->*step)(); code != ExitCode::Ok)
      return code;
  if (options.benchmark != BenchmarkFormat::None)
    if (ExitCode code = benchmark(); code != ExitCode::Ok)
      return code;
  if (ExitCode code = runOnce(); code != ExitCode::Ok)
    return code;
  // Stdout is for one thing at a time.
  if (options.benchmark == BenchmarkFormat::Json && options.outputDir.empty())
    return ExitCode::Ok;
  return putResults();
}

ExitCode Run::openDevice() {
  Status status = device.open();
  if (!status.ok())
    return fail(status);
  return ExitCode::Ok;
}

ExitCode Run::collectInputs() {
  std::vector<rt::ArgumentInfo> infos;
  for (const rt::Artifact::Tensor &argument : program->artifact().arguments)
    infos.push_back({argument.name, argument.dtype, argument.shape.size(),
                     argument.isParam});
  inputs.emplace(std::move(infos));
  if (Status status = inputs->assign(options.inputs); !status.ok())
    return failInput(status);
  if (!options.inputDir.empty())
    if (Status status = inputs->readFolder(options.inputDir); !status.ok())
      return failInput(status);
  return ExitCode::Ok;
}

/// Kernels round results to the type they are declared with.
ExitCode Run::checkOutputType() const {
  for (const rt::Artifact::Tensor &tensor : program->artifact().results)
    if (options.outputF64 && rt::isFloat(tensor.dtype) &&
        tensor.dtype != rt::DType::F64)
      return fail(Status::invalidInput(
          "--output-type=f64: expects results of f64, but '" + tensor.name +
          "' is " + std::string(rt::dtypeName(tensor.dtype)) +
          ", which its kernel rounds to; the interpreter has more digits "
          "(fuse-opt --run --device=interpreter)"));
  return ExitCode::Ok;
}

ExitCode Run::checkCall() {
  if (ExitCode code = checkOutputType(); code != ExitCode::Ok)
    return code;
  rt::Result<rt::Dims> bound =
      program->bindDims(inputs->knownShapes(), options.dims);
  if (!bound.ok())
    return failInput(bound.status());
  dims = std::move(*bound);
  auto plan = program->selectPlan(dims.data(), dims.size());
  if (!plan.ok())
    return failInput(plan.status());
  auto workspace = program->workspaceBytes(**plan, dims.data());
  if (!workspace.ok())
    return failInput(workspace.status());
  uint64_t bytes = *workspace;
  size_t count = program->numArguments() + program->numResults();
  for (size_t i = 0; i < count; ++i) {
    rt::Result<rt::TensorType> type = program->tensorType(i, dims);
    if (!type.ok())
      return failInput(type.status());
    rt::Result<int64_t> size = rt::byteSize(*type);
    if (!size.ok())
      return failInput(size.status());
    // Each is here and on the device.
    if (__builtin_add_overflow(bytes, 2 * uint64_t(*size), &bytes))
      bytes = INT64_MAX;
    if (i < program->numArguments())
      shapes.push_back(type->shape);
    else
      resultNames.push_back(program->tensor(i).name);
  }
  if (Status status = checkMemory(int64_t(std::min(bytes, uint64_t(INT64_MAX))),
                                  options.maxBytes);
      !status.ok())
    return fail(status);
  if (!options.outputDir.empty())
    if (Status status = checkOutputFolder(options.outputDir, resultNames);
        !status.ok())
      return fail(status);
  return ExitCode::Ok;
}

ExitCode Run::load() {
  auto loaded = device.load(program);
  if (!loaded.ok())
    return fail(loaded.status());
  executable = std::move(*loaded);
  if (options.device == "auto")
    printInfo("device: " + device.describe());
  return ExitCode::Ok;
}

ExitCode Run::makeArguments() {
  std::string drawn;
  for (const std::string &input : inputs->drawn(shapes))
    drawn += " " + input;
  if (!drawn.empty())
    printInfo("what is not given is drawn, as by" + drawn);
  rt::Result<std::vector<rt::HostTensor>> made = inputs->materialize(shapes);
  if (!made.ok())
    return failInput(made.status());
  arguments = std::move(*made);
  return ExitCode::Ok;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

ExitCode Run::runOnce() {
  rt::Result<rt::RunResult> run = executable->run(dims, arguments);
  if (!run.ok())
    return fail(run.status());
  result = std::move(*run);
  if (options.stats)
    printStats();
  for (const std::string &finding : result.findings)
    printError(finding);
  return result.findings.empty() ? ExitCode::Ok : ExitCode::Runtime;
}

void Run::printStats() const {
  const rt::CompileStats &stats = executable->compileStats();
  char text[256];
  std::snprintf(text, sizeof(text),
                "stats: kernels: %zu, seconds: %.6f, device bytes: %llu, "
                "compiles: %lld, from cache: %lld, prebuilt: %lld, compile "
                "seconds: %.3f",
                program->artifact().kernels.size(), result.seconds,
                static_cast<unsigned long long>(result.bytes),
                static_cast<long long>(stats.compiled),
                static_cast<long long>(stats.fromCache),
                static_cast<long long>(stats.prebuilt), stats.compileSeconds);
  printInfo(text);
}

ExitCode Run::benchmark() {
  rt::BenchmarkOptions defaults;
  auto measured = executable->benchmark(dims, arguments, defaults);
  if (!measured.ok())
    return fail(measured.status());
  auto floor = device.get().calibrate(defaults);
  if (!floor.ok())
    return fail(floor.status());
  measured->insert(measured->end(), floor->begin(), floor->end());
  std::string name =
      program->artifact().name + "/" + std::string(device.get().name());
  if (options.benchmark == BenchmarkFormat::Json)
    return print(rt::formatBenchmarkJson(
                     name, *measured,
                     {{"executable", "fuse-run"},
                      {"device", device.describe()},
                      {"dims", program->describeDims(dims.data())}}) +
                 "\n");
  for (const rt::Measurement &measurement : *measured)
    printInfo(name + ": " + rt::formatMeasurement(measurement));
  return ExitCode::Ok;
}

ExitCode Run::putResults() {
  if (options.outputDir.empty()) {
    for (size_t i = 0; i < result.results.size(); ++i) {
      rt::Result<std::string> text = rt::printTensor(
          resultNames[i], result.results[i], {options.printFull});
      if (!text.ok())
        return fail(text.status());
      if (ExitCode code = print(*text + "\n"); code != ExitCode::Ok)
        return code;
    }
    return ExitCode::Ok;
  }
  OutputFiles files(options.outputDir, cleanup);
  Status status = files.createFolder();
  for (size_t i = 0; i < result.results.size() && status.ok(); ++i)
    status = files.write(resultNames[i], result.results[i]);
  if (status.ok())
    status = files.commit();
  return status.ok() ? ExitCode::Ok : fail(status);
}

/// A line for each device, and for what only compiles.
static std::string describeDevices() {
  std::string text;
  auto add = [&](const std::string &name, const Status &status,
                 const std::string &description) {
    text += name + ": " +
            (status.ok() ? description : "none: " + status.message()) + "\n";
  };
  auto cuda = rt::openCudaDevice(cudaOptionsFromEnvironment());
  add("cuda", cuda.status(), cuda.ok() ? (*cuda)->describe() : "");
  auto nvrtc = rt::Nvrtc::load(nvrtcSearchFromEnvironment());
  add("nvrtc", nvrtc.status(),
      nvrtc.ok() ? (*nvrtc)->version() + ", " + (*nvrtc)->path() : "");
  auto host = rt::openHostDevice(hostOptionsFromEnvironment());
  add("host", host.status(), host.ok() ? (*host)->describe() : "");
  return text;
}

int main(int argc, char **argv) {
  rt::Result<RunOptions> options = parseOptions(argc, argv);
  if (!options.ok())
    return int(failInput(options.status()));
  if (options->help)
    return int(print(helpText()));
  if (options->version)
    return int(print("fuse-run " FUSE_VERSION "\nartifacts of version " +
                     std::to_string(FUSE_ARTIFACT_VERSION) + "\n"));
  if (options->devices)
    return int(print(describeDevices()));
  if (options->artifact.empty()) {
    printError("expects an artifact, such as A.fuse; --help says more");
    return int(ExitCode::Diagnostic);
  }
  return int(Run(*options, installSignalCleanup()).execute());
}
