//===- Factor.cpp - How terms of a reduction depend on another one --------===//

#include "fuse/passes/Factor.h"

using namespace mlir;
using namespace fuse;

using Kind = Factor::Kind;

/// The value behind index maps.
Value fuse::skipIndexMaps(Value value) {
  while (isIndexMap(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

bool fuse::isElementwise(Operation *op) {
  auto product = dyn_cast_or_null<EinsumOp>(op);
  return isa_and_nonnull<MapOp, CompareOp, SelectOp, CastOp>(op) ||
         (product && isProduct(product));
}

bool fuse::isNonNegative(Value value) {
  Operation *op = skipIndexMaps(value).getDefiningOp();
  if (auto select = dyn_cast_or_null<SelectOp>(op))
    return isNonNegative(select.getOnTrue()) &&
           isNonNegative(select.getOnFalse());
  if (auto constant = dyn_cast_or_null<ConstantOp>(op)) {
    auto elements = dyn_cast<DenseFPElementsAttr>(constant.getValue());
    return elements && llvm::all_of(elements, [](const APFloat &element) {
             return !element.isNegative();
           });
  }
  auto map = dyn_cast_or_null<MapOp>(op);
  if (!map)
    return false;
  ValueRange inputs = map.getInputs();
  switch (map.getFn()) {
  case ScalarFn::Exp:
  case ScalarFn::Exp2:
  case ScalarFn::Sigmoid:
  case ScalarFn::Abs:
  case ScalarFn::Softplus:
  case ScalarFn::Relu:
    return true;
  case ScalarFn::Mul:
    return inputs[0] == inputs[1] ||
           (isNonNegative(inputs[0]) && isNonNegative(inputs[1]));
  case ScalarFn::Add:
  case ScalarFn::Div:
  case ScalarFn::Min:
    return isNonNegative(inputs[0]) && isNonNegative(inputs[1]);
  case ScalarFn::Max:
    return isNonNegative(inputs[0]) || isNonNegative(inputs[1]);
  default:
    return false;
  }
}

namespace {
/// The values that r and elementwise ops on it make.
class Followers {
public:
  explicit Followers(Value r) : r(r) {}

  bool contains(Value value) {
    value = skipIndexMaps(value);
    if (value == r)
      return true;
    Operation *op = value.getDefiningOp();
    if (!isElementwise(op))
      return false;
    auto it = known.find(value);
    if (it != known.end())
      return it->second;
    bool follows = llvm::any_of(
        op->getOperands(), [&](Value operand) { return contains(operand); });
    return known[value] = follows;
  }

private:
  Value r;
  llvm::DenseMap<Value, bool> known;
};

class FactorFinder {
public:
  FactorFinder(Value r, ArrayRef<IndexId> streamed, const IndexForm &form)
      : r(r), followers(r), streamed(streamed), form(form) {}

  /// As a product of a part without r and h(r).
  std::optional<Factor> findProduct(Value value);

private:
  bool dependsOn(Value value) { return followers.contains(value); }
  /// As a sum of a part without r and L(r); appends the steps of L.
  bool findSum(Value value, SmallVectorImpl<Factor::Step> &steps);
  /// As `value` is written.
  std::optional<Factor> findWritten(Value value);
  std::optional<Factor> findMap(MapOp map);
  std::optional<Factor> findProductOf(EinsumOp product);
  std::optional<Factor> findSelect(SelectOp select);
  /// True if an operand differs between terms.
  bool isStreamed(OpOperand &operand) {
    const Read *read = form.getRead(operand);
    return llvm::any_of(streamed, [&](IndexId index) {
      return read ? read->access.stride(index) != DimExpr()
                  : llvm::is_contained(form.getIndices(form.getSource(operand)),
                                       index);
    });
  }

  Value r;
  Followers followers;
  ArrayRef<IndexId> streamed;
  const IndexForm &form;
};
} // namespace

bool FactorFinder::findSum(Value value, SmallVectorImpl<Factor::Step> &steps) {
  value = skipIndexMaps(value);
  if (value == r)
    return true;
  auto map = value.getDefiningOp<MapOp>();
  if (!map)
    return false;
  auto operand = [&](unsigned number) -> OpOperand & {
    return map->getOpOperand(number);
  };
  if (map.getFn() == ScalarFn::Neg) {
    if (!findSum(map.getInputs()[0], steps))
      return false;
    steps.push_back({ScalarFn::Neg});
    return true;
  }
  if (map.getInputs().size() != 2)
    return false;
  bool left = dependsOn(map.getInputs()[0]);
  if (left && dependsOn(map.getInputs()[1]))
    return false;
  unsigned dependent = left ? 0 : 1, other = 1 - dependent;
  if (!findSum(map.getInputs()[dependent], steps))
    return false;
  switch (map.getFn()) {
  case ScalarFn::Add:
    return true;
  case ScalarFn::Sub:
    if (!left)
      steps.push_back({ScalarFn::Neg});
    return true;
  case ScalarFn::Mul:
    steps.push_back({ScalarFn::Mul, &operand(other)});
    return !isStreamed(operand(other));
  case ScalarFn::Div:
    steps.push_back({ScalarFn::Div, &operand(other)});
    return left && !isStreamed(operand(other));
  default:
    return false;
  }
}

std::optional<Factor> FactorFinder::findMap(MapOp map) {
  ScalarFn fn = map.getFn();
  if (fn == ScalarFn::Exp || fn == ScalarFn::Exp2) {
    Factor factor{Kind::Exponential, {}, fn, {}};
    if (!findSum(map.getInputs()[0], factor.steps))
      return std::nullopt;
    return factor;
  }
  if (fn == ScalarFn::Neg)
    return findProduct(map.getInputs()[0]);
  if (fn != ScalarFn::Mul && fn != ScalarFn::Div)
    return std::nullopt;
  bool left = dependsOn(map.getInputs()[0]);
  if (left && dependsOn(map.getInputs()[1]))
    return std::nullopt;
  std::optional<Factor> factor = findProduct(map.getInputs()[left ? 0 : 1]);
  if (!factor || left || fn == ScalarFn::Mul)
    return factor;
  // In a divisor only one for all terms: the quotient of a sum is not a sum.
  if (factor->kind != Kind::Proportional)
    return std::nullopt;
  factor->kind = Kind::Reciprocal;
  return factor;
}

std::optional<Factor> FactorFinder::findProductOf(EinsumOp product) {
  bool left = dependsOn(product.getInputs()[0]);
  if (left && dependsOn(product.getInputs()[1]))
    return std::nullopt;
  return findProduct(product.getInputs()[left ? 0 : 1]);
}

std::optional<Factor> FactorFinder::findProduct(Value value) {
  value = skipIndexMaps(value);
  if (!dependsOn(value))
    return Factor();
  if (value != r)
    if (std::optional<Factor> factor = findWritten(value))
      return factor;
  if (llvm::any_of(streamed, [&](IndexId index) {
        return llvm::is_contained(form.getIndices(value), index);
      }))
    return std::nullopt;
  return Factor{Kind::Proportional, value};
}

std::optional<Factor> FactorFinder::findWritten(Value value) {
  if (auto map = value.getDefiningOp<MapOp>())
    return findMap(map);
  if (auto product = value.getDefiningOp<EinsumOp>())
    return findProductOf(product);
  if (auto select = value.getDefiningOp<SelectOp>())
    return findSelect(select);
  // Compared or rounded, it is no product.
  return std::nullopt;
}

static bool isConstant(Value value, function_ref<bool(const APFloat &)> test) {
  auto constant = skipIndexMaps(value).getDefiningOp<ConstantOp>();
  auto elements =
      constant ? dyn_cast<DenseFPElementsAttr>(constant.getValue()) : nullptr;
  return elements && elements.isSplat() &&
         test(elements.getSplatValue<APFloat>());
}

/// The extremum of which `select` makes rows zero where it is infinite, as rows
/// without anything to attend to are; null if it does something else.
static Value findEmptyRows(SelectOp select) {
  auto compare =
      skipIndexMaps(select.getCondition()).getDefiningOp<CompareOp>();
  if (!compare || compare.getComparison() != Comparison::Eq ||
      !isConstant(select.getOnTrue(),
                  [](const APFloat &value) { return value.isZero(); }))
    return nullptr;
  Value extremum = skipIndexMaps(compare.getLhs());
  auto reduce = extremum.getDefiningOp<ReduceOp>();
  if (!reduce || reduce.getKind() == ReduceKind::Sum)
    return nullptr;
  bool isNegative = reduce.getKind() == ReduceKind::Max;
  bool isIdentity = isConstant(compare.getRhs(), [&](const APFloat &value) {
    return value.isInfinity() && value.isNegative() == isNegative;
  });
  return isIdentity ? extremum : nullptr;
}

std::optional<Factor> FactorFinder::findSelect(SelectOp select) {
  Value extremum = findEmptyRows(select);
  if (!extremum)
    return std::nullopt;
  if (extremum == r) {
    std::optional<Factor> factor = findProduct(select.getOnFalse());
    if (!factor || factor->kind != Kind::Exponential)
      return std::nullopt;
    factor->isZeroAtIdentity = true;
    return factor;
  }
  // Empty rows are zero whatever else is applied to them, if they are made so
  // after that.
  std::optional<Factor> other =
      FactorFinder(extremum, streamed, form).findSelect(select);
  if (!other || !other->isZeroAtIdentity)
    return std::nullopt;
  return findProduct(select.getOnFalse());
}

bool fuse::followsFrom(Value value, Value r) {
  return Followers(r).contains(value);
}

std::optional<Factor> fuse::findFactor(OpOperand &term, Value r,
                                       ArrayRef<IndexId> streamed,
                                       const IndexForm &form) {
  return FactorFinder(r, streamed, form).findProduct(term.get());
}
