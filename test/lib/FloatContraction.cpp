//===- FloatContraction.cpp - Contractions over named axes ----------------===//

#include "FloatContraction.h"
#include "fuse/ir/SumOrder.h"
#include "fuse/runtime/DType.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::test;

Type fuse::test::computeTypeOf(Type elementType) {
  return elementType.isF64() ? elementType
                             : Float32Type::get(elementType.getContext());
}

//===----------------------------------------------------------------------===//
// Extents of factors
//===----------------------------------------------------------------------===//

/// The only factor of an axis without a known extent, if there is just one.
static const std::string *findOnlyUnknown(const AxisFactors &axis,
                                          const FactorExtents &extents) {
  const std::string *unknown = nullptr;
  for (const std::string &factor : axis) {
    if (extents.count(factor))
      continue;
    if (unknown)
      return nullptr;
    unknown = &factor;
  }
  return unknown;
}

FactorExtents fuse::test::solveFactors(ArrayRef<IndexPattern> patterns,
                                       ArrayRef<Shape> shapes,
                                       const DimBindings &bindings) {
  FactorExtents extents(bindings);
  for (const IndexPattern &pattern : patterns)
    for (const std::string &factor : pattern.flat())
      if (isNumberFactor(factor))
        extents[factor] = std::stoll(factor);
  for (bool progress = true; progress;) {
    progress = false;
    for (auto [pattern, shape] : llvm::zip_equal(patterns, shapes)) {
      for (auto [axis, extent] : llvm::zip_equal(pattern.axes, shape)) {
        const std::string *unknown = findOnlyUnknown(axis, extents);
        if (!unknown)
          continue;
        int64_t known = 1;
        for (const std::string &factor : axis)
          known *= &factor == unknown ? 1 : extents[factor];
        extents[*unknown] = known == 0 ? 0 : extent / known;
        progress = true;
      }
    }
  }
  return extents;
}

