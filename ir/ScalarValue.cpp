//===- ScalarValue.cpp - Scalar functions in double -----------------------===//

#include "fuse/ir/ScalarValue.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

using namespace fuse;

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

ArrayRef<double> fuse::turningPoints(ScalarFn fn) {
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

bool fuse::holds(Comparison comparison, double a, double b) {
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
