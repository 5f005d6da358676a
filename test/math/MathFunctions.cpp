//===- MathFunctions.cpp - the table of functions under test --------------===//

#include "MathTest.h"
#include "conformance.h"

using namespace fuse::test;

namespace {

/// Values by the C library, under the names of the header.
// NOLINTBEGIN(readability-identifier-naming)
template <class Wide>
struct Reference {
  static Wide relu(Wide x) { return x > 0 ? x : std::isnan(x) ? x : 0; }
  static Wide sqrt_rn(Wide x) { return std::sqrt(x); }
  static Wide rsqrt(Wide x) { return 1 / std::sqrt(x); }
  static Wide sigmoid(Wide x) {
    return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
  }
  /// The limit 0 wins over an infinite x.
  static Wide scale(Wide x, Wide factor) {
    return std::isinf(x) && factor == 0 ? -Wide(0) : x * factor;
  }
  static Wide silu(Wide x) { return scale(x, sigmoid(x)); }
  static Wide gelu(Wide x) {
    return scale(x, std::erfc(-x * std::sqrt(Wide(0.5))) / 2);
  }
  static Wide gelu_tanh(Wide x) {
    const Wide pi = 4 * std::atan(Wide(1));
    Wide inner = std::sqrt(2 / pi) * (x + x * x * x * 44715 / 1000000);
    return scale(x, sigmoid(2 * inner));
  }
  static Wide softplus(Wide x) {
    return relu(x) + std::log1p(std::exp(-std::fabs(x)));
  }
  static Wide exp(Wide x) { return std::exp(x); }
  static Wide exp2(Wide x) { return std::exp2(x); }
  static Wide expm1(Wide x) { return std::expm1(x); }
  static Wide log(Wide x) { return std::log(x); }
  static Wide log2(Wide x) { return std::log2(x); }
  static Wide log1p(Wide x) { return std::log1p(x); }
  static Wide sin(Wide x) { return std::sin(x); }
  static Wide cos(Wide x) { return std::cos(x); }
  static Wide tanh(Wide x) { return std::tanh(x); }
  static Wide erf(Wide x) { return std::erf(x); }
  static Wide floor(Wide x) { return std::floor(x); }
  static Wide ceil(Wide x) { return std::ceil(x); }
  static Wide round(Wide x) { return std::nearbyint(x); }
};
// NOLINTEND(readability-identifier-naming)

} // namespace

template <class Real, class Wide>
static std::vector<UnaryFunction<Real, Wide>> tableOf() {
  return {
#define FUSE_ROW(name)                                                         \
  {#name, [](Real x) { return fuse::name(x); }, Reference<Wide>::name},
      FUSE_UNARY_FUNCTIONS(FUSE_ROW)
#undef FUSE_ROW
  };
}

std::vector<UnaryFunction<float, double>> fuse::test::unaryFloatFunctions() {
  return tableOf<float, double>();
}

std::vector<UnaryFunction<double, long double>>
fuse::test::unaryDoubleFunctions() {
  return tableOf<double, long double>();
}
