//===- KernelTrial.cpp - Ops as one kernel, for a decision ----------------===//

#include "KernelTrial.h"
#include "KernelSchedule.h"
#include "ScheduleCost.h"

using namespace mlir;
using namespace fuse;

KernelTrial::KernelTrial(FunctionOpInterface function, const DimAnalysis &dims)
    : scratch(ModuleOp::create(function.getLoc())),
      outliner(
          function,
          [&dims](Value value) { return dims.getSimplifiedDims(value); },
          *scratch) {}

TrialResult KernelTrial::run(ArrayRef<Operation *> ops) {
  std::optional<OutlinedKernel> kernel = outliner.outline(ops, "trial");
  if (!kernel)
    return {"dims without names", 0};
  TrialResult result = evaluate(*kernel);
  kernel->function.erase();
  return result;
}

TrialResult KernelTrial::evaluate(OutlinedKernel &kernel) {
  auto function = cast<FunctionOpInterface>(kernel.function.getOperation());
  FailureOr<DimAnalysis> dims = DimAnalysis::compute(function);
  if (failed(dims))
    return {"dims that contradict each other", 0};
  FailureOr<IndexForm> form =
      IndexForm::compute(kernel.function, *dims, /*isTrial=*/true);
  if (failed(form))
    return {"no common indices", 0};
  form->coalesce();
  SizeHints hints = getSizeHints(kernel.function);
  std::string why;
  FailureOr<KernelSchedule> schedule =
      scheduleKernel(kernel.function, *form, *dims, hints, why);
  if (failed(schedule))
    return {why, 0};
  KernelCost cost = estimateCost(kernel.function, *form, *dims, hints);
  return {"",
          predictMicroseconds(kernel.function, *form, *schedule, cost, hints)};
}
