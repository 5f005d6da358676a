//===- BuildPlan.cpp - The launches of a function -------------------------===//

#include "BuildPlan.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/tile/TileDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;
using rt::Artifact;
using rt::IntExpr;

/// What every buffer in the workspace is aligned to, in bytes.
static constexpr int64_t bufferAlignment = 256;

namespace {
class PlanBuilder {
public:
  PlanBuilder(FunctionOpInterface function, const DimAnalysis &dims,
              const ArtifactNames &names)
      : function(function), dims(dims), names(names),
        exprs(dims.getFacts(), names.dims) {}

  FailureOr<Artifact::Plan> build(const DimConstraint *when);

private:
  void addTensors();
  LogicalResult addLaunches();
  LogicalResult addLaunch(LaunchOp launch);
  void addGuard(const DimConstraint &constraint);
  Artifact::Operand operandOf(Value value);
  Artifact::Operand allocate(Value value);
  IntExpr gridOf(tile::KernelOp kernel);
  IntExpr bytesOfTensor(Value value);
  IntExpr endOfSlots();

  FunctionOpInterface function;
  const DimAnalysis &dims;
  const ArtifactNames &names;
  RuntimeExprs exprs;
  Artifact::Plan plan;
  llvm::DenseMap<Value, Artifact::Operand> operands;

  /// A piece of the workspace, and the last launch that uses what is in it.
  struct Slot {
    IntExpr offset, bytes;
    Operation *lastUse;
  };
  SmallVector<Slot> slots;
};
} // namespace

/// Blocks: one for each tile of each index space.
IntExpr PlanBuilder::gridOf(tile::KernelOp kernel) {
  std::optional<IntExpr> all;
  for (const tile::IndexSpace &space : kernel.getIndexSpaces()) {
    std::optional<IntExpr> blocks;
    for (auto [text, tile] :
         llvm::zip_equal(space.grid.getAsRange<StringAttr>(), space.tiles)) {
      std::string error;
      IntExpr count = exprs.convert(*DimExpr::parse(text, error));
      if (tile != 1)
        count = IntExpr::apply(FUSE_EXPR_CEILDIV, count, tile);
      blocks = blocks ? IntExpr::apply(FUSE_EXPR_MUL, *blocks, count) : count;
    }
    IntExpr own = blocks.value_or(IntExpr(1));
    all = all ? IntExpr::apply(FUSE_EXPR_ADD, *all, own) : own;
  }
  return *all;
}

IntExpr PlanBuilder::bytesOfTensor(Value value) {
  IntExpr bytes(getElementBytes(getElementTypeOrSelf(value)));
  DimExpr elements(1);
  for (const DimExpr &dim : dims.getSimplifiedDims(value))
    elements = elements * dim;
  bytes = IntExpr::apply(FUSE_EXPR_MUL, exprs.convert(elements), bytes);
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
Artifact::Operand PlanBuilder::allocate(Value value) {
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
IntExpr PlanBuilder::endOfSlots() {
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

Artifact::Operand PlanBuilder::operandOf(Value value) {
  auto it = operands.find(value);
  if (it == operands.end())
    it = operands.try_emplace(value, allocate(value)).first;
  return it->second;
}

LogicalResult PlanBuilder::addLaunch(LaunchOp op) {
  auto kernel = dyn_cast_or_null<tile::KernelOp>(op.lookUpKernel());
  if (!kernel)
    return op.emitOpError("expects a kernel on tiles, but got one that was not "
                          "lowered");
  Artifact::Launch launch;
  launch.kernel = names.kernels.lookup(kernel.getSymName());
  launch.grid = gridOf(kernel);
  launch.threads = kernel.getThreads();
  launch.overlap = op.getOverlap();
  launch.independent = op.getIndependent();
  launch.sharedBytes = kernel.getSharedBytes().value_or(0);
  for (Value input : op.getInputs())
    launch.operands.push_back(operandOf(input));
  for (Value output : op.getOutputs())
    launch.operands.push_back(operandOf(output));
  for (BlockArgument argument : kernel.getArguments())
    if (auto dim = kernel.getArgAttrOfType<StringAttr>(
            argument.getArgNumber(), tile::TileDialect::dimAttr))
      launch.operands.push_back(
          Artifact::Operand::scalar(exprs.convert(DimExpr::symbol(dim))));
  plan.launches.push_back(std::move(launch));
  return success();
}

LogicalResult PlanBuilder::addLaunches() {
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

void PlanBuilder::addTensors() {
  for (BlockArgument argument : function.getArguments())
    operands[argument] = Artifact::Operand::argument(argument.getArgNumber());
  Operation *end = function.getFunctionBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(end->getOperands()))
    operands[value] = Artifact::Operand::result(number);
}

/// What holds for every call is no condition.
void PlanBuilder::addGuard(const DimConstraint &constraint) {
  Artifact::Condition guard = exprs.convert(constraint);
  if (guard.condition.asConstant().value_or(0) == 0)
    plan.guard.push_back(std::move(guard));
}

FailureOr<Artifact::Plan> PlanBuilder::build(const DimConstraint *when) {
  addTensors();
  if (failed(addLaunches()))
    return failure();
  plan.name = function.getName().str();
  plan.workspaceBytes = endOfSlots();
  for (const DimAnalysis::Located &located : dims.getConstraints())
    addGuard(located.constraint);
  if (when)
    addGuard(*when);
  return std::move(plan);
}

FailureOr<Artifact::Plan> fuse::buildPlan(FunctionOpInterface function,
                                          const DimAnalysis &dims,
                                          const ArtifactNames &names,
                                          const DimConstraint *when) {
  return PlanBuilder(function, dims, names).build(when);
}
