//===- FusionPlan.cpp - Which ops become one kernel -----------------------===//

#include "fuse/passes/FusionPlan.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/passes/IndexForm.h"
#include <memory>

using namespace mlir;
using namespace fuse;

static bool isScalar(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 0;
}

/// True if the value follows from constants and dims.
static bool isScalarOfDims(Operation *op) {
  if (isa_and_nonnull<ConstantOp, DimOp>(op))
    return true;
  return isa_and_nonnull<MapOp, CompareOp, SelectOp, CastOp>(op) &&
         isScalar(op->getResult(0)) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return isScalarOfDims(operand.getDefiningOp());
         });
}

bool fuse::isFreelyCopied(Operation *op) {
  return isIndexMap(op) || isa<IotaOp>(op) || isScalarOfDims(op);
}

static bool isElementwise(Operation *op) {
  return isa<MapOp, CompareOp, SelectOp, CastOp>(op);
}

/// An index map that a kernel may apply to what it computed: it only renames
/// indices, and none is new.
static bool keepsIndices(OpOperand &use) {
  return isa<TransposeOp, ReshapeOp>(use.getOwner()) &&
         use.getOperandNumber() == 0;
}

namespace {
/// Grows kernels in program order. An elementwise op joins the kernel that
/// computed one of its operands, as the last thing done to what that kernel
/// would otherwise write; elementwise ops that only it needs come along.
class Planner {
public:
  explicit Planner(bool fuse) : fuse(fuse) {}

  void add(Operation *op);
  FusionPlan finish();

private:
  struct Group {
    SmallVector<Operation *> ops;
    /// The op that names it, and says what kind of kernel it is.
    Operation *root;
    bool isElementwise;
  };
  /// The group that computes an operand which nothing else needs, and the index
  /// maps in between.
  Group *findProducer(Value operand, SmallVectorImpl<Operation *> &between);
  void absorb(Group &group, Operation *op);

  bool fuse;
  /// Null for groups that others took.
  std::vector<std::unique_ptr<Group>> groups;
  llvm::DenseMap<Operation *, Group *> owners;
};
} // namespace

Planner::Group *Planner::findProducer(Value operand,
                                      SmallVectorImpl<Operation *> &between) {
  while (operand.hasOneUse()) {
    Operation *op = operand.getDefiningOp();
    if (!op)
      return nullptr;
    if (Group *group = owners.lookup(op))
      return group;
    if (op->getNumOperands() == 0 || !keepsIndices(op->getOpOperand(0)))
      return nullptr;
    between.push_back(op);
    operand = op->getOperand(0);
  }
  return nullptr;
}

/// Takes over elementwise groups whose result only `op`, of `group`, needs.
void Planner::absorb(Group &group, Operation *op) {
  for (Value operand : op->getOperands()) {
    SmallVector<Operation *> between;
    Group *producer = findProducer(operand, between);
    if (!producer || producer == &group || !producer->isElementwise)
      continue;
    for (Operation *member :
         llvm::concat<Operation *>(between, producer->ops)) {
      group.ops.push_back(member);
      owners[member] = &group;
    }
    llvm::erase_if(groups,
                   [&](auto &other) { return other.get() == producer; });
  }
}

void Planner::add(Operation *op) {
  Group *group = nullptr;
  SmallVector<Operation *> between;
  if (fuse && isElementwise(op))
    for (Value operand : op->getOperands()) {
      SmallVector<Operation *> maps;
      Group *producer = findProducer(operand, maps);
      // Of several the latest: what is not elementwise stays where it is.
      if (producer && (!group || group->isElementwise ||
                       (!producer->isElementwise &&
                        group->root->isBeforeInBlock(producer->root)))) {
        group = producer;
        between = maps;
      }
    }
  if (!group) {
    group = groups.emplace_back(std::make_unique<Group>()).get();
    group->root = op;
    group->isElementwise = isElementwise(op);
  }
  llvm::append_range(group->ops, between);
  group->ops.push_back(op);
  for (Operation *member : group->ops)
    owners[member] = group;
  // A contraction reads each operand many times; rows are read once or twice.
  if (fuse && !isa<EinsumOp, LinearOp, ConcatOp>(op))
    absorb(*group, op);
}

/// The index maps that are all that becomes of an op's result: the kernel
/// stores what comes out of them. A broadcast is left to whoever reads it.
static void addIndexMaps(SmallVectorImpl<Operation *> &ops) {
  Operation *op = ops.back();
  while (op->getNumResults() == 1 && op->getResult(0).hasOneUse()) {
    OpOperand &use = *op->getResult(0).getUses().begin();
    op = use.getOwner();
    if (!keepsIndices(use))
      return;
    ops.push_back(op);
  }
}

FusionPlan Planner::finish() {
  FusionPlan plan;
  llvm::StringMap<unsigned> counts;
  auto before = [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  };
  for (auto &group : groups)
    llvm::sort(group->ops, before);
  llvm::sort(groups, [&](auto &lhs, auto &rhs) {
    return before(lhs->ops.back(), rhs->ops.back());
  });
  for (auto &group : groups) {
    StringRef mnemonic = group->root->getName().stripDialect();
    KernelPlan &kernel = plan.kernels.emplace_back();
    kernel.name = (mnemonic + "_" + Twine(counts[mnemonic]++)).str();
    kernel.ops = std::move(group->ops);
    addIndexMaps(kernel.ops);
  }
  return plan;
}

FusionPlan fuse::planFusion(FunctionOpInterface function, bool fuse) {
  Planner planner(fuse);
  for (Operation &op : function.getFunctionBody().front())
    if (isa<DimInferenceOpInterface>(op) && !isFreelyCopied(&op) &&
        !isa<LaunchOp>(op))
      planner.add(&op);
  return planner.finish();
}
