//===- ManifestReader.cpp - artifacts from JSON ---------------------------===//

#include "JsonCursor.h"
#include "Manifest.h"
#include "Text.h"

using namespace fuse::rt;

namespace {
class ManifestReader {
public:
  ManifestReader(const Json &json, std::string_view blobBytes)
      : root(json, problem), blobBytes(blobBytes) {}

  Result<Artifact> read();

private:
  void readBlobs();
  void readNames();
  void readSources();
  void readKernels();
  std::vector<Artifact::Tensor> readTensors(const JsonCursor &list,
                                            bool areArguments);
  Artifact::Plan readPlan(const JsonCursor &json);
  Artifact::Launch readLaunch(const JsonCursor &json);
  Artifact::Operand readOperand(const JsonCursor &json);
  IntExpr readExpr(const JsonCursor &json);
  std::string readBlob(const JsonCursor &json);

  Status problem;
  JsonCursor root;
  std::string_view blobBytes;
  std::vector<std::string_view> blobs;
  Artifact artifact;
  ExprScope scope;
};
} // namespace

/// What no list of a valid manifest is longer than.
static constexpr size_t kMostEntries = 1024;

Result<Artifact> ManifestReader::read() {
  root.expectKeys({"name", "producer", "dims", "constants", "arguments",
                   "results", "sources", "cubins", "kernels", "plans",
                   "blobs"});
  readBlobs();
  readNames();
  artifact.arguments = readTensors(root["arguments"], true);
  artifact.results = readTensors(root["results"], false);
  readSources();
  readKernels();
  root["plans"].forEach(FUSE_MAX_PLANS, [&](const JsonCursor &json) {
    artifact.plans.push_back(readPlan(json));
  });
  if (!problem.ok())
    return problem;
  return std::move(artifact);
}

void ManifestReader::readBlobs() {
  size_t offset = 0;
  JsonCursor list = root["blobs"];
  list.forEach(kMostEntries, [&](const JsonCursor &json) {
    size_t left = blobBytes.size() - offset;
    auto size =
        static_cast<size_t>(json.integer(0, static_cast<int64_t>(left)));
    blobs.push_back(blobBytes.substr(offset, size));
    offset += size;
  });
  if (offset != blobBytes.size())
    list.fail(std::to_string(blobBytes.size()) + " bytes in all",
              std::to_string(offset));
}

std::string ManifestReader::readBlob(const JsonCursor &json) {
  size_t index = json.index(blobs.size());
  return index < blobs.size() ? std::string(blobs[index]) : std::string();
}

void ManifestReader::readNames() {
  artifact.name = root["name"].text();
  if (root.has("producer"))
    artifact.producer = root["producer"].text();
  root["dims"].forEach(FUSE_MAX_DIMS, [&](const JsonCursor &json) {
    artifact.dims.push_back(json.text());
  });
  root["constants"].forEach(FUSE_MAX_DIMS, [&](const JsonCursor &json) {
    json.expectKeys({"name", "value"});
    artifact.constants.emplace_back(
        json["name"].text(), json["value"].integer(INT64_MIN, INT64_MAX));
  });
  scope = artifact.scope();
}

IntExpr ManifestReader::readExpr(const JsonCursor &json) {
  std::vector<std::string> words;
  json.forEach(FUSE_MAX_EXPR_TERMS, [&](const JsonCursor &word) {
    words.push_back(word.isString()
                        ? word.text()
                        : std::to_string(word.integer(INT64_MIN, INT64_MAX)));
  });
  if (!problem.ok())
    return {};
  Result<IntExpr> expr = IntExpr::parse(words, scope);
  if (expr.ok())
    return std::move(*expr);
  json.fail(expr.status());
  return {};
}

std::vector<Artifact::Tensor>
ManifestReader::readTensors(const JsonCursor &list, bool areArguments) {
  std::vector<Artifact::Tensor> tensors;
  list.forEach(FUSE_MAX_TENSORS, [&](const JsonCursor &json) {
    if (areArguments)
      json.expectKeys({"name", "dtype", "shape", "alignment", "param"});
    else
      json.expectKeys({"name", "dtype", "shape", "alignment"});
    Artifact::Tensor tensor;
    tensor.name = json["name"].text();
    std::string dtype = json["dtype"].text();
    if (std::optional<DType> parsed = parseDType(dtype))
      tensor.dtype = *parsed;
    else
      json["dtype"].fail("f16, bf16, f32, f64, i32 or i1", quote(dtype));
    json["shape"].forEach(FUSE_MAX_RANK, [&](const JsonCursor &size) {
      tensor.shape.push_back(readExpr(size));
    });
    tensor.alignment = json["alignment"].integer(1, FUSE_MAX_ALIGNMENT);
    tensor.isParam = json.has("param") && json["param"].flag();
    tensors.push_back(std::move(tensor));
  });
  return tensors;
}

