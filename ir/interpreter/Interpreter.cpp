//===- Interpreter.cpp - The executable semantics -------------------------===//
//
// Evaluation is in two sweeps. Backwards, each wanted block of a result says
// which blocks of other values it needs; forwards, every op computes the blocks
// of its result that somebody needs. To evaluate everything is to want the
// whole results; to judge a sample is to want single elements.
//
//===----------------------------------------------------------------------===//

#include "fuse/interpreter/Interpreter.h"
#include "Scope.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

static LogicalResult checkBlock(Block &block, bool isRegion = false) {
  for (Operation &op : block.without_terminator()) {
    if (auto attention = dyn_cast<AttentionOp>(op)) {
      if (failed(checkBlock(*attention.getScoreBody(), /*isRegion=*/true)))
        return failure();
      continue;
    }
    if (isRegion && isCheck(&op))
      return op.emitError() << "cannot be interpreted: expects checks outside "
                               "of score regions";
    if (Semantics::isKnown(&op) || isCheck(&op))
      continue;
    return op.emitError() << "cannot be interpreted: expects an op of dialect "
                             "fuse, but got '"
                          << op.getName() << "'"
                          << (isa<CallOpInterface>(op)
                                  ? "; inline calls first, with --inline"
                                  : "");
  }
  return success();
}

LogicalResult Interpreter::checkOps(FunctionOpInterface function) {
  if (function.isExternal())
    return function.emitError() << "cannot be interpreted: it has no body";
  Region &body = function.getFunctionBody();
  if (!body.hasOneBlock())
    return function.emitError()
           << "cannot be interpreted: expects one block, but got "
           << body.getBlocks().size();
  for (Type type : function.getArgumentTypes())
    if (!isFuseTensor(type))
      return function.emitError()
             << "cannot be interpreted: expects arguments that are tensors of "
                "the dialect, but got "
             << type;
  return checkBlock(body.front());
}

FailureOr<Interpreter> Interpreter::create(FunctionOpInterface function,
                                           DimAnalysis analysis,
                                           DimBindings bindings) {
  if (failed(checkOps(function)))
    return failure();
  return Interpreter(function, std::move(analysis), std::move(bindings));
}

SmallVector<int64_t> Interpreter::getArgumentShape(unsigned index) const {
  return analysis.getShape(function.getArgument(index), bindings);
}

static Value returned(FunctionOpInterface function, unsigned index) {
  return function.getFunctionBody().front().getTerminator()->getOperand(index);
}

SmallVector<int64_t> Interpreter::getResultShape(unsigned index) const {
  return analysis.getShape(returned(function, index), bindings);
}

Type Interpreter::getResultElementType(unsigned index) const {
  return cast<RankedTensorType>(returned(function, index).getType())
      .getElementType();
}

