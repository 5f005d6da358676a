//===- SharedMaps.cpp - Shared errors through elementwise functions -------===//
//
// A smooth function of operands that one and the same error moves is moved by
// it along the sum of its slopes, in which much may cancel. What curvature adds
// to that counts as an error on its own.
//
//===----------------------------------------------------------------------===//

#include "SharedErrors.h"
#include "mlir/IR/Threading.h"
#include <cmath>

using namespace fuse;

namespace {
/// A function about its operands: the slope along each, and how far it may be
/// off the tangent within their bounds.
struct Tangent {
  double slopes[2];
  double rest;
};
} // namespace

/// Nothing for a function that has no tangent, or none written here.
static std::optional<Tangent> tangentOf(ScalarFn fn,
                                        ArrayRef<Scalar> operands) {
  const double x = operands[0].value, bound = operands[0].bound;
  // With the largest second derivative, anywhere.
  auto curved = [&](double slope, double curvature) {
    return Tangent{{slope, 0}, 0.5 * curvature * bound * bound};
  };
  switch (fn) {
  case ScalarFn::Neg:
    return Tangent{{-1, 0}, 0};
  case ScalarFn::Add:
    return Tangent{{1, 1}, 0};
  case ScalarFn::Sub:
    return Tangent{{1, -1}, 0};
  case ScalarFn::Mul:
    return Tangent{{operands[1].value, x}, bound * operands[1].bound};
  case ScalarFn::Sigmoid: {
    const double y = evaluate(fn, x);
    return curved(y * evaluate(fn, -x), 0.0963);
  }
  case ScalarFn::Silu: {
    const double gate = evaluate(ScalarFn::Sigmoid, x);
    return curved(gate * (1 + x * evaluate(ScalarFn::Sigmoid, -x)), 0.5);
  }
  case ScalarFn::Gelu: {
    constexpr double sqrtHalf = 0.70710678118654752440;
    constexpr double density = 0.39894228040143267794; // of 0
    return curved(0.5 * std::erfc(-x * sqrtHalf) +
                      x * density * std::exp(-0.5 * x * x),
                  2 * density);
  }
  default:
    return std::nullopt;
  }
}

namespace {
/// The operands of one function, those with errors of the same cause marked.
class MapErrors {
public:
  MapErrors(ScalarFn fn, ArrayRef<const Tensor *> operands,
            const OpRounding &rounding, Tensor &result)
      : fn(fn), rounding(rounding), result(result) {
    for (const Tensor *operand : operands) {
      readers.emplace_back(*operand, result.box);
      const RowErrors *errors =
          operand->shared ? operand->shared->asRows() : nullptr;
      if (errors && !leader) {
        leader = shared.size();
        axis = operand->sharedAxis;
        norm = errors->getNorm();
      }
      bool isSame =
          errors && operand->sharedAxis == axis && errors->getNorm() == norm;
      shared.push_back(isSame ? errors : nullptr);
    }
  }
  bool any() const { return leader.has_value(); }
  int64_t getAxis() const { return axis; }
  const std::shared_ptr<const char> &getNorm() const { return norm; }
  void run(int64_t at, RowErrors &errors);

private:
  ScalarFn fn;
  const OpRounding &rounding;
  Tensor &result;
  SmallVector<ElementReader, 3> readers;
  SmallVector<const RowErrors *, 3> shared; // null if nothing is
  /// One of them gives the cause for the whole result, so that it is the same
  /// along the axis.
  std::optional<unsigned> leader;
  int64_t axis = -1;
  std::shared_ptr<const char> norm;
};
} // namespace

void MapErrors::run(int64_t at, RowErrors &errors) {
  using Field = RowErrors::Field;
  const double cause =
      shared[*leader]->fields[Field::Cause][readers[*leader].positionOf(at)];
  errors.fields[Field::Cause][at] = cause;
  SmallVector<Scalar, 3> x;
  for (const ElementReader &reader : readers)
    x.push_back(reader[at]);
  std::optional<Tangent> tangent = tangentOf(fn, x);
  if (!tangent)
    return;
  double shift = 0, scale = 0, apart = tangent->rest;
  for (size_t i = 0; i < x.size(); ++i) {
    const double slope = tangent->slopes[i];
    const RowErrors *of = shared[i];
    const int64_t from = readers[i].positionOf(at);
    double alone = x[i].bound;
    if (of && of->fields[Field::Cause][from] == cause) {
      const double byShift = of->fields[Field::Shift][from];
      const double byScale = of->fields[Field::Scale][from];
      shift += slope * byShift;
      scale += slope * byScale;
      alone -= std::fabs(byShift) + std::fabs(byScale);
    }
    apart += std::fabs(slope) * std::max(alone, 0.0);
  }
  const double amount = std::fabs(shift) + std::fabs(scale);
  // Of a large error the tangent may say less than the range. Where it does,
  // nothing is shared; a little more is the price of sharing.
  if (!(amount + apart <= 1.01 * propagatedError(fn, x)) ||
      !std::isfinite(amount + apart))
    return;
  result.bound[at] = evaluateFloat(fn, x, rounding, amount + apart).bound;
  if (!std::isfinite(result.bound[at]))
    return;
  errors.fields[Field::Amount][at] = amount;
  errors.fields[Field::Shift][at] = shift;
  errors.fields[Field::Scale][at] = scale;
}

void fuse::shareThroughMap(ScalarFn fn, ArrayRef<const Tensor *> operands,
                           const OpRounding &rounding, Tensor &result,
                           mlir::MLIRContext *context) {
  MapErrors map(fn, operands, rounding, result);
  if (!map.any() || !tangentOf(fn, SmallVector<Scalar>(operands.size())))
    return;
  auto errors = std::make_shared<RowErrors>(result.size(), map.getNorm());
  constexpr int64_t chunk = 4096;
  mlir::parallelFor(
      context, 0, llvm::divideCeil(result.size(), chunk), [&](size_t i) {
        const int64_t end = std::min<int64_t>((i + 1) * chunk, result.size());
        for (int64_t at = i * chunk; at < end; ++at)
          map.run(at, *errors);
      });
  result.shared = std::move(errors);
  result.sharedAxis = map.getAxis();
}
