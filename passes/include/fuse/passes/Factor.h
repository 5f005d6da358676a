//===- Factor.h - How a sum depends on another reduction -------*- C++ -*-===//
//
// Two reductions over one index k, r1 = R1 f1(k) and r2 = sum f2(k, r1), need
// two passes over k. If f2(k, r1) = g(k) * h(r1), one is enough: r2 is carried
// against the r1 of the terms so far and multiplied by h(new) / h(old) whenever
// that changes. Online softmax is the best-known instance (Milakov and
// Gimelshein 2018, arXiv:1805.02867); deferred division is another.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PASSES_FACTOR_H
#define FUSE_PASSES_FACTOR_H

#include "fuse/passes/IndexForm.h"

namespace fuse {

/// The factor h(r) of a term.
struct Factor {
  enum class Kind {
    /// The term does not depend on r.
    None,
    /// h(r) = v(r), or 1 / v(r), where `value` is v(r): r itself, or what is
    /// computed from it and is one for all terms.
    Proportional,
    Reciprocal,
    /// h(r) = exp(L(r)) or exp2(L(r)), where L is linear: `steps` in order.
    Exponential
  };
  struct Step {
    /// neg, mul or div.
    ScalarFn fn;
    /// The other factor or the divisor; null for neg.
    mlir::OpOperand *by = nullptr;
  };
  Kind kind = Kind::None;
  mlir::Value value = {};
  ScalarFn base = ScalarFn::Exp;
  SmallVector<Step> steps = {};
  /// Where r is the identity of its reduction, terms are zero.
  bool isZeroAtIdentity = false;
};

/// The factor by which `term` depends on `r`, the result of a reduction over
/// `streamed`; nullopt if it depends on it in another way. Exact in real
/// arithmetic. Values that `r` only reaches through other reductions count as
/// independent.
std::optional<Factor> findFactor(mlir::OpOperand &term, mlir::Value r,
                                 ArrayRef<IndexId> streamed,
                                 const IndexForm &form);

/// The value that index maps are applied to.
mlir::Value skipIndexMaps(mlir::Value value);

/// True for ops by which elements follow from elements; `op` may be null.
bool isElementwise(mlir::Operation *op);

/// True if `value` follows from `r` by elementwise ops.
bool followsFrom(mlir::Value value, mlir::Value r);

/// True if no element can be negative: then a sum of them is zero only if all
/// are.
bool isNonNegative(mlir::Value value);

} // namespace fuse

#endif // FUSE_PASSES_FACTOR_H
