//===- Artifact.h - a compiled program as data ------------------*- C++ -*-===//
//
// What codegen writes and the runtime reads. Abi.h describes the file.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_ARTIFACT_H
#define FUSE_RUNTIME_ARTIFACT_H

#include "fuse/runtime/DType.h"
#include "fuse/runtime/IntExpr.h"
#include "fuse/runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuse::rt {

struct Artifact {
  /// An argument or a result. Row-major and contiguous.
  struct Tensor {
    std::string name;
    DType dtype = DType::F32;
    std::vector<IntExpr> shape;
    /// What the kernels need of its address, in bytes: a power of two, from
    /// the size of an element to FUSE_MAX_ALIGNMENT.
    int64_t alignment = 16;
    bool isParam = false; ///< A weight. Of arguments only.
  };

  /// A text that is compiled at once, for CUDA or for the host.
  struct Source {
    std::string name; ///< For messages, such as `gqa.cu`.
    std::string text;
    /// What NVRTC is given besides the options that are always there.
    std::vector<std::string> options;
    /// All its kernels are of the ieee class: the same bits on any device.
    bool ieee = true;
  };

  struct Cubin {
    size_t source = 0;
    std::string arch; ///< Such as `sm_90a`.
    std::string bytes;
  };

  struct Kernel {
    std::string name; ///< The symbol, extern "C".
    size_t source = 0;
    std::string predicted; ///< JSON for people and tools; may be empty.
  };

  /// One parameter of a kernel: a pointer, or a 64-bit integer.
  struct Operand {
    enum class Kind { Argument, Result, Workspace, Scalar };
    Kind kind = Kind::Scalar;
    size_t index = 0; ///< Of an argument or result.
    IntExpr value;    ///< Of a scalar; of a workspace its offset in bytes.

    static Operand argument(size_t index) {
      return {Kind::Argument, index, {}};
    }
    static Operand result(size_t index) { return {Kind::Result, index, {}}; }
    static Operand workspace(IntExpr offset) {
      return {Kind::Workspace, 0, std::move(offset)};
    }
    static Operand scalar(IntExpr value) {
      return {Kind::Scalar, 0, std::move(value)};
    }
  };

  struct Launch {
    size_t kernel = 0;
    IntExpr grid; ///< Blocks, in x. A launch of 0 blocks is left out.
    uint32_t threads = 0;
    uint32_t sharedBytes = 0;
    /// May start before the launch in front of it ends, if that is one of the
    /// same call: the kernel waits for it by itself (programmatic dependent
    /// launch).
    bool overlap = false;
    /// Reads nothing that launches in front of it write.
    bool independent = false;
    std::vector<Operand> operands;
  };

  struct Condition {
    IntExpr condition;
    std::string message; ///< What is expected, such as `N at most 4096`.
  };

  struct Plan {
    std::string name;
    std::vector<Condition> guard;
    IntExpr workspaceBytes;
    std::vector<Launch> launches;
  };

  std::string name;
  std::string producer;
  std::vector<std::string> dims;
  std::vector<std::pair<std::string, int64_t>> constants;
  std::vector<Tensor> arguments, results;
  std::vector<Source> sources;
  std::vector<Cubin> cubins;
  std::vector<Kernel> kernels;
  std::vector<Plan> plans;

  ExprScope scope() const { return {dims, constants}; }
};

/// Succeeds if `artifact` keeps to all that Abi.h says; a writer's mistake is
/// InvalidInput and names the place, such as `plans[0].launches[2].kernel`.
Status validateArtifact(const Artifact &artifact);

/// The bytes of a file. The same artifact gives the same bytes.
Result<std::string> serializeArtifact(const Artifact &artifact);

/// Reads what `serializeArtifact` made. Nothing in the bytes is believed:
/// InvalidInput for any defect; `name` stands for the file in its message.
Result<Artifact> parseArtifact(std::string_view bytes, std::string_view name);

/// `serializeArtifact` to a file, whole or not at all.
Status writeArtifactFile(const std::string &path, const Artifact &artifact);

/// Reads a regular file. Io for what the operating system refuses.
Result<Artifact> readArtifactFile(const std::string &path);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_ARTIFACT_H
