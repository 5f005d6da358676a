//===- KernelCost.cpp - What a kernel moves and computes ------------------===//

#include "fuse/passes/KernelCost.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

static constexpr double unknownExtent = 1024;

static double evaluate(const DimExpr &expr, const DimBindings &extents) {
  DimBindings all = extents;
  for (const std::string &symbol : expr.symbols())
    all.try_emplace(symbol, unknownExtent);
  // A hint that a quotient does not divide is no reason to know nothing.
  return static_cast<double>(
      expr.evaluate(all).value_or(static_cast<int64_t>(unknownExtent)));
}

static double bytesOf(Value tensor, const DimAnalysis &dims,
                      const DimBindings &extents) {
  double bytes =
      std::max(8u, getElementTypeOrSelf(tensor).getIntOrFloatBitWidth()) / 8;
  for (const DimExpr &dim : dims.getSimplifiedDims(tensor))
    bytes *= evaluate(dim, extents);
  return bytes;
}

/// The steps of the loops around an op.
static double stepsOf(Operation &op, const IndexForm &form,
                      const DimBindings &extents) {
  llvm::SetVector<IndexId> indices;
  for (OpOperand &operand : op.getOpOperands())
    if (form.getRead(operand) || form.getSource(operand))
      indices.insert_range(form.getIndices(operand));
  if (op.getNumResults() == 1)
    indices.insert_range(form.getIndices(op.getResult(0)));
  double steps = 1;
  for (IndexId index : indices)
    steps *= evaluate(form.getExtent(index), extents);
  return steps;
}

KernelCost fuse::estimateCost(func::FuncOp kernel, const IndexForm &form,
                              const DimAnalysis &dims,
                              const DimBindings &extents) {
  KernelCost cost;
  for (BlockArgument argument : kernel.getArguments())
    if (!argument.use_empty())
      cost.bytes += bytesOf(argument, dims, extents);
  for (Value result : kernel.front().getTerminator()->getOperands())
    cost.bytes += bytesOf(result, dims, extents);
  for (Operation &op : kernel.front().without_terminator()) {
    if (auto einsum = dyn_cast<EinsumOp>(op))
      cost.flops += static_cast<double>(einsum.getInputs().size()) *
                    stepsOf(op, form, extents);
    else if (isa<MapOp, ReduceOp>(op))
      cost.flops += stepsOf(op, form, extents);
  }
  return cost;
}

double fuse::predictMicroseconds(const KernelCost &cost,
                                 const DeviceRates &rates) {
  return std::max({cost.bytes / rates.bytesPerMicrosecond,
                   cost.flops / rates.flopsPerMicrosecond,
                   rates.launchMicroseconds});
}
