//===- FusionPlan.h - Which ops become one kernel --------------*- C++ -*-===//
//
// The decision, apart from the rewriting: a pure analysis of one function of
// core ops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PASSES_FUSIONPLAN_H
#define FUSE_PASSES_FUSIONPLAN_H

#include "fuse/ir/DimAnalysis.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace fuse {

/// True for ops that every kernel which needs their value can have a copy of:
/// index maps, constants, and scalars that follow from dims alone.
bool isFreelyCopied(mlir::Operation *op);

/// Ops that each kernel which needs their value has a copy of: what is freely
/// copied, and what a plan computes again.
class CopiedOps {
public:
  bool contains(mlir::Operation *op) const {
    return isFreelyCopied(op) || recomputed.contains(op);
  }
  void insert(ArrayRef<mlir::Operation *> ops) {
    recomputed.insert(ops.begin(), ops.end());
  }
  void erase(ArrayRef<mlir::Operation *> ops) {
    for (mlir::Operation *op : ops)
      recomputed.erase(op);
  }
  /// True if `user`, directly or through copied ops, needs a value for
  /// something outside of `members`.
  bool isNeededOutside(mlir::Operation *user,
                       const llvm::DenseSet<mlir::Operation *> &members) const;

private:
  llvm::DenseSet<mlir::Operation *> recomputed;
};

/// One future kernel.
struct KernelPlan {
  /// What it is called, after its most telling op; unique in the plan.
  std::string name;
  /// Its ops, in program order.
  SmallVector<mlir::Operation *> ops;
};

/// Two kernels that could be one.
struct FusionCandidate {
  /// The last op of the one that comes first, and of the other.
  mlir::Operation *first = nullptr, *second = nullptr;
  /// The first computes what the second needs; else they read one tensor.
  bool isProducer;
  bool isFused;
  /// Of the two apart, and of the one; in microseconds.
  double apart = 0, together = 0;
  /// How often the one would read each byte; 0 if that is not known.
  double reads = 0;
  /// Why not; empty if they are one.
  std::string why;
};

/// The dims of values from the outermost to the innermost one in memory.
using MemoryOrders = llvm::MapVector<mlir::Value, SmallVector<int64_t>>;

struct FusionPlan {
  /// In an order in which kernels can run.
  SmallVector<KernelPlan> kernels;
  CopiedOps copied;
  /// Of what kernels hand to one another, where it is not row-major.
  MemoryOrders memoryOrders;
  /// What was weighed, in the order of decision; the last word on each pair.
  SmallVector<FusionCandidate> candidates;
};

/// Two ops, by the lines of a file that they come from.
struct LinePair {
  unsigned first, second;
};

struct FusionOptions {
  /// Else each op is a kernel.
  bool fuse = true;
  /// Kernels with these ops are joined if that is possible, whatever it costs;
  /// and those are not, whatever it saves.
  SmallVector<LinePair> forced, forbidden;
};

/// The line that an op comes from; 0 if its location is in no file.
unsigned getLine(mlir::Operation *op);
/// True if one of the ops comes from the line.
bool hasLine(ArrayRef<mlir::Operation *> ops, unsigned line);

/// Decides on kernels for the body of a function. Each op that is not freely
/// copied is one; with `fuse`, kernels are joined as long as that saves time,
/// by the cost model at the sizes of `fuse.size_hints`.
FusionPlan planFusion(mlir::FunctionOpInterface function,
                      const DimAnalysis &dims, const FusionOptions &options);

} // namespace fuse

#endif // FUSE_PASSES_FUSIONPLAN_H
