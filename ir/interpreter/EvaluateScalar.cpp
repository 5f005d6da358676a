//===- EvaluateScalar.cpp - Scalar functions with error bounds ------------===//
//
// The error of a function's operands is propagated through intervals: the
// functions are monotone between the few points listed in `turningPoints`, so
// the range over an interval is that over its ends and those points.
//
//===----------------------------------------------------------------------===//

#include "EvaluateScalar.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

using namespace fuse;

static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Minimum and maximum propagate NaN, and order -0 below 0.
static double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::nan("");
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

static double maximum(double a, double b) { return -minimum(-a, -b); }

static double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

static double geluTanh(double x) {
  constexpr double sqrt2OverPi = 0.79788456080286535588;
  double inner = sqrt2OverPi * (x + 0.044715 * x * x * x);
  // 1 + tanh(y) = 2 sigmoid(2y), without cancellation.
  return x * sigmoid(2 * inner);
}

/// `x * factor`, where the factor's zero wins over an infinite x: the limit.
static double scaleToZero(double x, double factor) {
  return std::isinf(x) && factor == 0 ? -0.0 : x * factor;
}

double fuse::evaluate(ScalarFn fn, ArrayRef<double> operands) {
  double x = operands[0];
  double y = operands.size() > 1 ? operands[1] : 0;
  constexpr double sqrtHalf = 0.70710678118654752440;
  switch (fn) {
  case ScalarFn::Neg:
    return -x;
  case ScalarFn::Abs:
    return std::fabs(x);
  case ScalarFn::Add:
    return x + y;
  case ScalarFn::Sub:
    return x - y;
  case ScalarFn::Mul:
    return x * y;
  case ScalarFn::Div:
    return x / y;
  case ScalarFn::Min:
    return minimum(x, y);
  case ScalarFn::Max:
    return maximum(x, y);
  case ScalarFn::Clamp:
    return minimum(maximum(x, y), operands[2]);
  case ScalarFn::Pow:
    return std::pow(x, y);
  case ScalarFn::Sqrt:
    return std::sqrt(x);
  case ScalarFn::Rsqrt:
    return 1 / std::sqrt(x);
  case ScalarFn::Exp:
    return std::exp(x);
  case ScalarFn::Exp2:
    return std::exp2(x);
  case ScalarFn::Expm1:
    return std::expm1(x);
  case ScalarFn::Log:
    return std::log(x);
  case ScalarFn::Log2:
    return std::log2(x);
  case ScalarFn::Log1p:
    return std::log1p(x);
  case ScalarFn::Sin:
    return std::sin(x);
  case ScalarFn::Cos:
    return std::cos(x);
  case ScalarFn::Tanh:
    return std::tanh(x);
  case ScalarFn::Erf:
    return std::erf(x);
  case ScalarFn::Sigmoid:
    return sigmoid(x);
  case ScalarFn::Silu:
    return scaleToZero(x, sigmoid(x));
  case ScalarFn::Gelu:
    return scaleToZero(x, 0.5 * std::erfc(-x * sqrtHalf));
  case ScalarFn::GeluTanh:
    return std::isinf(x) ? maximum(x, -0.0) : geluTanh(x);
  case ScalarFn::Softplus:
    return maximum(x, 0) + std::log1p(std::exp(-std::fabs(x)));
  case ScalarFn::Relu:
    return maximum(x, 0);
  case ScalarFn::LeakyRelu:
    return x >= 0 || std::isnan(x) ? x : y * x;
  case ScalarFn::Elu:
    return x >= 0 || std::isnan(x) ? x : y * std::expm1(x);
  case ScalarFn::Floor:
    return std::floor(x);
  case ScalarFn::Ceil:
    return std::ceil(x);
  case ScalarFn::Round:
    return std::nearbyint(x);
  case ScalarFn::FloorDiv:
  case ScalarFn::Mod:
  case ScalarFn::And:
  case ScalarFn::Or:
  case ScalarFn::Xor:
  case ScalarFn::Not:
    break;
  }
  llvm_unreachable("no function of floats");
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

Scalar fuse::finish(double value, double propagated, double own, bool undecided,
                    const FloatFormat &format) {
  if (std::isnan(propagated))
    propagated = infinity;
  if (!std::isfinite(value))
    return {value, std::isinf(propagated) ? infinity : 0.0, undecided};
  double bound = propagated + own;
  if (std::fabs(value) + bound > format.max)
    bound = infinity;
  return {value, bound, undecided};
}

/// |a - b|, 0 for equal infinities.
static double gap(double a, double b) { return a == b ? 0 : std::fabs(a - b); }

/// Where a function of one variable turns or jumps, apart from `floor` and its
/// kin, whose hull needs only the ends.
static ArrayRef<double> turningPoints(ScalarFn fn) {
  static constexpr double zero[] = {0.0};
  static constexpr double silu[] = {-1.2784645427610738};
  static constexpr double gelu[] = {-0.7517915241291899};
  static constexpr double geluTanhPoint[] = {-0.7524614220710926};
  switch (fn) {
  case ScalarFn::Abs:
  case ScalarFn::Elu:
  case ScalarFn::LeakyRelu:
    return zero;
  case ScalarFn::Silu:
    return silu;
  case ScalarFn::Gelu:
    return gelu;
  case ScalarFn::GeluTanh:
    return geluTanhPoint;
  default:
    return {};
  }
}

static bool jumps(ScalarFn fn) {
  return fn == ScalarFn::Floor || fn == ScalarFn::Ceil || fn == ScalarFn::Round;
}

/// How far the function of one variable, further operands fixed, may move from
/// its value as the first operand moves by its bound.
static double propagateFirst(ScalarFn fn, const Scalar &x,
                             ArrayRef<double> operands, double value) {
  if (x.bound == 0)
    return 0;
  if (!std::isfinite(x.bound))
    return infinity;
  if (fn == ScalarFn::Sin || fn == ScalarFn::Cos)
    return std::min(x.bound, 2.0);
  SmallVector<double, 3> at(operands);
  double distance = 0;
  auto visit = [&](double point) {
    at[0] = point;
    double difference = gap(evaluate(fn, at), value);
    // NaN where the interval leaves the domain: nothing can be said.
    distance = std::isnan(difference) ? infinity
                                      : std::max(distance, difference);
  };
  visit(x.low());
  visit(x.high());
  for (double point : turningPoints(fn))
    if (point > x.low() && point < x.high())
      visit(point);
  // A pole inside the interval; its ends alone would not show it.
  if ((fn == ScalarFn::Rsqrt || fn == ScalarFn::Log || fn == ScalarFn::Log2) &&
      x.low() <= 0)
    return infinity;
  return distance;
}

/// The error of an ieee-class evaluation of a function, as ScalarFn.def says.
/// Activations that end in a product with a vanishing factor may be off by
/// that of the factor, and may flush it to zero.
static double ownError(ScalarFn fn, ArrayRef<double> operands,
                       double magnitude, const OpRounding &rounding) {
  double ulps = getInfo(fn).ulps;
  double error = rounding.error(magnitude, ulps);
  if (rounding.exact)
    return error;
  switch (fn) {
  case ScalarFn::Sigmoid:
    return error + rounding.format.minNormal;
  case ScalarFn::Silu:
    return error + rounding.format.minNormal * std::fabs(operands[0]);
  case ScalarFn::Gelu:
  case ScalarFn::GeluTanh:
    return operands[0] < 0 && std::isfinite(operands[0])
               ? rounding.error(0.5 * operands[0], ulps)
               : error;
  default:
    return error;
  }
}

static double propagateMul(const Scalar &a, const Scalar &b) {
  // An infinite factor keeps its sign unless the other may pass zero.
  for (auto [x, y] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (std::isinf(x->value) && x->bound == 0)
      return y->bound == 0 || std::fabs(y->value) > y->bound ? 0 : infinity;
  return std::fabs(a.value) * b.bound + std::fabs(b.value) * a.bound +
         a.bound * b.bound;
}

static double propagateDiv(const Scalar &a, const Scalar &b) {
  if (b.bound == 0)
    return a.bound == 0 ? 0 : a.bound / std::fabs(b.value);
  if (std::fabs(b.value) <= b.bound)
    return infinity;
  if (std::isinf(a.value))
    return a.bound == 0 ? 0 : infinity;
  return (a.bound + std::fabs(a.value / b.value) * b.bound) /
         (std::fabs(b.value) - b.bound);
}

/// Functions that grow with each operand: the range is that of the corners.
static double propagateMonotone(ScalarFn fn, ArrayRef<Scalar> operands,
                                double value) {
  SmallVector<double, 3> low, high;
  for (const Scalar &operand : operands) {
    low.push_back(operand.low());
    high.push_back(operand.high());
  }
  return std::max(gap(value, evaluate(fn, low)),
                  gap(evaluate(fn, high), value));
}

static double propagatePow(const Scalar &x, const Scalar &y, double value) {
  if (x.bound == 0 && y.bound == 0)
    return 0;
  double distance = 0;
  auto visit = [&](double base, double exponent) {
    double difference = gap(std::pow(base, exponent), value);
    distance = std::isnan(difference) ? infinity
                                      : std::max(distance, difference);
  };
  bool isWhole = y.bound == 0 && y.value == std::nearbyint(y.value);
  // x^y is monotone in both for x > 0, and in x alone on each side of 0 for a
  // whole positive y.
  if (x.low() <= 0 && !(isWhole && y.value >= 0))
    return infinity;
  for (double base : {x.low(), x.high()})
    for (double exponent : {y.low(), y.high()})
      visit(base, exponent);
  if (x.low() < 0 && x.high() > 0)
    visit(0, y.value);
  // In y the turning point of x^y is x = 1, where it is 1 for every y.
  if (y.bound > 0 && x.low() < 1 && x.high() > 1)
    visit(1, y.value);
  return distance;
}

/// leaky_relu and elu: alpha scales the negative side.
static double propagateAlpha(ScalarFn fn, ArrayRef<Scalar> operands,
                             ArrayRef<double> values, double value) {
  double side = std::min(operands[0].low(), 0.0);
  if (fn == ScalarFn::Elu)
    side = std::expm1(side);
  double byAlpha = operands[1].bound == 0 ? 0
                                          : std::fabs(side) * operands[1].bound;
  return propagateFirst(fn, operands[0], values, value) + byAlpha;
}

static double propagate(ScalarFn fn, ArrayRef<Scalar> operands,
                        ArrayRef<double> values, double value) {
  switch (fn) {
  case ScalarFn::Add:
  case ScalarFn::Sub:
    return operands[0].bound + operands[1].bound;
  case ScalarFn::Mul:
    return propagateMul(operands[0], operands[1]);
  case ScalarFn::Div:
    return propagateDiv(operands[0], operands[1]);
  case ScalarFn::Min:
  case ScalarFn::Max:
  case ScalarFn::Clamp:
    return propagateMonotone(fn, operands, value);
  case ScalarFn::Pow:
    return propagatePow(operands[0], operands[1], value);
  case ScalarFn::LeakyRelu:
  case ScalarFn::Elu:
    return propagateAlpha(fn, operands, values, value);
  default:
    return propagateFirst(fn, operands[0], values, value);
  }
}

Scalar fuse::evaluateFloat(ScalarFn fn, ArrayRef<Scalar> operands,
                           const OpRounding &rounding) {
  SmallVector<double, 3> values;
  bool undecided = false, isExact = true;
  for (const Scalar &operand : operands) {
    values.push_back(operand.value);
    undecided |= operand.undecided;
    isExact &= operand.bound == 0;
  }
  double value = evaluate(fn, values);
  double propagated = isExact ? 0 : propagate(fn, operands, values, value);
  if (jumps(fn) && propagated > 0)
    undecided = true;
  double own =
      ownError(fn, values, std::fabs(value) + propagated, rounding);
  return finish(value, propagated, own, undecided, rounding.format);
}

//===----------------------------------------------------------------------===//
// Integers, comparisons, select
//===----------------------------------------------------------------------===//

static std::optional<int64_t> evaluateExact(ScalarFn fn,
                                            ArrayRef<int64_t> operands,
                                            unsigned width) {
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

static bool compare(Comparison comparison, double a, double b) {
  switch (comparison) {
  case Comparison::Eq:
    return a == b;
  case Comparison::Ne:
    return a != b;
  case Comparison::Lt:
    return a < b;
  case Comparison::Le:
    return a <= b;
  case Comparison::Gt:
    return a > b;
  case Comparison::Ge:
    return a >= b;
  }
  llvm_unreachable("unknown comparison");
}

Scalar fuse::evaluate(Comparison comparison, const Scalar &lhs,
                      const Scalar &rhs) {
  bool result = compare(comparison, lhs.value, rhs.value);
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
  double bound = std::max(chosen.bound, distance + other.bound);
  return {chosen.value, std::isnan(bound) ? infinity : bound, true};
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
