//===- KernelCost.cpp - What a kernel moves and computes ------------------===//

#include "fuse/passes/KernelCost.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

int64_t fuse::estimateExtent(const DimExpr &extent,
                             const DimBindings &extents) {
  constexpr int64_t unknown = 1024;
  if (std::optional<int64_t> known = extent.constant())
    return *known;
  if (std::optional<int64_t> known = extent.evaluate(extents))
    return *known;
  DimBindings all = extents;
  for (const std::string &symbol : extent.symbols())
    all.try_emplace(symbol, unknown);
  // A hint that a quotient does not divide is no reason to know nothing.
  return extent.evaluate(all).value_or(unknown);
}

static double bytesOf(Value tensor, const DimAnalysis &dims,
                      const DimBindings &extents) {
  auto bytes =
      static_cast<double>(getElementBytes(getElementTypeOrSelf(tensor)));
  for (const DimExpr &dim : dims.getSimplifiedDims(tensor))
    bytes *= static_cast<double>(estimateExtent(dim, extents));
  return bytes;
}

/// The steps of the loops around an op.
static double stepsOf(Operation &op, const IndexForm &form,
                      const DimBindings &extents) {
  double steps = 1;
  for (IndexId index : form.getIterated(op))
    steps *=
        static_cast<double>(estimateExtent(form.getExtent(index), extents));
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
