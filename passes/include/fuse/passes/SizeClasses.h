//===- SizeClasses.h - Plans for calls of different sizes ------*- C++ -*-===//
//
// One plan does not suit all sizes. `fuse-specialize` clones a function once
// for each of its size classes; every clone computes the same, and any of them
// can serve any call.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PASSES_SIZECLASSES_H
#define FUSE_PASSES_SIZECLASSES_H

#include "fuse/ir/DimAnalysis.h"

namespace fuse {

/// More than these are refused.
inline constexpr size_t maxSizeClasses = 3;

struct SizeClass {
  mlir::FunctionOpInterface function;
  /// Calls that this class is for, unless a larger one is. None for the first.
  std::optional<DimConstraint> when;

  const DimConstraint *getWhen() const { return when ? &*when : nullptr; }
};

/// The classes of a function, the smallest first: itself, and those that its
/// `fuse.size_classes` names. Emits a diagnostic and fails if there is no such
/// function.
FailureOr<SmallVector<SizeClass>>
getSizeClasses(mlir::FunctionOpInterface function);

/// `fuse.size_hints`, or the first of several; null if there are none.
mlir::DictionaryAttr getSizeHintsAttr(mlir::Operation *function);

/// The same as extents of symbols.
DimBindings getSizeHints(mlir::Operation *function);

/// The dictionaries of `fuse.size_hints`, one a class.
SmallVector<mlir::DictionaryAttr> getAllSizeHints(mlir::Operation *function);

} // namespace fuse

#endif // FUSE_PASSES_SIZECLASSES_H
