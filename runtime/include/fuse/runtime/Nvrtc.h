//===- Nvrtc.h - CUDA text to machine code, with no GPU needed --*- C++ -*-===//

#ifndef FUSE_RUNTIME_NVRTC_H
#define FUSE_RUNTIME_NVRTC_H

#include "fuse/runtime/Artifact.h"
#include "fuse/runtime/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fuse::rt {

/// Where NVRTC may be. A tool fills this in from the environment.
struct NvrtcSearch {
  std::string library;  ///< Its path; nothing else is tried then.
  std::string cudaHome; ///< A CUDA toolkit.
  /// Python environments, or folders of packages, where the wheel
  /// `nvidia-cuda-nvrtc` may be installed.
  std::vector<std::string> pythonFolders;
};

/// What one block of a kernel takes, as the assembler says.
struct KernelResources {
  std::string kernel;
  int64_t registers = 0;   ///< Of each thread.
  int64_t sharedBytes = 0; ///< Static; what a launch asks for comes on top.
  int64_t stackBytes = 0;  ///< Of each thread, as the next two.
  int64_t spillStoreBytes = 0, spillLoadBytes = 0;
};

struct CudaBinary {
  std::string code;
  std::string log;
  std::vector<KernelResources> resources; ///< Of a cubin, in any order.
};

/// Target of a compute capability: `sm_90a` for 9.0, `sm_86` for 8.6. From 9.0
/// on with the instructions of that very architecture.
std::string archName(int major, int minor);

/// The run-time compiler of CUDA.
class Nvrtc {
public:
  /// NoDevice, with where it was looked for and how it is installed, if it is
  /// not there.
  static Result<std::shared_ptr<const Nvrtc>> load(const NvrtcSearch &search);

  std::string version() const; ///< Such as `13.0`.
  const std::string &path() const { return libraryPath; }

  enum class Output { Cubin, Ptx };

  /// Compiles for an architecture such as `sm_90a`, for Output::Cubin with the
  /// use of resources. InvalidInput, with the first errors, for a text that is
  /// not right, and for a warning of the assembler that it serialized or
  /// ignored something.
  Result<CudaBinary> compile(const Artifact::Source &source,
                             const std::string &arch,
                             Output output = Output::Cubin) const;

  /// All options that `compile` uses, in order: what a binary depends on
  /// besides text and version.
  std::vector<std::string> options(const Artifact::Source &source,
                                   const std::string &arch,
                                   Output output = Output::Cubin) const;

  ~Nvrtc();

private:
  struct Functions;
  class Compilation;
  explicit Nvrtc(std::unique_ptr<Functions> functions, std::string path);

  std::unique_ptr<Functions> functions;
  std::string libraryPath;
};

/// What the lines of the assembler in `log` say of each kernel.
std::vector<KernelResources> parseResources(std::string_view log);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_NVRTC_H
