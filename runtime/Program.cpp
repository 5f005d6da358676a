//===- Program.cpp - a compiled program and its launches ------------------===//

#include "fuse/runtime/Program.h"

#include "NoThrow.h"
#include "Text.h"

#include <algorithm>
#include <cstdint>
#include <set>

using namespace fuse::rt;

static_assert(sizeof(void *) == sizeof(int64_t),
              "pointers and integers are parameters of the same size");

Result<std::shared_ptr<const Program>> Program::create(Artifact artifact) {
  return noThrow([&]() -> Result<std::shared_ptr<const Program>> {
    if (Status status = validateArtifact(artifact); !status.ok())
      return status;
    return std::shared_ptr<const Program>(new Program(std::move(artifact)));
  });
}

Result<std::shared_ptr<const Program>>
Program::readFile(const std::string &path) {
  Result<Artifact> artifact = readArtifactFile(path);
  if (!artifact.ok())
    return artifact.status();
  return create(std::move(*artifact)).withContext(path);
}

const Artifact::Tensor &Program::tensor(size_t index) const {
  return index < numArguments() ? contents.arguments[index]
                                : contents.results[index - numArguments()];
}

std::string Program::describeTensor(size_t index) const {
  return (index < numArguments() ? "argument '" : "result '") +
         tensor(index).name + "'";
}

