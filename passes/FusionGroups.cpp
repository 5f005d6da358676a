//===- FusionGroups.cpp - Kernels that are being joined -------------------===//

#include "FusionGroups.h"
#include "KernelSchedule.h"
#include "LoopGroups.h"

using namespace mlir;
using namespace fuse;

/// By how much the model may be wrong, and what one launch less is worth beyond
/// what a graph makes of it: outside of one it is 3.6 to 5 us. What the model
/// does not see, such as memory that is never asked for, speaks for joining.
static constexpr double modelError = 1.15;
static constexpr double launchWorth = 2.5;
/// Ops of a kernel that a person still reads with pleasure.
static constexpr size_t maxOps = 96;

FusionGroups::FusionGroups(FunctionOpInterface function,
                           const DimAnalysis &dims,
                           const FusionOptions &options)
    : trials(function, dims, copied), options(options) {
  unsigned position = 0;
  for (Operation &op : function.getFunctionBody().front()) {
    positions[&op] = position++;
    if (isa<DimInferenceOpInterface>(op) && !isFreelyCopied(&op) &&
        !isa<LaunchOp>(op))
      create(&op);
  }
}

FusionGroup *FusionGroups::create(ArrayRef<Operation *> ops) {
  auto group = std::make_unique<FusionGroup>();
  group->ops.assign(ops.begin(), ops.end());
  group->number = all.size();
  for (Operation *op : ops) {
    owners[op] = group.get();
    group->hasContraction |=
        isContraction(op) || isa<LinearOp, AttentionOp>(op);
    group->hasReduction |= isReduction(op);
  }
  all.push_back(std::move(group));
  return all.back().get();
}

SmallVector<FusionGroup *> FusionGroups::getAll() const {
  SmallVector<FusionGroup *> alive;
  for (const auto &group : all)
    if (group->isAlive)
      alive.push_back(group.get());
  llvm::sort(alive, [&](FusionGroup *lhs, FusionGroup *rhs) {
    return positionOf(lhs->ops.back()) < positionOf(rhs->ops.back());
  });
  return alive;
}

void FusionGroups::addProducers(
    Value value, llvm::SetVector<FusionGroup *> &producers) const {
  llvm::DenseSet<Operation *> seen;
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (FusionGroup *owner = owners.lookup(op))
      producers.insert(owner);
    else if (copied.contains(op))
      llvm::append_range(stack, llvm::reverse(op->getOperands()));
  }
}

SmallVector<FusionGroup *>
FusionGroups::getProducers(const FusionGroup &group) const {
  llvm::SetVector<FusionGroup *> producers;
  for (Operation *op : group.ops)
    for (Value operand : op->getOperands())
      addProducers(operand, producers);
  producers.remove_if([&](FusionGroup *other) { return other == &group; });
  SmallVector<FusionGroup *> sorted(producers.begin(), producers.end());
  llvm::sort(sorted, [&](FusionGroup *lhs, FusionGroup *rhs) {
    return positionOf(lhs->ops.back()) < positionOf(rhs->ops.back());
  });
  return sorted;
}

void FusionGroups::addConsumers(
    Value value, llvm::SetVector<FusionGroup *> &consumers) const {
  llvm::DenseSet<Operation *> seen;
  SmallVector<Operation *> stack(value.getUsers());
  while (!stack.empty()) {
    Operation *user = stack.pop_back_val();
    if (!seen.insert(user).second)
      continue;
    if (FusionGroup *owner = owners.lookup(user))
      consumers.insert(owner);
    else if (copied.contains(user))
      llvm::append_range(stack, user->getUsers());
  }
}

SmallVector<FusionGroup *>
FusionGroups::getConsumers(const FusionGroup &group) const {
  llvm::SetVector<FusionGroup *> consumers;
  for (Operation *op : group.ops)
    for (Value result : op->getResults())
      addConsumers(result, consumers);
  consumers.remove_if([&](FusionGroup *other) { return other == &group; });
  return SmallVector<FusionGroup *>(consumers.begin(), consumers.end());
}

bool FusionGroups::isOnlyFor(const FusionGroup &producer,
                             const FusionGroup &consumer) const {
  llvm::DenseSet<Operation *> members(producer.ops.begin(), producer.ops.end());
  members.insert(consumer.ops.begin(), consumer.ops.end());
  return llvm::all_of(producer.ops, [&](Operation *op) {
    llvm::SetVector<FusionGroup *> consumers;
    for (Value result : op->getResults())
      addConsumers(result, consumers);
    return !llvm::is_contained(consumers, &consumer) ||
           llvm::none_of(op->getUsers(), [&](Operation *user) {
             return copied.isNeededOutside(user, members);
           });
  });
}

