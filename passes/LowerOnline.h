//===- LowerOnline.h - Sums carried against a result so far ----*- C++ -*-===//

#ifndef FUSE_PASSES_LOWERONLINE_H
#define FUSE_PASSES_LOWERONLINE_H

#include "LoopGroups.h"
#include "TileScope.h"

namespace fuse {

/// The corrections of one loop. In its body, terms are computed with a value
/// that stands for the result so far of what they need: one that is safe, so
/// that a row of which nothing counts yet does not become NaN.
class OnlineLowering {
public:
  OnlineLowering(const LoopGroup &group, KernelBuilder &kernel, TileScope &body)
      : group(group), kernel(kernel), body(body) {}

  /// In the body, with what members carry into the step.
  void begin(mlir::ValueRange carried);
  /// What member `number` carries, against the results so far of this step.
  mlir::Value correct(unsigned number, mlir::Value carried);
  /// Its value after the step; what comes next sees it.
  void setNext(unsigned number, mlir::Value next);
  SmallVector<mlir::Value> getNext() const { return next; }
  /// After the loop: what was left out, and NaN where the chain that was
  /// rewritten has it. `value` is the sum of member `number`, and members
  /// before it are finished.
  mlir::Value finish(unsigned number, mlir::Value value, TileScope &scope);

private:
  using Correction = LoopMember::Correction;
  mlir::Value map(ScalarFn fn, mlir::ValueRange inputs, mlir::Location loc);
  mlir::Value fill(double value, mlir::Value like, mlir::Location loc);
  /// True where no term has counted: the identity of the reduction.
  mlir::Value isIdentity(unsigned member, mlir::Value value);
  /// The value that terms are computed with.
  mlir::Value guard(unsigned member, mlir::Value value);
  /// h(new) / h(old).
  mlir::Value createQuotient(const Correction &correction);
  /// A tile with the indices of value `from`, or of the result of a member, as
  /// one with those of the result of member `to`.
  mlir::Value spreadLike(mlir::Value from, unsigned to, mlir::Value tile,
                         TileScope &scope);
  mlir::Value spreadLike(unsigned from, unsigned to, mlir::Value tile,
                         TileScope &scope);
  mlir::Value createEmptyRows(const Correction &correction, unsigned number,
                              mlir::Value value, TileScope &scope);
  /// The same for all elements: the loop has steps.
  mlir::Value isEntered(mlir::Location loc);

  const LoopGroup &group;
  KernelBuilder &kernel;
  TileScope &body;
  SmallVector<mlir::Value> previous, next;
  /// Finished results, uncast, of members that others need.
  llvm::DenseMap<unsigned, mlir::Value> finished;
};

} // namespace fuse

#endif // FUSE_PASSES_LOWERONLINE_H
