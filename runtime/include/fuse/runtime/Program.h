//===- Program.h - a compiled program and its calls -------------*- C++ -*-===//
//
// What can be said about a call without a device: the dims that its shapes
// imply, the plan that serves them, the workspace, the launches. Everything
// that a caller can get wrong is found here, before anything runs.
//
// A call goes like this: `bindDims` from shapes and names, `selectPlan`,
// `workspaceBytes`, `checkCall` on the pointers, `resolveLaunch` for each
// launch. From `selectPlan` on nothing is allocated unless it fails.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_PROGRAM_H
#define FUSE_RUNTIME_PROGRAM_H

#include "fuse/runtime/Artifact.h"
#include "fuse/runtime/Status.h"
#include "fuse/runtime/TensorType.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fuse::rt {

/// Extents of runtime dims, in the order of `Artifact::dims`.
using Dims = std::vector<int64_t>;

/// The memory of one call. Nothing in it is owned.
struct Call {
  /// Of the arguments, then of the results; in the memory of the device. Null
  /// only for a tensor without elements.
  void *const *pointers = nullptr;
  size_t numPointers = 0;
  /// In elements, one array for each pointer, as long as its rank. A null array
  /// stands for row-major, and a null list for that in all of them.
  const int64_t *const *strides = nullptr;
  void *workspace = nullptr; ///< Aligned to FUSE_MAX_ALIGNMENT.
  uint64_t workspaceBytes = 0;
};

/// One launch with its numbers.
struct ResolvedLaunch {
  const Artifact::Launch *launch = nullptr;
  uint32_t gridBlocks = 0; ///< 0: there is nothing to launch.
  /// The parameters of the kernel: pointers and integers, 8 bytes each.
  std::array<int64_t, FUSE_MAX_OPERANDS> values;
};

/// What a device can take.
struct DeviceLimits {
  std::string name; ///< For messages.
  int64_t blockThreads = FUSE_MAX_BLOCK_THREADS;
  int64_t sharedBytes = 0; ///< Of one block.
};

/// Immutable; any number of threads may use it.
class Program {
public:
  using Plan = Artifact::Plan;

  /// Fails as `validateArtifact` does.
  static Result<std::shared_ptr<const Program>> create(Artifact artifact);
  static Result<std::shared_ptr<const Program>>
  readFile(const std::string &path);

  const Artifact &artifact() const { return contents; }
  size_t numArguments() const { return contents.arguments.size(); }
  size_t numResults() const { return contents.results.size(); }
  /// Arguments, then results.
  const Artifact::Tensor &tensor(size_t index) const;
  /// `argument 'x'` or `result 'y'`.
  std::string describeTensor(size_t index) const;

  /// The extents that the known shapes of arguments and the `given` names
  /// imply; then all shapes are checked against them. Specialised dims may be
  /// given too, and must be what they are.
  Result<Dims>
  bindDims(const std::vector<std::optional<std::vector<int64_t>>> &shapes,
           const std::vector<std::pair<std::string, int64_t>> &given) const;

  /// Of an argument or a result. Fails on a negative size, or on one out of
  /// range.
  Result<TensorType> tensorType(size_t index, const Dims &dims) const;

  /// The first plan whose guard holds; or why none does. `count` must be the
  /// number of dims.
  Result<const Plan *> selectPlan(const int64_t *dims, size_t count) const;

  Result<uint64_t> workspaceBytes(const Plan &plan, const int64_t *dims) const;

  /// Checks number and alignment of pointers, strides, that results share their
  /// memory with nothing, and the workspace.
  Status checkCall(const Call &call, const Plan &plan,
                   const int64_t *dims) const;

  /// The plan that serves a call, if nothing is wrong with it.
  Result<const Plan *> planCall(const Call &call, const int64_t *dims,
                                size_t count) const;

  /// For a call that passed `checkCall`.
  Result<ResolvedLaunch> resolveLaunch(const Artifact::Launch &launch,
                                       const Call &call,
                                       const int64_t *dims) const;

  /// Resource if a launch asks for more than the device has.
  Status checkLimits(const DeviceLimits &limits) const;

  /// `N = 24, C = 128`, of runtime dims.
  std::string describeDims(const int64_t *dims) const;

private:
  explicit Program(Artifact artifact) : contents(std::move(artifact)) {}

  /// A shape in an array of FUSE_MAX_RANK, and the bytes of all elements.
  Result<uint64_t> evaluateShape(size_t index, const int64_t *dims,
                                 int64_t *shape) const;
  Status checkStrides(size_t index, const int64_t *shape,
                      const int64_t *strides) const;
  Status checkPointer(size_t index, const Call &call, uint64_t bytes) const;
  Status checkOverlap(const Call &call, const uint64_t *bytes,
                      uint64_t workspaceBytes) const;

  Artifact contents;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_PROGRAM_H