int64_t Interpreter::estimateBytes() const {
  // Live tensors follow program order; a value is freed after its last use.
  // Beside value and bound, the result of a norm may hold seven numbers
  // about shared errors.
  constexpr uint64_t bytesPerElement = 9 * sizeof(double) + 1;
  LastUses lastUses(function);
  auto size = [&](Value value) -> uint64_t {
    return Box::whole(analysis.getShape(value, bindings)).size();
  };
  auto bytes = [&](Value value) {
    uint64_t elements = size(value);
    // The errors of its weights live on in the result of an attention.
    if (auto attention = value.getDefiningOp<AttentionOp>())
      elements = llvm::SaturatingAdd(
          elements, size(attention.getScoreBody()->getArgument(0)) / 2);
    // So may the factors of a product, and their errors.
    if (auto einsum = value.getDefiningOp<EinsumOp>())
      for (Value factor : einsum.getInputs())
        elements = llvm::SaturatingAdd(elements, size(factor) / 2);
    return llvm::SaturatingMultiply(elements, bytesPerElement);
  };
  uint64_t live = 0, peak = 0;
  for (BlockArgument argument : function.getArguments())
    live = llvm::SaturatingAdd(live, bytes(argument));
  for (Operation &op : function.getFunctionBody().front()) {
    uint64_t inside = 0;
    op.walk([&](Operation *nested) {
      for (Value result : nested->getResults())
        inside = llvm::SaturatingAdd(inside, bytes(result));
    });
    // An attention holds its scores twice, as products and as weights.
    if (auto attention = dyn_cast<AttentionOp>(op))
      inside = llvm::SaturatingAdd(
          inside, 2 * bytes(attention.getScoreBody()->getArgument(0)));
    peak = std::max(peak, llvm::SaturatingAdd(live, inside));
    for (Value result : op.getResults())
      live = llvm::SaturatingAdd(live, bytes(result));
    for (Value value : lastUses.freedAfter(&op))
      live -= std::min(live, bytes(value));
  }
  return std::min<uint64_t>(std::max(peak, live), INT64_MAX);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Tensor>>
Interpreter::evaluate(ArrayRef<Tensor> arguments,
                      ArrayRef<std::optional<Box>> wanted, bool withChecks,
                      Operation *exactOp) {
  Semantics semantics(analysis, bindings, exactOp, function->getContext());
  Scope scope(semantics, function);
  Block &body = function.getFunctionBody().front();
  Operation *terminator = body.getTerminator();
  for (auto [value, box] : llvm::zip_equal(terminator->getOperands(), wanted))
    if (box)
      scope.want(value, *box);
  scope.plan(body, withChecks);
  for (auto [argument, tensor] :
       llvm::zip_equal(function.getArguments(), arguments))
    scope.bind(argument, tensor);
  outcomes.clear();
  if (failed(scope.run(body, withChecks ? &outcomes : nullptr)))
    return failure();
  SmallVector<Tensor> results;
  for (auto [value, box] : llvm::zip_equal(terminator->getOperands(), wanted))
    results.push_back(box ? scope.extract(value, *box) : Tensor());
  return results;
}

FailureOr<SmallVector<Tensor>> Interpreter::run(ArrayRef<Tensor> arguments) {
  SmallVector<std::optional<Box>> wanted;
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    wanted.push_back(Box::whole(getResultShape(i)));
  return evaluate(arguments, wanted, /*withChecks=*/true, /*exactOp=*/nullptr);
}

FailureOr<Tensor> Interpreter::runElement(ArrayRef<Tensor> arguments,
                                          unsigned result,
                                          ArrayRef<int64_t> index) {
  SmallVector<std::optional<Box>> wanted(function.getNumResults());
  wanted[result] = Box::element(index);
  FailureOr<SmallVector<Tensor>> results =
      evaluate(arguments, wanted, /*withChecks=*/false, /*exactOp=*/nullptr);
  if (failed(results))
    return failure();
  return std::move((*results)[result]);
}

FailureOr<SmallVector<std::pair<Operation *, double>>>
Interpreter::explainBound(ArrayRef<Tensor> arguments, unsigned result,
                          ArrayRef<int64_t> index) {
  FailureOr<Tensor> all = runElement(arguments, result, index);
  if (failed(all))
    return failure();
  double bound = all->bound[0];
  SmallVector<std::pair<Operation *, double>> shares;
  if (bound == 0 || !std::isfinite(bound))
    return shares;
  SmallVector<std::optional<Box>> wanted(function.getNumResults());
  wanted[result] = Box::element(index);
  WalkResult walk = function->walk([&](Operation *op) {
    if (op->getNumResults() == 0 || op == function)
      return WalkResult::advance();
    auto without = evaluate(arguments, wanted, /*withChecks=*/false, op);
    if (failed(without))
      return WalkResult::interrupt();
    double share = (bound - (*without)[result].bound[0]) / bound;
    if (share > 0)
      shares.emplace_back(op, share);
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  llvm::stable_sort(shares, [](const auto &lhs, const auto &rhs) {
    return lhs.second > rhs.second;
  });
  return shares;
}
