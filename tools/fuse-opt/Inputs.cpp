//===- Inputs.cpp - The arguments of a call -------------------------------===//

#include "Inputs.h"
#include "Console.h"
#include "HostTensors.h"
#include "fuse/codegen/BuildArtifact.h"
#include "fuse/ir/FuseDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace fuse;

/// Prints `origin: message`.
static ExitCode reject(StringRef origin, const Twine &message) {
  printError() << origin << ": " << message << "\n";
  return ExitCode::Diagnostic;
}

static ExitCode reject(StringRef origin, const rt::Status &status) {
  reject(origin, status.message());
  return exitCodeOfInput(status);
}

RankedTensorType Inputs::getType(unsigned index) {
  return cast<RankedTensorType>(function.getArgumentTypes()[index]);
}

bool Inputs::isWeight(unsigned index) {
  return static_cast<bool>(function.getArgAttr(index, FuseDialect::paramAttr));
}

ExitCode Inputs::collect(const RunOptions &options) {
  if (ExitCode code = assign(options.inputs); code != ExitCode::Ok)
    return code;
  if (!options.inputDir.empty())
    if (ExitCode code = readFolder(options.inputDir); code != ExitCode::Ok)
      return code;
  return ExitCode::Ok;
}

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

ExitCode Inputs::assign(ArrayRef<InputOption> inputs) {
  unsigned position = 0;
  for (const InputOption &input : inputs) {
    unsigned index = input.spec.name
                         ? llvm::find(names, *input.spec.name) - names.begin()
                         : position++;
    if (ExitCode code = assign(input, index); code != ExitCode::Ok)
      return code;
  }
  return ExitCode::Ok;
}

ExitCode Inputs::assign(const InputOption &input, unsigned index) {
  std::string origin = "--input=" + input.text;
  if (index >= names.size()) {
    if (names.empty())
      return reject(origin, "expects no input, since the function has no "
                            "arguments");
    std::string known = llvm::join(names, ", ");
    if (input.spec.name)
      return reject(origin, "expects the name of an argument (" + known +
                                "), but got '" + *input.spec.name + "'");
    return reject(origin, "expects at most " + Twine(names.size()) +
                              " inputs, one for each argument (" + known + ")");
  }
  Source &source = sources[index];
  if (source.spec)
    return reject(origin, "expects argument '" + names[index] +
                              "' once, but it is given by " + source.origin +
                              " too");
  source.spec = &input.spec;
  source.origin = std::move(origin);
  return findShape(source, index);
}

/// The shape that a spec implies. Files are read for it; bracketed numbers and
/// a type state it; and so does a list of numbers for an axis alone.
ExitCode Inputs::findShape(Source &source, unsigned index) {
  const rt::InputSpec &spec = *source.spec;
  if (std::holds_alternative<rt::NpyPath>(spec.value))
    return readTensor(source, index, spec);
  if (spec.type) {
    source.shape.emplace(ArrayRef<int64_t>(spec.type->shape));
    return checkType(source, index, spec.type->dtype, spec.type->shape.size());
  }
  const auto *list = std::get_if<rt::NumberList>(&spec.value);
  if (!list)
    return ExitCode::Ok;
  size_t rank = getType(index).getRank();
  if (!list->brackets) {
    if (rank == 1 && list->elements.size() > 1)
      source.shape.emplace(1, int64_t(list->elements.size()));
    return ExitCode::Ok;
  }
  const std::vector<int64_t> &sizes = *list->brackets;
  // Below a size of 0 there may be more axes, of sizes that nothing shows.
  if (llvm::is_contained(sizes, 0) && sizes.size() < rank)
    return ExitCode::Ok;
  source.shape.emplace(ArrayRef<int64_t>(sizes));
  return checkType(source, index, dtypeOf(getType(index).getElementType()),
                   sizes.size());
}

ExitCode Inputs::readTensor(Source &source, unsigned index,
                            const rt::InputSpec &spec) {
  rt::Result<rt::HostTensor> tensor = rt::materialize(spec, std::nullopt);
  if (!tensor.ok())
    return reject(source.origin, tensor.status());
  source.shape.emplace(ArrayRef<int64_t>(tensor->shape()));
  source.tensor = std::move(*tensor);
  return checkType(source, index, source.tensor->dtype(),
                   source.tensor->rank());
}

ExitCode Inputs::checkType(const Source &source, unsigned index,
                           rt::DType dtype, size_t rank) {
  RankedTensorType type = getType(index);
  rt::DType expected = dtypeOf(type.getElementType());
  if (dtype != expected)
    return reject(source.origin, "expects elements of " +
                                     Twine(rt::dtypeName(expected)) +
                                     " for argument '" + names[index] +
                                     "', but got " + rt::dtypeName(dtype));
  if (rank != size_t(type.getRank()))
    return reject(source.origin, "expects rank " + Twine(type.getRank()) +
                                     " for argument '" + names[index] +
                                     "', but got " + Twine(rank));
  return ExitCode::Ok;
}

//===----------------------------------------------------------------------===//
// Folder
//===----------------------------------------------------------------------===//

ExitCode Inputs::readFolder(const std::string &folder) {
  std::string origin = "--input-dir=" + folder;
  if (!llvm::sys::fs::is_directory(folder))
    return reject(origin, "expects a folder, but there is none");
  bool foundAny = names.empty();
  for (auto [index, source] : llvm::enumerate(sources)) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, names[index] + ".npy");
    if (!llvm::sys::fs::exists(path))
      continue;
    foundAny = true;
    if (source.spec)
      continue;
    source.origin = origin;
    rt::InputSpec spec;
    spec.value = rt::NpyPath{path.str().str()};
    if (ExitCode code = readTensor(source, index, spec); code != ExitCode::Ok)
      return code;
  }
  if (!foundAny)
    return reject(origin, "expects <argument name>.npy for one of " +
                              llvm::join(names, ", ") +
                              " at least, but there is none");
  return ExitCode::Ok;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

SmallVector<std::optional<SmallVector<int64_t>>> Inputs::knownShapes() const {
  return llvm::map_to_vector(sources,
                             [](const Source &source) { return source.shape; });
}

ExitCode Inputs::materialize(ArrayRef<SmallVector<int64_t>> shapes,
                             SmallVectorImpl<Tensor> &arguments) {
  SmallVector<std::string> drawn;
  for (auto [index, source] : llvm::enumerate(sources))
    if (!source.spec && !source.tensor)
      drawn.push_back(
          "--input=" + names[index] + "=" +
          rt::defaultInputText(
              tensorTypeOf(getType(index).getElementType(), shapes[index]),
              index, isWeight(index)));
  if (!drawn.empty())
    printInfo() << "what is not given is drawn, as by "
                << llvm::join(drawn, " ") << "\n";
  for (auto [index, source] : llvm::enumerate(sources)) {
    Type elementType = getType(index).getElementType();
    if (!source.tensor) {
      rt::TensorType type = tensorTypeOf(elementType, shapes[index]);
      rt::Result<rt::HostTensor> tensor =
          source.spec ? rt::materialize(*source.spec, type, index)
                      : rt::defaultInput(type, index, isWeight(index));
      if (!tensor.ok())
        return reject(source.spec ? source.origin
                                  : "argument '" + names[index] + "'",
                      tensor.status());
      source.tensor = std::move(*tensor);
    }
    arguments.push_back(toTensor(*source.tensor, elementType));
    source.tensor.reset();
  }
  return ExitCode::Ok;
}