Shape fuse::test::extentsOf(ArrayRef<std::string> names,
                            const FactorExtents &extents) {
  Shape shape;
  for (const std::string &name : names)
    shape.push_back(extents.lookup(name));
  return shape;
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Where each combination of the indices `names` is in a tensor, relative to
/// its first element, in row-major order.
static std::vector<int64_t> positionsOf(ArrayRef<std::string> names,
                                        const FactorExtents &extents,
                                        const NamedArray &operand) {
  Shape strides = stridesOf(operand.array.shape), steps(names.size(), 0);
  for (auto [name, step] : llvm::zip_equal(names, steps))
    for (auto [other, stride] : llvm::zip_equal(operand.names, strides))
      step += other == name ? stride : 0;
  std::vector<int64_t> positions;
  forEachIndex(extentsOf(names, extents), [&](ArrayRef<int64_t> index) {
    int64_t position = 0;
    for (auto [at, step] : llvm::zip_equal(index, steps))
      position += at * step;
    positions.push_back(position);
  });
  return positions;
}

template <typename Real>
static std::vector<Real> elementsAs(const Array &array) {
  return std::vector<Real>(array.elements.begin(), array.elements.end());
}

/// Rounds to 11 bits, to nearest even.
static float roundToTf32(float value) {
  int exponent;
  std::frexp(value, &exponent);
  return std::isfinite(value)
             ? std::ldexp(std::nearbyint(std::ldexp(value, 11 - exponent)),
                          exponent - 11)
             : value;
}

/// Each element as a sum of bf16 planes.
static SmallVector<std::vector<float>> splitInPlanes(std::vector<float> rest,
                                                     unsigned count) {
  SmallVector<std::vector<float>> planes;
  for (unsigned plane = 0; plane < count; ++plane) {
    std::vector<float> &part = planes.emplace_back();
    for (float &value : rest) {
      part.push_back(float(rt::roundToDType(rt::DType::BF16, value)));
      value -= part.back();
    }
  }
  return planes;
}

namespace {
/// The operands of one contraction: sums of products at given positions.
template <typename Real>
class Factors {
public:
  Factors(const Array &lhs, const Array &rhs, Precision precision,
          Freedom freedom)
      : isSplit(precision != Precision::Ieee), freedom(freedom) {
    lhsPlanes = {elementsAs<Real>(lhs)};
    rhsPlanes = {elementsAs<Real>(rhs)};
    if constexpr (std::is_same_v<Real, float>)
      for (auto *planes : {&lhsPlanes, &rhsPlanes})
        split(*planes, precision);
  }

  Real sum(ArrayRef<int64_t> lhsAt, ArrayRef<int64_t> rhsAt,
           const EvaluationOrder &order) const {
    if constexpr (std::is_same_v<Real, float>)
      if (isSplit)
        return sumPlanes(lhsAt, rhsAt, order);
    return sumProducts<Real>({lhsPlanes[0], rhsPlanes[0], lhsAt, rhsAt},
                             freedom, order);
  }

private:
  static void split(SmallVector<std::vector<float>> &planes,
                    Precision precision) {
    switch (precision) {
    case Precision::Ieee:
      return;
    case Precision::Tf32:
      for (float &value : planes[0])
        value = roundToTf32(value);
      return;
    case Precision::Bf16:
      planes = splitInPlanes(planes[0], 1);
      return;
    case Precision::Bf16x3:
      planes = splitInPlanes(planes[0], 2);
      return;
    case Precision::Bf16x6:
      planes = splitInPlanes(planes[0], 3);
      return;
    }
  }
  /// The pairs of planes with the largest products, the smallest first.
  float sumPlanes(ArrayRef<int64_t> lhsAt, ArrayRef<int64_t> rhsAt,
                  const EvaluationOrder &order) const {
    SmallVector<Products<float>> pairs;
    for (size_t level = lhsPlanes.size(); level-- > 0;)
      for (size_t plane = 0; plane <= level; ++plane)
        pairs.push_back(
            {lhsPlanes[plane], rhsPlanes[level - plane], lhsAt, rhsAt});
    return sumPlaneProducts(pairs, order);
  }

  bool isSplit;
  Freedom freedom;
  SmallVector<std::vector<Real>> lhsPlanes, rhsPlanes;
};
} // namespace

static Freedom freedomOf(const NamedArray &lhs, const NamedArray &rhs,
                         ArrayRef<std::string> result,
                         ArrayRef<std::string> reduced,
                         const FactorExtents &extents) {
  if (reduced.size() > 1)
    return Freedom::All;
  if (reduced.empty() || rhs.names.empty()) // one operand
    return Freedom::Blocks;
  auto mayRunInLanes = [&](const NamedArray &own, const NamedArray &other) {
    int64_t columns = 1;
    for (const std::string &name : own.names)
      if (llvm::is_contained(result, name) &&
          !llvm::is_contained(other.names, name))
        columns *= extents.lookup(name);
    return getFreeAdditions(columns, extents.lookup(reduced.front()))
        .has_value();
  };
  return mayRunInLanes(lhs, rhs) || mayRunInLanes(rhs, lhs)
             ? Freedom::FewAdditions
             : Freedom::Blocks;
}

template <typename Real>
static std::vector<double>
contractAs(const NamedArray &lhs, const NamedArray &rhs,
           ArrayRef<std::string> result, const FactorExtents &extents,
           Precision precision, Type resultType, const EvaluationOrder &order) {
  Names reduced;
  for (const NamedArray *operand : {&lhs, &rhs})
    for (const std::string &name : operand->names)
      if (!llvm::is_contained(result, name) &&
          !llvm::is_contained(reduced, name))
        reduced.push_back(name);
  Factors<Real> factors(lhs.array, rhs.array, precision,
                        freedomOf(lhs, rhs, result, reduced, extents));
  std::vector<int64_t> lhsBase = positionsOf(result, extents, lhs);
  std::vector<int64_t> rhsBase = positionsOf(result, extents, rhs);
  const std::vector<int64_t> lhsSteps = positionsOf(reduced, extents, lhs);
  const std::vector<int64_t> rhsSteps = positionsOf(reduced, extents, rhs);
  std::vector<int64_t> lhsAt(lhsSteps), rhsAt(rhsSteps);
  std::vector<double> elements;
  for (auto [lhsStart, rhsStart] : llvm::zip_equal(lhsBase, rhsBase)) {
    for (size_t k = 0; k < lhsSteps.size(); ++k) {
      lhsAt[k] = lhsStart + lhsSteps[k];
      rhsAt[k] = rhsStart + rhsSteps[k];
    }
    elements.push_back(roundTo(resultType, factors.sum(lhsAt, rhsAt, order)));
  }
  return elements;
}

std::vector<double> fuse::test::contract(ArrayRef<NamedArray> operands,
                                         ArrayRef<std::string> result,
                                         Precision precision, Type resultType,
                                         const EvaluationOrder &order) {
  const NamedArray &lhs = operands[0];
  NamedArray one{{lhs.array.elementType, {}, {1.0}}, {}};
  const NamedArray &rhs = operands.size() > 1 ? operands[1] : one;
  FactorExtents extents;
  for (const NamedArray *operand : {&lhs, &rhs})
    for (auto [name, extent] :
         llvm::zip_equal(operand->names, operand->array.shape))
      extents[name] = extent;
  if (operands.size() == 1)
    precision = Precision::Ieee;
  auto run =
      lhs.array.elementType.isF64() ? contractAs<double> : contractAs<float>;
  return run(lhs, rhs, result, extents, precision, resultType, order);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

template <typename Real>
static double sumAs(ArrayRef<double> row, const EvaluationOrder &order) {
  std::vector<Real> elements(row.begin(), row.end());
  return sumRow<Real>(elements, order);
}

double fuse::test::reduceRow(ReduceKind kind, ArrayRef<double> row,
                             Type elementType, const EvaluationOrder &order) {
  bool isInteger = elementType.isInteger();
  if (kind == ReduceKind::Sum) {
    if (!isInteger)
      return elementType.isF64()
                 ? sumAs<double>(row, order)
                 : roundTo(elementType, sumAs<float>(row, order));
    uint32_t sum = 0;
    for (double element : row)
      sum += static_cast<uint32_t>(static_cast<int32_t>(element));
    return static_cast<int32_t>(sum);
  }
  bool isMax = kind == ReduceKind::Max;
  double limit =
      isInteger ? 2147483648.0 : std::numeric_limits<double>::infinity();
  double result = isMax ? -limit : limit - isInteger;
  for (double element : row)
    result = isMax ? maximum(result, element) : minimum(result, element);
  return result;
}
