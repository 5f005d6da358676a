//===- FusionPlan.cpp - Which ops become one kernel -----------------------===//

#include "fuse/passes/FusionPlan.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/passes/IndexForm.h"

using namespace mlir;
using namespace fuse;

static bool isScalar(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 0;
}

/// True if the value follows from constants and dims.
static bool isScalarOfDims(Operation *op) {
  if (isa_and_nonnull<ConstantOp, DimOp>(op))
    return true;
  return isa_and_nonnull<MapOp, CompareOp, SelectOp, CastOp>(op) &&
         isScalar(op->getResult(0)) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return isScalarOfDims(operand.getDefiningOp());
         });
}

bool fuse::isFreelyCopied(Operation *op) {
  return isIndexMap(op) || isa<IotaOp>(op) || isScalarOfDims(op);
}

/// The index maps that are all that becomes of an op's result: the kernel
/// stores what comes out of them. A broadcast is left to whoever reads it.
static void addIndexMaps(Operation *op, SmallVectorImpl<Operation *> &ops) {
  while (op->getNumResults() == 1 && op->getResult(0).hasOneUse()) {
    OpOperand &use = *op->getResult(0).getUses().begin();
    op = use.getOwner();
    if (!isa<TransposeOp, ReshapeOp>(op) || use.getOperandNumber() != 0)
      return;
    ops.push_back(op);
  }
}

FusionPlan fuse::planFusion(FunctionOpInterface function) {
  FusionPlan plan;
  llvm::StringMap<unsigned> counts;
  for (Operation &op : function.getFunctionBody().front()) {
    if (!isa<DimInferenceOpInterface>(op) || isFreelyCopied(&op) ||
        isa<LaunchOp>(op))
      continue;
    StringRef mnemonic = op.getName().stripDialect();
    KernelPlan &kernel = plan.kernels.emplace_back();
    kernel.name = (mnemonic + "_" + Twine(counts[mnemonic]++)).str();
    kernel.ops.push_back(&op);
    addIndexMaps(&op, kernel.ops);
  }
  return plan;
}
