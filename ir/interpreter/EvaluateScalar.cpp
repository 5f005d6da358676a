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

static double evaluateActivation(ScalarFn fn, double x, double y) {
  constexpr double sqrtHalf = 0.70710678118654752440;
  switch (fn) {
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
  default:
    llvm_unreachable("no activation");
  }
}

static double evaluateElementary(ScalarFn fn, double x, double y) {
  switch (fn) {
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
  case ScalarFn::Floor:
    return std::floor(x);
  case ScalarFn::Ceil:
    return std::ceil(x);
  case ScalarFn::Round:
    return std::nearbyint(x);
  default:
    llvm_unreachable("no elementary function");
  }
}

double fuse::evaluate(ScalarFn fn, ArrayRef<double> operands) {
  double x = operands[0];
  double y = operands.size() > 1 ? operands[1] : 0;
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
  case ScalarFn::Sqrt:
  case ScalarFn::Rsqrt:
  case ScalarFn::Exp:
  case ScalarFn::Exp2:
  case ScalarFn::Expm1:
  case ScalarFn::Log:
  case ScalarFn::Log2:
  case ScalarFn::Log1p:
  case ScalarFn::Sin:
  case ScalarFn::Cos:
  case ScalarFn::Tanh:
  case ScalarFn::Erf:
  case ScalarFn::Floor:
  case ScalarFn::Ceil:
  case ScalarFn::Round:
    return evaluateElementary(fn, x, y);
  case ScalarFn::Sigmoid:
  case ScalarFn::Silu:
  case ScalarFn::Gelu:
  case ScalarFn::GeluTanh:
  case ScalarFn::Softplus:
  case ScalarFn::Relu:
  case ScalarFn::LeakyRelu:
  case ScalarFn::Elu:
    return evaluateActivation(fn, x, y);
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
  if (!(std::fabs(value) + bound <= format.max)) // true of NaN, too
    bound = infinity;
  return {value, bound, undecided};
}

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
