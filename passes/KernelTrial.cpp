//===- KernelTrial.cpp - Ops as one kernel, for a decision ----------------===//

#include "KernelTrial.h"
#include "ScheduleCost.h"
#include "fuse/passes/SizeClasses.h"

using namespace mlir;
using namespace fuse;

KernelTrial::KernelTrial(FunctionOpInterface function, const DimAnalysis &dims,
                         const CopiedOps &copied)
    : dims(dims), hints(getSizeHints(function)),
      scratch(ModuleOp::create(function.getLoc())),
      outliner(
          function,
          [&dims](Value value) { return dims.getSimplifiedDims(value); },
          *scratch, copied) {}

TrialResult KernelTrial::run(ArrayRef<Operation *> ops, Visitor visit) {
  std::optional<OutlinedKernel> kernel = outliner.outline(ops, "trial");
  if (!kernel)
    return {"dims without names"};
  TrialResult result = evaluate(*kernel, visit);
  kernel->function.erase();
  return result;
}

TrialResult KernelTrial::evaluate(const OutlinedKernel &kernel, Visitor visit) {
  DimAnalysis own = DimAnalysis::ofCopies(dims, kernel.copies);
  FailureOr<IndexForm> form =
      IndexForm::compute(kernel.function, own, /*isTrial=*/true);
  if (failed(form))
    return {"no common indices"};
  if (!visit)
    form->coalesce();
  std::string why;
  FailureOr<KernelSchedule> schedule =
      scheduleKernel(kernel.function, *form, own, hints, why);
  if (failed(schedule))
    return {why};
  if (visit)
    visit(kernel, *form, *schedule);
  KernelCost cost = estimateCost(kernel.function, *form, own, hints);
  return {"",
          predictMicroseconds(kernel.function, *form, *schedule, cost, hints),
          predictTraffic(kernel.function, *form, *schedule, hints), cost.bytes};
}
