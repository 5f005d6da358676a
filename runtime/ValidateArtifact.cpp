//===- ValidateArtifact.cpp - whether an artifact keeps to the ABI --------===//

#include "fuse/runtime/Artifact.h"

#include "JsonCursor.h"
#include "NoThrow.h"
#include "Text.h"

#include <algorithm>
#include <set>

using namespace fuse::rt;

namespace {
/// Each check returns the first problem, with its place.
class Validator {
public:
  explicit Validator(const Artifact &artifact) : artifact(artifact) {}

  Status run();

private:
  Status checkCounts();
  Status checkDims();
  Status checkTensors(const std::vector<Artifact::Tensor> &tensors,
                      const std::string &list);
  Status checkTensor(const Artifact::Tensor &tensor);
  Status checkSources();
  Status checkKernels();
  Status checkPlan(const Artifact::Plan &plan);
  Status checkLaunch(const Artifact::Launch &launch);
  Status checkOperand(const Artifact::Operand &operand);
  Status checkExpr(const IntExpr &expr, std::string_view place);

  const Artifact &artifact;
};
} // namespace

/// Checks every entry of a list, with its place in front of a problem.
template <class List, class Check>
static Status forEach(const List &list, const std::string &name, Check check) {
  for (size_t i = 0; i < list.size(); ++i)
    if (Status status = check(list[i]); !status.ok())
      return std::move(status).withContext(name + "[" + std::to_string(i) +
                                           "]");
  return {};
}

static Status checkIndex(size_t index, size_t count, std::string_view place) {
  if (index < count)
    return {};
  return expected("an index below " + std::to_string(count),
                  std::to_string(index))
      .withContext(place);
}

static Status checkCount(size_t count, size_t least, size_t most,
                         std::string_view place) {
  if (count >= least && count <= most)
    return {};
  return expected(std::to_string(least) + " to " + std::to_string(most) +
                      " entries",
                  std::to_string(count))
      .withContext(place);
}

/// Names of values become names of files and stand on command lines.
static bool isPlainName(std::string_view name) {
  auto isPlain = [](char c) {
    return isLetter(c) || isDigit(c) || c == '_' || c == '.' || c == '-';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), isPlain);
}

