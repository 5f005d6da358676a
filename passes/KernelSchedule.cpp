//===- KernelSchedule.cpp - How all indices of a kernel are cut -----------===//

#include "KernelSchedule.h"
#include "LoopGroups.h"
#include "StageSchedule.h"
#include "fuse/ir/SumOrder.h"

using namespace mlir;
using namespace fuse;

const StreamedIndex *KernelSchedule::getStreamed(IndexId index) const {
  const auto *it = llvm::find_if(
      streamed, [&](const StreamedIndex &s) { return s.index == index; });
  return it == streamed.end() ? nullptr : it;
}

int64_t KernelSchedule::getExtent(IndexId index) const {
  if (const StreamedIndex *own = getStreamed(index))
    return own->rowStep;
  const auto *it = llvm::find_if(
      tile, [&](const TileDim &dim) { return dim.index == index; });
  return it == tile.end() ? 1 : it->extent;
}

bool fuse::isByTerms(Operation *op) {
  return isa<EinsumOp>(op) && op->hasAttr(byTermsAttr);
}

bool fuse::isOneChain(EinsumOp op, const IndexForm &form) {
  DimExpr count(1);
  ContractionSides sides(op, form);
  for (ArrayRef<IndexId> indices :
       {ArrayRef(sides.summed), ArrayRef(sides.alone)})
    for (IndexId index : indices)
      count = count * form.getExtent(index);
  std::optional<int64_t> terms = count.constant();
  return terms && mayBeOneChain(*terms);
}

/// True if elementwise ops make the value from sums of a contraction.
static bool isComputed(Value value, const IndexForm &form) {
  SmallVector<Value> stack = {value};
  llvm::DenseSet<Value> seen;
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    Operation *op = next ? next.getDefiningOp() : nullptr;
    if (!op || !seen.insert(next).second)
      continue;
    if (isContraction(op))
      return true;
    if (!isReduction(op))
      for (OpOperand &operand : op->getOpOperands())
        stack.push_back(form.getSource(operand));
  }
  return false;
}

std::optional<unsigned> fuse::findRowsOperand(EinsumOp op,
                                              const IndexForm &form) {
  if (op.getInputs().size() != 2)
    return std::nullopt;
  ContractionSides sides(op, form);
  if (sides.summed.size() != 1)
    return std::nullopt;
  std::optional<int64_t> terms = form.getExtent(sides.summed[0]).constant();
  for (unsigned rows : {0, 1}) {
    ArrayRef<IndexId> others = rows == 0 ? sides.right : sides.left;
    if (!terms || others.size() != 1)
      continue;
    std::optional<int64_t> columns = form.getExtent(others[0]).constant();
    Value source = form.getSource(op->getOpOperand(rows));
    if (columns && getFreeAdditions(*columns, *terms) && source &&
        source.hasOneUse() && isComputed(source, form))
      return rows;
  }
  return std::nullopt;
}

bool fuse::isContraction(Operation *op) {
  auto einsum = dyn_cast<EinsumOp>(op);
  return einsum && einsum.getInputs().size() == 2 && !isProduct(einsum) &&
         !isByTerms(op);
}

bool fuse::isReduction(Operation *op) {
  auto einsum = dyn_cast<EinsumOp>(op);
  return isa<ReduceOp>(op) || (einsum && !isProduct(einsum));
}

bool fuse::isProduced(IndexId index, func::FuncOp kernel,
                      const IndexForm &form) {
  return llvm::any_of(kernel.front(), [&](Operation &op) {
    return isReduction(&op) &&
           llvm::is_contained(form.getIndices(op.getResult(0)), index);
  });
}

bool fuse::isRowReduced(IndexId index, func::FuncOp kernel,
                        const IndexForm &form) {
  return llvm::any_of(kernel.front(), [&](Operation &op) {
    return isReduction(&op) && !isContraction(&op) &&
           llvm::is_contained(form.getIndices(op.getOpOperand(0)), index) &&
           !llvm::is_contained(form.getIndices(op.getResult(0)), index);
  });
}

ContractionSides::ContractionSides(EinsumOp op, const IndexForm &form) {
  ArrayRef<IndexId> lhs = form.getIndices(op->getOpOperand(0));
  ArrayRef<IndexId> rhs = form.getIndices(op->getOpOperand(1));
  ArrayRef<IndexId> kept = form.getIndices(op.getResult());
  llvm::SmallSetVector<IndexId, 8> all;
  all.insert_range(lhs);
  all.insert_range(rhs);
  all.insert_range(kept);
  for (IndexId index : all) {
    bool inLhs = llvm::is_contained(lhs, index);
    bool inRhs = llvm::is_contained(rhs, index);
    // Of extent 1, and only the result's: it stands for what a side lacks.
    if (!inLhs && !inRhs)
      (left.empty() ? left : right).push_back(index);
    else if (llvm::is_contained(kept, index))
      (inLhs && inRhs ? batch : inLhs ? left : right).push_back(index);
    else
      (inLhs && inRhs ? summed : alone).push_back(index);
  }
}

//===----------------------------------------------------------------------===//
// Kernels without contractions, and with nothing but one
//===----------------------------------------------------------------------===//

