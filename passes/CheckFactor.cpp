//===- CheckFactor.cpp - A factor against the chain it is taken from ------===//

#include "CheckFactor.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/ir/ScalarValue.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace fuse;

namespace {
/// Evaluates elementwise ops for one element, with random numbers for whatever
/// does not depend on r.
class ElementEvaluator {
public:
  ElementEvaluator(Value r, uint64_t seed) : r(r), random(seed) {}

  /// What follows from the element `at` of r.
  double evaluate(Value value, double at);
  double getFactor(const Factor &factor, double at);

private:
  double evaluateOp(Operation &op, double at);
  double draw(Value value) {
    auto [it, isNew] = drawn.try_emplace(value, 0);
    if (isNew)
      it->second = std::uniform_real_distribution<double>(0.5, 1.5)(random);
    return it->second;
  }

  Value r;
  std::mt19937_64 random;
  llvm::DenseMap<Value, double> drawn;
};
} // namespace

double ElementEvaluator::evaluate(Value value, double at) {
  value = skipIndexMaps(value);
  if (value == r)
    return at;
  Operation *op = value.getDefiningOp();
  if (isElementwise(op))
    return evaluateOp(*op, at);
  if (auto constant = dyn_cast_or_null<ConstantOp>(op))
    if (auto elements = dyn_cast<DenseFPElementsAttr>(constant.getValue());
        elements && elements.isSplat())
      return elements.getSplatValue<APFloat>().convertToDouble();
  return draw(value);
}

double ElementEvaluator::evaluateOp(Operation &op, double at) {
  SmallVector<double> operands;
  for (Value operand : op.getOperands())
    operands.push_back(evaluate(operand, at));
  if (auto map = dyn_cast<MapOp>(op))
    return isa<FloatType>(getElementTypeOrSelf(map.getType()))
               ? fuse::evaluate(map.getFn(), operands)
               : draw(map.getResult());
  if (auto compare = dyn_cast<CompareOp>(op))
    return holds(compare.getComparison(), operands[0], operands[1]);
  if (isa<SelectOp>(op))
    return operands[0] != 0 ? operands[1] : operands[2];
  return isa<EinsumOp>(op) ? operands[0] * operands[1] : operands[0];
}

double ElementEvaluator::getFactor(const Factor &factor, double at) {
  switch (factor.kind) {
  case Factor::Kind::None:
    return 1;
  case Factor::Kind::Proportional:
    return evaluate(factor.value, at);
  case Factor::Kind::Reciprocal:
    return 1 / evaluate(factor.value, at);
  case Factor::Kind::Exponential:
    break;
  }
  double exponent = at;
  for (const Factor::Step &step : factor.steps) {
    SmallVector<double> operands = {exponent};
    if (step.by)
      operands.push_back(evaluate(step.by->get(), at));
    exponent = fuse::evaluate(step.fn, operands);
  }
  return fuse::evaluate(factor.base, exponent);
}

bool fuse::holdsFactor(Value term, Value r, const Factor &factor) {
  constexpr int trials = 16;
  for (int trial = 0; trial < trials; ++trial) {
    ElementEvaluator evaluator(r, trial);
    std::mt19937_64 random(trial);
    std::uniform_real_distribution<double> range(0.5, 2);
    double first = range(random), second = range(random);
    double lhs =
        evaluator.evaluate(term, first) * evaluator.getFactor(factor, second);
    double rhs =
        evaluator.evaluate(term, second) * evaluator.getFactor(factor, first);
    // Where something has no value, nothing is known.
    if (std::isfinite(lhs) && std::isfinite(rhs) &&
        std::abs(lhs - rhs) > 1e-9 * std::max(std::abs(lhs), std::abs(rhs)))
      return false;
  }
  return true;
}
