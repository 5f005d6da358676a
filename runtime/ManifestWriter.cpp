//===- ManifestWriter.cpp - artifacts as JSON -----------------------------===//

#include "JsonCursor.h"
#include "Manifest.h"
#include "Text.h"

#include <algorithm>

using namespace fuse::rt;

namespace {
class ManifestWriter {
public:
  ManifestWriter(const Artifact &artifact, std::vector<std::string_view> &blobs)
      : artifact(artifact), blobs(blobs) {}

  Json write();

private:
  Json tensors(const std::vector<Artifact::Tensor> &list);
  Json sources();
  Json cubins();
  Json kernels();
  Json plans();
  Json launch(const Artifact::Launch &launch);
  Json operand(const Artifact::Operand &operand);
  Json expr(const IntExpr &expr);
  size_t addBlob(std::string_view bytes);

  const Artifact &artifact;
  std::vector<std::string_view> &blobs;
};
} // namespace

Json ManifestWriter::write() {
  Json json;
  json["name"] = artifact.name;
  if (!artifact.producer.empty())
    json["producer"] = artifact.producer;
  json["dims"] = artifact.dims;
  json["constants"] = Json::array();
  for (const auto &[name, value] : artifact.constants)
    json["constants"].push_back({{"name", name}, {"value", value}});
  json["arguments"] = tensors(artifact.arguments);
  json["results"] = tensors(artifact.results);
  json["sources"] = sources();
  if (!artifact.cubins.empty())
    json["cubins"] = cubins();
  json["kernels"] = kernels();
  json["plans"] = plans();
  json["blobs"] = Json::array();
  for (std::string_view blob : blobs)
    json["blobs"].push_back(blob.size());
  return json;
}

/// Equal blobs are stored once.
size_t ManifestWriter::addBlob(std::string_view bytes) {
  auto found = std::find(blobs.begin(), blobs.end(), bytes);
  size_t index = static_cast<size_t>(found - blobs.begin());
  if (found == blobs.end())
    blobs.push_back(bytes);
  return index;
}

Json ManifestWriter::expr(const IntExpr &expr) {
  Json list = Json::array();
  for (const IntExpr::Term &term : expr.getTerms()) {
    if (term.op == FUSE_EXPR_CONSTANT)
      list.push_back(term.value);
    else if (term.op == FUSE_EXPR_DIM)
      list.push_back(artifact.dims[static_cast<size_t>(term.value)]);
    else
      list.push_back(exprOpName(term.op));
  }
  return list;
}

Json ManifestWriter::tensors(const std::vector<Artifact::Tensor> &list) {
  Json result = Json::array();
  for (const Artifact::Tensor &tensor : list) {
    Json json;
    json["name"] = tensor.name;
    json["dtype"] = dtypeName(tensor.dtype);
    json["shape"] = Json::array();
    for (const IntExpr &size : tensor.shape)
      json["shape"].push_back(expr(size));
    json["alignment"] = tensor.alignment;
    if (tensor.isParam)
      json["param"] = true;
    result.push_back(std::move(json));
  }
  return result;
}

Json ManifestWriter::sources() {
  Json result = Json::array();
  for (const Artifact::Source &source : artifact.sources) {
    Json json;
    json["name"] = source.name;
    json["blob"] = addBlob(source.text);
    json["options"] = source.options;
    json["ieee"] = source.ieee;
    result.push_back(std::move(json));
  }
  return result;
}

Json ManifestWriter::cubins() {
  Json result = Json::array();
  for (const Artifact::Cubin &cubin : artifact.cubins) {
    Json json;
    json["source"] = cubin.source;
    json["arch"] = cubin.arch;
    json["blob"] = addBlob(cubin.bytes);
    result.push_back(std::move(json));
  }
  return result;
}

Json ManifestWriter::kernels() {
  Json result = Json::array();
  for (const Artifact::Kernel &kernel : artifact.kernels) {
    Json json;
    json["name"] = kernel.name;
    json["source"] = kernel.source;
    // It is valid JSON: the artifact is.
    if (!kernel.predicted.empty())
      if (Result<Json> predicted =
              parseJson(kernel.predicted, FUSE_MAX_JSON_DEPTH);
          predicted.ok())
        json["predicted"] = std::move(*predicted);
    result.push_back(std::move(json));
  }
  return result;
}

Json ManifestWriter::plans() {
  Json result = Json::array();
  for (const Artifact::Plan &plan : artifact.plans) {
    Json json;
    json["name"] = plan.name;
    json["guard"] = Json::array();
    for (const Artifact::Condition &condition : plan.guard) {
      Json entry;
      entry["condition"] = expr(condition.condition);
      entry["message"] = condition.message;
      json["guard"].push_back(std::move(entry));
    }
    json["workspace"] = expr(plan.workspaceBytes);
    json["launches"] = Json::array();
    for (const Artifact::Launch &entry : plan.launches)
      json["launches"].push_back(launch(entry));
    result.push_back(std::move(json));
  }
  return result;
}

Json ManifestWriter::launch(const Artifact::Launch &launch) {
  Json json;
  json["kernel"] = launch.kernel;
  json["grid"] = expr(launch.grid);
  json["threads"] = launch.threads;
  json["shared"] = launch.sharedBytes;
  if (launch.overlap)
    json["overlap"] = true;
  if (launch.independent)
    json["independent"] = true;
  json["operands"] = Json::array();
  for (const Artifact::Operand &entry : launch.operands)
    json["operands"].push_back(operand(entry));
  return json;
}

Json ManifestWriter::operand(const Artifact::Operand &operand) {
  using Kind = Artifact::Operand::Kind;
  Json json;
  switch (operand.kind) {
  case Kind::Argument:
    json["argument"] = operand.index;
    break;
  case Kind::Result:
    json["result"] = operand.index;
    break;
  case Kind::Workspace:
    json["workspace"] = expr(operand.value);
    break;
  case Kind::Scalar:
    json["scalar"] = expr(operand.value);
    break;
  }
  return json;
}

std::string fuse::rt::formatManifest(const Artifact &artifact,
                                     std::vector<std::string_view> &blobs) {
  return formatJson(ManifestWriter(artifact, blobs).write());
}
