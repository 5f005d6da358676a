//===- RunOptions.cpp - The options of --run ------------------------------===//

#include "RunOptions.h"
#include "Console.h"
#include "MemoryLimit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include <cmath>

using namespace llvm;
using namespace fuse;

namespace {
template <typename T>
using Flag = cl::opt<T>;
} // namespace

struct RunFlags::Flags {
  explicit Flags(cl::OptionCategory &category) : category(category) {}

  cl::OptionCategory &category;

  Flag<bool> run{"run", cl::cat(category),
                 cl::desc("Run a function, after the passes that are given")};
  Flag<Device> device{
      "device", cl::cat(category), cl::desc("What runs it:"),
      cl::init(Device::Auto),
      cl::values(
          clEnumValN(Device::Auto, "auto", "the best there is (default)"),
          clEnumValN(Device::Cuda, "cuda", "an NVIDIA GPU"),
          clEnumValN(Device::Host, "host", "compiled kernels on the CPU"),
          clEnumValN(Device::Interpreter, "interpreter",
                     "the reference semantics, in double"))};
  Flag<std::string> function{"function", cl::cat(category), cl::init("main"),
                             cl::value_desc("name"),
                             cl::desc("The function to run (default: main)")};
  cl::list<std::string> inputs{
      "input", cl::cat(category), cl::value_desc("[name=][type=]value"),
      cl::desc("An argument, by name or position: @file.npy, numbers, "
               "splat:1.5, rand:normal:seed=7 or rand:uniform:lo=0,hi=1")};
  Flag<std::string> inputDir{
      "input-dir", cl::cat(category), cl::value_desc("folder"),
      cl::desc("Read <argument name>.npy for arguments without --input")};
  cl::list<std::string> dims{
      "dims", cl::cat(category), cl::value_desc("B=4,N=24"),
      cl::desc("Extents of named dims that no input settles")};
  Flag<std::string> outputDir{
      "output-dir", cl::cat(category), cl::value_desc("folder"),
      cl::desc("Write <result name>.npy there instead of printing results")};
  Flag<OutputType> outputType{
      "output-type", cl::cat(category), cl::desc("Element type of results:"),
      cl::init(OutputType::Declared),
      cl::values(clEnumValN(OutputType::Declared, "declared",
                            "as the program says (default)"),
                 clEnumValN(OutputType::F64, "f64",
                            "floats as the interpreter computed them"))};
  Flag<std::string> check{
      "check", cl::cat(category), cl::ValueOptional,
      cl::value_desc("bound|exact|rtol:X|sample:K"),
      cl::desc("Judge results against the float64 reference: by its error "
               "bound (default), bit for bit, by a relative tolerance, or by "
               "the bound on K elements alone, without a whole run")};
  Flag<std::string> benchmark{
      "benchmark", cl::cat(category), cl::ValueOptional, cl::value_desc("json"),
      cl::desc("Time runs, and on cuda each kernel beside its prediction; "
               "json: Google Benchmark's format, to stdout")};
  Flag<std::string> fp32{
      "fp32", cl::cat(category), cl::value_desc("class"),
      cl::desc("Precision of f32 contractions that are ieee: ieee, bf16x6, "
               "bf16x3 or tf32")};
  Flag<std::string> maxMemory{
      "max-memory", cl::cat(category), cl::value_desc("size"),
      cl::desc("Refuse a run that needs more, such as 4GiB (default: three "
               "quarters of this machine's memory)")};
  Flag<bool> stats{"stats", cl::cat(category), cl::desc("Say what a run took")};
  Flag<bool> printFull{
      "print-full", cl::cat(category),
      cl::desc("Print every element of results, however many")};
};

RunFlags::RunFlags(cl::OptionCategory &category)
    : flags(std::make_unique<Flags>(category)) {}

RunFlags::~RunFlags() = default;

bool RunFlags::isRun() const { return flags->run; }

