//===- IndexCoalescing.cpp - Queries and joins of indices -----------------===//

#include "fuse/passes/IndexForm.h"

using namespace mlir;
using namespace fuse;

ArrayRef<IndexId> IndexForm::getIndices(Value value) const {
  const auto *it = values.find(value);
  return it == values.end() ? ArrayRef<IndexId>() : ArrayRef(it->second);
}

ArrayRef<IndexId> IndexForm::getIndices(OpOperand &operand) const {
  return uses.find(&operand)->second.indices;
}

const Read *IndexForm::getRead(OpOperand &operand) const {
  const auto *it = uses.find(&operand);
  return it == uses.end() || !it->second.read ? nullptr : &*it->second.read;
}

Value IndexForm::getSource(OpOperand &operand) const {
  const auto *it = uses.find(&operand);
  return it == uses.end() ? Value() : it->second.source;
}

llvm::SetVector<IndexId> IndexForm::getIterated(Operation &op) const {
  llvm::SetVector<IndexId> indices;
  for (OpOperand &operand : op.getOpOperands())
    if (getRead(operand) || getSource(operand))
      indices.insert_range(getIndices(operand));
  for (Value result : op.getResults())
    indices.insert_range(getIndices(result));
  return indices;
}

void IndexForm::forEachAccess(function_ref<void(Access &)> fn) {
  for (auto &[operand, use] : uses)
    if (use.read)
      fn(use.read->access);
  for (Access &access : results)
    fn(access);
}

void IndexForm::forEachIndices(function_ref<void(IndexList &)> fn) {
  for (auto &[operand, use] : uses)
    fn(use.indices);
  for (auto &[value, list] : values)
    fn(list);
}

IndexId IndexForm::addUnitIndex(Value root) {
  IndexId index = extents.size();
  extents.emplace_back(1);
  order.insert(index);
  llvm::DenseSet<Value> derived = {root};
  for (auto &[value, list] : values) {
    bool isDerived = llvm::any_of(
        value.getDefiningOp()->getOpOperands(), [&](OpOperand &operand) {
          const auto *it = uses.find(&operand);
          return it != uses.end() && derived.contains(it->second.source);
        });
    if (value != root && !isDerived)
      continue;
    derived.insert(value);
    list.insert(list.begin(), index);
  }
  return index;
}

IndexId IndexForm::addUnitDepth(EinsumOp op) {
  IndexId index = extents.size();
  extents.emplace_back(1);
  order.insert(index);
  for (OpOperand &operand : op->getOpOperands())
    uses.find(&operand)->second.indices.push_back(index);
  return index;
}

/// Two indices are as good as one if they always occur side by side, and every
/// buffer has the elements of the inner one end to end.
bool IndexForm::canJoin(IndexId outer, IndexId inner) {
  if (counted.contains(outer) || counted.contains(inner))
    return false;
  bool joins = true;
  forEachAccess([&](Access &access) {
    joins &= access.stride(outer) == access.stride(inner) * extents[inner];
  });
  forEachIndices([&](IndexList &list) {
    auto *it = llvm::find(list, outer);
    bool together = it != list.end() && std::next(it) != list.end() &&
                    *std::next(it) == inner;
    joins &= together || (it == list.end() && !llvm::is_contained(list, inner));
  });
  return joins;
}

void IndexForm::join(IndexId outer, IndexId inner) {
  extents[inner] = extents[outer] * extents[inner];
  forEachAccess([&](Access &access) { access.strides.erase(outer); });
  forEachIndices([&](IndexList &list) { llvm::erase(list, outer); });
  order.remove(outer);
}

void IndexForm::coalesce() {
  for (bool changed = true; changed;) {
    changed = false;
    IndexList all(order.getArrayRef());
    for (IndexId outer : all)
      for (IndexId inner : all) {
        if (outer == inner || !order.contains(outer) ||
            !order.contains(inner) || !canJoin(outer, inner))
          continue;
        join(outer, inner);
        changed = true;
      }
  }
}