/// Shown to people: printable and on one line, in UTF-8 where not ASCII.
static bool isOneLine(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

static Status checkPlainName(std::string_view name) {
  return isPlainName(name)
             ? Status()
             : expected("a name of letters, digits, '_', '.' and '-'",
                        quote(name));
}

Status Validator::run() {
  if (!isOneLine(artifact.name) || artifact.name.empty())
    return expected("a name in one line", quote(artifact.name))
        .withContext("name");
  if (!isOneLine(artifact.producer))
    return expected("one line", quote(artifact.producer))
        .withContext("producer");
  for (Status status :
       {checkCounts(), checkDims(),
        checkTensors(artifact.arguments, "arguments"),
        checkTensors(artifact.results, "results"), checkSources(),
        checkKernels(), forEach(artifact.plans, "plans", [&](const auto &plan) {
          return checkPlan(plan);
        })})
    if (!status.ok())
      return status;
  return {};
}

Status Validator::checkCounts() {
  const struct {
    size_t count, least, most;
    const char *place;
  } kCounts[] = {
      {artifact.dims.size(), 0, FUSE_MAX_DIMS, "dims"},
      {artifact.constants.size(), 0, FUSE_MAX_DIMS, "constants"},
      {artifact.arguments.size(), 0, FUSE_MAX_TENSORS, "arguments"},
      {artifact.results.size(), 1, FUSE_MAX_TENSORS, "results"},
      {artifact.sources.size(), 1, FUSE_MAX_KERNELS, "sources"},
      {artifact.cubins.size(), 0, 1024, "cubins"},
      {artifact.kernels.size(), 1, FUSE_MAX_KERNELS, "kernels"},
      {artifact.plans.size(), 1, FUSE_MAX_PLANS, "plans"},
  };
  for (const auto &entry : kCounts)
    if (Status status =
            checkCount(entry.count, entry.least, entry.most, entry.place);
        !status.ok())
      return status;
  return {};
}

Status Validator::checkDims() {
  std::set<std::string_view> known;
  auto check = [&](const std::string &name) -> Status {
    if (!isDimName(name))
      return expected("the name of a dim", quote(name));
    if (!known.insert(name).second)
      return expected("names that differ", quote(name) + " twice");
    return {};
  };
  if (Status status = forEach(artifact.dims, "dims", check); !status.ok())
    return status;
  return forEach(artifact.constants, "constants",
                 [&](const auto &entry) { return check(entry.first); });
}

Status Validator::checkExpr(const IntExpr &expr, std::string_view place) {
  return IntExpr::create(expr.getTerms(), artifact.dims.size())
      .status()
      .withContext(place);
}

Status Validator::checkTensors(const std::vector<Artifact::Tensor> &tensors,
                               const std::string &list) {
  std::set<std::string_view> known;
  return forEach(tensors, list, [&](const Artifact::Tensor &tensor) -> Status {
    if (!known.insert(tensor.name).second)
      return expected("names that differ", quote(tensor.name) + " twice");
    return checkTensor(tensor);
  });
}

Status Validator::checkTensor(const Artifact::Tensor &tensor) {
  if (Status status = checkPlainName(tensor.name); !status.ok())
    return status;
  if (Status status =
          checkCount(tensor.shape.size(), 0, FUSE_MAX_RANK, "shape");
      !status.ok())
    return status;
  int64_t alignment = tensor.alignment, least = dtypeSize(tensor.dtype);
  if (alignment < least || alignment > FUSE_MAX_ALIGNMENT ||
      (alignment & (alignment - 1)) != 0)
    return expected("a power of two from " + std::to_string(least) + " to " +
                        std::to_string(FUSE_MAX_ALIGNMENT),
                    std::to_string(alignment))
        .withContext("alignment");
  return forEach(tensor.shape, "shape", [&](const IntExpr &size) -> Status {
    return checkExpr(size, "size");
  });
}

Status Validator::checkSources() {
  std::set<std::string_view> known; // Names become files beside one another.
  Status status =
      forEach(artifact.sources, "sources", [&](const auto &source) -> Status {
        if (!known.insert(source.name).second)
          return expected("names that differ", quote(source.name) + " twice");
        if (source.text.empty())
          return expected("a text", "none");
        if (source.text.find('\0') != std::string::npos)
          return expected("a text without zero bytes", "one");
        return checkPlainName(source.name);
      });
  if (!status.ok())
    return status;
  return forEach(artifact.cubins, "cubins", [&](const auto &cubin) -> Status {
    if (Status named = checkPlainName(cubin.arch); !named.ok())
      return named;
    return checkIndex(cubin.source, artifact.sources.size(), "source");
  });
}

Status Validator::checkKernels() {
  std::set<std::string_view> known;
  return forEach(
      artifact.kernels, "kernels", [&](const auto &kernel) -> Status {
        if (!isDimName(kernel.name))
          return expected("the name of a function", quote(kernel.name));
        if (!known.insert(kernel.name).second)
          return expected("names that differ", quote(kernel.name) + " twice");
        // The manifest is a few levels deeper.
        if (!kernel.predicted.empty())
          if (Result<Json> json =
                  parseJson(kernel.predicted, FUSE_MAX_JSON_DEPTH - 4);
              !json.ok())
            return json.status().withContext("predicted");
        return checkIndex(kernel.source, artifact.sources.size(), "source");
      });
}

Status Validator::checkPlan(const Artifact::Plan &plan) {
  if (Status status = checkPlainName(plan.name); !status.ok())
    return status;
  Status status =
      forEach(plan.guard, "guard", [&](const auto &entry) -> Status {
        if (!isOneLine(entry.message) || entry.message.empty())
          return expected("a message in one line", quote(entry.message));
        return checkExpr(entry.condition, "condition");
      });
  if (!status.ok())
    return status;
  status = checkExpr(plan.workspaceBytes, "workspace");
  if (status.ok())
    status = checkCount(plan.launches.size(), 0, FUSE_MAX_LAUNCHES, "launches");
  if (!status.ok())
    return status;
  return forEach(plan.launches, "launches",
                 [&](const auto &launch) { return checkLaunch(launch); });
}

Status Validator::checkLaunch(const Artifact::Launch &launch) {
  if (launch.threads < 1 || launch.threads > FUSE_MAX_BLOCK_THREADS)
    return expected("1 to " + std::to_string(FUSE_MAX_BLOCK_THREADS) +
                        " threads",
                    std::to_string(launch.threads));
  if (launch.sharedBytes > static_cast<uint32_t>(INT32_MAX))
    return expected("less than 2 GiB of shared memory",
                    std::to_string(launch.sharedBytes));
  for (Status status :
       {checkIndex(launch.kernel, artifact.kernels.size(), "kernel"),
        checkExpr(launch.grid, "grid"),
        checkCount(launch.operands.size(), 0, FUSE_MAX_OPERANDS, "operands")})
    if (!status.ok())
      return status;
  return forEach(launch.operands, "operands",
                 [&](const auto &operand) { return checkOperand(operand); });
}

Status Validator::checkOperand(const Artifact::Operand &operand) {
  using Kind = Artifact::Operand::Kind;
  switch (operand.kind) {
  case Kind::Argument:
    return checkIndex(operand.index, artifact.arguments.size(), "argument");
  case Kind::Result:
    return checkIndex(operand.index, artifact.results.size(), "result");
  case Kind::Workspace:
    return checkExpr(operand.value, "workspace");
  case Kind::Scalar:
    return checkExpr(operand.value, "scalar");
  }
  return {};
}

Status fuse::rt::validateArtifact(const Artifact &artifact) {
  return noThrow([&] { return Validator(artifact).run(); });
}
