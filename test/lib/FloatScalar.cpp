//===- FloatScalar.cpp - Scalar functions as kernels compute them ---------===//

#include "FloatScalar.h"
#include "FloatSums.h"
#include "fuse/runtime/DType.h"
#include "mlir/IR/BuiltinTypes.h"
#include <cmath>

using namespace fuse;
using namespace fuse::test;

double fuse::test::roundTo(mlir::Type elementType, double value) {
  if (elementType.isInteger(1))
    return value != 0;
  if (elementType.isInteger(32))
    return std::isnan(value)
               ? 0
               : std::trunc(
                     std::fmin(std::fmax(value, -2147483648.0), 2147483647.0));
  if (elementType.isF16())
    return rt::roundToDType(rt::DType::F16, value);
  if (elementType.isBF16())
    return rt::roundToDType(rt::DType::BF16, value);
  return elementType.isF32() ? static_cast<float>(value) : value;
}

template <typename Real>
static Real applyActivation(ScalarFn fn, Real x, Real y) {
  constexpr Real half = Real(0.5);
  switch (fn) {
  case ScalarFn::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case ScalarFn::Silu:
    // The quotient of two infinities has the limit 0.
    return std::isinf(x) ? maximum(x, Real(-0.0)) : x / (1 + std::exp(-x));
  case ScalarFn::Gelu:
    return std::isinf(x)
               ? maximum(x, Real(-0.0))
               : half * x * (1 + std::erf(x * Real(0.70710678118654752440)));
  case ScalarFn::GeluTanh: {
    Real u = Real(0.79788456080286535588) * (x + Real(0.044715) * x * x * x);
    return std::isinf(x) ? maximum(x, Real(-0.0))
                         : half * x * (1 + std::tanh(u));
  }
  case ScalarFn::Softplus:
    return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
  case ScalarFn::Relu:
    return maximum(x, Real(0));
  case ScalarFn::LeakyRelu:
    return x < 0 ? y * x : x;
  case ScalarFn::Elu:
    return x < 0 ? y * std::expm1(x) : x;
  default: // of integers
    return std::nan("");
  }
}

/// Functions of floats, in the formulas that kernels use.
template <typename Real>
static Real apply(ScalarFn fn, Real x, Real y, Real z) {
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
    return minimum(maximum(x, y), z);
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
    return applyActivation(fn, x, y);
  }
}

/// Rounds toward minus infinity.
static int64_t floorQuotient(int64_t x, int64_t y) {
  return static_cast<int64_t>(std::floor(double(x) / double(y)));
}

static std::optional<int64_t> applyToIntegers(ScalarFn fn, int64_t x, int64_t y,
                                              int64_t z) {
  switch (fn) {
  case ScalarFn::Neg:
    return 0 - x;
  case ScalarFn::Abs:
    return x < 0 ? 0 - x : x;
  case ScalarFn::Add:
    return x + y;
  case ScalarFn::Sub:
    return x - y;
  case ScalarFn::Mul:
    return x * y;
  case ScalarFn::Min:
    return x < y ? x : y;
  case ScalarFn::Max:
    return x < y ? y : x;
  case ScalarFn::Clamp:
    return std::min(std::max(x, y), z);
  case ScalarFn::Relu:
    return x < 0 ? 0 : x;
  case ScalarFn::FloorDiv:
    return y == 0 ? std::nullopt : std::optional(floorQuotient(x, y));
  case ScalarFn::Mod:
    return y == 0 ? std::nullopt : std::optional(x - y * floorQuotient(x, y));
  case ScalarFn::And:
    return x & y;
  case ScalarFn::Or:
    return x | y;
  case ScalarFn::Xor:
    return x ^ y;
  case ScalarFn::Not:
    return -1 - x;
  default:
    return std::nullopt;
  }
}

std::optional<double> fuse::test::applyScalarFn(ScalarFn fn,
                                                ArrayRef<double> operands,
                                                mlir::Type elementType) {
  double x = operands[0];
  double y = operands.size() > 1 ? operands[1] : 0;
  double z = operands.size() > 2 ? operands[2] : 0;
  if (elementType.isF64())
    return apply<double>(fn, x, y, z);
  if (mlir::isa<mlir::FloatType>(elementType))
    return roundTo(elementType, apply<float>(fn, x, y, z));
  std::optional<int64_t> result = applyToIntegers(fn, x, y, z);
  if (!result)
    return std::nullopt;
  if (elementType.isInteger(1))
    return *result & 1;
  return static_cast<int32_t>(static_cast<uint32_t>(*result));
}

bool fuse::test::applyComparison(Comparison comparison, double lhs,
                                 double rhs) {
  switch (comparison) {
  case Comparison::Eq:
    return lhs == rhs;
  case Comparison::Ne:
    return lhs != rhs;
  case Comparison::Lt:
    return lhs < rhs;
  case Comparison::Le:
    return lhs <= rhs;
  case Comparison::Gt:
    return lhs > rhs;
  case Comparison::Ge:
    return lhs >= rhs;
  }
  return false;
}
