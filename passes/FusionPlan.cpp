//===- FusionPlan.cpp - Which ops become one kernel -----------------------===//
//
// Greedy, by a cost model. Elementwise ops join the contraction behind whose
// result they stand, rows are formed, contractions of one operand are joined,
// and then of all producers and consumers those first that save most. What is
// still needed by several kernels is copied into these where that pays.
//
//===----------------------------------------------------------------------===//

#include "fuse/passes/FusionPlan.h"
#include "FusionGroups.h"
#include "MemoryOrder.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/passes/IndexForm.h"

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

bool CopiedOps::isNeededOutside(
    Operation *user, const llvm::DenseSet<Operation *> &members) const {
  llvm::DenseSet<Operation *> seen = {user};
  SmallVector<Operation *> stack = {user};
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val();
    if (members.contains(op))
      continue;
    if (!contains(op))
      return true;
    for (Operation *next : op->getUsers())
      if (seen.insert(next).second)
        stack.push_back(next);
  }
  return false;
}

unsigned fuse::getLine(Operation *op) {
  unsigned line = 0;
  op->getLoc()->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    line = file.getLine();
    return WalkResult::interrupt();
  });
  return line;
}

bool fuse::hasLine(ArrayRef<Operation *> ops, unsigned line) {
  return llvm::any_of(ops, [&](Operation *op) { return getLine(op) == line; });
}

namespace {
class Planner {
public:
  Planner(FunctionOpInterface function, const DimAnalysis &dims,
          const FusionOptions &options)
      : groups(function, dims, options) {}

  void fuseEpilogues();
  void fuseRows();
  void fuseSiblings();
  void fuseProducers();
  /// What several kernels need may be computed in each of them. First where all
  /// of these have contractions, so that what is left has fewer kernels to go
  /// to.
  enum class Consumers { Contractions, All };
  void recomputeShared(Consumers which);
  FusionPlan finish() { return groups.finish(); }

private:
  /// Joins a group with each of those it reads from, as long as that pays.
  void fuseWithProducers(FusionGroup *consumer,
                         function_ref<bool(const FusionGroup &)> which);
  struct Edge {
    FusionGroup *producer, *consumer;
    double gain;
  };
  /// Notes a pair that would save time as one.
  void addEdge(FusionGroup *producer, FusionGroup *consumer);

  FusionGroups groups;
  std::vector<Edge> edges;
};
} // namespace

void Planner::fuseWithProducers(FusionGroup *consumer,
                                function_ref<bool(const FusionGroup &)> which) {
  for (bool changed = true; changed;) {
    changed = false;
    // The latest first: it has most of what the consumer needs.
    auto producers = groups.getProducers(*consumer);
    for (FusionGroup *producer : llvm::reverse(producers))
      if (which(*producer) && groups.weigh(*producer, *consumer) >= 0) {
        consumer = groups.join(*producer, *consumer);
        changed = true;
        break;
      }
  }
}

void Planner::fuseEpilogues() {
  for (FusionGroup *group : groups.getAll()) {
    if (group->hasContraction || group->hasReduction)
      continue;
    auto producers = groups.getProducers(*group);
    for (FusionGroup *producer : llvm::reverse(producers))
      // A result that others need as well stays one.
      if (producer->hasContraction && groups.isOnlyFor(*producer, *group) &&
          groups.weigh(*producer, *group) >= 0) {
        groups.join(*producer, *group);
        break;
      }
  }
}

void Planner::fuseRows() {
  for (FusionGroup *group : groups.getAll())
    if (group->isAlive && !group->hasContraction)
      fuseWithProducers(group, [](const FusionGroup &producer) {
        return !producer.hasContraction;
      });
}

void Planner::fuseSiblings() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [first, second] : groups.getSiblings())
      if (first->isAlive && second->isAlive &&
          groups.weigh(*first, *second) > 0) {
        groups.join(*first, *second);
        changed = true;
      }
  }
}

void Planner::addEdge(FusionGroup *producer, FusionGroup *consumer) {
  double gain = groups.weigh(*producer, *consumer);
  if (gain > 0)
    edges.push_back({producer, consumer, gain});
}

void Planner::fuseProducers() {
  for (FusionGroup *group : groups.getAll())
    for (FusionGroup *producer : groups.getProducers(*group))
      addEdge(producer, group);
  while (!edges.empty()) {
    auto best = llvm::max_element(edges, [](const Edge &lhs, const Edge &rhs) {
      return lhs.gain < rhs.gain;
    });
    Edge edge = *best;
    edges.erase(best);
    if (!groups.canJoin(*edge.producer, *edge.consumer))
      continue;
    FusionGroup *joined = groups.join(*edge.producer, *edge.consumer);
    llvm::erase_if(edges, [](const Edge &other) {
      return !other.producer->isAlive || !other.consumer->isAlive;
    });
    for (FusionGroup *producer : groups.getProducers(*joined))
      addEdge(producer, joined);
    for (FusionGroup *consumer : groups.getConsumers(*joined))
      addEdge(joined, consumer);
  }
}

void Planner::recomputeShared(Consumers which) {
  constexpr size_t mostCopies = 4;
  for (FusionGroup *group : groups.getAll()) {
    auto consumers = groups.getConsumers(*group);
    bool isCandidate =
        group->isAlive && !group->hasContraction && consumers.size() > 1 &&
        consumers.size() <= mostCopies &&
        llvm::all_of(consumers, [&](FusionGroup *consumer) {
          return which == Consumers::All || consumer->hasContraction;
        });
    if (isCandidate)
      groups.copyInto(*group, consumers);
  }
}

FusionPlan fuse::planFusion(FunctionOpInterface function,
                            const DimAnalysis &dims,
                            const FusionOptions &options) {
  Planner planner(function, dims, options);
  if (options.fuse) {
    planner.fuseEpilogues();
    planner.fuseRows();
    planner.fuseSiblings();
    planner.recomputeShared(Planner::Consumers::Contractions);
    planner.fuseProducers();
    planner.recomputeShared(Planner::Consumers::All);
  }
  FusionPlan plan = planner.finish();
  if (options.fuse)
    plan.memoryOrders =
        chooseMemoryOrders(function, dims, plan.kernels, plan.copied);
  return plan;
}
