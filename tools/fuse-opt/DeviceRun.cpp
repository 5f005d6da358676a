//===- DeviceRun.cpp - --run on a device that runs kernels ----------------===//

#include "DeviceRun.h"
#include "Console.h"
#include "Environment.h"
#include "HostTensors.h"
#include "fuse/codegen/BuildArtifact.h"
#include "fuse/ir/FuseDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace fuse;

static ExitCode report(const rt::Status &status) {
  if (!status.ok())
    printError() << status.message() << "\n";
  return exitCodeOf(status);
}

rt::Result<std::unique_ptr<rt::Device>> fuse::openDevice(Device device) {
  if (device == Device::Cuda)
    return rt::openCudaDevice(cudaOptionsFromEnvironment());
  return rt::openHostDevice(hostOptionsFromEnvironment());
}

ExitCode DeviceRun::open(const RunOptions &options) {
  auto opened = openDevice(options.device);
  if (!opened.ok())
    return report(opened.status());
  device = std::move(*opened);
  return ExitCode::Ok;
}

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
                         const RunOptions &options, const DimBindings &dims) {
  this->function = function;
  if (ExitCode code = open(options); code != ExitCode::Ok)
    return code;
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
  auto loaded = device->load(std::move(*program));
  if (!loaded.ok())
    return report(loaded.status());
  executable = std::move(*loaded);
  return ExitCode::Ok;
}

ExitCode DeviceRun::convert(ArrayRef<Tensor> arguments,
                            std::vector<rt::HostTensor> &tensors,
                            rt::Dims &dims) {
  std::vector<std::optional<std::vector<int64_t>>> shapes;
  for (auto [tensor, type] :
       llvm::zip_equal(arguments, function.getArgumentTypes())) {
    auto element = cast<RankedTensorType>(type).getElementType();
    auto converted = toHostTensor(tensor, dtypeOf(element));
    if (!converted.ok())
      return report(converted.status());
    shapes.emplace_back(converted->shape());
    tensors.push_back(std::move(*converted));
  }
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

ExitCode DeviceRun::run(ArrayRef<Tensor> arguments,
                        SmallVectorImpl<Tensor> &results) {
  std::vector<rt::HostTensor> tensors;
  rt::Dims dims;
  if (ExitCode code = convert(arguments, tensors, dims); code != ExitCode::Ok)
    return code;
  auto run = executable->run(dims, tensors);
  if (!run.ok())
    return report(run.status());
  for (const std::string &finding : run->findings)
    printError() << finding << "\n";
  if (!run->findings.empty())
    return ExitCode::Runtime;
  runSeconds = run->seconds;
  runBytes = run->bytes;
  for (auto [tensor, type] :
       llvm::zip_equal(run->results, function.getResultTypes()))
    results.push_back(
        toTensor(tensor, cast<RankedTensorType>(type).getElementType()));
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

ExitCode DeviceRun::benchmark(ArrayRef<Tensor> arguments,
                              BenchmarkFormat format) {
  std::vector<rt::HostTensor> tensors;
  rt::Dims dims;
  if (ExitCode code = convert(arguments, tensors, dims); code != ExitCode::Ok)
    return code;
  rt::BenchmarkOptions options;
  auto floor = device->calibrate(options);
  if (!floor.ok())
    return report(floor.status());
  auto measured = executable->benchmark(dims, tensors, options);
  if (!measured.ok())
    return report(measured.status());
  llvm::append_range(*measured, *floor);
  if (format == BenchmarkFormat::Json) {
    llvm::outs() << rt::formatBenchmarkJson(
        (function.getName() + "/" + device->name()).str(), *measured,
        {{"device", device->describe()}});
    return flushStdout() ? ExitCode::Ok : ExitCode::Runtime;
  }
  printInfo() << "device: " << device->describe() << "\n";
  for (const rt::Measurement &measurement : *measured)
    printInfo() << rt::formatMeasurement(measurement) << "\n";
  return ExitCode::Ok;
}
