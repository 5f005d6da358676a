//===- LiveRegisters.cpp - Registers that a schedule takes ----------------===//

#include "LiveRegisters.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuse;

namespace {
/// An op, by its position in the order in which a kernel computes.
struct Node {
  Operation *op = nullptr;
  /// The producers of what it needs.
  SmallVector<unsigned, 4> sources;
  /// What its result takes, and what is loaded for it, by buffer: for a
  /// contraction, a block of terms on its way to shared memory.
  int64_t registers = 0;
  SmallVector<std::pair<Value, int64_t>, 2> loaded;
  bool isContraction = false;
  /// A contraction in the same loop needs it, or what elementwise ops make of
  /// it.
  bool isContracted = false;
};

/// Positions of ops, the first and the last.
struct Span {
  unsigned begin, end;
};

class LiveRegisters {
public:
  LiveRegisters(func::FuncOp kernel, const IndexForm &form,
                const KernelSchedule &schedule, ArrayRef<LoopGroup> groups);
  int64_t countMost();

private:
  /// Appends `op` behind what it needs.
  void append(Operation *op);
  Node describe(Operation &op);
  int64_t getRegisters(ArrayRef<IndexId> indices, Type type, int64_t terms = 1);
  /// What is computed in a loop's steps, and in those of loops within.
  llvm::BitVector findSteps(const LoopGroup &group);
  /// Of the ops in `part`, where the loops that are in it run.
  int64_t countMost(const llvm::BitVector &part);
  /// Of what is computed elsewhere, and needed in a loop or behind it.
  int64_t countHeld(const llvm::BitVector &steps);
  /// Of what a step loads for the next one.
  int64_t countAhead(const llvm::BitVector &steps);

  const IndexForm &form;
  const KernelSchedule &schedule;
  ArrayRef<LoopGroup> groups;
  std::vector<Node> nodes;
  llvm::DenseMap<Operation *, unsigned> positions;
  llvm::DenseSet<Operation *> visited;
  SmallVector<llvm::BitVector> stepsOf; // of each group
};
} // namespace

LiveRegisters::LiveRegisters(func::FuncOp kernel, const IndexForm &form,
                             const KernelSchedule &schedule,
                             ArrayRef<LoopGroup> groups)
    : form(form), schedule(schedule), groups(groups) {
  for (OpOperand &result : kernel.front().getTerminator()->getOpOperands())
    if (Value source = form.getSource(result))
      append(source.getDefiningOp());
  for (const LoopGroup &group : groups)
    for (const LoopMember &member : group.members)
      append(member.op);
  for (Node &node : llvm::reverse(nodes))
    for (unsigned source : node.sources)
      nodes[source].isContracted |=
          node.isContraction ? isNested(*nodes[source].op, form, schedule)
                             : node.isContracted && !isReduction(node.op);
  // Loops within others come first.
  stepsOf.resize(groups.size());
  for (bool isWithin : {true, false})
    for (auto [group, steps] : llvm::zip_equal(groups, stepsOf))
      if (isWithin != group.around.empty())
        steps = findSteps(group);
}

void LiveRegisters::append(Operation *op) {
  if (!op || isIndexMap(op) || !visited.insert(op).second)
    return;
  for (OpOperand &operand : op->getOpOperands())
    if (Value source = form.getSource(operand);
        source && !form.getRead(operand))
      append(source.getDefiningOp());
  nodes.push_back(describe(*op));
  positions[op] = nodes.size() - 1;
}

int64_t LiveRegisters::getRegisters(ArrayRef<IndexId> indices, Type type,
                                    int64_t terms) {
  int64_t elements = terms;
  for (IndexId index : indices)
    elements *= schedule.getExtent(index);
  return llvm::divideCeil(elements, schedule.threads) *
         llvm::divideCeil(getElementBytes(getElementTypeOrSelf(type)), 4);
}

Node LiveRegisters::describe(Operation &op) {
  Node node;
  node.op = &op;
  ArrayRef<IndexId> own = form.getIndices(op.getResult(0));
  node.registers = getRegisters(own, op.getResult(0).getType());
  node.isContraction = isContraction(&op);
  for (OpOperand &operand : op.getOpOperands()) {
    if (const Read *read = form.getRead(operand)) {
      SmallVector<IndexId> indices(form.getIndices(operand));
      int64_t terms = 1;
      llvm::erase_if(indices, [&](IndexId index) {
        bool isStreamed = node.isContraction && schedule.getStreamed(index) &&
                          !llvm::is_contained(own, index);
        terms = isStreamed ? termsOfChain : terms;
        return isStreamed;
      });
      node.loaded.push_back(
          {read->buffer, getRegisters(indices, read->buffer.getType(), terms)});
    } else if (Value source = form.getSource(operand)) {
      if (auto it = positions.find(source.getDefiningOp());
          it != positions.end())
        node.sources.push_back(it->second);
    }
  }
  return node;
}

