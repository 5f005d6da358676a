//===- BuildArtifact.cpp - A program as the runtime reads it --------------===//

#include "fuse/codegen/BuildArtifact.h"
#include "BuildPlan.h"
#include "fuse/codegen/EmitCuda.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/passes/SizeClasses.h"
#include "fuse/runtime/DeviceHeader.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace fuse;
using rt::Artifact;

rt::DType fuse::dtypeOf(Type element) {
  if (element.isF16())
    return rt::DType::F16;
  if (element.isBF16())
    return rt::DType::BF16;
  if (element.isF64())
    return rt::DType::F64;
  if (element.isInteger(32))
    return rt::DType::I32;
  if (element.isInteger(1))
    return rt::DType::Bool;
  return rt::DType::F32;
}

namespace {
class ArtifactBuilder {
public:
  ArtifactBuilder(FunctionOpInterface function, const DimAnalysis &dims)
      : function(function), dims(dims), exprs(dims.getFacts(), names.dims) {}

  FailureOr<Artifact> build();

private:
  void addDims();
  void addTensors();
  /// The kernels that functions launch, each once.
  LogicalResult addSource(ArrayRef<SizeClass> classes);
  LogicalResult addPlans(ArrayRef<SizeClass> classes);
  /// What the kernels of a function need of its tensors' addresses.
  void setAlignments(FunctionOpInterface planned);

  FunctionOpInterface function;
  const DimAnalysis &dims;
  ArtifactNames names;
  RuntimeExprs exprs;
  Artifact artifact;
};
} // namespace

void ArtifactBuilder::addDims() {
  const DimFacts &facts = dims.getFacts();
  if (auto names =
          function->getAttrOfType<ArrayAttr>(FuseDialect::specializeAttr))
    for (auto name : names.getAsRange<StringAttr>())
      if (std::optional<int64_t> extent =
              facts.normalize(DimExpr::symbol(name)).constant())
        artifact.constants.emplace_back(name.str(), *extent);
  auto add = [&](const DimExpr &dim) {
    for (const std::string &symbol : facts.normalize(dim).symbols())
      if (names.dims.try_emplace(symbol, artifact.dims.size()).second)
        artifact.dims.push_back(symbol);
  };
  for (BlockArgument argument : function.getArguments())
    llvm::for_each(dims.getSimplifiedDims(argument), add);
  for (const DimAnalysis::Located &located : dims.getConstraints()) {
    add(located.constraint.lhs);
    add(located.constraint.rhs);
  }
}

void ArtifactBuilder::addTensors() {
  auto create = [&](std::string name, Value value) {
    Artifact::Tensor tensor;
    tensor.name = std::move(name);
    Type element = getElementTypeOrSelf(value);
    tensor.dtype = dtypeOf(element);
    tensor.alignment = getElementBytes(element);
    for (const DimExpr &dim : dims.getSimplifiedDims(value))
      tensor.shape.push_back(exprs.convert(dim));
    return tensor;
  };
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    Artifact::Tensor tensor = create(argumentName(function, number), argument);
    tensor.isParam =
        function.getArgAttr(number, FuseDialect::paramAttr) != nullptr;
    artifact.arguments.push_back(std::move(tensor));
  }
  Operation *end = function.getFunctionBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(end->getOperands()))
    artifact.results.push_back(create(resultName(function, number), value));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static SmallVector<tile::KernelOp> findKernels(ArrayRef<SizeClass> classes) {
  llvm::SetVector<Operation *> kernels;
  for (SizeClass sizes : classes)
    for (auto launch : sizes.function.getFunctionBody().getOps<LaunchOp>())
      if (auto kernel = dyn_cast_or_null<tile::KernelOp>(launch.lookUpKernel()))
        kernels.insert(kernel);
  return llvm::map_to_vector(
      kernels, [](Operation *op) { return cast<tile::KernelOp>(op); });
}

/// What the planner expects, as JSON; empty if it said nothing.
static std::string predictionText(tile::KernelOp kernel) {
  auto cost =
      kernel->getAttrOfType<DictionaryAttr>(tile::TileDialect::costAttr);
  if (!cost)
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.object([&] {
    for (NamedAttribute entry : cost)
      if (auto number = dyn_cast<FloatAttr>(entry.getValue()))
        json.attribute(entry.getName(), number.getValueAsDouble());
  });
  return text;
}

