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

Scalar fuse::finish(double value, double propagated, double own, bool undecided,
                    const FloatFormat &format) {
  if (std::isnan(propagated))
    propagated = infinity;
  if (!std::isfinite(value))
    return {value, std::isinf(propagated) ? infinity : 0.0, undecided};
  double bound = propagated + own;
  if (!(std::fabs(value) + bound <= format.max)) // true of NaN, too
    bound = infinity;
  return {value, bound, undecided};
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
    distance =
        std::isnan(difference) ? infinity : std::max(distance, difference);
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
static double ownError(ScalarFn fn, ArrayRef<double> operands, double magnitude,
                       const OpRounding &rounding) {
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
    if (std::isinf(operand.bound)) // may be NaN, which no limit holds
      return infinity;
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
    distance =
        std::isnan(difference) ? infinity : std::max(distance, difference);
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
  double byAlpha =
      operands[1].bound == 0 ? 0 : std::fabs(side) * operands[1].bound;
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

/// True if an operand that decides the result is NaN in every evaluation.
static bool staysNan(ScalarFn fn, ArrayRef<Scalar> operands) {
  auto isNan = [](const Scalar &x) {
    return std::isnan(x.value) && x.bound == 0;
  };
  switch (fn) {
  case ScalarFn::Pow: // of 1, or to the 0, is 1 even so
    return false;
  case ScalarFn::LeakyRelu:
  case ScalarFn::Elu: // alpha counts on one side only
    return isNan(operands[0]);
  default:
    return llvm::any_of(operands, isNan);
  }
}

/// A product with an exact zero is zero in every evaluation.
static bool isCertainZero(ArrayRef<Scalar> operands) {
  return llvm::any_of(
      operands, [](const Scalar &x) { return x.value == 0 && x.bound == 0; });
}

static SmallVector<double, 3> valuesOf(ArrayRef<Scalar> operands) {
  SmallVector<double, 3> values;
  for (const Scalar &operand : operands)
    values.push_back(operand.value);
  return values;
}

double fuse::propagatedError(ScalarFn fn, ArrayRef<Scalar> operands) {
  if (llvm::all_of(operands, [](const Scalar &x) { return x.bound == 0; }))
    return 0;
  SmallVector<double, 3> values = valuesOf(operands);
  return propagate(fn, operands, values, evaluate(fn, values));
}

Scalar fuse::evaluateFloat(ScalarFn fn, ArrayRef<Scalar> operands,
                           const OpRounding &rounding,
                           std::optional<double> propagated) {
  SmallVector<double, 3> values = valuesOf(operands);
  bool undecided =
      llvm::any_of(operands, [](const Scalar &x) { return x.undecided; });
  double value = evaluate(fn, values);
  if (std::isnan(value) && staysNan(fn, operands))
    return {value, 0, undecided};
  if (!propagated)
    propagated = propagatedError(fn, operands);
  if (jumps(fn) && *propagated > 0)
    undecided = true;
  double own = ownError(fn, values, std::fabs(value) + *propagated, rounding);
  if (fn == ScalarFn::Mul && isCertainZero(operands))
    own = 0;
  return finish(value, *propagated, own, undecided, rounding.format);
}
