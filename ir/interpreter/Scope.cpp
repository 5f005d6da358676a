//===- Scope.cpp - The blocks of all values in one evaluation -------------===//

#include "Scope.h"
#include "AttentionSemantics.h"
#include "FloatFormat.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;

bool fuse::isCheck(Operation *op) {
  return isa<CheckEqualOp, CheckCloseOp, CheckBoundOp>(op);
}

//===----------------------------------------------------------------------===//
// LastUses
//===----------------------------------------------------------------------===//

LastUses::LastUses(FunctionOpInterface function) {
  Block &body = function.getFunctionBody().front();
  for (Operation &op : body) {
    for (Value result : op.getResults()) {
      Operation *last = &op;
      for (Operation *user : result.getUsers()) {
        Operation *ancestor = body.findAncestorOpInBlock(*user);
        if (last->isBeforeInBlock(ancestor))
          last = ancestor;
      }
      freed[last].push_back(result);
    }
  }
}

ArrayRef<Value> LastUses::freedAfter(Operation *op) const {
  auto it = freed.find(op);
  return it == freed.end() ? ArrayRef<Value>() : ArrayRef(it->second);
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

void Scope::want(Value value, const Box &box) {
  SmallVector<Box> &boxes = wanted[value];
  if (llvm::any_of(boxes,
                   [&](const Box &other) { return other.contains(box); }))
    return;
  llvm::erase_if(boxes, [&](const Box &other) { return box.contains(other); });
  boxes.push_back(box);
}

void Scope::plan(Block &body, bool withChecks) {
  if (withChecks)
    for (Operation &op : body)
      if (isCheck(&op))
        for (Value operand : op.getOperands())
          want(operand, Box::whole(semantics.getShape(operand)));
  planBlock(body);
}

void Scope::planBlock(Block &block) {
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    if (isCheck(&op))
      continue;
    if (auto attention = dyn_cast<AttentionOp>(op)) {
      planAttention(attention);
      continue;
    }
    for (const Box &box : SmallVector<Box>(wanted[op.getResult(0)]))
      for (auto [operand, needed] :
           llvm::zip_equal(op.getOperands(), semantics.operandBoxes(&op, box)))
        if (needed)
          want(operand, *needed);
  }
}

void Scope::planAttention(AttentionOp op) {
  AttentionSemantics attention(op, semantics);
  for (const Box &box : SmallVector<Box>(wanted[op.getResult()])) {
    auto boxes = attention.resultOperandBoxes(box);
    want(op.getYieldedScores(), boxes[0]);
    want(op.getValue(), boxes[1]);
  }
  planBlock(*op.getScoreBody());
  for (const Box &box :
       SmallVector<Box>(wanted[op.getScoreBody()->getArgument(0)])) {
    auto boxes = attention.scoreOperandBoxes(box);
    want(op.getQuery(), boxes[0]);
    want(op.getKey(), boxes[1]);
  }
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void Scope::bind(Value value, const Tensor &tensor) { lent[value] = &tensor; }

void Scope::add(Value value, Tensor tensor) {
  owned[value].push_back(std::make_unique<Tensor>(std::move(tensor)));
}

const Tensor &Scope::lookup(Value value, const Box &box) const {
  if (auto it = lent.find(value); it != lent.end())
    return *it->second;
  auto it = owned.find(value);
  assert(it != owned.end() && "the plan evaluates what it needs");
  return **llvm::find_if(it->second, [&](const auto &tensor) {
    return tensor->box.contains(box);
  });
}

LogicalResult Scope::run(Block &body, SmallVectorImpl<CheckOutcome> *outcomes) {
  for (Operation &op : body.without_terminator()) {
    if (isCheck(&op)) {
      if (outcomes)
        runCheck(&op, *outcomes);
    } else if (failed(runOp(&op))) {
      return failure();
    }
    for (Value value : lastUses.freedAfter(&op))
      owned.erase(value);
  }
  return success();
}

LogicalResult Scope::runOp(Operation *op) {
  if (auto attention = dyn_cast<AttentionOp>(op))
    return runAttention(attention);
  for (const Box &box : wanted[op->getResult(0)]) {
    SmallVector<const Tensor *> operands;
    for (auto [operand, needed] :
         llvm::zip_equal(op->getOperands(), semantics.operandBoxes(op, box)))
      operands.push_back(needed ? &lookup(operand, *needed) : nullptr);
    FailureOr<Tensor> result = semantics.evaluate(op, operands, box);
    if (failed(result))
      return failure();
    add(op->getResult(0), std::move(*result));
  }
  return success();
}

LogicalResult Scope::runAttention(AttentionOp op) {
  AttentionSemantics attention(op, semantics);
  Block &body = *op.getScoreBody();
  Value argument = body.getArgument(0);
  for (const Box &box : wanted[argument]) {
    auto boxes = attention.scoreOperandBoxes(box);
    add(argument, attention.scores(lookup(op.getQuery(), boxes[0]),
                                   lookup(op.getKey(), boxes[1]), box));
  }
  for (Operation &inner : body.without_terminator())
    if (failed(runOp(&inner)))
      return failure();
  for (const Box &box : wanted[op.getResult()]) {
    auto boxes = attention.resultOperandBoxes(box);
    add(op.getResult(),
        attention.result(lookup(op.getYieldedScores(), boxes[0]),
                         lookup(op.getValue(), boxes[1]), box));
  }
  owned.erase(argument);
  for (Operation &inner : body)
    for (Value result : inner.getResults())
      owned.erase(result);
  return success();
}

Tensor Scope::extract(Value value, const Box &box) {
  const Tensor &tensor = lookup(value, box);
  if (tensor.box == box)
    return tensor;
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, box.getRank()));
  IndexPattern pattern;
  llvm::StringMap<int64_t> extents;
  for (unsigned axis = 0; axis < box.getRank(); ++axis) {
    std::string name = "a" + std::to_string(axis);
    pattern.axes.push_back({name});
    extents[name] = tensor.box.end(axis);
  }
  return IndexMap::get(pattern, pattern, extents).gather(tensor, box);
}

void Scope::runCheck(Operation *op, SmallVectorImpl<CheckOutcome> &outcomes) {
  auto whole = [&](Value value) -> const Tensor & {
    return lookup(value, Box::whole(semantics.getShape(value)));
  };
  const Tensor &got = whole(op->getOperand(0));
  const Tensor &want = whole(op->getOperand(1));
  Criterion criterion;
  std::vector<double> values = got.value;
  if (auto close = dyn_cast<CheckCloseOp>(op)) {
    criterion = {Criterion::Kind::Close, close.getRtol().convertToDouble(),
                 close.getAtol().convertToDouble()};
  } else if (isa<CheckEqualOp>(op)) {
    criterion.kind = Criterion::Kind::Exact;
    if (isa<FloatType>(got.elementType))
      for (double &value : values)
        value = FloatFormat::of(got.elementType).round(value);
  }
  outcomes.push_back({op, judge(want, values, criterion)});
}
