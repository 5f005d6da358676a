//===- FusionGroups.h - Kernels that are being joined ----------*- C++ -*-===//

#ifndef FUSE_PASSES_FUSIONGROUPS_H
#define FUSE_PASSES_FUSIONGROUPS_H

#include "KernelTrial.h"
#include "fuse/passes/FusionPlan.h"

namespace fuse {

/// A future kernel.
struct FusionGroup {
  SmallVector<mlir::Operation *> ops; // in program order
  bool hasContraction = false, hasReduction = false;
  /// False once it has become part of another.
  bool isAlive = true;
  unsigned number = 0;
  std::optional<TrialResult> trial;
};

class FusionGroups {
public:
  FusionGroups(mlir::FunctionOpInterface function, const DimAnalysis &dims,
               const FusionOptions &options);

  /// The groups that are left, by their last ops.
  SmallVector<FusionGroup *> getAll() const;
  /// Those that compute what a group needs, in program order.
  SmallVector<FusionGroup *> getProducers(const FusionGroup &group) const;
  SmallVector<FusionGroup *> getConsumers(const FusionGroup &group) const;
  /// True if nobody else needs what `producer` computes for `consumer`.
  bool isOnlyFor(const FusionGroup &producer,
                 const FusionGroup &consumer) const;
  /// Pairs of groups whose contractions have an operand in common.
  SmallVector<std::pair<FusionGroup *, FusionGroup *>> getSiblings() const;

  /// What one kernel is worth, in microseconds: what it saves and what the
  /// model does not see. Below 0 if it is worth nothing or cannot be. Notes the
  /// candidate.
  double weigh(FusionGroup &first, FusionGroup &second);
  /// False if something else stands between the two.
  bool canJoin(const FusionGroup &first, const FusionGroup &second) const;
  FusionGroup *join(FusionGroup &first, FusionGroup &second);
  /// Gives each of the consumers of `producer` a copy of its ops, if nobody
  /// else needs them and all together take less time so.
  bool copyInto(FusionGroup &producer, ArrayRef<FusionGroup *> consumers);
  FusionPlan finish();

private:
  FusionGroup *create(ArrayRef<mlir::Operation *> ops);
  const TrialResult &getTrial(FusionGroup &group);
  SmallVector<mlir::Operation *> unite(const FusionGroup &first,
                                       const FusionGroup &second) const;
  void addProducers(mlir::Value value,
                    llvm::SetVector<FusionGroup *> &producers) const;
  void addConsumers(mlir::Value value,
                    llvm::SetVector<FusionGroup *> &consumers) const;
  unsigned positionOf(mlir::Operation *op) const {
    return positions.lookup(op);
  }

  /// True if a pair has an op in each of the groups.
  static bool hasPair(ArrayRef<LinePair> pairs, const FusionGroup &first,
                      const FusionGroup &second);

  CopiedOps copied;
  KernelTrial trials;
  const FusionOptions &options;
  std::vector<std::unique_ptr<FusionGroup>> all;
  llvm::DenseMap<mlir::Operation *, FusionGroup *> owners;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  llvm::MapVector<std::pair<unsigned, unsigned>, FusionCandidate> candidates;
  llvm::DenseMap<std::pair<unsigned, unsigned>, double> gains;
};

} // namespace fuse

#endif // FUSE_PASSES_FUSIONGROUPS_H
