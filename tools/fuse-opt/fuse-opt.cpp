//===- fuse-opt.cpp - Check, lower and run tensor programs ----------------===//

#include "Console.h"
#include "Emit.h"
#include "ExitCode.h"
#include "HelpText.h"
#include "ReadProgram.h"
#include "RunDriver.h"
#include "RunOptions.h"
#include "fuse/ir/FuseDialect.h"
#include "fuse/ir/TextScan.h"
#include "fuse/passes/Passes.h"
#include "fuse/passes/Pipelines.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileOutputBuffer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/thread.h"
#include <unistd.h>

using namespace mlir;
using namespace fuse;

/// Replaces a file only when its new contents are whole. What is no file, such
/// as a pipe, takes them as they come.
static std::error_code writeFile(StringRef path, StringRef contents) {
  namespace fs = llvm::sys::fs;
  if (fs::exists(path) && !fs::is_regular_file(path)) {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    if (error)
      return error;
    os << contents;
    os.close();
    if (os.has_error())
      error = os.error();
    os.clear_error();
    return error;
  }
  auto file = llvm::FileOutputBuffer::create(path, contents.size());
  if (!file)
    return llvm::errorToErrorCode(file.takeError());
  llvm::copy(contents, (*file)->getBufferStart());
  return llvm::errorToErrorCode((*file)->commit());
}

/// Text to stdout, or to a file that is whole or not there.
static ExitCode write(StringRef outputPath, StringRef text) {
  if (outputPath == "-") {
    llvm::outs() << text;
    return flushStdout() ? ExitCode::Ok : ExitCode::Runtime;
  }
  if (std::error_code error = writeFile(outputPath, text)) {
    printError() << outputPath << ": cannot write: " << error.message() << "\n";
    return ExitCode::Runtime;
  }
  return ExitCode::Ok;
}

/// Parses, runs the passes and prints the result.
static ExitCode lower(std::unique_ptr<llvm::MemoryBuffer> program,
                      StringRef outputPath, DialectRegistry &registry,
                      const MlirOptMainConfig &config) {
  if (outputPath == "-") {
    LogicalResult result =
        MlirOptMain(llvm::outs(), std::move(program), registry, config);
    bool written = flushStdout();
    if (failed(result))
      return ExitCode::Diagnostic;
    return written ? ExitCode::Ok : ExitCode::Runtime;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(MlirOptMain(os, std::move(program), registry, config)))
    return ExitCode::Diagnostic;
  return write(outputPath, text);
}

/// With `--run`, options of MLIR that speak of what is printed or of several
/// programs make no sense.
static bool checkCombination(const RunFlags &flags, StringRef outputPath,
                             const MlirOptMainConfig &config, EmitStage emit) {
  if (emit != EmitStage::None) {
    StringRef clash;
    if (flags.isRun())
      clash = "--emit: expects no --run beside it";
    else if (!config.inputSplitMarker().empty())
      clash = "--split-input-file: expects no --emit, which takes one program";
    if (clash.empty())
      return true;
    printError() << clash << "\n";
    return false;
  }
  if (!flags.isRun()) {
    std::string name = flags.firstGiven();
    if (name.empty())
      return true;
    printError() << "--" << name << ": expects --run beside it\n";
    return false;
  }
  StringRef clash;
  if (!config.inputSplitMarker().empty())
    clash = "--split-input-file: expects no --run, which takes one program";
  else if (outputPath != "-")
    clash = "-o: expects no --run, whose results go to --output-dir";
  else if (config.shouldEmitBytecode())
    clash = "--emit-bytecode: expects no --run, which prints no IR";
  if (clash.empty())
    return true;
  printError() << clash << "\n";
  return false;
}

