//===- CheckFactor.h - A factor against the chain it is from ---*- C++ -*-===//

#ifndef FUSE_PASSES_CHECKFACTOR_H
#define FUSE_PASSES_CHECKFACTOR_H

#include "fuse/passes/Factor.h"

namespace fuse {

/// True if f(k, r) = g(k) * h(r) for `term`, f, and h as `factor` says: in
/// double, for random numbers in place of whatever else the term is computed
/// from. Builds with assertions check each factor that is used so.
bool holdsFactor(mlir::Value term, mlir::Value r, const Factor &factor);

} // namespace fuse

#endif // FUSE_PASSES_CHECKFACTOR_H