static KernelSchedule fromRows(const RowSchedule &rows) {
  KernelSchedule schedule;
  schedule.grid = rows.grid;
  schedule.threads = rows.threads;
  for (const TileDim &loop : rows.loops)
    schedule.streamed.push_back({loop.index, loop.extent, loop.extent});
  for (const TileDim &dim : rows.tile)
    if (!schedule.getStreamed(dim.index))
      schedule.tile.push_back(dim);
  return schedule;
}

static KernelSchedule fromContraction(const ContractionSchedule &contraction) {
  KernelSchedule schedule;
  schedule.grid = contraction.grid;
  schedule.threads = contraction.threads;
  schedule.tile = {contraction.m, contraction.n};
  for (const TileDim &loop : contraction.loops)
    schedule.streamed.push_back({loop.index});
  if (contraction.k.extent == 1)
    schedule.tile.push_back(contraction.k);
  else
    schedule.streamed.push_back(
        {contraction.k.index, contraction.k.extent, contraction.k.extent});
  return schedule;
}

/// Every element of a result is computed in one block.
static bool writesOnce(func::FuncOp kernel, const IndexForm &form,
                       const KernelSchedule &schedule) {
  Operation *end = kernel.front().getTerminator();
  return llvm::all_of(schedule.grid, [&](const TileDim &dim) {
    std::optional<int64_t> extent = form.getExtent(dim.index).constant();
    return (extent && *extent <= dim.extent) ||
           llvm::all_of(end->getOpOperands(), [&](OpOperand &result) {
             return llvm::is_contained(form.getIndices(result), dim.index);
           });
  });
}

/// True if the kernel's results have no index that the contraction's lacks: it
/// is broadcast along none.
static bool hasIndicesOfResults(EinsumOp op, func::FuncOp kernel,
                                const IndexForm &form) {
  ArrayRef<IndexId> own = form.getIndices(op.getResult());
  Operation *end = kernel.front().getTerminator();
  return llvm::all_of(end->getOpOperands(), [&](OpOperand &result) {
    return llvm::all_of(form.getIndices(result), [&](IndexId index) {
      return llvm::is_contained(own, index);
    });
  });
}

/// True if a reduction would run in a loop over an index that it removes: its
/// result has an index that another one steps along, within a loop over the
/// former.
static bool reducesOwnLoop(func::FuncOp kernel, const IndexForm &form,
                           const KernelSchedule &schedule) {
  auto isIn = [](IndexId index, ArrayRef<IndexId> indices) {
    return llvm::is_contained(indices, index);
  };
  auto isStepInside = [&](IndexId step, IndexId outer) {
    return llvm::any_of(kernel.front(), [&](Operation &op) {
      return isReduction(&op) &&
             isIn(outer, form.getIndices(op.getResult(0))) &&
             llvm::any_of(
                 getLoops(&op, form, schedule),
                 [&](const TileDim &loop) { return loop.index == step; });
    });
  };
  return llvm::any_of(kernel.front(), [&](Operation &op) {
    if (!isReduction(&op) || !isNested(op, form, schedule))
      return false;
    for (const TileDim &loop : getLoops(&op, form, schedule))
      for (IndexId index : form.getIndices(op.getResult(0)))
        if (schedule.getStreamed(index) && isStepInside(index, loop.index))
          return true;
    return false;
  });
}

FailureOr<KernelSchedule> fuse::scheduleKernel(func::FuncOp kernel,
                                               IndexForm &form,
                                               const DimAnalysis &dims,
                                               const SizeHints &hints,
                                               std::string &why) {
  unsigned contractions = 0, reductions = 0;
  EinsumOp einsum;
  for (Operation &op : kernel.front()) {
    op.removeAttr(byTermsAttr);
    if (isContraction(&op)) {
      ++contractions;
      einsum = cast<EinsumOp>(op);
    } else if (isReduction(&op)) {
      ++reductions;
    }
  }
  FailureOr<KernelSchedule> schedule;
  if (contractions == 0)
    schedule = fromRows(scheduleRows(kernel, form, hints));
  else if (contractions == 1 && reductions == 0 &&
           hasIndicesOfResults(einsum, kernel, form))
    schedule = fromContraction(scheduleContraction(einsum, form, hints));
  else
    schedule = scheduleStages(kernel, form, dims, hints, why);
  // Each would be computed again in the loops of the other.
  if (succeeded(schedule) && contractions == 0 &&
      llvm::any_of(kernel.front(), [&](Operation &op) {
        return isReduction(&op) && isNested(op, form, *schedule);
      })) {
    why = "reductions along different rows";
    return failure();
  }
  if (succeeded(schedule) && reductions > 1 &&
      countElements(kernel, form, *schedule) > maxElementsOfValues) {
    why = "more values than a thread holds";
    return failure();
  }
  if (succeeded(schedule) && reducesOwnLoop(kernel, form, *schedule)) {
    why = "a reduction in a loop over what it reduces";
    return failure();
  }
  if (succeeded(schedule) && !writesOnce(kernel, form, *schedule)) {
    why = "a result that several blocks would write";
    return failure();
  }
  return schedule;
}
