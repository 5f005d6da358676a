//===- Nvrtc.cpp - CUDA text to machine code, with no GPU needed ----------===//

#include "fuse/runtime/Nvrtc.h"

#include "CompilerLog.h"
#include "NoThrow.h"
#include "NvrtcSearch.h"
#include "SharedLibrary.h"
#include "Text.h"

using namespace fuse::rt;

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

using ProgramHandle = struct NvrtcProgramHandle *;

struct Nvrtc::Functions {
  SharedLibrary library;
  int major = 0, minor = 0;

  const char *(*getErrorString)(int);
  int (*version)(int *, int *);
  int (*createProgram)(ProgramHandle *, const char *, const char *, int,
                       const char *const *, const char *const *);
  int (*destroyProgram)(ProgramHandle *);
  int (*compileProgram)(ProgramHandle, int, const char *const *);
  int (*getLogSize)(ProgramHandle, size_t *);
  int (*getLog)(ProgramHandle, char *);
  int (*getCubinSize)(ProgramHandle, size_t *);
  int (*getCubin)(ProgramHandle, char *);
  int (*getPtxSize)(ProgramHandle, size_t *);
  int (*getPtx)(ProgramHandle, char *);

  Status lookUp();
};

Status Nvrtc::Functions::lookUp() {
  for (Status status : {library.get("nvrtcGetErrorString", getErrorString),
                        library.get("nvrtcVersion", version),
                        library.get("nvrtcCreateProgram", createProgram),
                        library.get("nvrtcDestroyProgram", destroyProgram),
                        library.get("nvrtcCompileProgram", compileProgram),
                        library.get("nvrtcGetProgramLogSize", getLogSize),
                        library.get("nvrtcGetProgramLog", getLog),
                        library.get("nvrtcGetCUBINSize", getCubinSize),
                        library.get("nvrtcGetCUBIN", getCubin),
                        library.get("nvrtcGetPTXSize", getPtxSize),
                        library.get("nvrtcGetPTX", getPtx)})
    if (!status.ok())
      return status;
  if (int result = version(&major, &minor))
    return Status::noDevice(getErrorString(result));
  return {};
}

Nvrtc::Nvrtc(std::unique_ptr<Functions> functions, std::string path)
    : functions(std::move(functions)), libraryPath(std::move(path)) {}

Nvrtc::~Nvrtc() = default;

Result<std::shared_ptr<const Nvrtc>> Nvrtc::load(const NvrtcSearch &search) {
  return noThrow([&]() -> Result<std::shared_ptr<const Nvrtc>> {
    std::string problem;
    for (const std::string &path : nvrtcCandidates(search)) {
      // What is loaded is found by its name, wherever it is.
      for (const std::string &companion : nvrtcCompanions(path))
        (void)SharedLibrary::open(companion, Unloading::Never);
      Result<SharedLibrary> library =
          SharedLibrary::open(path, Unloading::Never);
      Status status = library.status();
      auto functions = std::make_unique<Functions>();
      if (status.ok()) {
        functions->library = std::move(*library);
        status = functions->lookUp().withContext(path);
      }
      if (status.ok())
        return std::shared_ptr<const Nvrtc>(
            new Nvrtc(std::move(functions), path));
      if (problem.empty())
        problem = status.message();
    }
    return Status::noDevice(
        "device cuda expects NVRTC, the run-time compiler of CUDA, but cannot "
        "load it (" +
        problem +
        "); 'tools/dev cuda' installs it, FUSE_NVRTC and CUDA_HOME say where "
        "it is");
  });
}

std::string Nvrtc::version() const {
  return std::to_string(functions->major) + "." +
         std::to_string(functions->minor);
}

