//===- FloatSums.h - Sums in the orders that are permitted -----*- C++ -*-===//
//
// ir/README.md leaves the order inside a declared sum partly free. Here are
// some of the orders that kernels use, and what is made of sums along a row:
// softmax and norms. `Real` is float, or double for f64 programs.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_LIB_FLOATSUMS_H
#define FUSE_TEST_LIB_FLOATSUMS_H

#include "fuse/ir/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace fuse::test {

/// How sums run.
struct EvaluationOrder {
  enum class Join { Ascending, Descending, Tree };

  /// How the sums of neighbouring blocks of a contraction are joined.
  Join join = Join::Ascending;
  /// Terms in each block of a contraction whose order is free; 0 for one chain.
  /// Otherwise there are 32, or all of a short contraction.
  int64_t freeBlock = 0;
  /// Short contractions are one chain.
  bool inOneChain = false;
  /// Narrow contractions run in eight interleaved chains, joined by a tree.
  bool inLanes = false;
  /// Interleaved chains of a sum along a row: 32 or 64.
  int64_t lanes = 32;
  /// Sums of the classes other than ieee truncate, as tensor cores do.
  bool truncates = false;

  std::string str() const;
  /// All that the tests try.
  static ArrayRef<EvaluationOrder> all();
};

/// A sum of products of two operands, whose elements are given by position.
template <typename Real>
struct Products {
  ArrayRef<Real> lhs, rhs;
  ArrayRef<int64_t> lhsAt, rhsAt;

  int64_t size() const { return lhsAt.size(); }
};

/// What the order of a contraction's terms must keep to: blocks of 32; these,
/// or few additions; nothing.
enum class Freedom { Blocks, FewAdditions, All };

/// By fused multiply-adds in ascending order, in blocks or lanes.
template <typename Real>
Real sumProducts(const Products<Real> &products, Freedom freedom,
                 const EvaluationOrder &order);

/// The same of the planes whose products a split precision forms.
float sumPlaneProducts(ArrayRef<Products<float>> planes,
                       const EvaluationOrder &order);

template <typename Real>
Real sumRow(ArrayRef<Real> row, const EvaluationOrder &order);

/// Maximum that propagates NaN and orders -0 below 0.
template <typename Real>
Real maximum(Real a, Real b) {
  if (std::isnan(a) || std::isnan(b))
    return std::nan("");
  if (a == 0 && b == 0)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <typename Real>
Real minimum(Real a, Real b) {
  return -maximum(-a, -b);
}

template <typename Real>
void softmaxInPlace(MutableArrayRef<Real> row, bool maskedRowsAreZero,
                    const EvaluationOrder &order);

/// Subtracts the mean if `centres`, and divides by the root of the mean square.
template <typename Real>
void normalizeInPlace(MutableArrayRef<Real> row, bool centres, double eps,
                      const EvaluationOrder &order);

} // namespace fuse::test

#endif // FUSE_TEST_LIB_FLOATSUMS_H
