//===- Arguments.cpp - the inputs of a call, from the command line --------===//

#include "fuse/runtime/Arguments.h"

#include "NoThrow.h"
#include "Text.h"

#include <algorithm>
#include <filesystem>

using namespace fuse::rt;
namespace fs = std::filesystem;

std::string Arguments::joinedNames() const {
  std::string text;
  for (const ArgumentInfo &info : infos)
    text += (text.empty() ? "" : ", ") + info.name;
  return text;
}

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

Status Arguments::assign(const std::vector<InputOption> &inputs) {
  return noThrow([&]() -> Status {
    size_t position = 0;
    for (const InputOption &input : inputs) {
      size_t index = position;
      if (input.spec.name)
        index = size_t(std::find_if(infos.begin(), infos.end(),
                                    [&](const ArgumentInfo &info) {
                                      return info.name == *input.spec.name;
                                    }) -
                       infos.begin());
      else
        ++position;
      if (Status status = assignAt(input, index); !status.ok())
        return std::move(status).withContext("--input=" + input.text);
    }
    return {};
  });
}

Status Arguments::assignAt(const InputOption &input, size_t index) {
  if (infos.empty())
    return Status::invalidInput(
        "expects no input, since the function has no arguments");
  if (index >= infos.size() && input.spec.name)
    return expected("the name of an argument (" + joinedNames() + ")",
                    "'" + *input.spec.name + "'");
  if (index >= infos.size())
    return Status::invalidInput(
        "expects at most " + std::to_string(infos.size()) +
        " inputs, one for each argument (" + joinedNames() + ")");
  Source &source = sources[index];
  if (source.isGiven())
    return Status::invalidInput("expects argument '" + infos[index].name +
                                "' once, but it is given by " + source.origin +
                                " too");
  source.spec = input.spec;
  source.origin = "--input=" + input.text;
  return findShape(index);
}

/// The shape that a spec implies. Files are read for it; bracketed numbers and
/// a type state it; and so does a list of numbers for an axis alone.
Status Arguments::findShape(size_t index) {
  Source &source = sources[index];
  const InputSpec &spec = *source.spec;
  if (std::holds_alternative<NpyPath>(spec.value))
    return readTensor(index, spec);
  if (spec.type) {
    source.shape = spec.type->shape;
    return checkType(index, spec.type->dtype, spec.type->shape.size());
  }
  const auto *list = std::get_if<NumberList>(&spec.value);
  if (!list)
    return {};
  size_t rank = infos[index].rank;
  if (!list->brackets) {
    if (rank == 1 && list->elements.size() > 1)
      source.shape.emplace(1, int64_t(list->elements.size()));
    return {};
  }
  const std::vector<int64_t> &sizes = *list->brackets;
  // Below a size of 0 there may be more axes, of sizes that nothing shows.
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end() &&
      sizes.size() < rank)
    return {};
  source.shape = sizes;
  return checkType(index, infos[index].dtype, sizes.size());
}

Status Arguments::readTensor(size_t index, const InputSpec &spec) {
  Result<HostTensor> tensor = fuse::rt::materialize(spec, std::nullopt);
  if (!tensor.ok())
    return tensor.status();
  Source &source = sources[index];
  source.shape = tensor->shape();
  source.tensor = std::move(*tensor);
  return checkType(index, source.tensor->dtype(),
                   size_t(source.tensor->rank()));
}

Status Arguments::checkType(size_t index, DType dtype, size_t rank) const {
  const ArgumentInfo &info = infos[index];
  if (dtype != info.dtype)
    return expected("elements of " + std::string(dtypeName(info.dtype)) +
                        " for argument '" + info.name + "'",
                    dtypeName(dtype));
  if (rank != info.rank)
    return expected("rank " + std::to_string(info.rank) + " for argument '" +
                        info.name + "'",
                    std::to_string(rank));
  return {};
}

//===----------------------------------------------------------------------===//
// Folder
//===----------------------------------------------------------------------===//

Status Arguments::readFolder(const std::string &folder) {
  return noThrow([&]() -> Status {
    std::string origin = "--input-dir=" + folder;
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
      return Status::invalidInput("expects a folder, but there is none")
          .withContext(origin);
    bool foundAny = infos.empty();
    for (size_t index = 0; index < infos.size(); ++index) {
      fs::path path = fs::path(folder) / (infos[index].name + ".npy");
      if (!fs::exists(path, ignored))
        continue;
      foundAny = true;
      if (sources[index].isGiven())
        continue;
      sources[index].origin = origin;
      InputSpec spec;
      spec.value = NpyPath{path.string()};
      if (Status status = readTensor(index, spec); !status.ok())
        return std::move(status).withContext(origin);
    }
    if (!foundAny)
      return Status::invalidInput("expects <argument name>.npy for one of " +
                                  joinedNames() +
                                  " at least, but there is none")
          .withContext(origin);
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

std::vector<std::optional<std::vector<int64_t>>>
Arguments::knownShapes() const {
  std::vector<std::optional<std::vector<int64_t>>> shapes;
  shapes.reserve(sources.size());
  for (const Source &source : sources)
    shapes.push_back(source.shape);
  return shapes;
}

std::vector<std::string>
Arguments::drawn(const std::vector<std::vector<int64_t>> &shapes) const {
  std::vector<std::string> inputs;
  for (size_t index = 0; index < infos.size(); ++index) {
    const ArgumentInfo &info = infos[index];
    if (!sources[index].isGiven())
      inputs.push_back(
          "--input=" + info.name + "=" +
          defaultInputText({info.dtype, shapes[index]}, index, info.isWeight));
  }
  return inputs;
}

Result<std::vector<HostTensor>>
Arguments::materialize(const std::vector<std::vector<int64_t>> &shapes) {
  return noThrow([&]() -> Result<std::vector<HostTensor>> {
    std::vector<HostTensor> tensors;
    for (size_t index = 0; index < infos.size(); ++index) {
      Source &source = sources[index];
      if (!source.tensor) {
        TensorType type = {infos[index].dtype, shapes[index]};
        Result<HostTensor> tensor =
            source.spec ? fuse::rt::materialize(*source.spec, type, index)
                        : defaultInput(type, index, infos[index].isWeight);
        if (!tensor.ok())
          return tensor.status().withContext(
              source.spec ? source.origin
                          : "argument '" + infos[index].name + "'");
        source.tensor = std::move(*tensor);
      }
      tensors.push_back(std::move(*source.tensor));
      source = Source();
    }
    return tensors;
  });
}
