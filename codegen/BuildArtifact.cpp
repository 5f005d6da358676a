//===- BuildArtifact.cpp - A program as the runtime reads it --------------===//

#include "fuse/codegen/BuildArtifact.h"
#include "fuse/codegen/EmitCuda.h"
#include "fuse/ir/DimAnalysis.h"
#include "fuse/passes/Passes.h"
#include "fuse/runtime/DeviceHeader.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;
using rt::Artifact;
using rt::IntExpr;

/// What every buffer in the workspace is aligned to, in bytes.
static constexpr int64_t bufferAlignment = 256;

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
      : function(function), dims(dims) {}

  FailureOr<Artifact> build();

private:
  void addDims();
  void addTensors();
  SmallVector<tile::KernelOp> findKernels();
  LogicalResult addSource();
  LogicalResult addLaunches();
  LogicalResult addLaunch(LaunchOp launch);
  Artifact::Operand operandOf(Value value);
  Artifact::Operand allocate(Value value);

  IntExpr sumOf(const DimExpr &expr);
  IntExpr exprOf(const DimExpr &expr);
  IntExpr gridOf(tile::KernelOp kernel);
  IntExpr bytesOfTensor(Value value);
  IntExpr endOfSlots();
  Artifact::Condition guardOf(const DimConstraint &constraint);

  FunctionOpInterface function;
  const DimAnalysis &dims;
  Artifact artifact;
  Artifact::Plan plan;
  llvm::StringMap<size_t> dimNumbers;
  llvm::StringMap<size_t> kernelNumbers;
  llvm::DenseMap<Value, Artifact::Operand> operands;

  /// A piece of the workspace, and the last launch that uses what is in it.
  struct Slot {
    IntExpr offset, bytes;
    Operation *lastUse;
  };
  SmallVector<Slot> slots;
};
} // namespace

//===----------------------------------------------------------------------===//
// Dims and tensors
//===----------------------------------------------------------------------===//

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
      if (dimNumbers.try_emplace(symbol, artifact.dims.size()).second)
        artifact.dims.push_back(symbol);
  };
  for (BlockArgument argument : function.getArguments())
    llvm::for_each(dims.getSimplifiedDims(argument), add);
  for (const DimAnalysis::Located &located : dims.getConstraints()) {
    add(located.constraint.lhs);
    add(located.constraint.rhs);
  }
}

/// An expression without fractions.
IntExpr ArtifactBuilder::sumOf(const DimExpr &expr) {
  std::optional<IntExpr> sum;
  for (const DimExpr::Term &term : expr.getTerms()) {
    IntExpr product(term.numerator);
    for (const DimExpr::Power &power : term.powers)
      for (int i = 0; i < power.exponent; ++i) {
        IntExpr symbol = IntExpr::dim(dimNumbers.lookup(power.symbol));
        product = product == IntExpr(1)
                      ? symbol
                      : IntExpr::apply(FUSE_EXPR_MUL, product, symbol);
      }
    sum = sum ? IntExpr::apply(FUSE_EXPR_ADD, *sum, product) : product;
  }
  return sum.value_or(IntExpr(0));
}

IntExpr ArtifactBuilder::exprOf(const DimExpr &expr) {
  auto [whole, numerator, denominator] =
      dims.getFacts().normalize(expr).getParts();
  if (numerator == DimExpr())
    return sumOf(whole);
  IntExpr quotient =
      IntExpr::apply(FUSE_EXPR_FLOORDIV, sumOf(numerator), sumOf(denominator));
  return whole == DimExpr()
             ? quotient
             : IntExpr::apply(FUSE_EXPR_ADD, quotient, sumOf(whole));
}