LogicalResult ArtifactBuilder::addSource(ArrayRef<SizeClass> classes) {
  Artifact::Source source;
  source.name = (function.getName() + ".cu").str();
  llvm::raw_string_ostream os(source.text);
  // In the namespace, so that `log2` and others are the header's.
  os << deviceHeader() << "\nnamespace fuse {\n\n";
  SmallVector<tile::KernelOp> kernels = findKernels(classes);
  if (failed(emitKernels(kernels, os)))
    return failure();
  os << "} // namespace fuse\n";
  artifact.sources.push_back(std::move(source));
  for (tile::KernelOp kernel : kernels) {
    names.kernels[kernel.getSymName()] = artifact.kernels.size();
    artifact.kernels.push_back(
        {kernel.getSymName().str(), 0, predictionText(kernel)});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The artifact
//===----------------------------------------------------------------------===//

/// Bytes of the widest access that does not look where a buffer starts.
static int64_t getAlignment(BlockArgument buffer) {
  int64_t bytes = 1;
  auto add = [&](auto access) {
    if (access && access.getBuffer() == buffer && !access.getAnyStride())
      bytes = std::max<int64_t>(
          bytes,
          access.getVector() *
              getElementBytes(access.getTile().getType().getElementType()));
  };
  for (Operation *user : buffer.getUsers()) {
    add(dyn_cast<tile::LoadOp>(user));
    add(dyn_cast<tile::StoreOp>(user));
  }
  return bytes;
}

void ArtifactBuilder::setAlignments(FunctionOpInterface planned) {
  Block &block = planned.getFunctionBody().front();
  Operation *end = block.getTerminator();
  for (auto launch : block.getOps<LaunchOp>()) {
    auto kernel = cast<tile::KernelOp>(launch.lookUpKernel());
    SmallVector<Value> tensors(launch.getInputs());
    llvm::append_range(tensors, launch.getOutputs());
    for (auto [tensor, buffer] : llvm::zip(tensors, kernel.getArguments())) {
      auto raise = [bytes = getAlignment(buffer)](Artifact::Tensor &tensor) {
        tensor.alignment = std::max(tensor.alignment, bytes);
      };
      if (auto argument = dyn_cast<BlockArgument>(tensor))
        raise(artifact.arguments[argument.getArgNumber()]);
      for (OpOperand &use : end->getOpOperands())
        if (use.get() == tensor)
          raise(artifact.results[use.getOperandNumber()]);
    }
  }
}

LogicalResult ArtifactBuilder::addPlans(ArrayRef<SizeClass> classes) {
  // The first that serves a call runs it: large sizes ask for most.
  for (SizeClass sizes : llvm::reverse(classes)) {
    FailureOr<DimAnalysis> own = DimAnalysis::compute(sizes.function);
    if (failed(own))
      return failure();
    FailureOr<Artifact::Plan> plan =
        buildPlan(sizes.function, *own, names, sizes.getWhen());
    if (failed(plan))
      return failure();
    artifact.plans.push_back(std::move(*plan));
    setAlignments(sizes.function);
  }
  return success();
}

FailureOr<Artifact> ArtifactBuilder::build() {
  FailureOr<SmallVector<SizeClass>> classes = getSizeClasses(function);
  if (failed(classes))
    return failure();
  artifact.name = function.getName().str();
  artifact.producer = "fuse-opt";
  addDims();
  addTensors();
  if (failed(addSource(*classes)) || failed(addPlans(*classes)))
    return failure();
  rt::Status status = rt::validateArtifact(artifact);
  if (!status.ok())
    return function.emitError()
           << "cannot become an artifact: " << status.message();
  return std::move(artifact);
}

FailureOr<Artifact> fuse::buildArtifact(ModuleOp module,
                                        StringRef functionName) {
  auto function = module.lookupSymbol<FunctionOpInterface>(functionName);
  if (!function)
    return module.emitError() << "expects a function '" << functionName << "'";
  FailureOr<DimAnalysis> dims = DimAnalysis::compute(function);
  if (failed(dims))
    return failure();
  return ArtifactBuilder(function, *dims).build();
}
