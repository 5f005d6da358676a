//===- RunDriver.cpp - What --run does ------------------------------------===//
//
// The run is the last pass of the pipeline: so it happens in the context that
// MlirOptMain sets up, with its timing, remarks and diagnostics.
//
//===----------------------------------------------------------------------===//

#include "RunDriver.h"
#include "Benchmark.h"
#include "CheckReport.h"
#include "Console.h"
#include "DeviceRun.h"
#include "HostTensors.h"
#include "MemoryLimit.h"
#include "OutputFiles.h"
#include "Outputs.h"
#include "Precision.h"
#include "Progress.h"
#include "Report.h"
#include "fuse/codegen/BuildArtifact.h"
#include "fuse/interpreter/Interpreter.h"
#include "fuse/ir/FuseDialect.h"
#include "fuse/tile/TileDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace mlir;
using namespace fuse;

ExitCode fuse::checkDevice(const RunOptions &options) {
  if (options.device == Device::Auto || options.device == Device::Interpreter)
    return ExitCode::Ok;
  if (options.outputType == OutputType::F64) {
    printError() << "--output-type=f64: expects --device=interpreter, which "
                    "computes in double\n";
    return ExitCode::Diagnostic;
  }
  if (options.check && options.check->sample) {
    printError() << "--check=sample: expects --device=interpreter, which can "
                    "evaluate single elements\n";
    return ExitCode::Diagnostic;
  }
  return ExitCode::Ok;
}

/// True if the call asks for what kernels cannot do.
static bool needsInterpreter(FunctionOpInterface function,
                             const RunOptions &options) {
  return options.outputType == OutputType::F64 ||
         (options.check && options.check->sample) ||
         function
             ->walk([](Operation *op) {
               return isa<CheckEqualOp, CheckCloseOp, CheckBoundOp>(op)
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

namespace {
/// One call of one function, step by step. Every step prints what is wrong.
class Call {
public:
  Call(Operation *root, const RunOptions &given)
      : root(root), options(given), isAuto(given.device == Device::Auto) {}

  ExitCode execute();

private:
  ExitCode findFunction();
  ExitCode nameValues();
  ExitCode openDevice();
  ExitCode collectInputs();
  ExitCode bindDims();
  ExitCode checkMemory();
  ExitCode makeArguments();
  ExitCode loadProgram();
  ExitCode orInterpreter(ExitCode code);
  ExitCode run();
  ExitCode sample();
  ExitCode
  put(function_ref<rt::Result<rt::HostTensor>(size_t index)> makeResult);
  ExitCode runOnDevice();
  void countWork(const DimAnalysis &analysis, const DimBindings &bindings);
  void printStats(std::chrono::steady_clock::time_point start);
  SmallVector<Tensor> takeArguments();
  bool isOnDevice() const { return options.device != Device::Interpreter; }
  bool isSample() const { return options.check && options.check->sample; }

  Operation *root;
  RunOptions options; // auto becomes interpreter where that is left
  const bool isAuto;
  FunctionOpInterface function;
  SmallVector<std::string> argumentNames, resultNames;
  std::optional<DeviceRun> device;
  std::optional<rt::Arguments> inputs;
  std::optional<Interpreter> interpreter;
  DimBindings dims;
  std::vector<rt::HostTensor> arguments;
  /// Of a whole run; bytes as estimated.
  int64_t numOps = 0, numElements = 0, peakBytes = 0;
};
} // namespace

ExitCode Call::execute() {
  for (ExitCode (Call::*step)() :
       {&Call::findFunction, &Call::nameValues, &Call::openDevice,
        &Call::collectInputs, &Call::bindDims, &Call::checkMemory,
        &Call::makeArguments, &Call::loadProgram})
    if (ExitCode code = (this->*step)(); code != ExitCode::Ok)
      return code;
  if (isOnDevice())
    return runOnDevice();
  return isSample() ? sample() : run();
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

ExitCode Call::findFunction() {
  SmallVector<StringRef> known;
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface op) {
    known.push_back(op.getName());
    if (!function && op.getName() == options.function)
      function = op;
    return WalkResult::skip();
  });
  if (!function) {
    printError() << "--function=" << options.function
                 << ": expects a function of the program, which has "
                 << (known.empty() ? "none" : llvm::join(known, ", ")) << "\n";
    return ExitCode::Diagnostic;
  }
  if (function.isExternal()) {
    function.emitError() << "expects a body to run, but has none";
    return ExitCode::Diagnostic;
  }
  if (options.fp32)
    setFp32Precision(root, *options.fp32);
  return ExitCode::Ok;
}

/// Names address values on the command line and in folders.
ExitCode Call::nameValues() {
  auto add = [&](SmallVectorImpl<std::string> &names, std::string name,
                 Type type, StringRef what) -> LogicalResult {
    if (!isFuseTensor(type))
      return function.emitError()
             << "expects " << what << " '" << name
             << "' to be a tensor of f16, bf16, f32, f64, i32 or i1, but got "
             << type;
    if (llvm::is_contained(names, name))
      return function.emitError() << "expects different names, but has two "
                                  << what << "s '" << name << "'";
    names.push_back(std::move(name));
    return success();
  };
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(add(argumentNames, argumentName(function, index), type,
                   "argument")))
      return ExitCode::Diagnostic;
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(add(resultNames, resultName(function, index), type, "result")))
      return ExitCode::Diagnostic;
  return failed(Interpreter::checkOps(function)) ? ExitCode::Diagnostic
                                                 : ExitCode::Ok;
}