SmallVector<std::pair<FusionGroup *, FusionGroup *>>
FusionGroups::getSiblings() const {
  llvm::MapVector<Value, llvm::SetVector<FusionGroup *>> readers;
  for (FusionGroup *group : getAll())
    for (Operation *op : group->ops)
      if (isContraction(op))
        for (Value operand : op->getOperands()) {
          while (isIndexMap(operand.getDefiningOp()))
            operand = operand.getDefiningOp()->getOperand(0);
          readers[operand].insert(group);
        }
  SmallVector<std::pair<FusionGroup *, FusionGroup *>> pairs;
  for (auto &[value, groups] : readers)
    for (size_t i = 0; i + 1 < groups.size(); ++i)
      pairs.emplace_back(groups[i], groups[i + 1]);
  return pairs;
}

SmallVector<Operation *> FusionGroups::unite(const FusionGroup &first,
                                             const FusionGroup &second) const {
  SmallVector<Operation *> ops(first.ops);
  llvm::append_range(ops, second.ops);
  llvm::sort(ops, [&](Operation *lhs, Operation *rhs) {
    return positionOf(lhs) < positionOf(rhs);
  });
  return ops;
}

/// Searches from what needs the results of one for what the other computes,
/// with something in between that is not freely copied.
bool FusionGroups::canJoin(const FusionGroup &first,
                           const FusionGroup &second) const {
  unsigned end =
      std::max(positionOf(first.ops.back()), positionOf(second.ops.back()));
  llvm::DenseSet<Operation *> seen;
  llvm::DenseSet<std::pair<Operation *, unsigned>> seenCopies;
  SmallVector<std::pair<Operation *, bool>> stack;
  auto pushUsers = [&](Operation *op, bool isBetween) {
    for (Operation *user : op->getUsers()) {
      Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
      if (ancestor && positionOf(ancestor) <= end)
        stack.emplace_back(ancestor, isBetween);
    }
  };
  for (const FusionGroup *group : {&first, &second})
    for (Operation *op : group->ops)
      pushUsers(op, false);
  while (!stack.empty()) {
    auto [op, isBetween] = stack.pop_back_val();
    FusionGroup *owner = owners.lookup(op);
    if (owner == &first || owner == &second) {
      if (isBetween)
        return false;
      continue;
    }
    if (!owner && copied.contains(op)) {
      if (seenCopies.insert({op, isBetween}).second)
        pushUsers(op, isBetween);
      continue;
    }
    if (!seen.insert(op).second)
      continue;
    if (!owner) {
      pushUsers(op, true);
      continue;
    }
    for (Operation *member : owner->ops)
      pushUsers(member, true);
  }
  return true;
}

const TrialResult &FusionGroups::getTrial(FusionGroup &group) {
  if (!group.trial)
    group.trial = trials.run(group.ops);
  return *group.trial;
}

bool FusionGroups::hasPair(ArrayRef<LinePair> pairs, const FusionGroup &first,
                           const FusionGroup &second) {
  return llvm::any_of(pairs, [&](const LinePair &pair) {
    return (hasLine(first.ops, pair.first) &&
            hasLine(second.ops, pair.second)) ||
           (hasLine(first.ops, pair.second) && hasLine(second.ops, pair.first));
  });
}

double FusionGroups::weigh(FusionGroup &first, FusionGroup &second) {
  std::pair<unsigned, unsigned> key(first.number, second.number);
  auto it = gains.find(key);
  if (it != gains.end())
    return it->second;
  FusionCandidate &candidate = candidates[key];
  candidate.first = first.ops.back();
  candidate.second = second.ops.back();
  candidate.isProducer = llvm::is_contained(getConsumers(first), &second);
  candidate.isFused = false;
  double &gain = gains[key];
  gain = -1;
  if (hasPair(options.forbidden, first, second)) {
    candidate.why = "forbidden";
    return gain;
  }
  if (first.ops.size() + second.ops.size() > maxOps) {
    candidate.why = "too many ops for a kernel";
    return gain;
  }
  if (!canJoin(first, second)) {
    candidate.why = "another kernel stands between them";
    return gain;
  }
  candidate.apart =
      getTrial(first).microseconds + getTrial(second).microseconds;
  TrialResult together = trials.run(unite(first, second));
  candidate.why = together.why;
  if (!together.why.empty())
    return gain;
  candidate.together = together.microseconds;
  candidate.reads = together.traffic / std::max(together.bytes, 1.0);
  double saved =
      modelError * candidate.apart + launchWorth - candidate.together;
  if (hasPair(options.forced, first, second))
    saved = std::numeric_limits<double>::max();
  if (saved <= 0)
    candidate.why = "slower";
  return gains[key] = saved;
}