std::string fuse::rt::archName(int major, int minor) {
  return "sm_" + std::to_string(10 * major + minor) + (major >= 9 ? "a" : "");
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

std::vector<std::string> Nvrtc::options(const Artifact::Source &source,
                                        const std::string &arch,
                                        Output output) const {
  std::string target = arch;
  if (output == Output::Ptx && target.rfind("sm_", 0) == 0)
    target.replace(0, 3, "compute_");
  // Fused multiply-adds are written out: the same bits as on the host.
  std::vector<std::string> options = {"--gpu-architecture=" + target,
                                      "-std=c++17",
                                      "--fmad=false",
                                      "--prec-div=true",
                                      "--prec-sqrt=true",
                                      "--ftz=false"};
  // From 12.9 on it keeps what it compiled, but not what the assembler said.
  if (std::pair(functions->major, functions->minor) >= std::pair(12, 9))
    options.emplace_back("--no-cache");
  if (output == Output::Cubin)
    options.emplace_back("--ptxas-options=-v");
  options.insert(options.end(), source.options.begin(), source.options.end());
  return options;
}

/// One program on its way through the library.
class Nvrtc::Compilation {
public:
  Compilation(const Functions &functions, const Artifact::Source &source)
      : functions(functions), source(source) {}
  ~Compilation() {
    if (program)
      functions.destroyProgram(&program);
  }
  Compilation(const Compilation &) = delete;
  Compilation &operator=(const Compilation &) = delete;

  Result<CudaBinary> run(const std::vector<std::string> &options,
                         Output output);

private:
  Status check(int result, const char *what) const {
    if (result == 0)
      return {};
    return Status::runtime(std::string("NVRTC cannot ") + what + ": " +
                           functions.getErrorString(result))
        .withContext(source.name);
  }
  Status fetch(int (*getSize)(ProgramHandle, size_t *),
               int (*get)(ProgramHandle, char *), const char *what,
               std::string &text) const;

  const Functions &functions;
  const Artifact::Source &source;
  ProgramHandle program = nullptr;
};

Status Nvrtc::Compilation::fetch(int (*getSize)(ProgramHandle, size_t *),
                                 int (*get)(ProgramHandle, char *),
                                 const char *what, std::string &text) const {
  size_t size = 0;
  if (Status status = check(getSize(program, &size), what); !status.ok())
    return status;
  text.assign(size, '\0');
  return size > 0 ? check(get(program, text.data()), what) : Status();
}

Result<CudaBinary>
Nvrtc::Compilation::run(const std::vector<std::string> &options,
                        Output output) {
  if (Status status = check(
          functions.createProgram(&program, source.text.c_str(),
                                  source.name.c_str(), 0, nullptr, nullptr),
          "take a program");
      !status.ok())
    return status;
  std::vector<const char *> words;
  words.reserve(options.size());
  for (const std::string &option : options)
    words.push_back(option.c_str());
  int result =
      functions.compileProgram(program, int(words.size()), words.data());
  CudaBinary binary;
  if (Status status = fetch(functions.getLogSize, functions.getLog,
                            "give its log", binary.log);
      !status.ok())
    return status;
  if (result != 0)
    return Status::invalidInput(source.name + ": NVRTC fails (" +
                                functions.getErrorString(result) + "):\n" +
                                firstErrors(binary.log));
  if (std::string_view line = findRefusal(binary.log); !line.empty())
    return Status::invalidInput(source.name +
                                ": expects an assembler that takes the text as "
                                "it is, but it says:\n  " +
                                std::string(line));
  bool isCubin = output == Output::Cubin;
  if (Status status = isCubin
                          ? fetch(functions.getCubinSize, functions.getCubin,
                                  "give the cubin", binary.code)
                          : fetch(functions.getPtxSize, functions.getPtx,
                                  "give the PTX", binary.code);
      !status.ok())
    return status;
  if (isCubin)
    binary.resources = parseResources(binary.log);
  else // A text with the zero byte that ends it.
    binary.code.resize(binary.code.find_last_not_of('\0') + 1);
  return binary;
}

Result<CudaBinary> Nvrtc::compile(const Artifact::Source &source,
                                  const std::string &arch,
                                  Output output) const {
  return noThrow([&] {
    return Compilation(*functions, source)
        .run(options(source, arch, output), output);
  });
}
