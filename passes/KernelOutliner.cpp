//===- KernelOutliner.cpp - Copies of ops as functions --------------------===//

#include "KernelOutliner.h"
#include "NamedDims.h"
#include "fuse/ir/FuseDialect.h"
#include "fuse/passes/SizeClasses.h"

using namespace mlir;
using namespace fuse;

bool KernelOutliner::areNamed(ValueRange values) const {
  return llvm::all_of(
      values, [&](Value value) { return fuse::areNamed(dimsOf(value)); });
}

void KernelOutliner::collectInputs(Value value, Inputs &inputs) {
  llvm::DenseSet<Operation *> seen;
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || !copied.contains(op))
      inputs.insert(next);
    else if (seen.insert(op).second)
      llvm::append_range(stack, llvm::reverse(op->getOperands()));
  }
}

Value KernelOutliner::copyInto(OpBuilder &body, Value value,
                               IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    copyInto(body, operand, mapping);
  body.clone(*op, mapping);
  return mapping.lookup(value);
}

OutlinedKernel KernelOutliner::create(StringRef name, const Inputs &inputs,
                                      ArrayRef<Value> outputs) {
  ValueRange in = inputs.getArrayRef(), out = outputs;
  auto builder = OpBuilder::atBlockEnd(kernels.getBody());
  auto type =
      FunctionType::get(builder.getContext(), TypeRange(in), TypeRange(out));
  auto kernel = func::FuncOp::create(builder, function.getLoc(), name, type);
  kernel.addEntryBlock();
  for (auto [index, input] : llvm::enumerate(in)) {
    kernel.setArgAttr(index, FuseDialect::dimsAttr,
                      getDimsAttr(builder, dimsOf(input)));
    if (auto argument = dyn_cast<BlockArgument>(input))
      kernel.setArgAttr(index, FuseDialect::nameAttr,
                        builder.getStringAttr(
                            argumentName(function, argument.getArgNumber())));
  }
  for (auto [index, output] : llvm::enumerate(out))
    kernel.setResultAttr(index, FuseDialect::dimsAttr,
                         getDimsAttr(builder, dimsOf(output)));
  for (StringRef attr :
       {FuseDialect::factsAttr, FuseDialect::relaxRoundingAttr})
    if (Attribute value = function->getAttr(attr))
      kernel->setAttr(attr, value);
  OutlinedKernel result{kernel, llvm::to_vector(in), llvm::to_vector(out), {}};
  result.copies.map(in, kernel.getArguments());
  copySizeHints(result);
  return result;
}

/// The hints on symbols that the kernel's tensors have.
void KernelOutliner::copySizeHints(const OutlinedKernel &kernel) {
  DictionaryAttr hints = getSizeHintsAttr(function);
  if (!hints)
    return;
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute hint : hints) {
    auto hasSymbol = [&](Value value) {
      return llvm::any_of(dimsOf(value), [&](const DimExpr &dim) {
        return dim.contains(hint.getName());
      });
    };
    if (llvm::any_of(kernel.inputs, hasSymbol) ||
        llvm::any_of(kernel.outputs, hasSymbol))
      kept.push_back(hint);
  }
  kernel.function->setAttr(FuseDialect::sizeHintsAttr,
                           DictionaryAttr::get(function.getContext(), kept));
}

void KernelOutliner::finish(OutlinedKernel &kernel) {
  SmallVector<Value> results;
  for (Value output : kernel.outputs)
    results.push_back(kernel.copies.lookup(output));
  auto body = OpBuilder::atBlockEnd(&kernel.function.front());
  func::ReturnOp::create(body, kernel.function.getLoc(), results);
}

std::optional<OutlinedKernel> KernelOutliner::outline(ArrayRef<Operation *> ops,
                                                      StringRef name) {
  Inputs inputs;
  llvm::DenseSet<Operation *> members(ops.begin(), ops.end());
  SmallVector<Value> outputs;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands())
      if (!members.contains(operand.getDefiningOp()))
        collectInputs(operand, inputs);
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return copied.isNeededOutside(user, members);
          }))
        outputs.push_back(result);
  }
  // What a copied op needs may be a member.
  inputs.remove_if(
      [&](Value value) { return members.contains(value.getDefiningOp()); });
  if (outputs.empty() || !areNamed(inputs.getArrayRef()) || !areNamed(outputs))
    return std::nullopt;
  OutlinedKernel kernel = create(name, inputs, outputs);
  auto body = OpBuilder::atBlockEnd(&kernel.function.front());
  for (Operation *op : ops) {
    for (Value operand : op->getOperands())
      copyInto(body, operand, kernel.copies);
    body.clone(*op, kernel.copies);
  }
  finish(kernel);
  return kernel;
}

std::optional<OutlinedKernel> KernelOutliner::outlineCopy(Value value) {
  Inputs inputs;
  collectInputs(value, inputs);
  if (!areNamed(inputs.getArrayRef()) || !areNamed(value))
    return std::nullopt;
  OutlinedKernel kernel = create("copy", inputs, value);
  auto body = OpBuilder::atBlockEnd(&kernel.function.front());
  copyInto(body, value, kernel.copies);
  finish(kernel);
  return kernel;
}
