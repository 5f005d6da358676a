//===- StageSchedule.cpp - How kernels of several stages are cut ----------===//

#include "StageSchedule.h"
#include "LoopGroups.h"
#include "ScheduleCost.h"
#include "StageTiling.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuse;

/// What is tried. Of equals the first is taken.
static constexpr StageOptions stageOptions[] = {
    {64, 128, false, 1},      {64, 64, false, 1},
    {64, 128, true, 1},       {64, 64, true, 1},
    {64, 64, false, 8},       {64, 128, false, 8},
    {32, 128, false, 1},      {32, 64, false, 1},
    {32, 64, true, 1},        {8, 64, false, 1},
    {2, 64, false, 1},        {64, 128, false, 1, true},
    {64, 64, false, 1, true}, {32, 64, false, 1, true},
    {8, 64, false, 1, true},  {2, 64, false, 1, true}};

int64_t fuse::countElements(func::FuncOp kernel, const IndexForm &form,
                            const KernelSchedule &schedule) {
  int64_t elements = 0;
  for (Operation &op : kernel.front().without_terminator()) {
    if (isIndexMap(&op))
      continue;
    int64_t own = 1;
    for (IndexId index : form.getIndices(op.getResult(0)))
      own *= schedule.getExtent(index);
    elements += llvm::divideCeil(own, schedule.threads);
  }
  return elements;
}

/// With the options that take the least time, which it tells.
static FailureOr<KernelSchedule>
scheduleBest(func::FuncOp kernel, const IndexForm &form,
             const DimAnalysis &dims, const SizeHints &hints, double &leastTime,
             std::string &why) {
  KernelCost cost = estimateCost(kernel, form, dims, hints);
  FailureOr<KernelSchedule> best = failure();
  leastTime = std::numeric_limits<double>::infinity();
  SmallVector<KernelSchedule> tried;
  for (const StageOptions &options : stageOptions) {
    // Sums in f64 take twice the registers, and operands twice the memory.
    if (options.sums > 8 && contractsDoubles(kernel))
      continue;
    std::string whyNot;
    FailureOr<KernelSchedule> schedule =
        tileStages(kernel, form, hints, options, whyNot);
    if (succeeded(schedule) &&
        countElements(kernel, form, *schedule) > maxElementsOfValues) {
      whyNot = "more values than a thread holds";
      schedule = failure();
    }
    if (failed(schedule)) {
      why = whyNot;
      continue;
    }
    // Where dims are small, many options come to the same.
    if (llvm::is_contained(tried, *schedule))
      continue;
    double time = predictMicroseconds(kernel, form, *schedule, cost, hints);
    if (time < leastTime) {
      leastTime = time;
      best = schedule;
    }
    tried.push_back(std::move(*schedule));
  }
  return best;
}

/// Contractions that keep an index which other stages reduce as a whole.
static SmallVector<EinsumOp> findKeepers(func::FuncOp kernel,
                                         const IndexForm &form) {
  llvm::SetVector<IndexId> reduced = getReduced(kernel, form);
  SmallVector<EinsumOp> keepers;
  for (auto einsum : kernel.getOps<EinsumOp>()) {
    if (!isContraction(einsum))
      continue;
    ContractionSides sides(einsum, form);
    bool keeps = llvm::any_of(
        sides.batch, [&](IndexId index) { return reduced.contains(index); });
    if (keeps && sides.summed.size() == 1 && sides.alone.empty())
      keepers.push_back(einsum);
  }
  return keepers;
}

FailureOr<KernelSchedule> fuse::scheduleStages(func::FuncOp kernel,
                                               const IndexForm &form,
                                               const DimAnalysis &dims,
                                               const SizeHints &hints,
                                               std::string &why) {
  double time = 0, timeByTerms = 0;
  FailureOr<KernelSchedule> best =
      scheduleBest(kernel, form, dims, hints, time, why);
  SmallVector<EinsumOp> keepers = findKeepers(kernel, form);
  if (keepers.empty())
    return best;
  for (EinsumOp keeper : keepers)
    keeper->setAttr(byTermsAttr, UnitAttr::get(kernel.getContext()));
  std::string whyNot;
  FailureOr<KernelSchedule> byTerms =
      scheduleBest(kernel, form, dims, hints, timeByTerms, whyNot);
  if (succeeded(byTerms) && (failed(best) || timeByTerms < time))
    return byTerms;
  for (EinsumOp keeper : keepers)
    keeper->removeAttr(byTermsAttr);
  return best;
}