FusionGroup *FusionGroups::join(FusionGroup &first, FusionGroup &second) {
  auto *it = candidates.find({first.number, second.number});
  if (it != candidates.end()) {
    it->second.isFused = true;
    it->second.why.clear();
  }
  first.isAlive = second.isAlive = false;
  return create(unite(first, second));
}

bool FusionGroups::copyInto(FusionGroup &producer,
                            ArrayRef<FusionGroup *> consumers) {
  llvm::DenseSet<Operation *> members(producer.ops.begin(), producer.ops.end());
  for (FusionGroup *consumer : consumers) {
    members.insert(consumer->ops.begin(), consumer->ops.end());
    if (hasPair(options.forbidden, producer, *consumer))
      return false;
  }
  for (Operation *op : producer.ops)
    if (llvm::any_of(op->getUsers(), [&](Operation *user) {
          return copied.isNeededOutside(user, members);
        }))
      return false;
  double apart = getTrial(producer).microseconds, together = 0;
  for (FusionGroup *consumer : consumers)
    apart += getTrial(*consumer).microseconds;
  copied.insert(producer.ops);
  for (FusionGroup *consumer : consumers) {
    TrialResult trial = trials.run(consumer->ops);
    together += trial.why.empty() ? trial.microseconds
                                  : std::numeric_limits<double>::infinity();
  }
  if (together > modelError * apart + launchWorth) {
    copied.erase(producer.ops);
    return false;
  }
  for (FusionGroup *consumer : consumers) {
    FusionCandidate &candidate =
        candidates[{producer.number, consumer->number}];
    candidate.first = producer.ops.back();
    candidate.second = consumer->ops.back();
    candidate.isProducer = candidate.isFused = true;
    candidate.apart = apart;
    candidate.together = together;
    candidate.why.clear();
    // What is known of it is not true any more.
    consumer->isAlive = false;
    create(SmallVector<Operation *>(consumer->ops));
  }
  producer.isAlive = false;
  for (Operation *op : producer.ops)
    owners.erase(op);
  return true;
}

/// The index maps that are all that becomes of a result: the kernel stores what
/// comes out of them. A broadcast is left to whoever reads it.
static void addIndexMaps(SmallVectorImpl<Operation *> &ops) {
  Operation *op = ops.back();
  while (op->getNumResults() == 1 && op->getResult(0).hasOneUse()) {
    OpOperand &use = *op->getResult(0).getUses().begin();
    op = use.getOwner();
    if (!isa<TransposeOp, ReshapeOp>(op) || use.getOperandNumber() != 0)
      return;
    ops.push_back(op);
  }
}

static StringRef getTellingName(const FusionGroup &group) {
  auto isTelling = [&](Operation *op) {
    return group.hasContraction ? isContraction(op)
                                : !group.hasReduction || isReduction(op);
  };
  auto it = llvm::find_if(llvm::reverse(group.ops), isTelling);
  Operation *op = it == group.ops.rend() ? group.ops.back() : *it;
  return op->getName().stripDialect();
}

FusionPlan FusionGroups::finish() {
  FusionPlan plan;
  llvm::StringMap<unsigned> counts;
  // Kahn's algorithm, the earliest group that can run first.
  SmallVector<FusionGroup *> waiting = getAll();
  llvm::DenseSet<FusionGroup *> done;
  while (!waiting.empty()) {
    auto *next = llvm::find_if(waiting, [&](FusionGroup *group) {
      return llvm::all_of(getProducers(*group), [&](FusionGroup *producer) {
        return done.contains(producer);
      });
    });
    FusionGroup *group = *next;
    waiting.erase(next);
    done.insert(group);
    StringRef name = getTellingName(*group);
    KernelPlan &kernel = plan.kernels.emplace_back();
    kernel.name = (name + "_" + Twine(counts[name]++)).str();
    kernel.ops = group->ops;
    addIndexMaps(kernel.ops);
  }
  plan.copied = copied;
  // What was joined, and what is still apart.
  llvm::SetVector<std::pair<unsigned, unsigned>> last;
  for (FusionGroup *group : getAll())
    for (FusionGroup *producer : getProducers(*group)) {
      weigh(*producer, *group);
      last.insert({producer->number, group->number});
    }
  for (auto &[key, candidate] : candidates)
    if (candidate.isFused || last.contains(key))
      plan.candidates.push_back(std::move(candidate));
  return plan;
}