void ManifestReader::readSources() {
  root["sources"].forEach(FUSE_MAX_KERNELS, [&](const JsonCursor &json) {
    json.expectKeys({"name", "blob", "options", "ieee"});
    Artifact::Source source;
    source.name = json["name"].text();
    source.text = readBlob(json["blob"]);
    json["options"].forEach(kMostEntries, [&](const JsonCursor &option) {
      source.options.push_back(option.text());
    });
    source.ieee = json["ieee"].flag();
    artifact.sources.push_back(std::move(source));
  });
  if (!root.has("cubins"))
    return;
  root["cubins"].forEach(kMostEntries, [&](const JsonCursor &json) {
    json.expectKeys({"source", "arch", "blob"});
    Artifact::Cubin cubin;
    cubin.source = json["source"].index(artifact.sources.size());
    cubin.arch = json["arch"].text();
    cubin.bytes = readBlob(json["blob"]);
    artifact.cubins.push_back(std::move(cubin));
  });
}

void ManifestReader::readKernels() {
  root["kernels"].forEach(FUSE_MAX_KERNELS, [&](const JsonCursor &json) {
    json.expectKeys({"name", "source", "predicted"});
    Artifact::Kernel kernel;
    kernel.name = json["name"].text();
    kernel.source = json["source"].index(artifact.sources.size());
    if (json.has("predicted"))
      kernel.predicted = formatJson(json["predicted"].value());
    artifact.kernels.push_back(std::move(kernel));
  });
}

Artifact::Plan ManifestReader::readPlan(const JsonCursor &json) {
  json.expectKeys({"name", "guard", "workspace", "launches"});
  Artifact::Plan plan;
  plan.name = json["name"].text();
  json["guard"].forEach(kMostEntries, [&](const JsonCursor &condition) {
    condition.expectKeys({"condition", "message"});
    plan.guard.push_back(
        {readExpr(condition["condition"]), condition["message"].text()});
  });
  plan.workspaceBytes = readExpr(json["workspace"]);
  json["launches"].forEach(FUSE_MAX_LAUNCHES, [&](const JsonCursor &launch) {
    plan.launches.push_back(readLaunch(launch));
  });
  return plan;
}

Artifact::Launch ManifestReader::readLaunch(const JsonCursor &json) {
  json.expectKeys({"kernel", "grid", "threads", "shared", "overlap",
                   "independent", "operands"});
  Artifact::Launch launch;
  launch.kernel = json["kernel"].index(artifact.kernels.size());
  launch.grid = readExpr(json["grid"]);
  launch.threads =
      static_cast<uint32_t>(json["threads"].integer(1, FUSE_MAX_BLOCK_THREADS));
  launch.sharedBytes =
      static_cast<uint32_t>(json["shared"].integer(0, INT32_MAX));
  launch.overlap = json.has("overlap") && json["overlap"].flag();
  launch.independent = json.has("independent") && json["independent"].flag();
  json["operands"].forEach(FUSE_MAX_OPERANDS, [&](const JsonCursor &operand) {
    launch.operands.push_back(readOperand(operand));
  });
  return launch;
}

Artifact::Operand ManifestReader::readOperand(const JsonCursor &json) {
  using Operand = Artifact::Operand;
  json.expectKeys({"argument", "result", "workspace", "scalar"});
  if (problem.ok() && json.value().size() != 1)
    json.fail("one of argument, result, workspace and scalar",
              std::to_string(json.value().size()) + " of them");
  if (json.has("argument"))
    return Operand::argument(json["argument"].index(artifact.arguments.size()));
  if (json.has("result"))
    return Operand::result(json["result"].index(artifact.results.size()));
  if (json.has("workspace"))
    return Operand::workspace(readExpr(json["workspace"]));
  return Operand::scalar(readExpr(json["scalar"]));
}

Result<Artifact> fuse::rt::parseManifest(std::string_view text,
                                         std::string_view blobs) {
  Result<Json> json = parseJson(text, FUSE_MAX_JSON_DEPTH);
  if (!json.ok())
    return json.status();
  return ManifestReader(*json, blobs).read();
}