void ArtifactBuilder::addTensors() {
  auto create = [&](std::string name, Value value) {
    Artifact::Tensor tensor;
    tensor.name = std::move(name);
    Type element = getElementTypeOrSelf(value);
    tensor.dtype = dtypeOf(element);
    // Kernels access elements one by one.
    tensor.alignment = getElementBytes(element);
    for (const DimExpr &dim : dims.getSimplifiedDims(value))
      tensor.shape.push_back(exprOf(dim));
    return tensor;
  };
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    Artifact::Tensor tensor = create(argumentName(function, number), argument);
    tensor.isParam =
        function.getArgAttr(number, FuseDialect::paramAttr) != nullptr;
    operands[argument] = Artifact::Operand::argument(number);
    artifact.arguments.push_back(std::move(tensor));
  }
  Operation *end = function.getFunctionBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(end->getOperands())) {
    artifact.results.push_back(create(resultName(function, number), value));
    operands[value] = Artifact::Operand::result(number);
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Blocks: one for each tile of the index space.
IntExpr ArtifactBuilder::gridOf(tile::KernelOp kernel) {
  std::optional<IntExpr> blocks;
  for (auto [text, tile] : llvm::zip_equal(
           kernel.getGrid().getAsRange<StringAttr>(), kernel.getTiles())) {
    std::string error;
    IntExpr count = exprOf(*DimExpr::parse(text, error));
    if (tile != 1)
      count = IntExpr::apply(FUSE_EXPR_CEILDIV, count, tile);
    blocks = blocks ? IntExpr::apply(FUSE_EXPR_MUL, *blocks, count) : count;
  }
  return blocks.value_or(IntExpr(1));
}

IntExpr ArtifactBuilder::bytesOfTensor(Value value) {
  IntExpr bytes(getElementBytes(getElementTypeOrSelf(value)));
  DimExpr elements(1);
  for (const DimExpr &dim : dims.getSimplifiedDims(value))
    elements = elements * dim;
  bytes = IntExpr::apply(FUSE_EXPR_MUL, exprOf(elements), bytes);
  return IntExpr::apply(
      FUSE_EXPR_MUL, IntExpr::apply(FUSE_EXPR_CEILDIV, bytes, bufferAlignment),
      bufferAlignment);
}

/// The last launch that reads a value, or the one that writes it.
static Operation *findLastUse(Value value) {
  Operation *last = value.getDefiningOp();
  for (Operation *user : value.getUsers())
    if (last->isBeforeInBlock(user))
      last = user;
  return last;
}

/// A piece of the workspace: one of the same size that nothing needs any more,
/// or a new one behind all others.
Artifact::Operand ArtifactBuilder::allocate(Value value) {
  IntExpr bytes = bytesOfTensor(value);
  Operation *launch = value.getDefiningOp();
  for (Slot &slot : slots)
    if (slot.bytes == bytes && slot.lastUse->isBeforeInBlock(launch)) {
      slot.lastUse = findLastUse(value);
      return Artifact::Operand::workspace(slot.offset);
    }
  IntExpr offset = endOfSlots();
  slots.push_back({offset, bytes, findLastUse(value)});
  return Artifact::Operand::workspace(offset);
}

/// The bytes of all slots; those of one size are one product, which keeps
/// expressions short.
IntExpr ArtifactBuilder::endOfSlots() {
  SmallVector<std::pair<IntExpr, int64_t>> sizes;
  for (const Slot &slot : slots) {
    auto *size = llvm::find_if(
        sizes, [&](const auto &size) { return size.first == slot.bytes; });
    if (size == sizes.end())
      sizes.emplace_back(slot.bytes, 1);
    else
      ++size->second;
  }
  std::optional<IntExpr> end;
  for (auto &[bytes, count] : sizes) {
    IntExpr total =
        count == 1 ? bytes : IntExpr::apply(FUSE_EXPR_MUL, bytes, count);
    end = end ? IntExpr::apply(FUSE_EXPR_ADD, *end, total) : total;
  }
  return end.value_or(IntExpr(0));
}

Artifact::Operand ArtifactBuilder::operandOf(Value value) {
  auto it = operands.find(value);
  if (it == operands.end())
    it = operands.try_emplace(value, allocate(value)).first;
  return it->second;
}

LogicalResult ArtifactBuilder::addLaunch(LaunchOp op) {
  auto kernel = dyn_cast_or_null<tile::KernelOp>(op.lookUpKernel());
  if (!kernel)
    return op.emitOpError("expects a kernel on tiles, but got one that was not "
                          "lowered");
  Artifact::Launch launch;
  launch.kernel = kernelNumbers.lookup(kernel.getSymName());
  launch.grid = gridOf(kernel);
  launch.threads = kernel.getThreads();
  launch.sharedBytes = kernel.getSharedBytes().value_or(0);
  for (Value input : op.getInputs())
    launch.operands.push_back(operandOf(input));
  for (Value output : op.getOutputs())
    launch.operands.push_back(operandOf(output));
  for (BlockArgument argument : kernel.getArguments())
    if (auto dim = kernel.getArgAttrOfType<StringAttr>(
            argument.getArgNumber(), tile::TileDialect::dimAttr))
      launch.operands.push_back(
          Artifact::Operand::scalar(exprOf(DimExpr::symbol(dim))));
  plan.launches.push_back(std::move(launch));
  return success();
}

LogicalResult ArtifactBuilder::addLaunches() {
  for (Operation &op :
       function.getFunctionBody().front().without_terminator()) {
    auto launch = dyn_cast<LaunchOp>(op);
    if (!launch)
      return op.emitOpError("cannot run on a device, where only kernels do");
    if (failed(addLaunch(launch)))
      return failure();
  }
  return success();
}

/// The kernels that the function launches, each once.
SmallVector<tile::KernelOp> ArtifactBuilder::findKernels() {
  llvm::SetVector<Operation *> kernels;
  for (auto launch : function.getFunctionBody().getOps<LaunchOp>())
    if (auto kernel = dyn_cast_or_null<tile::KernelOp>(launch.lookUpKernel()))
      kernels.insert(kernel);
  return llvm::map_to_vector(
      kernels, [](Operation *op) { return cast<tile::KernelOp>(op); });
}

LogicalResult ArtifactBuilder::addSource() {
  Artifact::Source source;
  source.name = (function.getName() + ".cu").str();
  std::string text;
  llvm::raw_string_ostream os(text);
  // In the namespace, so that `log2` and others are the header's.
  os << deviceHeader() << "\nnamespace fuse {\n\n";
  SmallVector<tile::KernelOp> kernels = findKernels();
  if (failed(emitKernels(kernels, os)))
    return failure();
  os << "} // namespace fuse\n";
  source.text = std::move(text);
  artifact.sources.push_back(std::move(source));
  for (tile::KernelOp kernel : kernels) {
    kernelNumbers[kernel.getSymName()] = artifact.kernels.size();
    Artifact::Kernel entry;
    entry.name = kernel.getSymName().str();
    artifact.kernels.push_back(std::move(entry));
  }
  return success();
}

/// What a call must satisfy, from one of the program's constraints.
Artifact::Condition ArtifactBuilder::guardOf(const DimConstraint &constraint) {
  IntExpr lhs = exprOf(constraint.lhs), rhs = exprOf(constraint.rhs);
  auto holds = [&] {
    switch (constraint.kind) {
    case DimConstraint::Kind::Equal:
      return IntExpr::apply(FUSE_EXPR_EQ, lhs, rhs);
    case DimConstraint::Kind::AtMost:
      return IntExpr::apply(FUSE_EXPR_LE, lhs, rhs);
    case DimConstraint::Kind::AtLeast:
      return IntExpr::apply(FUSE_EXPR_GE, lhs, rhs);
    case DimConstraint::Kind::Divides:
      return IntExpr::apply(FUSE_EXPR_EQ,
                            IntExpr::apply(FUSE_EXPR_MOD, lhs, rhs), 0);
    }
    llvm_unreachable("every kind has a condition");
  };
  return {holds(), constraint.what + " to be " + constraint.relation().str() +
                       constraint.rhs.str()};
}

FailureOr<Artifact> ArtifactBuilder::build() {
  artifact.name = function.getName().str();
  artifact.producer = "fuse-opt";
  addDims();
  addTensors();
  if (failed(addSource()) || failed(addLaunches()))
    return failure();
  plan.name = "default";
  plan.workspaceBytes = endOfSlots();
  for (const DimAnalysis::Located &located : dims.getConstraints()) {
    Artifact::Condition guard = guardOf(located.constraint);
    if (guard.condition.asConstant().value_or(0) == 0)
      plan.guard.push_back(std::move(guard));
  }
  artifact.plans.push_back(std::move(plan));
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