/// MLIR speaks of a wrong pipeline at an unknown place.
static void locatePipelineErrors(MlirOptMainConfig &config) {
  if (config.shouldVerifyDiagnostics())
    return;
  bool isText = llvm::cl::getRegisteredOptions()
                    .lookup("pass-pipeline")
                    ->getNumOccurrences() > 0;
  config.setPassPipelineSetupFn([isText, config](PassManager &passes) {
    ScopedDiagnosticHandler handler(
        passes.getContext(), [&](Diagnostic &diagnostic) {
          printError() << (isText ? "--pass-pipeline"
                                  : "passes on the command line")
                       << ": " << StringRef(diagnostic.str()).trim() << "\n";
        });
    return config.setupPassPipeline(passes);
  });
}

static ExitCode process(StringRef inputPath, StringRef outputPath,
                        DialectRegistry &registry, const RunFlags &flags,
                        EmitStage emit) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (!checkCombination(flags, outputPath, config, emit))
    return ExitCode::Diagnostic;
  locatePipelineErrors(config);
  std::optional<RunOptions> runOptions;
  if (flags.isRun() || emit != EmitStage::None) {
    runOptions = flags.parse();
    if (!runOptions)
      return ExitCode::Diagnostic;
  }
  if (flags.isRun()) {
    if (ExitCode code = checkDevice(*runOptions); code != ExitCode::Ok)
      return code;
  }
  // MLIR parses this file itself.
  if (!config.getIrdlFile().empty() && !readProgram(config.getIrdlFile()))
    return ExitCode::Diagnostic;
  if (inputPath == "-" &&
      llvm::sys::Process::FileDescriptorIsDisplayed(STDIN_FILENO))
    printInfo() << "reading the program from the terminal\n";
  std::unique_ptr<llvm::MemoryBuffer> program =
      readProgram(inputPath, config.inputSplitMarker());
  if (!program)
    return ExitCode::Diagnostic;
  if (emit != EmitStage::None) {
    std::string text;
    ExitCode code =
        emitProgram(std::move(program), registry, config, runOptions->function,
                    runOptions->dims, emit, text);
    return code == ExitCode::Ok ? write(outputPath, text) : code;
  }
  return runOptions
             ? runProgram(std::move(program), registry, config, *runOptions)
             : lower(std::move(program), outputPath, registry, config);
}

/// Memory that MLIR or the interpreter asked for is not there.
static void exitOutOfMemory(void *, const char *, bool) {
  constexpr char message[] = "fuse-opt: error: out of memory\n";
  [[maybe_unused]] ssize_t written =
      write(STDERR_FILENO, message, sizeof(message) - 1);
  _exit(static_cast<int>(ExitCode::Resource));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::install_bad_alloc_error_handler(exitOutOfMemory);

  DialectRegistry registry;
  registerFuseDialects(registry);
  registerFusePasses();
  registerFusePipelines();
  registerTransformsPasses();

  freeOptionNames();
  HelpCategories categories;
  RunFlags flags(categories.run);
  EmitFlag emit(categories.run);
  registerCLIOptions("fuse-opt", registry);
  sortOptions(categories);
  llvm::cl::extrahelp epilogue(helpEpilogue);
  llvm::cl::SetVersionPrinter(printVersion);
  llvm::cl::opt<std::string> inputPath(llvm::cl::Positional,
                                       llvm::cl::desc("<input file>"),
                                       llvm::cl::init("-"));
  llvm::cl::opt<std::string> outputPath(
      "o", llvm::cl::cat(categories.ir), llvm::cl::value_desc("filename"),
      llvm::cl::desc("Where to write the IR"), llvm::cl::init("-"));
  llvm::cl::ParseCommandLineOptions(argc, argv, helpOverview);

  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(
        MlirOptMain(argc, argv, inputPath, outputPath, registry));

  // A stack of known size, for a parser that recurses (TextScan.h).
  ExitCode code = ExitCode::Ok;
  llvm::thread worker(std::optional<unsigned>(parserStackBytes), [&] {
    code = process(inputPath, outputPath, registry, flags, emit.get());
  });
  worker.join();
  return static_cast<int>(code);
}
