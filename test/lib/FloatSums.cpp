//===- FloatSums.cpp - Sums in the orders that are permitted --------------===//

#include "FloatSums.h"
#include "fuse/ir/SumOrder.h"
#include "llvm/ADT/STLExtras.h"

using namespace fuse;
using namespace fuse::test;

std::string EvaluationOrder::str() const {
  static constexpr const char *joins[] = {"in order", "backwards", "by tree"};
  return std::string("blocks joined ") + joins[static_cast<int>(join)] +
         ", free ones of " + std::to_string(freeBlock) + " terms, " +
         (inOneChain ? "short ones in one chain, " : "") +
         (inLanes ? "narrow ones in lanes, " : "") + std::to_string(lanes) +
         " lanes" + (truncates ? ", truncating" : "");
}

ArrayRef<EvaluationOrder> EvaluationOrder::all() {
  static constexpr EvaluationOrder orders[] = {
      {Join::Ascending, 0, false, false, 32, false},
      {Join::Ascending, 8, true, true, 64, true},
      {Join::Descending, 16, true, false, 64, false},
      {Join::Descending, 0, false, true, 32, true},
      {Join::Tree, 8, false, false, 32, false},
      {Join::Tree, 1, true, true, 64, true}};
  return orders;
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Sums of neighbouring blocks, pairwise.
template <typename Real>
static Real joinByTree(ArrayRef<Real> sums) {
  if (sums.size() == 1)
    return sums.front();
  size_t half = sums.size() / 2;
  return joinByTree(sums.take_front(half)) + joinByTree(sums.drop_front(half));
}

template <typename Real>
static Real join(std::vector<Real> sums, EvaluationOrder::Join how) {
  if (how == EvaluationOrder::Join::Tree)
    return joinByTree(ArrayRef<Real>(sums));
  if (how == EvaluationOrder::Join::Descending)
    std::reverse(sums.begin(), sums.end());
  Real total = sums.front();
  for (size_t i = 1; i < sums.size(); ++i)
    total += sums[i];
  return total;
}

/// `chain(begin, end)` sums a block of terms.
template <typename Real, typename Chain>
static Real sumBlocks(int64_t size, bool isFree, const EvaluationOrder &order,
                      Chain chain) {
  int64_t block = isFree ? order.freeBlock : 32;
  if (!isFree && order.inOneChain && mayBeOneChain(size))
    block = size;
  if (block == 0 || size <= block)
    return chain(0, size);
  std::vector<Real> sums;
  for (int64_t begin = 0; begin < size; begin += block)
    sums.push_back(chain(begin, std::min(begin + block, size)));
  return join(std::move(sums), order.join);
}

/// Every `step`-th product of `begin` to `end`.
template <typename Real>
static Real sumChain(const Products<Real> &products, int64_t begin, int64_t end,
                     int64_t step) {
  Real sum = 0;
  for (int64_t k = begin; k < end; k += step)
    sum = std::fma(products.lhs[products.lhsAt[k]],
                   products.rhs[products.rhsAt[k]], sum);
  return sum;
}

template <typename Real>
Real fuse::test::sumProducts(const Products<Real> &products, Freedom freedom,
                             const EvaluationOrder &order) {
  constexpr int64_t lanes = 8;
  if (freedom == Freedom::FewAdditions && order.inLanes &&
      products.size() >= lanes) {
    std::vector<Real> sums;
    for (int64_t lane = 0; lane < lanes; ++lane)
      sums.push_back(sumChain(products, lane, products.size(), lanes));
    return joinByTree(ArrayRef<Real>(sums));
  }
  return sumBlocks<Real>(products.size(), freedom == Freedom::All, order,
                         [&](int64_t begin, int64_t end) {
                           return sumChain(products, begin, end, 1);
                         });
}

/// `a * b + c` rounded toward zero.
static float truncatedFma(float a, float b, float c) {
  double exact = double(a) * b + c;
  float rounded = static_cast<float>(exact);
  return std::fabs(rounded) > std::fabs(exact) ? std::nextafter(rounded, 0.0f)
                                               : rounded;
}

float fuse::test::sumPlaneProducts(ArrayRef<Products<float>> planes,
                                   const EvaluationOrder &order) {
  return sumBlocks<float>(planes.front().size(), /*isFree=*/true, order,
                          [&](int64_t begin, int64_t end) {
                            float sum = 0;
                            for (const Products<float> &products : planes) {
                              for (int64_t k = begin; k < end; ++k) {
                                float a = products.lhs[products.lhsAt[k]];
                                float b = products.rhs[products.rhsAt[k]];
                                sum = order.truncates ? truncatedFma(a, b, sum)
                                                      : std::fma(a, b, sum);
                              }
                            }
                            return sum;
                          });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

template <typename Real>
Real fuse::test::sumRow(ArrayRef<Real> row, const EvaluationOrder &order) {
  std::vector<Real> sums(order.lanes);
  for (size_t i = 0; i < row.size(); ++i)
    sums[i % order.lanes] += row[i];
  for (int64_t half = order.lanes / 2; half > 0; half /= 2)
    for (int64_t lane = 0; lane < half; ++lane)
      sums[lane] += sums[lane + half];
  return sums.front();
}

template <typename Real>
void fuse::test::softmaxInPlace(MutableArrayRef<Real> row,
                                bool maskedRowsAreZero,
                                const EvaluationOrder &order) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  constexpr Real log2e = Real(1.44269504088896340736);
  Real max = -infinity;
  for (Real x : row)
    max = maximum(max, x);
  if (max == -infinity && maskedRowsAreZero) {
    std::fill(row.begin(), row.end(), Real(0));
    return;
  }
  for (Real &x : row)
    x = std::exp2((x - max) * log2e);
  Real sum = sumRow<Real>(row, order);
  for (Real &x : row)
    x /= sum;
}

template <typename Real>
void fuse::test::normalizeInPlace(MutableArrayRef<Real> row, bool centres,
                                  double eps, const EvaluationOrder &order) {
  const Real size = static_cast<Real>(row.size());
  if (!llvm::all_of(row, [](Real x) { return std::isfinite(x); })) {
    std::fill(row.begin(), row.end(), std::numeric_limits<Real>::quiet_NaN());
    return;
  }
  if (centres) {
    Real mean = sumRow<Real>(row, order) / size;
    for (Real &x : row)
      x -= mean;
  }
  std::vector<Real> squares;
  for (Real x : row)
    squares.push_back(x * x);
  Real meanSquare = sumRow<Real>(squares, order) / size;
  Real scale = 1 / std::sqrt(meanSquare + static_cast<Real>(eps));
  for (Real &x : row)
    x *= scale;
}

#define INSTANTIATE(Real)                                                      \
  template Real fuse::test::sumProducts(const Products<Real> &, Freedom,       \
                                        const EvaluationOrder &);              \
  template Real fuse::test::sumRow(ArrayRef<Real>, const EvaluationOrder &);   \
  template void fuse::test::softmaxInPlace(MutableArrayRef<Real>, bool,        \
                                           const EvaluationOrder &);           \
  template void fuse::test::normalizeInPlace(MutableArrayRef<Real>, bool,      \
                                             double, const EvaluationOrder &);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE
