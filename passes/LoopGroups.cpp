//===- LoopGroups.cpp - Which reductions share a loop ---------------------===//

#include "LoopGroups.h"
#include "CheckFactor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuse;

LoopMember fuse::describeReduction(Operation *op) {
  auto reduce = dyn_cast<ReduceOp>(op);
  ReduceKind kind = reduce ? reduce.getKind() : ReduceKind::Sum;
  Type type = getElementTypeOrSelf(op->getOperand(0));
  bool isNarrow = type.isF16() || type.isBF16();
  if (isNarrow && kind == ReduceKind::Sum)
    type = Float32Type::get(op->getContext());
  return {op, kind, type, {}};
}

bool fuse::isNested(Operation &op, const IndexForm &form,
                    const KernelSchedule &schedule) {
  return llvm::any_of(form.getIndices(op.getResult(0)), [&](IndexId index) {
    return schedule.getStreamed(index) != nullptr;
  });
}

static int64_t getStep(Operation *op, const StreamedIndex &streamed) {
  if (isByTerms(op))
    return termsOfChain;
  return isContraction(op) ? streamed.contractionStep : streamed.rowStep;
}

SmallVector<TileDim> fuse::getLoops(Operation *op, const IndexForm &form,
                                    const KernelSchedule &schedule) {
  llvm::SmallSetVector<IndexId, 4> removed;
  for (OpOperand &operand : op->getOpOperands())
    removed.insert_range(form.getIndices(operand));
  for (IndexId index : form.getIndices(op->getResult(0)))
    removed.remove(index);
  SmallVector<TileDim> loops;
  for (const StreamedIndex &streamed : schedule.streamed)
    if (removed.contains(streamed.index))
      loops.push_back({streamed.index, getStep(op, streamed)});
  return loops;
}

namespace {
class Grouper {
public:
  Grouper(func::FuncOp kernel, const IndexForm &form,
          const KernelSchedule &schedule)
      : kernel(kernel), form(form), schedule(schedule) {}

  SmallVector<LoopGroup> run();

private:
  /// Reductions that a value needs: through elementwise ops alone, and through
  /// others that are not in a loop of their own.
  struct Needs {
    llvm::SetVector<Operation *> direct, indirect;
  };
  const Needs &getNeeds(Value value);
  void addNeeds(OpOperand &operand, Needs &needs);
  /// The factors by which `op` depends on members of `group`, or nullopt.
  std::optional<std::vector<LoopMember::Correction>>
  findCorrections(Operation *op, const LoopGroup &group);
  std::optional<LoopMember::Correction>
  findCorrection(Operation *op, const LoopGroup &group, unsigned member);
  void add(Operation *op, ArrayRef<TileDim> loops);
  /// True if one more contraction leaves too few registers for sums.
  bool isFull(const LoopGroup &group, Operation *op);

  func::FuncOp kernel;
  const IndexForm &form;
  const KernelSchedule &schedule;
  SmallVector<LoopGroup> groups;
  llvm::DenseMap<Operation *, unsigned> groupOf;
  llvm::DenseMap<Value, Needs> known;
};
} // namespace

void Grouper::addNeeds(OpOperand &operand, Needs &needs) {
  Value source = form.getSource(operand);
  if (!source || form.getRead(operand))
    return;
  Operation *op = source.getDefiningOp();
  if (groupOf.count(op)) {
    needs.direct.insert(op);
    return;
  }
  const Needs &more = getNeeds(source);
  if (!isReduction(op))
    needs.direct.insert_range(more.direct);
  else
    needs.indirect.insert_range(more.direct);
  needs.indirect.insert_range(more.indirect);
}

const Grouper::Needs &Grouper::getNeeds(Value value) {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  Needs needs;
  for (OpOperand &operand : value.getDefiningOp()->getOpOperands())
    addNeeds(operand, needs);
  return known[value] = std::move(needs);
}

std::optional<LoopMember::Correction>
Grouper::findCorrection(Operation *op, const LoopGroup &group,
                        unsigned member) {
  const LoopMember &source = group.members[member];
  LoopMember target = describeReduction(op);
  if (target.kind != ReduceKind::Sum ||
      target.elementType != source.elementType)
    return std::nullopt;
  SmallVector<IndexId> streamed;
  for (const TileDim &loop : group.loops)
    streamed.push_back(loop.index);
  // Of a product's operands one may have the factor.
  std::optional<Factor> found;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<Factor> factor =
        findFactor(operand, source.op->getResult(0), streamed, form);
    if (!factor || (found && factor->kind != Factor::Kind::None))
      return std::nullopt;
    assert(holdsFactor(operand.get(), source.op->getResult(0), *factor) &&
           "the rewritten chain computes something else");
    if (factor->kind != Factor::Kind::None)
      found = factor;
  }
  if (!found)
    return LoopMember::Correction{member, Factor(), false};
  bool isExponential = found->kind == Factor::Kind::Exponential;
  bool isItself = found->value == source.op->getResult(0);
  if (source.kind == ReduceKind::Sum) {
    // A sum so far says nothing of how large terms are: it must not be needed
    // to keep them in range.
    bool isSafe = (found->kind == Factor::Kind::Proportional && isItself) ||
                  llvm::all_of(source.op->getOperands(), isNonNegative);
    if (isExponential || !isSafe ||
        getElementTypeOrSelf(found->value) != target.elementType)
      return std::nullopt;
    return LoopMember::Correction{member, *found, true};
  }
  // An extremum so far keeps terms in range, as long as it is no divisor that
  // passes through zero, and all members need it alike.
  bool isSafe = isExponential || (found->kind == Factor::Kind::Reciprocal &&
                                  isItself && source.kind == ReduceKind::Max &&
                                  isNonNegative(source.op->getOperand(0)));
  bool isAlike =
      source.neededAs == Factor::Kind::None || source.neededAs == found->kind;
  if (!isSafe || !isAlike)
    return std::nullopt;
  return LoopMember::Correction{member, *found, false};
}

