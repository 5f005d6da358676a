//===- LiveElements.cpp - What a kernel's tiles hold at one time ----------===//

#include "LiveElements.h"
#include "KernelSchedule.h"

using namespace mlir;
using namespace fuse;

int64_t fuse::countLiveElements(func::FuncOp kernel, const IndexForm &form,
                                function_ref<int64_t(IndexId)> getExtent) {
  llvm::DenseMap<Value, Operation *> lastUses;
  for (Operation &op : kernel.front().without_terminator())
    for (OpOperand &operand : op.getOpOperands())
      if (Value source = form.getSource(operand))
        lastUses[source] = &op;
  auto getElements = [&](Value value) {
    int64_t elements = 1;
    for (IndexId index : form.getIndices(value))
      elements *= getExtent(index);
    return elements;
  };
  llvm::SetVector<Value> alive;
  int64_t most = 0;
  for (Operation &op : kernel.front().without_terminator()) {
    if (isIndexMap(&op) || op.getNumResults() != 1)
      continue;
    bool isAccumulated =
        isContraction(&op) || isByTerms(&op) ||
        (!isReduction(&op) &&
         llvm::any_of(op.getOpOperands(), [&](OpOperand &operand) {
           return alive.contains(form.getSource(operand));
         }));
    if (!isAccumulated)
      continue;
    // An elementwise op's result takes the place of what it needs last.
    if (!isReduction(&op))
      alive.remove_if([&](Value value) { return lastUses[value] == &op; });
    alive.insert(op.getResult(0));
    int64_t elements = 0;
    for (Value value : alive)
      elements += getElements(value);
    most = std::max(most, elements);
    alive.remove_if([&](Value value) {
      return !lastUses.count(value) || lastUses[value] == &op;
    });
  }
  return most;
}