/// `auto` goes on to the interpreter where there is no device.
ExitCode Call::orInterpreter(ExitCode code) {
  if (!isAuto || code != ExitCode::NoDevice)
    return code;
  options.device = Device::Interpreter;
  return ExitCode::Ok;
}

ExitCode Call::openDevice() {
  if (isAuto && needsInterpreter(function, options))
    options.device = Device::Interpreter;
  if (!isOnDevice())
    return ExitCode::Ok;
  device.emplace(options.device);
  return orInterpreter(device->open());
}

static RankedTensorType argumentType(FunctionOpInterface function,
                                     unsigned index) {
  return cast<RankedTensorType>(function.getArgumentTypes()[index]);
}

ExitCode Call::collectInputs() {
  std::vector<rt::ArgumentInfo> infos;
  for (auto [index, name] : llvm::enumerate(argumentNames)) {
    RankedTensorType type = argumentType(function, index);
    bool isWeight =
        static_cast<bool>(function.getArgAttr(index, FuseDialect::paramAttr));
    infos.push_back({name, dtypeOf(type.getElementType()),
                     size_t(type.getRank()), isWeight});
  }
  inputs.emplace(std::move(infos));
  rt::Status status = inputs->assign(options.inputs);
  if (status.ok() && !options.inputDir.empty())
    status = inputs->readFolder(options.inputDir);
  return reportInput(status);
}

ExitCode Call::bindDims() {
  DimBindings bindings;
  for (const auto &[name, extent] : options.dims)
    bindings[name] = extent;
  SmallVector<std::optional<SmallVector<int64_t>>> shapes;
  for (const auto &shape : inputs->knownShapes()) {
    shapes.emplace_back();
    if (shape)
      shapes.back().emplace(ArrayRef<int64_t>(*shape));
  }
  FailureOr<DimAnalysis> analysis = DimAnalysis::compute(function);
  if (failed(analysis) ||
      failed(analysis->bindDims(function, shapes, bindings)))
    return ExitCode::Diagnostic;
  countWork(*analysis, bindings);
  dims = bindings;
  FailureOr<Interpreter> created =
      Interpreter::create(function, std::move(*analysis), std::move(bindings));
  if (failed(created))
    return ExitCode::Diagnostic;
  interpreter = std::move(*created);
  return ExitCode::Ok;
}