std::optional<std::vector<LoopMember::Correction>>
Grouper::findCorrections(Operation *op, const LoopGroup &group) {
  std::vector<LoopMember::Correction> corrections;
  for (unsigned member = 0; member < group.members.size(); ++member) {
    std::optional<LoopMember::Correction> correction =
        findCorrection(op, group, member);
    if (!correction)
      return std::nullopt;
    if (correction->factor.kind != Factor::Kind::None)
      corrections.push_back(*correction);
  }
  // What is left out may depend on one member only: else it would be applied
  // once for each.
  for (const LoopMember::Correction &correction : corrections)
    for (unsigned member = 0; member < group.members.size(); ++member)
      if (correction.isDeferred && member != correction.member &&
          followsFrom(correction.factor.value,
                      group.members[member].op->getResult(0)))
        return std::nullopt;
  return corrections;
}

static llvm::SmallSetVector<IndexId, 2>
getLoopsAround(Operation *op, const IndexForm &form,
               const KernelSchedule &schedule) {
  llvm::SmallSetVector<IndexId, 2> around;
  for (const StreamedIndex &streamed : schedule.streamed)
    if (llvm::is_contained(form.getIndices(op->getResult(0)), streamed.index))
      around.insert(streamed.index);
  return around;
}

bool Grouper::isFull(const LoopGroup &group, Operation *op) {
  // Beside them a thread has as many of a chain, and the next step's operands.
  // Two of 64 spill: queries, keys and values of 4096 rows of 512 take 223 us
  // in loops of 128 sums and 188 us in loops of 64 (H200).
  constexpr int64_t mostSums = 64;
  auto getSums = [&](Operation *member) {
    int64_t elements = 1;
    for (IndexId index : form.getIndices(member->getResult(0)))
      elements *= schedule.getExtent(index);
    return llvm::divideCeil(elements, schedule.threads);
  };
  int64_t sums = getSums(op);
  for (const LoopMember &member : group.members)
    sums += getSums(member.op);
  return isContraction(op) && sums > mostSums;
}

void Grouper::add(Operation *op, ArrayRef<TileDim> loops) {
  auto around = getLoopsAround(op, form, schedule);
  Needs needs;
  for (OpOperand &operand : op->getOpOperands())
    addNeeds(operand, needs);
  unsigned first = 0, before = 0;
  for (Operation *need : needs.direct)
    first = std::max(first, groupOf[need]);
  for (Operation *need : needs.indirect)
    before = std::max(before, groupOf[need] + 1);
  first = std::max(first, before);

  auto loopsAlike = [&](const LoopGroup &group) {
    return group.around == around &&
           llvm::equal(group.loops, loops,
                       [](const TileDim &lhs, const TileDim &rhs) {
                         return lhs.index == rhs.index;
                       });
  };
  LoopMember member = describeReduction(op);
  unsigned number = first;
  for (; number < groups.size(); ++number) {
    LoopGroup &group = groups[number];
    if (!loopsAlike(group))
      continue;
    bool needsGroup = llvm::any_of(
        needs.direct, [&](Operation *need) { return groupOf[need] == number; });
    // Loops over rows take longer steps.
    Operation *front = group.members.front().op;
    if (isByTerms(front) != isByTerms(op) ||
        (!needsGroup && isContraction(front) != isContraction(op)))
      continue;
    if (!needsGroup && isFull(group, op))
      continue;
    if (!needsGroup)
      break;
    if (auto corrections = findCorrections(op, group)) {
      member.corrections = std::move(*corrections);
      break;
    }
  }
  if (number == groups.size())
    groups.push_back({llvm::to_vector(loops), around, {}});
  LoopGroup &group = groups[number];
  for (auto [loop, own] : llvm::zip_equal(group.loops, loops))
    loop.extent = std::min(loop.extent, own.extent);
  for (const LoopMember::Correction &correction : member.corrections)
    if (!correction.isDeferred)
      group.members[correction.member].neededAs = correction.factor.kind;
  group.members.push_back(std::move(member));
  groupOf[op] = number;
}

SmallVector<LoopGroup> Grouper::run() {
  for (Operation &op : kernel.front().without_terminator()) {
    if (!isReduction(&op))
      continue;
    SmallVector<TileDim> loops = ::getLoops(&op, form, schedule);
    if (!loops.empty())
      add(&op, loops);
  }
  return std::move(groups);
}

SmallVector<LoopGroup> fuse::groupReductions(func::FuncOp kernel,
                                             const IndexForm &form,
                                             const KernelSchedule &schedule) {
  return Grouper(kernel, form, schedule).run();
}
