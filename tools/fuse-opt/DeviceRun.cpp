//===- DeviceRun.cpp - --run on a device that runs kernels ----------------===//

#include "DeviceRun.h"
#include "Console.h"
#include "Environment.h"
#include "Report.h"
#include "fuse/codegen/BuildArtifact.h"
#include "fuse/ir/FuseDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace fuse;

static std::string nameOf(Device device) {
  switch (device) {
  case Device::Auto:
    return "auto";
  case Device::Cuda:
    return "cuda";
  case Device::Host:
    return "host";
  case Device::Interpreter:
    break;
  }
  llvm_unreachable("no device that runs kernels");
}

DeviceRun::DeviceRun(Device device)
    : isAuto(device == Device::Auto),
      device(nameOf(device), cudaOptionsFromEnvironment(),
             hostOptionsFromEnvironment()) {}

ExitCode DeviceRun::reportUnlessAuto(const rt::Status &status) const {
  if (isAuto && status.code() == rt::StatusCode::NoDevice)
    return ExitCode::NoDevice;
  return report(status);
}

ExitCode DeviceRun::open() { return reportUnlessAuto(device.open()); }

/// The extents of the dims that the function's artifact is made for.
static NamedExtents getSpecialized(FunctionOpInterface function,
                                   const DimBindings &dims) {
  NamedExtents extents;
  if (auto names =
          function->getAttrOfType<ArrayAttr>(FuseDialect::specializeAttr))
    for (auto name : names.getAsRange<StringAttr>())
      if (auto it = dims.find(name.getValue()); it != dims.end())
        extents.emplace_back(name.str(), it->second);
  return extents;
}

ExitCode DeviceRun::load(FunctionOpInterface function,
                         const DimBindings &dims) {
  this->function = function;
  for (const auto &entry : dims)
    extents.emplace_back(entry.getKey().str(), entry.getValue());
  auto module = function->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(lowerToKernels(*copy, getSpecialized(function, dims))))
    return ExitCode::Diagnostic;
  FailureOr<rt::Artifact> artifact = buildArtifact(*copy, function.getName());
  if (failed(artifact))
    return ExitCode::Diagnostic;
  auto program = rt::Program::create(std::move(*artifact));
  if (!program.ok())
    return report(program.status());
  auto loaded = device.load(*program);
  if (!loaded.ok())
    return reportUnlessAuto(loaded.status());
  executable = std::move(*loaded);
  return ExitCode::Ok;
}

ExitCode DeviceRun::bindDims(const std::vector<rt::HostTensor> &arguments,
                             rt::Dims &dims) const {
  std::vector<std::optional<std::vector<int64_t>>> shapes;
  shapes.reserve(arguments.size());
  for (const rt::HostTensor &tensor : arguments)
    shapes.emplace_back(tensor.shape());
  const rt::Program &program = executable->program();
  // Names that the artifact has no need of are none that it would know.
  NamedExtents given;
  for (const auto &[name, extent] : extents)
    if (llvm::is_contained(program.artifact().dims, name))
      given.emplace_back(name, extent);
  auto bound = program.bindDims(shapes, given);
  if (!bound.ok())
    return report(bound.status());
  dims = std::move(*bound);
  return ExitCode::Ok;
}

ExitCode DeviceRun::run(const std::vector<rt::HostTensor> &arguments,
                        std::vector<rt::HostTensor> &results) {
  rt::Dims dims;
  if (ExitCode code = bindDims(arguments, dims); code != ExitCode::Ok)
    return code;
  auto run = executable->run(dims, arguments);
  if (!run.ok())
    return report(run.status());
  for (const std::string &finding : run->findings)
    printError() << finding << "\n";
  if (!run->findings.empty())
    return ExitCode::Runtime;
  runSeconds = run->seconds;
  runBytes = run->bytes;
  results = std::move(run->results);
  return ExitCode::Ok;
}

void DeviceRun::printStats() const {
  const rt::CompileStats &stats = executable->compileStats();
  printInfo() << "stats: kernels: "
              << executable->program().artifact().kernels.size()
              << llvm::formatv(", seconds: {0:f6}", runSeconds)
              << ", device bytes: " << runBytes
              << ", compiles: " << stats.compiled
              << ", from cache: " << stats.fromCache
              << llvm::formatv(", compile seconds: {0:f3}",
                               stats.compileSeconds)
              << "\n";
}

ExitCode DeviceRun::benchmark(const std::vector<rt::HostTensor> &arguments,
                              BenchmarkFormat format) {
  rt::Dims dims;
  if (ExitCode code = bindDims(arguments, dims); code != ExitCode::Ok)
    return code;
  rt::BenchmarkOptions options;
  auto floor = device.get().calibrate(options);
  if (!floor.ok())
    return report(floor.status());
  auto measured = executable->benchmark(dims, arguments, options);
  if (!measured.ok())
    return report(measured.status());
  llvm::append_range(*measured, *floor);
  if (format == BenchmarkFormat::Json) {
    llvm::outs() << rt::formatBenchmarkJson(
        (function.getName() + "/" + StringRef(device.get().name())).str(),
        *measured, {{"device", device.describe()}});
    return flushStdout() ? ExitCode::Ok : ExitCode::Runtime;
  }
  if (!isAuto) // else it is said already
    printInfo() << "device: " << device.describe() << "\n";
  for (const rt::Measurement &measurement : *measured)
    printInfo() << rt::formatMeasurement(measurement) << "\n";
  return ExitCode::Ok;
}
