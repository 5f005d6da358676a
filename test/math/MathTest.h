//===- MathTest.h - the scalar functions and what they should be *- C++ -*-===//

#ifndef FUSE_TEST_MATH_MATHTEST_H
#define FUSE_TEST_MATH_MATHTEST_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace fuse::test {

/// A function of the device header, beside its value in a wider type.
template <class Real, class Wide>
struct UnaryFunction {
  std::string name;
  Real (*evaluate)(Real);
  Wide (*reference)(Wide);
};

/// All of one operand that are not exact, with values in the next wider type:
/// the error of these is below 2^-10 ulp of Real.
std::vector<UnaryFunction<float, double>> unaryFloatFunctions();
std::vector<UnaryFunction<double, long double>> unaryDoubleFunctions();

/// The ulps that ScalarFn.def grants the function.
double grantedUlps(const std::string &name);

/// The unit in the last place of a Real of this magnitude.
template <class Real, class Wide>
Wide ulp(Wide value) {
  using Limits = std::numeric_limits<Real>;
  value = std::fabs(value);
  if (!(value >= Limits::min()))
    return Limits::denorm_min();
  int exponent;
  std::frexp(value, &exponent);
  return std::ldexp(Wide(1), exponent - Limits::digits);
}

/// How far `got` is from `want` in units of what the semantics table measures
/// by; infinity where one is NaN or an infinity that the other is not. Numbers
/// that round to infinity are 2^128 (2^1024) for this.
template <class Real, class Wide>
Wide errorInUlps(const std::string &name, Real x, Real got, Wide want) {
  using Limits = std::numeric_limits<Real>;
  constexpr Wide infinity = std::numeric_limits<Wide>::infinity();
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) == std::isnan(got) ? 0 : infinity;
  if (std::isinf(want) || std::isinf(x))
    return got == want ? 0 : infinity;
  const Wide limit = std::ldexp(Wide(1), Limits::max_exponent);
  Wide difference = std::fabs(
      (std::isinf(got) ? std::copysign(limit, Wide(got)) : Wide(got)) -
      (std::fabs(want) > limit ? std::copysign(limit, want) : want));
  Wide unit = ulp<Real>(want);
  if (name == "gelu" || name == "gelu_tanh")
    unit = x < 0 ? ulp<Real>(Wide(x) / 2) : unit;
  // The factor of silu, a sigmoid, may be 0 instead of a subnormal number.
  const Wide factor = name == "silu" ? std::fabs(Wide(x)) : 1;
  if ((name == "silu" || name == "sigmoid") && x < 0 &&
      std::fabs(want) < Wide(Limits::min()) * factor)
    unit = Wide(Limits::min()) * factor;
  return difference / unit;
}

template <class To, class From>
To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "expects types of one size");
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

} // namespace fuse::test

#endif // FUSE_TEST_MATH_MATHTEST_H
