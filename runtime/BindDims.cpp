//===- BindDims.cpp - the extents that the shapes of a call imply ---------===//

#include "fuse/runtime/Program.h"

#include "NoThrow.h"
#include "Text.h"

#include <algorithm>

using namespace fuse::rt;

namespace {
using Shapes = std::vector<std::optional<std::vector<int64_t>>>;
using Given = std::vector<std::pair<std::string, int64_t>>;

/// Solves `size expression = extent` for one dim after another, then checks all
/// of them.
class DimBinder {
public:
  DimBinder(const Artifact &artifact, const Shapes &shapes)
      : artifact(artifact), shapes(shapes), extents(artifact.dims.size()) {}

  Result<Dims> run(const Given &given);

private:
  Status takeGiven(const std::string &name, int64_t extent);
  Status checkRanks() const;
  void solve();
  Status findUnbound() const;
  Status checkShapes(const Dims &dims) const;
  template <class Visit>
  void forEachAxis(Visit visit) const;

  const Artifact &artifact;
  const Shapes &shapes;
  std::vector<std::optional<int64_t>> extents;
};
} // namespace

static std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

Status DimBinder::takeGiven(const std::string &name, int64_t extent) {
  for (const auto &[constant, value] : artifact.constants)
    if (constant == name)
      return value == extent
                 ? Status()
                 : expected("dim '" + name + "' to be " +
                                std::to_string(value) +
                                ", which the program was compiled for",
                            std::to_string(extent));
  auto dim = std::find(artifact.dims.begin(), artifact.dims.end(), name);
  if (dim == artifact.dims.end())
    return Status::invalidInput(
        "'" + artifact.name + "' has no dim " + quote(name) +
        (artifact.dims.empty() ? ""
                               : "; its dims are " + joined(artifact.dims)));
  if (extent < 0)
    return expected("dim '" + name + "' to be 0 or more",
                    std::to_string(extent));
  extents[static_cast<size_t>(dim - artifact.dims.begin())] = extent;
  return {};
}

Status DimBinder::checkRanks() const {
  if (shapes.size() != artifact.arguments.size())
    return expected("shapes of " + std::to_string(artifact.arguments.size()) +
                        " arguments",
                    std::to_string(shapes.size()));
  for (size_t i = 0; i < shapes.size(); ++i)
    if (size_t rank = artifact.arguments[i].shape.size();
        shapes[i] && shapes[i]->size() != rank)
      return expected("argument '" + artifact.arguments[i].name +
                          "' to have rank " + std::to_string(rank),
                      std::to_string(shapes[i]->size()));
  return {};
}

/// Calls `visit` with argument, axis, expression and extent of each axis that
/// is known.
template <class Visit>
void DimBinder::forEachAxis(Visit visit) const {
  for (size_t i = 0; i < shapes.size(); ++i)
    if (shapes[i])
      for (size_t axis = 0; axis < shapes[i]->size(); ++axis)
        visit(artifact.arguments[i], axis, artifact.arguments[i].shape[axis],
              (*shapes[i])[axis]);
}

/// Until nothing new follows. Each step binds a dim.
void DimBinder::solve() {
  for (bool progress = true; progress;) {
    progress = false;
    forEachAxis([&](const Artifact::Tensor &, size_t, const IntExpr &size,
                    int64_t extent) {
      if (auto solution = size.solve(extent, extents)) {
        extents[solution->first] = solution->second;
        progress = true;
      }
    });
  }
}

/// Names a dim without an extent, and who needs it.
Status DimBinder::findUnbound() const {
  for (size_t dim = 0; dim < extents.size(); ++dim) {
    if (extents[dim])
      continue;
    const std::string &name = artifact.dims[dim];
    std::string message = "dim '" + name + "' has no extent";
    for (const Artifact::Tensor &tensor : artifact.arguments)
      for (size_t axis = 0; axis < tensor.shape.size(); ++axis)
        if (tensor.shape[axis].asDim() == dim)
          return Status::invalidInput(message + ", needed for axis " +
                                      std::to_string(axis) + " of argument '" +
                                      tensor.name + "'; give one with --dims=" +
                                      name + "=..., or an input that has it");
    return Status::invalidInput(message + "; give one with --dims=" + name +
                                "=...");
  }
  return {};
}

Status DimBinder::checkShapes(const Dims &dims) const {
  Status problem;
  forEachAxis([&](const Artifact::Tensor &tensor, size_t axis,
                  const IntExpr &size, int64_t extent) {
    Result<int64_t> wanted = size.evaluate(dims.data(), dims.size());
    if (!problem.ok() || (wanted.ok() && *wanted == extent))
      return;
    std::string place =
        "axis " + std::to_string(axis) + " of argument '" + tensor.name + "'";
    if (!wanted.ok()) {
      problem = wanted.status().withContext(place);
      return;
    }
    std::string value = std::to_string(*wanted);
    std::string text = size.str(artifact.dims);
    problem = expected(place + " to be " +
                           (text == value ? value : text + " = " + value),
                       std::to_string(extent));
  });
  return problem;
}

Result<Dims> DimBinder::run(const Given &given) {
  for (const auto &[name, extent] : given)
    if (Status status = takeGiven(name, extent); !status.ok())
      return status;
  if (Status status = checkRanks(); !status.ok())
    return status;
  solve();
  if (Status status = findUnbound(); !status.ok())
    return status;
  Dims dims;
  dims.reserve(extents.size());
  for (const std::optional<int64_t> &extent : extents)
    dims.push_back(*extent);
  if (Status status = checkShapes(dims); !status.ok())
    return status;
  return dims;
}

Result<Dims> Program::bindDims(const Shapes &shapes, const Given &given) const {
  return noThrow([&] { return DimBinder(contents, shapes).run(given); });
}