std::string Program::describeDims(const int64_t *dims) const {
  std::string text;
  for (size_t i = 0; i < contents.dims.size(); ++i)
    text +=
        (i ? ", " : "") + contents.dims[i] + " = " + std::to_string(dims[i]);
  return text;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

Result<const Program::Plan *> Program::selectPlan(const int64_t *dims,
                                                  size_t count) const {
  if (count != contents.dims.size())
    return expected("extents of " + std::to_string(contents.dims.size()) +
                        " dims",
                    std::to_string(count));
  for (size_t i = 0; i < count; ++i)
    if (dims[i] < 0)
      return expected("dim '" + contents.dims[i] + "' to be 0 or more",
                      std::to_string(dims[i]));
  for (const Plan &plan : contents.plans) {
    bool serves = true;
    for (const Artifact::Condition &condition : plan.guard) {
      Result<int64_t> value = condition.condition.evaluate(dims, count);
      if (!value.ok())
        return value.status().withContext("guard of plan '" + plan.name + "'");
      serves = serves && *value != 0;
    }
    if (serves)
      return &plan;
  }
  std::string reasons;
  std::set<std::string> messages; // Plans may ask for the same.
  for (const Plan &plan : contents.plans) {
    auto failed = std::find_if(
        plan.guard.begin(), plan.guard.end(), [&](const auto &condition) {
          Result<int64_t> value = condition.condition.evaluate(dims, count);
          return value.ok() && *value == 0;
        });
    if (messages.insert(failed->message).second)
      reasons += "; plan '" + plan.name + "' expects " + failed->message;
  }
  return Status::invalidInput("no plan of '" + contents.name + "' serves " +
                              describeDims(dims) + reasons);
}

Result<uint64_t> Program::workspaceBytes(const Plan &plan,
                                         const int64_t *dims) const {
  Result<int64_t> bytes =
      plan.workspaceBytes.evaluate(dims, contents.dims.size());
  if (!bytes.ok())
    return bytes.status().withContext("workspace");
  if (*bytes < 0)
    return expected("0 bytes of workspace or more", std::to_string(*bytes));
  return static_cast<uint64_t>(*bytes);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Result<uint64_t> Program::evaluateShape(size_t index, const int64_t *dims,
                                        int64_t *shape) const {
  const Artifact::Tensor &info = tensor(index);
  uint64_t bytes = static_cast<uint64_t>(dtypeSize(info.dtype));
  bool isEmpty = false;
  for (size_t axis = 0; axis < info.shape.size(); ++axis) {
    Result<int64_t> size =
        info.shape[axis].evaluate(dims, contents.dims.size());
    if (!size.ok())
      return size.status().withContext(describeTensor(index));
    if (*size < 0)
      return expected("axis " + std::to_string(axis) + " of " +
                          describeTensor(index) + " to be 0 or more",
                      std::to_string(*size) + " (" + describeDims(dims) + ")");
    shape[axis] = *size;
    isEmpty |= *size == 0;
    if (*size > 0 &&
        (__builtin_mul_overflow(bytes, static_cast<uint64_t>(*size), &bytes) ||
         bytes > static_cast<uint64_t>(INT64_MAX)))
      return Status::invalidInput(describeTensor(index) +
                                  " would be a tensor of 2^63 bytes or more");
  }
  return isEmpty ? 0 : bytes;
}

Result<TensorType> Program::tensorType(size_t index, const Dims &dims) const {
  return noThrow([&]() -> Result<TensorType> {
    int64_t shape[FUSE_MAX_RANK];
    Result<uint64_t> bytes = evaluateShape(index, dims.data(), shape);
    if (!bytes.ok())
      return bytes.status();
    const Artifact::Tensor &info = tensor(index);
    return TensorType{info.dtype, {shape, shape + info.shape.size()}};
  });
}

static std::string formatList(const int64_t *values, size_t count) {
  std::string text = "[";
  for (size_t i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

/// The stride of an axis that is never left does not matter.
Status Program::checkStrides(size_t index, const int64_t *shape,
                             const int64_t *strides) const {
  size_t rank = tensor(index).shape.size();
  if (std::find(shape, shape + rank, 0) != shape + rank)
    return {};
  int64_t wanted[FUSE_MAX_RANK];
  int64_t stride = 1;
  bool matches = true;
  for (size_t axis = rank; axis-- > 0;) {
    wanted[axis] = stride;
    matches &= shape[axis] == 1 || strides[axis] == stride;
    stride *= shape[axis];
  }
  if (matches)
    return {};
  return expected("row-major strides " + formatList(wanted, rank) + " for " +
                      describeTensor(index) + " of shape " +
                      formatList(shape, rank),
                  formatList(strides, rank));
}

Status Program::checkPointer(size_t index, const Call &call,
                             uint64_t bytes) const {
  void *pointer = call.pointers[index];
  if (bytes == 0)
    return {};
  if (!pointer)
    return expected("memory for " + describeTensor(index), "a null pointer");
  int64_t alignment = tensor(index).alignment;
  auto excess = reinterpret_cast<uintptr_t>(pointer) &
                static_cast<uintptr_t>(alignment - 1);
  if (excess != 0)
    return expected(describeTensor(index) + " at a multiple of " +
                        std::to_string(alignment) + " bytes",
                    "an address " + std::to_string(excess) + " bytes past one");
  return {};
}

static bool overlap(const void *a, uint64_t aBytes, const void *b,
                    uint64_t bBytes) {
  auto aStart = reinterpret_cast<uintptr_t>(a);
  auto bStart = reinterpret_cast<uintptr_t>(b);
  return aBytes > 0 && bBytes > 0 &&
         (aStart < bStart ? bStart - aStart < aBytes
                          : aStart - bStart < bBytes);
}

/// Kernels are compiled for results that nothing else can see.
Status Program::checkOverlap(const Call &call, const uint64_t *bytes,
                             uint64_t workspaceBytes) const {
  size_t count = call.numPointers;
  for (size_t result = numArguments(); result < count; ++result)
    for (size_t other = 0; other < result; ++other)
      if (overlap(call.pointers[result], bytes[result], call.pointers[other],
                  bytes[other]))
        return expected(describeTensor(result) + " in memory of its own",
                        "memory shared with " + describeTensor(other));
  for (size_t index = 0; index < count; ++index)
    if (overlap(call.workspace, workspaceBytes, call.pointers[index],
                bytes[index]))
      return expected("a workspace in memory of its own",
                      "memory shared with " + describeTensor(index));
  return {};
}

Status Program::checkCall(const Call &call, const Plan &plan,
                          const int64_t *dims) const {
  size_t count = numArguments() + numResults();
  if (call.numPointers != count)
    return expected(std::to_string(numArguments()) + " arguments and " +
                        std::to_string(numResults()) + " results",
                    std::to_string(call.numPointers) + " pointers");
  uint64_t bytes[2 * FUSE_MAX_TENSORS];
  for (size_t index = 0; index < count; ++index) {
    int64_t shape[FUSE_MAX_RANK];
    Result<uint64_t> size = evaluateShape(index, dims, shape);
    if (!size.ok())
      return size.status();
    bytes[index] = *size;
    if (Status status = checkPointer(index, call, *size); !status.ok())
      return status;
    if (call.strides && call.strides[index])
      if (Status status = checkStrides(index, shape, call.strides[index]);
          !status.ok())
        return status;
  }
  Result<uint64_t> workspace = workspaceBytes(plan, dims);
  if (!workspace.ok())
    return workspace.status();
  if (call.workspaceBytes < *workspace)
    return expected("a workspace of at least " + std::to_string(*workspace) +
                        " bytes for " + describeDims(dims),
                    std::to_string(call.workspaceBytes));
  if (*workspace > 0) {
    if (!call.workspace)
      return expected("a workspace", "a null pointer");
    if (reinterpret_cast<uintptr_t>(call.workspace) % FUSE_MAX_ALIGNMENT != 0)
      return expected("a workspace at a multiple of " +
                          std::to_string(FUSE_MAX_ALIGNMENT) + " bytes",
                      "another address");
  }
  return checkOverlap(call, bytes, *workspace);
}

Result<const Program::Plan *>
Program::planCall(const Call &call, const int64_t *dims, size_t count) const {
  Result<const Plan *> plan = selectPlan(dims, count);
  if (plan.ok())
    if (Status status = checkCall(call, **plan, dims); !status.ok())
      return status;
  return plan;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Result<ResolvedLaunch> Program::resolveLaunch(const Artifact::Launch &launch,
                                              const Call &call,
                                              const int64_t *dims) const {
  using Kind = Artifact::Operand::Kind;
  size_t count = contents.dims.size();
  auto context = [&] {
    return "kernel '" + contents.kernels[launch.kernel].name + "'";
  };
  Result<int64_t> grid = launch.grid.evaluate(dims, count);
  if (!grid.ok())
    return grid.status().withContext(context());
  if (*grid < 0 || *grid > FUSE_MAX_GRID_BLOCKS)
    return Status::resource("expects at most " +
                            std::to_string(FUSE_MAX_GRID_BLOCKS) +
                            " blocks, but got " + std::to_string(*grid) + " (" +
                            describeDims(dims) + ")")
        .withContext(context());
  ResolvedLaunch resolved;
  resolved.launch = &launch;
  resolved.gridBlocks = static_cast<uint32_t>(*grid);
  for (size_t i = 0; i < launch.operands.size(); ++i) {
    const Artifact::Operand &operand = launch.operands[i];
    if (operand.kind == Kind::Argument || operand.kind == Kind::Result) {
      size_t index =
          operand.index + (operand.kind == Kind::Result ? numArguments() : 0);
      resolved.values[i] = reinterpret_cast<intptr_t>(call.pointers[index]);
      continue;
    }
    Result<int64_t> value = operand.value.evaluate(dims, count);
    if (!value.ok())
      return value.status().withContext(context());
    if (operand.kind == Kind::Workspace) {
      if (*value < 0 || static_cast<uint64_t>(*value) > call.workspaceBytes)
        return expected("an offset within the workspace of " +
                            std::to_string(call.workspaceBytes) + " bytes",
                        std::to_string(*value))
            .withContext(context());
      *value += reinterpret_cast<intptr_t>(call.workspace);
    }
    resolved.values[i] = *value;
  }
  return resolved;
}

Status Program::checkLimits(const DeviceLimits &limits) const {
  auto check = [&](const Artifact::Launch &launch, int64_t wanted, int64_t most,
                   const char *what) -> Status {
    if (wanted <= most)
      return {};
    return Status::resource("kernel '" + contents.kernels[launch.kernel].name +
                            "': expects at most " + std::to_string(most) +
                            what + " on " + limits.name + ", but got " +
                            std::to_string(wanted));
  };
  for (const Plan &plan : contents.plans)
    for (const Artifact::Launch &launch : plan.launches)
      for (Status status :
           {check(launch, launch.threads, limits.blockThreads,
                  " threads a block"),
            check(launch, launch.sharedBytes, limits.sharedBytes,
                  " bytes of shared memory a block")})
        if (!status.ok())
          return status;
  return {};
}