llvm::BitVector LiveRegisters::findSteps(const LoopGroup &group) {
  auto steps = [&](Operation *op) {
    ArrayRef<IndexId> indices = form.getIndices(op->getResult(0));
    return llvm::any_of(group.loops, [&](const TileDim &loop) {
      return llvm::is_contained(indices, loop.index);
    });
  };
  llvm::BitVector inside(nodes.size());
  for (const LoopMember &member : group.members)
    inside.set(positions.at(member.op));
  for (unsigned i = nodes.size(); i-- > 0;)
    if (inside[i])
      for (unsigned source : nodes[i].sources)
        if (!inside[source] && steps(nodes[source].op))
          inside.set(source);
  for (auto [nested, steps] : llvm::zip_equal(groups, stepsOf))
    if (!steps.empty() &&
        llvm::any_of(nested.members, [&](const LoopMember &member) {
          return inside[positions.at(member.op)];
        }))
      inside |= steps;
  return inside;
}

int64_t LiveRegisters::countMost(const llvm::BitVector &part) {
  SmallVector<Span> spans;
  for (unsigned i = 0; i < nodes.size(); ++i)
    spans.push_back({i, i});
  // A contraction has its operands in shared memory.
  for (auto [position, node] : llvm::enumerate(nodes))
    if (!node.isContraction)
      for (unsigned source : node.sources)
        spans[source].end = position;
  // A loop's results so far are alive in all of its steps; so is what it needs
  // of its surroundings.
  for (auto [group, steps] : llvm::zip_equal(groups, stepsOf)) {
    if (steps.test(part))
      continue;
    auto begin = static_cast<unsigned>(steps.find_first());
    auto end = static_cast<unsigned>(steps.find_last());
    for (const LoopMember &member : group.members) {
      Span &span = spans[positions.at(member.op)];
      span = {begin, std::max(span.end, end)};
    }
    for (Span &span : spans)
      if (span.begin < begin && span.end >= begin)
        span.end = std::max(span.end, end);
  }
  int64_t most = 0;
  for (unsigned position : part.set_bits()) {
    const Node &node = nodes[position];
    int64_t before = 0, after = 0;
    if (!node.isContraction)
      for (auto [buffer, own] : node.loaded)
        before += own;
    for (unsigned i : part.set_bits()) {
      const Span &span = spans[i];
      if (span.begin < position && position <= span.end)
        before += nodes[i].registers;
      if (span.begin <= position && (position < span.end || i == position))
        after += nodes[i].registers;
    }
    // Each block of terms is a chain of its own.
    if (node.isContraction && !isOneChain(cast<EinsumOp>(node.op), form))
      after += node.registers;
    most = std::max({most, before, after});
  }
  return most;
}

int64_t LiveRegisters::countAhead(const llvm::BitVector &steps) {
  int64_t registers = 0;
  llvm::DenseSet<Value> known;
  for (unsigned i : steps.set_bits()) {
    const Node &node = nodes[i];
    if (!node.isContraction && !node.isContracted)
      continue;
    // What several of them need is loaded once.
    for (auto [buffer, own] : node.loaded)
      if (known.insert(buffer).second)
        registers += own;
  }
  return std::min(registers, mostRegistersAhead);
}

int64_t LiveRegisters::countHeld(const llvm::BitVector &steps) {
  auto begin = static_cast<unsigned>(steps.find_first());
  auto end = static_cast<unsigned>(steps.find_last());
  llvm::BitVector held(nodes.size());
  for (auto [position, node] : llvm::enumerate(nodes))
    if (!node.isContraction && (steps[position] || position > end))
      for (unsigned source : node.sources)
        if (!steps[source] && source < begin &&
            !isNested(*nodes[source].op, form, schedule))
          held.set(source);
  int64_t registers = 0;
  for (unsigned i : held.set_bits())
    registers += nodes[i].registers;
  return registers;
}

int64_t LiveRegisters::countMost() {
  int64_t most = 0;
  llvm::BitVector outside(nodes.size(), true);
  for (auto [group, inside] : llvm::zip_equal(groups, stepsOf)) {
    // Those in other loops are parts of these.
    if (!group.around.empty())
      continue;
    most = std::max(most,
                    countMost(inside) + countHeld(inside) + countAhead(inside));
    llvm::BitVector steps = inside;
    for (const LoopMember &member : group.members)
      steps.reset(positions.at(member.op));
    outside.reset(steps);
  }
  // Blocks of several tiles load those of the next one.
  llvm::BitVector ofTiles = outside;
  for (unsigned i : outside.set_bits())
    if (!isNested(*nodes[i].op, form, schedule))
      ofTiles.reset(i);
  return std::max(most, countMost(outside) + countAhead(ofTiles));
}

int64_t fuse::countLiveRegisters(func::FuncOp kernel, const IndexForm &form,
                                 const KernelSchedule &schedule,
                                 ArrayRef<LoopGroup> groups) {
  return LiveRegisters(kernel, form, schedule, groups).countMost();
}