void Call::countWork(const DimAnalysis &analysis, const DimBindings &bindings) {
  function->walk([&](Operation *op) {
    if (op == function || op->hasTrait<OpTrait::IsTerminator>())
      return;
    ++numOps;
    for (Value result : op->getResults())
      numElements = llvm::SaturatingAdd<uint64_t>(
          Box::whole(analysis.getShape(result, bindings)).size(), numElements);
  });
}

/// Of a sample only the arguments count: single elements need little. A device
/// says itself what it cannot hold.
ExitCode Call::checkMemory() {
  if (isOnDevice() && !options.check)
    return ExitCode::Ok;
  constexpr int64_t bytesPerElement = 2 * sizeof(double);
  uint64_t bytes = isSample() ? 0 : interpreter->estimateBytes();
  for (unsigned i = 0, e = isSample() ? argumentNames.size() : 0; i < e; ++i)
    bytes = llvm::SaturatingMultiplyAdd<uint64_t>(
        Box::whole(interpreter->getArgumentShape(i)).size(), bytesPerElement,
        bytes);
  peakBytes = std::min<uint64_t>(bytes, INT64_MAX);
  return report(fuse::checkMemory(peakBytes, options.maxBytes));
}

ExitCode Call::makeArguments() {
  if (!options.outputDir.empty())
    if (rt::Status status = checkOutputFolder(
            options.outputDir, {resultNames.begin(), resultNames.end()});
        !status.ok())
      return report(status);
  std::vector<std::vector<int64_t>> shapes;
  for (unsigned i = 0, e = argumentNames.size(); i < e; ++i) {
    SmallVector<int64_t> shape = interpreter->getArgumentShape(i);
    shapes.emplace_back(shape.begin(), shape.end());
  }
  if (std::vector<std::string> drawn = inputs->drawn(shapes); !drawn.empty())
    printInfo() << "what is not given is drawn, as by "
                << llvm::join(drawn, " ") << "\n";
  auto made = inputs->materialize(shapes);
  if (!made.ok())
    return reportInput(made.status());
  arguments = std::move(*made);
  return ExitCode::Ok;
}

/// What the interpreter runs on, in place of what devices do.
SmallVector<Tensor> Call::takeArguments() {
  SmallVector<Tensor> tensors;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    rt::HostTensor taken = std::move(argument);
    tensors.push_back(
        toTensor(taken, argumentType(function, index).getElementType()));
  }
  arguments.clear();
  return tensors;
}