std::string RunFlags::firstGiven() const {
  for (const auto &entry : cl::getRegisteredOptions()) {
    cl::Option *option = entry.second;
    if (option != &flags->run && option->getNumOccurrences() > 0 &&
        is_contained(option->Categories, &flags->category))
      return entry.first.str();
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Prints `--flag=value: message`.
static std::nullopt_t reject(StringRef flag, StringRef value,
                             const Twine &message) {
  printError() << "--" << flag << '=' << value << ": " << message << "\n";
  return std::nullopt;
}

static std::optional<CheckOption> parseCheck(StringRef text) {
  CheckOption check;
  StringRef value = text;
  if (text.empty() || text == "bound")
    return check;
  if (text == "exact") {
    check.criterion.kind = Criterion::Kind::Exact;
    return check;
  }
  if (value.consume_front("rtol:")) {
    double rtol;
    if (value.getAsDouble(rtol) || !std::isfinite(rtol) || rtol < 0)
      return reject("check", text,
                    "expects a number of 0 or more after 'rtol:'");
    check.criterion = {Criterion::Kind::Close, rtol, /*atol=*/0};
    return check;
  }
  if (value.consume_front("sample:")) {
    int64_t count;
    if (value.getAsInteger(10, count) || count < 1)
      return reject("check", text,
                    "expects a number of 1 or more after 'sample:'");
    check.sample = count;
    return check;
  }
  return reject("check", text, "expects bound, exact, rtol:X or sample:K");
}

static std::optional<Precision> parseFp32(StringRef text) {
  std::optional<Precision> precision = symbolizePrecision(text);
  // Operands that are rounded to bf16 throw away what f32 stands for, so that
  // is for the program to say.
  if (!precision || *precision == Precision::Bf16)
    return reject("fp32", text, "expects ieee, bf16x6, bf16x3 or tf32");
  return precision;
}

static std::optional<BenchmarkFormat> parseBenchmark(StringRef text) {
  if (text.empty())
    return BenchmarkFormat::Text;
  if (text == "json")
    return BenchmarkFormat::Json;
  return reject("benchmark", text, "expects json or nothing");
}

static std::optional<int64_t> parseMaxMemory(StringRef text) {
  rt::Result<int64_t> bytes = parseMemorySize(text);
  if (!bytes.ok())
    return reject("max-memory", text, bytes.status().message());
  return *bytes;
}

static bool parseInputs(const cl::list<std::string> &texts,
                        RunOptions &options) {
  for (const std::string &text : texts) {
    rt::Result<rt::InputSpec> spec = rt::parseInputSpec(text);
    if (!spec.ok())
      return reject("input", text, spec.status().message()), false;
    options.inputs.push_back({text, std::move(*spec)});
  }
  return true;
}

static bool parseDims(const cl::list<std::string> &texts, RunOptions &options) {
  for (const std::string &text : texts) {
    auto dims = rt::parseDims(text);
    if (!dims.ok())
      return reject("dims", text, dims.status().message()), false;
    for (auto &dim : *dims) {
      for (const auto &other : options.dims)
        if (other.first == dim.first)
          return reject("dims", text,
                        "expects dim '" + dim.first +
                            "' once, but got it "
                            "twice"),
                 false;
      options.dims.push_back(std::move(dim));
    }
  }
  return true;
}

/// Takes an option of text through `parse`, if it was given.
template <typename T, typename Parse>
static bool parseIfGiven(const Flag<std::string> &flag, Parse parse,
                         T &result) {
  if (flag.getNumOccurrences() == 0)
    return true;
  auto value = parse(flag.getValue());
  if (value)
    result = *value;
  return value.has_value();
}

static std::optional<std::string> parseName(const Flag<std::string> &flag) {
  if (flag.getNumOccurrences() > 0 && flag.empty())
    return reject(flag.ArgStr, "", "expects a name, but got none");
  return flag.getValue();
}

std::optional<RunOptions> RunFlags::parse() const {
  RunOptions options;
  options.maxBytes = defaultMaxBytes();
  if (!parseInputs(flags->inputs, options) ||
      !parseDims(flags->dims, options) ||
      !parseIfGiven(flags->check, parseCheck, options.check) ||
      !parseIfGiven(flags->fp32, parseFp32, options.fp32) ||
      !parseIfGiven(flags->benchmark, parseBenchmark, options.benchmark) ||
      !parseIfGiven(flags->maxMemory, parseMaxMemory, options.maxBytes))
    return std::nullopt;
  for (auto [flag, name] : {std::pair(&flags->function, &options.function),
                            std::pair(&flags->inputDir, &options.inputDir),
                            std::pair(&flags->outputDir, &options.outputDir)}) {
    std::optional<std::string> given = parseName(*flag);
    if (!given)
      return std::nullopt;
    *name = std::move(*given);
  }
  options.device = flags->device;
  options.outputType = flags->outputType;
  options.stats = flags->stats;
  options.printFull = flags->printFull;
  if (options.check && options.check->sample && !options.outputDir.empty())
    return reject("output-dir", options.outputDir,
                  "expects a whole run, but --check=sample evaluates a few "
                  "elements only");
  if (options.check && options.check->sample &&
      options.benchmark != BenchmarkFormat::None)
    return reject("check", flags->check.getValue(),
                  "expects no --benchmark, which takes whole runs");
  return options;
}
