//===- Options.cpp - The command line of fuse-run -------------------------===//

#include "Options.h"
#include "MemoryLimit.h"

#include <algorithm>
#include <charconv>
#include <string_view>

using namespace fuse;
using rt::Status;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Status reject(const std::string &message) {
  return Status::invalidInput(message);
}

template <class T>
static Status setNumber(std::string_view text, T &number) {
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end
             ? Status()
             : reject("expects a number of 0 or more");
}

static Status setName(std::string_view text, std::string &name) {
  name = text;
  return text.empty() ? reject("expects a name, but got none") : Status();
}

/// One of a few words, each for a value.
template <class T>
static Status setChoice(std::string_view text, T &choice,
                        std::initializer_list<std::pair<const char *, T>> all) {
  std::string known;
  for (const auto &[word, value] : all) {
    if (text == word) {
      choice = value;
      return {};
    }
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  return reject("expects one of " + known);
}

static Status setDevice(std::string_view text, RunOptions &options) {
  if (text == "interpreter")
    return reject("expects auto, cuda or host; the interpreter runs programs "
                  "that are not compiled, in fuse-opt");
  return setChoice<std::string>(
      text, options.device,
      {{"auto", "auto"}, {"cuda", "cuda"}, {"host", "host"}});
}

static Status addInput(std::string_view text, RunOptions &options) {
  rt::Result<rt::InputSpec> spec = rt::parseInputSpec(text);
  if (!spec.ok())
    return spec.status();
  options.inputs.push_back({std::string(text), std::move(*spec)});
  return {};
}

static Status addDims(std::string_view text, RunOptions &options) {
  auto dims = rt::parseDims(text);
  if (!dims.ok())
    return dims.status();
  for (auto &dim : *dims) {
    for (const auto &other : options.dims)
      if (other.first == dim.first)
        return reject("expects dim '" + dim.first + "' once, but got it twice");
    options.dims.push_back(std::move(dim));
  }
  return {};
}

static Status setBenchmark(std::string_view text, RunOptions &options) {
  options.benchmark =
      text == "json" ? BenchmarkFormat::Json : BenchmarkFormat::Text;
  return text.empty() || text == "json" ? Status()
                                        : reject("expects json or nothing");
}

static Status setMaxMemory(std::string_view text, RunOptions &options) {
  rt::Result<int64_t> bytes = parseMemorySize(text);
  if (!bytes.ok())
    return bytes.status();
  options.maxBytes = *bytes;
  return {};
}

static Status addBlocks(std::string_view text, RunOptions &options) {
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    int64_t block = 0;
    if (Status status = setNumber(word, block); !status.ok() || block < 0)
      return reject("expects indices of blocks, such as 0,7");
    options.twin.onlyBlocks.push_back(block);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// The options
//===----------------------------------------------------------------------===//

namespace {
enum class Value { None, Optional, Required };
enum class Group { Run, Cuda, Twin, General };

struct Option {
  const char *name;
  Value value;
  const char *valueName;
  Group group;
  const char *help; ///< Lines after the first are indented.
  Status (*set)(std::string_view, RunOptions &);
};
} // namespace

/// The message of an option of fuse-opt that an artifact cannot serve.
static Status rejectCheck(std::string_view, RunOptions &) {
  return reject("expects the program itself, whose reference the results are "
                "judged by: use 'fuse-opt P.mlir --run --check'");
}

static Status rejectFp32(std::string_view, RunOptions &) {
  return reject("expects a program that is not compiled yet: precision is part "
                "of its kernels");
}

static Status rejectFunction(std::string_view, RunOptions &) {
  return reject("expects no function: an artifact is one");
}

static const Option kOptions[] = {
    {"device", Value::Required, "auto|cuda|host", Group::Run,
     "What runs it: an NVIDIA GPU, or the same kernels\n"
     "compiled for the CPU, under a checker. auto (default)\n"
     "is cuda, else host, and says which",
     setDevice},
    {"input", Value::Required, "[name=][type=]value", Group::Run,
     "An argument, by name or position: @file.npy, numbers,\n"
     "splat:1.5, rand:normal:seed=7 or rand:uniform:lo=0,hi=1",
     addInput},
    {"input-dir", Value::Required, "folder", Group::Run,
     "Read <argument name>.npy for arguments without --input",
     [](std::string_view text, RunOptions &options) {
       return setName(text, options.inputDir);
     }},
    {"dims", Value::Required, "B=4,N=24", Group::Run,
     "Extents of named dims that no input settles", addDims},
    {"output-dir", Value::Required, "folder", Group::Run,
     "Write <result name>.npy there instead of printing results",
     [](std::string_view text, RunOptions &options) {
       return setName(text, options.outputDir);
     }},
    {"output-type", Value::Required, "declared|f64", Group::Run,
     "Element type of results: as the program says (default);\n"
     "f64 only where that is f64, since kernels round",
     [](std::string_view text, RunOptions &options) {
       return setChoice(text, options.outputF64,
                        {{"declared", false}, {"f64", true}});
     }},
    {"benchmark", Value::Optional, "json", Group::Run,
     "Time calls: latency and throughput of graph replays on\n"
     "cuda, and each kernel beside its prediction; whole runs\n"
     "on host. json: Google Benchmark's format, to stdout",
     setBenchmark},
    {"stats", Value::None, "", Group::Run,
     "Say what a run took, and how many kernels were compiled",
     [](std::string_view, RunOptions &options) {
       options.stats = true;
       return Status();
     }},
    {"print-full", Value::None, "", Group::Run,
     "Print every element of results, however many",
     [](std::string_view, RunOptions &options) {
       options.printFull = true;
       return Status();
     }},
    {"max-memory", Value::Required, "size", Group::Run,
     "Refuse a run that needs more, such as 4GiB (default:\n"
     "three quarters of this machine's memory)",
     setMaxMemory},

    {"gpu", Value::Required, "number", Group::Cuda, "Which GPU (default: 0)",
     [](std::string_view text, RunOptions &options) {
       return setNumber(text, options.gpu);
     }},
    {"debug-sync", Value::None, "", Group::Cuda,
     "Wait after each launch, and name the kernel that failed",
     [](std::string_view, RunOptions &options) {
       options.debugSync = true;
       return Status();
     }},
    {"profiler-ranges", Value::None, "", Group::Cuda,
     "Name launches for profilers (NVTX)",
     [](std::string_view, RunOptions &options) {
       options.profilerRanges = true;
       return Status();
     }},

    {"checks", Value::Required, "on|off", Group::Twin,
     "Watch every access to memory (default: on; off with\n"
     "--benchmark)",
     [](std::string_view text, RunOptions &options) {
       return setChoice(text, options.twin.checks,
                        {{"on", true}, {"off", false}});
     }},
    {"schedule", Value::Required, "order", Group::Twin,
     "Order of threads: in-order (default), reversed, random,\n"
     "or one-warp-first",
     [](std::string_view text, RunOptions &options) {
       using Schedule = rt::TwinSchedule;
       return setChoice(text, options.twin.schedule,
                        {{"in-order", Schedule::InOrder},
                         {"reversed", Schedule::Reversed},
                         {"random", Schedule::Random},
                         {"one-warp-first", Schedule::OneWarpFirst}});
     }},
    {"seed", Value::Required, "number", Group::Twin,
     "Of the random schedule (default: 0)",
     [](std::string_view text, RunOptions &options) {
       return setNumber(text, options.twin.seed);
     }},
    {"async-copies", Value::Required, "eager|late", Group::Twin,
     "When asynchronous copies move their bytes",
     [](std::string_view text, RunOptions &options) {
       return setChoice(text, options.twin.asyncCopies,
                        {{"eager", rt::AsyncCopies::Eager},
                         {"late", rt::AsyncCopies::Late}});
     }},
    {"only-blocks", Value::Required, "0,7", Group::Twin,
     "Run these blocks of each launch only", addBlocks},

    {"devices", Value::None, "", Group::General,
     "Say which devices there are here, and why others are not",
     [](std::string_view, RunOptions &options) {
       options.devices = true;
       return Status();
     }},
    {"help", Value::None, "", Group::General, "Print this",
     [](std::string_view, RunOptions &options) {
       options.help = true;
       return Status();
     }},
    {"version", Value::None, "", Group::General, "Print the version",
     [](std::string_view, RunOptions &options) {
       options.version = true;
       return Status();
     }},

    {"check", Value::Optional, "", Group::General, nullptr, rejectCheck},
    {"fp32", Value::Required, "", Group::General, nullptr, rejectFp32},
    {"function", Value::Required, "", Group::General, nullptr, rejectFunction},
};

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static const Option *findOption(std::string_view name) {
  for (const Option &option : kOptions)
    if (name == option.name)
      return &option;
  return nullptr;
}

/// Takes one option, and the word after it if that is its value.
static Status parseOption(std::string_view word, int &index, int argc,
                          char **argv, RunOptions &options, bool &hasChecks) {
  size_t equals = word.find('=');
  std::string_view name = word.substr(2, equals - 2), value;
  const Option *option = findOption(name);
  if (!option)
    return reject("unknown option; --help lists those there are")
        .withContext(word.substr(0, equals));
  bool hasValue = equals != std::string_view::npos;
  if (hasValue)
    value = word.substr(equals + 1);
  if (hasValue && option->value == Value::None)
    return reject("expects no value").withContext(word);
  if (!hasValue && option->value == Value::Required) {
    if (index + 1 >= argc)
      return reject("expects a value").withContext(word);
    value = argv[++index];
  }
  hasChecks |= name == "checks";
  std::string shown = "--" + std::string(name);
  if (option->value == Value::Required || hasValue)
    shown += "=" + std::string(value);
  return option->set(value, options).withContext(shown);
}

rt::Result<RunOptions> fuse::parseOptions(int argc, char **argv) {
  RunOptions options;
  options.maxBytes = defaultMaxBytes();
  bool hasChecks = false, onlyNames = false;
  for (int index = 1; index < argc; ++index) {
    std::string_view word = argv[index];
    if (word == "--" && !onlyNames) {
      onlyNames = true;
    } else if (word == "-h" && !onlyNames) {
      options.help = true;
    } else if (word.substr(0, 2) == "--" && !onlyNames) {
      if (Status status =
              parseOption(word, index, argc, argv, options, hasChecks);
          !status.ok())
        return status;
    } else if (word.substr(0, 1) == "-" && word.size() > 1 && !onlyNames) {
      return reject("unknown option; --help lists those there are")
          .withContext(word);
    } else if (!options.artifact.empty()) {
      return reject("expects one artifact, but got " + options.artifact +
                    " too")
          .withContext(word);
    } else {
      options.artifact = word;
    }
  }
  if (!hasChecks && options.benchmark != BenchmarkFormat::None)
    options.twin.checks = false;
  return options;
}

//===----------------------------------------------------------------------===//
// Help
//===----------------------------------------------------------------------===//

static const char kOverview[] = R"(fuse-run runs compiled tensor programs

  fuse-run A.fuse [options]

A.fuse is an artifact of fuse-opt. Arguments that are not given are drawn from
a fixed seed. Results are printed to stdout, everything else to stderr.
)";

static const char kEpilogue[] = R"(
Environment:
  FUSE_CACHE_DIR                    Where compiled kernels are kept; FUSE_CACHE=off
                                    keeps none
  FUSE_CXX                          The C++ compiler of device host
  FUSE_NVRTC, CUDA_HOME             Where the run-time compiler of CUDA is

Examples:
  fuse-run A.fuse --dims=B=2,N=24
  fuse-run A.fuse --input-dir=case1 --input=mask=splat:1 --output-dir=out
  fuse-run A.fuse --dims=B=2,N=24 --device=host --schedule=random --seed=3
  fuse-run A.fuse --dims=B=2,N=24 --device=cuda --benchmark=json

Exit codes:
  0  all is well
  1  bad artifact, command line or input file
  4  the program failed while running, or its results could not be written
  5  no usable device
  6  more memory, threads or shared memory needed than there is
)";

/// `  --name=<value>` and its lines of help in a column.
static std::string describe(const Option &option) {
  constexpr size_t kColumn = 36;
  std::string text = "  --" + std::string(option.name);
  if (option.value == Value::Required)
    text += "=<" + std::string(option.valueName) + ">";
  if (option.value == Value::Optional)
    text += "[=" + std::string(option.valueName) + "]";
  text.resize(std::max(kColumn, text.size() + 2), ' ');
  for (const char *c = option.help; *c; ++c)
    text += *c == '\n' ? "\n" + std::string(kColumn, ' ') : std::string(1, *c);
  return text + "\n";
}

std::string fuse::helpText() {
  std::string text = kOverview;
  for (auto [group, title] : {std::pair(Group::Run, "Run options"),
                              std::pair(Group::Cuda, "Device cuda"),
                              std::pair(Group::Twin, "Device host, the twin"),
                              std::pair(Group::General, "General")}) {
    text += "\n" + std::string(title) + ":\n";
    for (const Option &option : kOptions)
      if (option.group == group && option.help)
        text += describe(option);
  }
  return text + kEpilogue;
}
