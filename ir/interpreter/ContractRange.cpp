//===- ContractRange.cpp - Where a contraction has no bound ---------------===//
//
// Partial sums that an evaluation may meet beyond the range of their type, and
// terms that may be NaN or nothing.
//
//===----------------------------------------------------------------------===//

#include "Contractor.h"

using namespace fuse;

/// True if `leavesRange` may be for some column.
bool Contractor::mayLeaveRange(int64_t batchIndex, int64_t row,
                               const Panel &panel) const {
  double reach = 0;
  bool hasInfinite = panel.hasInfinite;
  for (int64_t k = 0; k < reduced.size(); ++k) {
    int64_t from =
        batch.inFirst[batchIndex] + rows.inFirst[row] + reduced.inFirst[k];
    double a = first.value[from];
    hasInfinite |= std::isinf(a);
    if (std::isfinite(a))
      reach = std::max(reach, std::fabs(a) + first.bound[from]);
  }
  return hasInfinite || std::max(reach, panel.reach) > 0x1p127 ||
         !(reach * panel.reach * reduced.size() <= sums.format.max / 2);
}

/// True if an evaluation may meet what the reference does not: a partial sum
/// beyond the range, an infinite factor of one that may be zero, or an operand
/// that a split class cannot take apart.
bool Contractor::leavesRange(int64_t batchIndex, int64_t row, int64_t n,
                             const Panel &panel) const {
  bool isIeee = contraction.precision == Precision::Ieee;
  bool isSplit = contraction.precision == Precision::Bf16x3 ||
                 contraction.precision == Precision::Bf16x6;
  auto mayBecomeZero = [&](const Scalar &x) {
    double error = x.bound + planeError;
    return std::fabs(x.value) <= error && (x.value != 0 || x.bound > 0);
  };
  double reach = 0;
  for (int64_t k = 0; k < reduced.size(); ++k) {
    int64_t from =
        batch.inFirst[batchIndex] + rows.inFirst[row] + reduced.inFirst[k];
    int64_t at = k * columns.size() + n;
    Scalar a{first.value[from], first.bound[from]};
    Scalar b{panel.value[at], panel.bound[at]};
    for (auto [x, y] : {std::pair(a, b), std::pair(b, a)})
      if (std::isinf(x.value) && (isSplit || mayBecomeZero(y)))
        return true;
    if (!std::isfinite(a.value) || !std::isfinite(b.value))
      continue;
    double reachA = std::fabs(a.value) + a.bound;
    double reachB = std::fabs(b.value) + b.bound;
    if (!isIeee && std::max(reachA, reachB) > 0x1p127)
      return true;
    reach += reachA * reachB;
  }
  return !(reach * (1 + 2 * chain) <= sums.format.max);
}

bool Contractor::isNanByZeros(int64_t batchIndex, int64_t row, int64_t n,
                              const Panel &panel) const {
  bool hasZeros = false;
  double others = 0;
  for (int64_t k = 0; k < reduced.size(); ++k) {
    double a = first.value[batch.inFirst[batchIndex] + rows.inFirst[row] +
                           reduced.inFirst[k]];
    double b = panel.value[k * columns.size() + n];
    if ((a == 0 && !std::isfinite(b)) || (b == 0 && !std::isfinite(a)))
      hasZeros = true;
    else if (!std::isfinite(a) || !std::isfinite(b))
      others += a * b;
  }
  return hasZeros && !std::isnan(others);
}