ExitCode Call::loadProgram() {
  if (isOnDevice()) {
    if (ExitCode code = orInterpreter(device->load(function, dims));
        code != ExitCode::Ok)
      return code;
    if (!isOnDevice())
      if (ExitCode code = checkMemory(); code != ExitCode::Ok)
        return code;
  }
  if (isAuto)
    printInfo() << "device: "
                << (isOnDevice() ? device->describe() : "interpreter") << "\n";
  return ExitCode::Ok;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// The interpreter compiles nothing, and the line says so, because for other
/// devices that is what a new size must not cost.
void Call::printStats(std::chrono::steady_clock::time_point start) {
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  printInfo() << "stats: ops: " << numOps << ", elements: " << numElements
              << (isSample() ? " (of a whole run)" : "")
              << llvm::formatv(", seconds: {0:f6}", seconds.count())
              << ", peak: about " << formatBytes(peakBytes)
              << ", compiles: 0\n";
}

ExitCode Call::run() {
  const SmallVector<Tensor> arguments = takeArguments();
  if (options.benchmark != BenchmarkFormat::None) {
    std::string name = options.function + "/interpreter";
    ExitCode code = runBenchmark(name, options.benchmark, [&] {
      return succeeded(interpreter->run(arguments));
    });
    if (code != ExitCode::Ok)
      return code;
  }
  auto start = std::chrono::steady_clock::now();
  FailureOr<SmallVector<Tensor>> results = failure();
  {
    Progress progress("running '" + options.function + "'");
    results = interpreter->run(arguments);
  }
  if (failed(results))
    return ExitCode::Runtime;
  if (options.stats)
    printStats(start);
  SmallVector<CheckOutcome> outcomes(interpreter->getCheckOutcomes());

  if (ExitCode code = put([&](size_t i) {
        return toOutput((*results)[i], options.outputType);
      });
      code != ExitCode::Ok)
    return code;
  ExitCode code = reportCheckOps(outcomes);
  if (options.check)
    code = std::max(
        code, Checker(*interpreter, arguments, resultNames, *options.check)
                  .checkResults(*results, *results));
  return code;
}

ExitCode Call::runOnDevice() {
  if (options.benchmark != BenchmarkFormat::None)
    if (ExitCode code = device->benchmark(arguments, options.benchmark);
        code != ExitCode::Ok)
      return code;
  std::vector<rt::HostTensor> outputs;
  {
    Progress progress("running '" + options.function + "'");
    if (ExitCode code = device->run(arguments, outputs); code != ExitCode::Ok)
      return code;
  }
  if (options.stats)
    device->printStats();
  SmallVector<Tensor> results;
  if (options.check)
    for (auto [output, type] :
         llvm::zip_equal(outputs, function.getResultTypes()))
      results.push_back(
          toTensor(output, cast<RankedTensorType>(type).getElementType()));
  if (ExitCode code = put([&](size_t i) -> rt::Result<rt::HostTensor> {
        return std::move(outputs[i]);
      });
      code != ExitCode::Ok || !options.check)
    return code;
  const SmallVector<Tensor> arguments = takeArguments();
  FailureOr<SmallVector<Tensor>> reference = interpreter->run(arguments);
  if (failed(reference))
    return ExitCode::Runtime;
  return Checker(*interpreter, arguments, resultNames, *options.check)
      .checkResults(*reference, results);
}

/// Stdout is for one thing at a time.
ExitCode
Call::put(function_ref<rt::Result<rt::HostTensor>(size_t index)> makeResult) {
  if (options.benchmark == BenchmarkFormat::Json && options.outputDir.empty())
    return ExitCode::Ok;
  return putResults(resultNames, makeResult, options);
}

ExitCode Call::sample() {
  const SmallVector<Tensor> arguments = takeArguments();
  auto start = std::chrono::steady_clock::now();
  ExitCode code = Checker(*interpreter, arguments, resultNames, *options.check)
                      .checkSample();
  if (options.stats)
    printStats(start);
  return code;
}

//===----------------------------------------------------------------------===//
// Pipeline
//===----------------------------------------------------------------------===//

namespace {
/// Stands after the passes of the command line.
class RunPass final : public PassWrapper<RunPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RunPass)

  RunPass(const RunOptions &options, ExitCode &code)
      : options(options), code(code) {}

  StringRef getName() const override { return "Run"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tile::TileDialect>();
  }

  void runOnOperation() override {
    // What is wrong with a call is not seen from the op that reports it.
    getContext().printOpOnDiagnostic(false);
    code = Call(getOperation(), options).execute();
    if (code != ExitCode::Ok)
      signalPassFailure();
  }

private:
  const RunOptions &options;
  ExitCode &code;
};
} // namespace

ExitCode fuse::runProgram(std::unique_ptr<llvm::MemoryBuffer> program,
                          DialectRegistry &registry,
                          const MlirOptMainConfig &config,
                          const RunOptions &options) {
  // Stays so if the pipeline ends before the run.
  ExitCode code = ExitCode::Diagnostic;
  MlirOptMainConfig withRun = config;
  withRun.setPassPipelineSetupFn([&](PassManager &passes) {
    if (failed(config.setupPassPipeline(passes)))
      return failure();
    passes.addPass(std::make_unique<RunPass>(options, code));
    return success();
  });
  LogicalResult result =
      MlirOptMain(llvm::nulls(), std::move(program), registry, withRun);
  if (config.shouldVerifyDiagnostics() ||
      (code == ExitCode::Ok && failed(result)))
    return succeeded(result) ? ExitCode::Ok : ExitCode::Diagnostic;
  return code;
}
