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
#include "Inputs.h"
#include "Outputs.h"
#include "Precision.h"
#include "Progress.h"
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
  auto opened = openDevice(options.device);
  if (opened.ok())
    return ExitCode::Ok;
  printError() << "--device="
               << (options.device == Device::Cuda ? "cuda" : "host") << ": "
               << opened.status().message() << "\n";
  return ExitCode::NoDevice;
}

/// The best device that opens and can do what is asked; which one, is said.
static Device findDevice(FunctionOpInterface function,
                         const RunOptions &options) {
  bool needsInterpreter =
      options.outputType == OutputType::F64 ||
      (options.check && options.check->sample) ||
      function
          ->walk([](Operation *op) {
            return isa<CheckEqualOp, CheckCloseOp, CheckBoundOp>(op)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  if (!needsInterpreter)
    for (Device device : {Device::Cuda, Device::Host})
      if (auto opened = openDevice(device); opened.ok()) {
        printInfo() << "device: " << (*opened)->describe() << "\n";
        return device;
      }
  printInfo() << "device: interpreter\n";
  return Device::Interpreter;
}

namespace {
/// One call of one function, step by step. Every step prints what is wrong.
class Call {
public:
  Call(Operation *root, const RunOptions &given) : root(root), options(given) {}

  ExitCode execute();

private:
  ExitCode findFunction();
  ExitCode nameValues();
  ExitCode bindDims(ArrayRef<std::optional<SmallVector<int64_t>>> shapes);
  ExitCode checkMemory();
  ExitCode run();
  ExitCode sample();
  ExitCode runOnDevice();
  void countWork(const DimAnalysis &analysis, const DimBindings &bindings);
  void printStats(std::chrono::steady_clock::time_point start);
  bool isSample() const { return options.check && options.check->sample; }

  Operation *root;
  RunOptions options;
  FunctionOpInterface function;
  SmallVector<std::string> argumentNames, resultNames;
  std::optional<Interpreter> interpreter;
  DimBindings dims;
  SmallVector<Tensor> arguments;
  /// Of a whole run; bytes as estimated.
  int64_t numOps = 0, numElements = 0, peakBytes = 0;
};
} // namespace

ExitCode Call::execute() {
  if (ExitCode code = findFunction(); code != ExitCode::Ok)
    return code;
  if (ExitCode code = nameValues(); code != ExitCode::Ok)
    return code;
  if (failed(Interpreter::checkOps(function)))
    return ExitCode::Diagnostic;
  if (options.device == Device::Auto)
    options.device = findDevice(function, options);
  if (options.fp32)
    setFp32Precision(root, *options.fp32);
  Inputs inputs(function, argumentNames);
  if (ExitCode code = inputs.collect(options); code != ExitCode::Ok)
    return code;
  if (ExitCode code = bindDims(inputs.knownShapes()); code != ExitCode::Ok)
    return code;
  // A device says itself what it cannot hold.
  if (options.device == Device::Interpreter || options.check)
    if (ExitCode code = checkMemory(); code != ExitCode::Ok)
      return code;
  if (!options.outputDir.empty())
    if (ExitCode code = checkOutputDir(options.outputDir, resultNames);
        code != ExitCode::Ok)
      return code;
  SmallVector<SmallVector<int64_t>> shapes;
  for (unsigned i = 0, e = argumentNames.size(); i < e; ++i)
    shapes.push_back(interpreter->getArgumentShape(i));
  if (ExitCode code = inputs.materialize(shapes, arguments);
      code != ExitCode::Ok)
    return code;
  if (options.device != Device::Interpreter)
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
  return ExitCode::Ok;
}

ExitCode Call::bindDims(ArrayRef<std::optional<SmallVector<int64_t>>> shapes) {
  DimBindings bindings;
  for (const auto &[name, extent] : options.dims)
    bindings[name] = extent;
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

static std::string formatBytes(int64_t bytes) {
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double size = bytes;
  size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(units); ++unit)
    size /= 1024;
  return llvm::formatv("{0:f1} {1}", size, units[unit]);
}

/// Of a sample only the arguments count: single elements need little.
ExitCode Call::checkMemory() {
  constexpr int64_t bytesPerElement = 2 * sizeof(double);
  peakBytes = isSample() ? 0 : interpreter->estimateBytes();
  for (unsigned i = 0, e = isSample() ? argumentNames.size() : 0; i < e; ++i)
    peakBytes = llvm::SaturatingMultiplyAdd<uint64_t>(
        Box::whole(interpreter->getArgumentShape(i)).size(), bytesPerElement,
        peakBytes);
  if (uint64_t(peakBytes) <= uint64_t(options.maxBytes))
    return ExitCode::Ok;
  printError() << "the run needs about " << formatBytes(peakBytes)
               << ", but only " << formatBytes(options.maxBytes)
               << " are allowed (--max-memory)\n";
  return ExitCode::Resource;
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

  // Stdout is for one thing at a time.
  if (options.benchmark != BenchmarkFormat::Json || !options.outputDir.empty())
    if (ExitCode code = putResults(resultNames, *results, options);
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
  DeviceRun device;
  if (ExitCode code = device.load(function, options, dims);
      code != ExitCode::Ok)
    return code;
  if (options.benchmark != BenchmarkFormat::None)
    if (ExitCode code = device.benchmark(arguments, options.benchmark);
        code != ExitCode::Ok)
      return code;
  SmallVector<Tensor> results;
  {
    Progress progress("running '" + options.function + "'");
    if (ExitCode code = device.run(arguments, results); code != ExitCode::Ok)
      return code;
  }
  if (options.stats)
    device.printStats();
  if (options.benchmark != BenchmarkFormat::Json || !options.outputDir.empty())
    if (ExitCode code = putResults(resultNames, results, options);
        code != ExitCode::Ok)
      return code;
  if (!options.check)
    return ExitCode::Ok;
  FailureOr<SmallVector<Tensor>> reference = interpreter->run(arguments);
  if (failed(reference))
    return ExitCode::Runtime;
  return Checker(*interpreter, arguments, resultNames, *options.check)
      .checkResults(*reference, results);
}

ExitCode Call::sample() {
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
