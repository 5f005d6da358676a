//===- LoopEnd.cpp - Where terms of a loop stop counting ------------------===//

#include "LoopEnd.h"

using namespace mlir;
using namespace fuse;

namespace {
/// What is known of a value at the positions that the mask excludes.
enum class Masked { Unknown, Zero, MinusInfinity };

class LoopEndFinder {
public:
  LoopEndFinder(const LoopGroup &group, const IndexForm &form)
      : group(group), form(form), position(group.loops.front().index) {}

  std::optional<LoopEnd> run();

private:
  /// What the terms of a member are where the mask excludes them.
  bool vanishes(const LoopMember &member);
  Masked evaluate(OpOperand &operand);
  Masked evaluateOp(Operation *op);
  Masked evaluateMap(MapOp op);
  Masked evaluateSelect(SelectOp op);
  Masked evaluateConstant(ConstantOp op);
  /// True if the comparison excludes positions for which `isExcluded` is its
  /// answer; notes which.
  bool isMask(OpOperand &condition, bool isExcluded);
  /// The one index that an operand counts.
  std::optional<IndexId> getCounted(OpOperand &operand);
  bool isMember(OpOperand &operand);

  const LoopGroup &group;
  const IndexForm &form;
  IndexId position;
  std::optional<LoopEnd> end;
  llvm::DenseMap<Operation *, Masked> known;
};
} // namespace

/// Behind index maps.
static Operation *getOp(Value value) {
  while (isIndexMap(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value.getDefiningOp();
}

std::optional<IndexId> LoopEndFinder::getCounted(OpOperand &operand) {
  auto iota = dyn_cast_or_null<IotaOp>(getOp(operand.get()));
  if (!iota || !getElementTypeOrSelf(iota.getType()).isInteger(32) ||
      form.getCounted(iota).size() != 1)
    return std::nullopt;
  return form.getCounted(iota).front();
}

bool LoopEndFinder::isMember(OpOperand &operand) {
  return llvm::any_of(group.members, [&](const LoopMember &member) {
    return member.op == getOp(operand.get());
  });
}

bool LoopEndFinder::isMask(OpOperand &condition, bool isExcluded) {
  auto compare = dyn_cast_or_null<CompareOp>(getOp(condition.get()));
  if (!compare)
    return false;
  Comparison comparison = compare.getComparison();
  OpOperand *lhs = &compare->getOpOperand(0), *rhs = &compare->getOpOperand(1);
  std::optional<IndexId> left = getCounted(*lhs), right = getCounted(*rhs);
  if (!left || !right || *left == *right)
    return false;
  // As `position comparison row`, true where excluded.
  if (*right == position) {
    std::swap(left, right);
    comparison = comparison == Comparison::Lt   ? Comparison::Gt
                 : comparison == Comparison::Le ? Comparison::Ge
                 : comparison == Comparison::Gt ? Comparison::Lt
                 : comparison == Comparison::Ge ? Comparison::Le
                                                : comparison;
  }
  if (*left != position)
    return false;
  if (!isExcluded)
    comparison = comparison == Comparison::Lt   ? Comparison::Ge
                 : comparison == Comparison::Le ? Comparison::Gt
                                                : Comparison::Eq;
  if (comparison != Comparison::Gt && comparison != Comparison::Ge)
    return false;
  LoopEnd found{*right, comparison == Comparison::Gt ? 1 : 0};
  if (end && (end->row != found.row || end->distance != found.distance))
    return false;
  end = found;
  return true;
}

Masked LoopEndFinder::evaluateConstant(ConstantOp op) {
  auto elements = dyn_cast<DenseFPElementsAttr>(op.getValue());
  if (!elements || !elements.isSplat())
    return Masked::Unknown;
  APFloat value = elements.getSplatValue<APFloat>();
  return value.isZero()                             ? Masked::Zero
         : value.isInfinity() && value.isNegative() ? Masked::MinusInfinity
                                                    : Masked::Unknown;
}

Masked LoopEndFinder::evaluateSelect(SelectOp op) {
  OpOperand &condition = op->getOpOperand(0);
  Masked onTrue = evaluate(op->getOpOperand(1));
  Masked onFalse = evaluate(op->getOpOperand(2));
  if (onTrue == onFalse)
    return onTrue;
  if (onTrue != Masked::Unknown && isMask(condition, /*isExcluded=*/true))
    return onTrue;
  if (onFalse != Masked::Unknown && isMask(condition, /*isExcluded=*/false))
    return onFalse;
  return Masked::Unknown;
}

/// A reduction of the loop is finite where an online sum needs it.
Masked LoopEndFinder::evaluateMap(MapOp op) {
  OpOperand &first = op->getOpOperand(0);
  switch (op.getFn()) {
  case ScalarFn::Exp:
  case ScalarFn::Exp2:
    return evaluate(first) == Masked::MinusInfinity ? Masked::Zero
                                                    : Masked::Unknown;
  case ScalarFn::Sub:
    return evaluate(first) == Masked::MinusInfinity &&
                   isMember(op->getOpOperand(1))
               ? Masked::MinusInfinity
               : Masked::Unknown;
  case ScalarFn::Div:
    return evaluate(first) == Masked::Zero && isMember(op->getOpOperand(1))
               ? Masked::Zero
               : Masked::Unknown;
  default:
    return Masked::Unknown;
  }
}

Masked LoopEndFinder::evaluateOp(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return evaluateConstant(constant);
  if (auto select = dyn_cast<SelectOp>(op))
    return evaluateSelect(select);
  if (auto map = dyn_cast<MapOp>(op))
    return evaluateMap(map);
  if (isa<CastOp>(op))
    return evaluate(op->getOpOperand(0));
  return Masked::Unknown;
}

Masked LoopEndFinder::evaluate(OpOperand &operand) {
  Operation *op = getOp(operand.get());
  if (!op)
    return Masked::Unknown;
  auto it = known.find(op);
  if (it != known.end())
    return it->second;
  Masked result = evaluateOp(op);
  return known[op] = result;
}

bool LoopEndFinder::vanishes(const LoopMember &member) {
  if (isa<EinsumOp>(member.op))
    return llvm::any_of(member.op->getOpOperands(), [&](OpOperand &operand) {
      return evaluate(operand) == Masked::Zero;
    });
  Masked terms = evaluate(member.op->getOpOperand(0));
  return member.kind == ReduceKind::Sum   ? terms == Masked::Zero
         : member.kind == ReduceKind::Max ? terms == Masked::MinusInfinity
                                          : false;
}

std::optional<LoopEnd> LoopEndFinder::run() {
  bool allVanish = llvm::all_of(group.members, [&](const LoopMember &member) {
    return vanishes(member);
  });
  return allVanish ? end : std::nullopt;
}

std::optional<LoopEnd> fuse::findLoopEnd(const LoopGroup &group,
                                         const IndexForm &form) {
  if (group.loops.size() != 1)
    return std::nullopt;
  return LoopEndFinder(group, form).run();
}
