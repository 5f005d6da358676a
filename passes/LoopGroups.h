//===- LoopGroups.h - Which reductions share a loop ------------*- C++ -*-===//
//
// The decision apart from the rewriting. Reductions that step along the same
// indices are one loop if none needs the finished result of another, or if what
// it needs factors out, so that it can be carried against the result so far.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PASSES_LOOPGROUPS_H
#define FUSE_PASSES_LOOPGROUPS_H

#include "KernelSchedule.h"
#include "fuse/passes/Factor.h"

namespace fuse {

/// A reduction or contraction that is computed in a loop.
struct LoopMember {
  /// What its terms take from a member before it, of which in the loop only
  /// the terms so far are known.
  struct Correction {
    unsigned member;
    Factor factor;
    /// The factor is left out of the terms, and applied after the loop.
    bool isDeferred;
  };

  mlir::Operation *op;
  ReduceKind kind;
  /// What it is computed in: sums of 16-bit elements in f32, rounded once.
  mlir::Type elementType;
  std::vector<Correction> corrections;
  /// How later members need its value in the loop.
  Factor::Kind neededAs = Factor::Kind::None;
};

struct LoopGroup {
  /// Outermost first, with their steps. One by terms has steps of a chain, in
  /// which its terms come one by one.
  SmallVector<TileDim> loops;
  /// The streamed indices of its results: it runs in loops over these.
  llvm::SmallSetVector<IndexId, 2> around;
  std::vector<LoopMember> members; // in program order
};

/// The kind and element type in which a reduction or contraction is computed.
LoopMember describeReduction(mlir::Operation *op);

/// True if a reduction's result has a streamed index: it is computed in the
/// loops of those that need it.
bool isNested(mlir::Operation &op, const IndexForm &form,
              const KernelSchedule &schedule);

/// The indices that a reduction removes and that are streamed, outermost first.
SmallVector<TileDim> getLoops(mlir::Operation *op, const IndexForm &form,
                              const KernelSchedule &schedule);

/// The loops of a kernel, in an order in which they can run. Those that run in
/// others do so where their results are needed. Resident reductions are in
/// none.
SmallVector<LoopGroup> groupReductions(mlir::func::FuncOp kernel,
                                       const IndexForm &form,
                                       const KernelSchedule &schedule);

} // namespace fuse

#endif // FUSE_PASSES_LOOPGROUPS_H
