//===- EvaluateChoice.cpp - Integers, comparisons, select and casts -------===//
//
// Where an error may tip a choice, both sides are covered and the element is
// undecided.
//
//===----------------------------------------------------------------------===//

#include "EvaluateScalar.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

using namespace fuse;

static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Integers, comparisons, select
//===----------------------------------------------------------------------===//

static std::optional<int64_t>
evaluateExact(ScalarFn fn, ArrayRef<int64_t> operands, unsigned width) {
  int64_t x = operands[0];
  int64_t y = operands.size() > 1 ? operands[1] : 0;
  switch (fn) {
  case ScalarFn::Neg:
    return -x;
  case ScalarFn::Abs:
    return std::abs(x);
  case ScalarFn::Add:
    return x + y;
  case ScalarFn::Sub:
    return x - y;
  case ScalarFn::Mul:
    return x * y;
  case ScalarFn::Min:
    return std::min(x, y);
  case ScalarFn::Max:
    return std::max(x, y);
  case ScalarFn::Clamp:
    return std::min(std::max(x, y), operands[2]);
  case ScalarFn::Relu:
    return std::max<int64_t>(x, 0);
  case ScalarFn::FloorDiv:
  case ScalarFn::Mod: {
    if (y == 0)
      return std::nullopt;
    int64_t quotient = x / y - (x % y != 0 && (x < 0) != (y < 0));
    return fn == ScalarFn::FloorDiv ? quotient : x - quotient * y;
  }
  case ScalarFn::And:
    return x & y;
  case ScalarFn::Or:
    return x | y;
  case ScalarFn::Xor:
    return x ^ y;
  case ScalarFn::Not:
    return width == 1 ? !x : ~x;
  default:
    llvm_unreachable("no function of integers");
  }
}

/// The value that `width` bits hold: signed for i32, 0 or 1 for i1.
static double wrap(int64_t value, unsigned width) {
  return width == 1 ? value & 1 : static_cast<int32_t>(value);
}

FailureOr<Scalar> fuse::evaluateInteger(ScalarFn fn, ArrayRef<Scalar> operands,
                                        unsigned width) {
  SmallVector<int64_t, 3> values;
  bool undecided = false;
  for (const Scalar &operand : operands) {
    values.push_back(static_cast<int64_t>(operand.value));
    undecided |= operand.undecided || operand.bound > 0;
  }
  std::optional<int64_t> exact = evaluateExact(fn, values, width);
  if (!exact)
    return failure();
  Scalar result{wrap(*exact, width), 0, undecided};
  if (undecided)
    result.bound = width == 1 ? 1 : infinity;
  if (!undecided || width != 1)
    return result;
  // A truth value is decided if every choice of the open ones gives the same.
  bool same = true;
  for (unsigned flips = 1; flips < (1u << operands.size()); ++flips) {
    SmallVector<int64_t, 3> other(values);
    for (auto [index, operand] : llvm::enumerate(operands))
      if (flips >> index & 1 && operand.bound > 0)
        other[index] = !other[index];
    same &= wrap(*evaluateExact(fn, other, width), width) == result.value;
  }
  return same ? Scalar{result.value, 0, false} : result;
}

Scalar fuse::evaluate(Comparison comparison, const Scalar &lhs,
                      const Scalar &rhs) {
  bool result = holds(comparison, lhs.value, rhs.value);
  double slack = lhs.bound + rhs.bound;
  // Decided if exact, or if no error brings the operands together. An infinite
  // distance decides against a finite slack; NaN without error decides too.
  bool decided = slack == 0 || (std::isfinite(slack) &&
                                !(std::fabs(lhs.value - rhs.value) <= slack));
  return {static_cast<double>(result), decided ? 0.0 : 1.0, !decided};
}

Scalar fuse::evaluateSelect(const Scalar &condition, const Scalar &onTrue,
                            const Scalar &onFalse) {
  const Scalar &chosen = condition.value != 0 ? onTrue : onFalse;
  if (condition.bound == 0)
    return chosen;
  const Scalar &other = condition.value != 0 ? onFalse : onTrue;
  bool bothNan = std::isnan(chosen.value) && std::isnan(other.value);
  double distance = bothNan ? 0 : gap(other.value, chosen.value);
  double bound = distance + other.bound;
  if (std::isnan(bound)) // one side is NaN
    bound = infinity;
  return {chosen.value, std::max(chosen.bound, bound), true};
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Truncates toward zero and saturates; NaN becomes 0.
static double toInt32(double value) {
  if (std::isnan(value))
    return 0;
  return std::min<double>(std::max<double>(std::trunc(value), INT32_MIN),
                          INT32_MAX);
}

Scalar fuse::evaluateCast(const Scalar &source, mlir::Type from,
                          mlir::Type to) {
  auto apply = [&](double value) -> double {
    if (to.isInteger(1))
      return value != 0;
    if (to.isInteger(32))
      return toInt32(value);
    return FloatFormat::of(to).round(value);
  };
  Scalar result{apply(source.value), 0, source.undecided};
  if (source.bound == 0)
    return result;
  // The conversion is monotone, except to i1, where 0 stands apart.
  double distance = std::max(gap(apply(source.low()), result.value),
                             gap(apply(source.high()), result.value));
  if (to.isInteger(1) && std::fabs(source.value) <= source.bound)
    distance = 1;
  if (std::isnan(distance))
    distance = std::isfinite(result.value) || !std::isfinite(source.bound)
                   ? infinity
                   : 0;
  result.bound = distance;
  if (to.isInteger() && distance > 0)
    result.undecided = true;
  return result;
}
