//===- IndexSharing.cpp - Indices that may as well be one -----------------===//

#include "IndexFormBuilder.h"

using namespace mlir;
using namespace fuse;

/// True if some tensor has both indices: as one they would be its diagonal.
bool IndexFormBuilder::areApart(IndexId lhs, IndexId rhs) {
  auto hasBoth = [&](const AxisLists &axes) {
    bool hasLhs = false, hasRhs = false;
    for (const IndexList &axis : axes)
      for (IndexId index : table.resolve(axis)) {
        hasLhs |= index == lhs;
        hasRhs |= index == rhs;
      }
    return hasLhs && hasRhs;
  };
  return llvm::any_of(computed,
                      [&](auto &entry) { return hasBoth(entry.second); }) ||
         llvm::any_of(uses, [&](auto &entry) {
           return hasBoth(entry.second.axes) ||
                  hasBoth(entry.second.sourceAxes);
         });
}

void IndexFormBuilder::shareReads() {
  llvm::DenseMap<Value, OpenUse *> first;
  for (auto &[operand, use] : uses) {
    if (computed.count(use.source) || !use.shifts.empty())
      continue;
    auto [it, isNew] = first.try_emplace(use.source, &use);
    if (isNew)
      continue;
    for (auto [known, axis] :
         llvm::zip_equal(it->second->sourceAxes, use.sourceAxes)) {
      IndexList lhs = table.resolve(known), rhs = table.resolve(axis);
      if (lhs.size() != 1 || rhs.size() != 1 || lhs == rhs ||
          areApart(lhs[0], rhs[0]))
        continue;
      (void)table.unify(lhs, rhs);
    }
  }
}

void IndexFormBuilder::shareBroadcasts() {
  for (const auto &[axis, lists] : broadcasts)
    for (const IndexList &list : llvm::drop_begin(lists))
      if (canBeOne(lists.front(), list))
        (void)table.unify(lists.front(), list);
}

/// The axis of a contraction's operand `number` that the result has and the
/// other operand lacks, if there is one such axis.
static IndexList findColumn(EinsumOp op, unsigned number, const OpenUse &use) {
  std::string error;
  auto spec = EinsumSpec::parse(op.getIndices(), error);
  IndexList column;
  for (auto [letter, axis] :
       llvm::zip_equal(spec->operands[number], use.axes)) {
    if (!llvm::is_contained(spec->result, letter) ||
        llvm::is_contained(spec->operands[1 - number], letter))
      continue;
    if (!column.empty())
      return {};
    column = axis;
  }
  return column;
}

bool IndexFormBuilder::canBeOne(ArrayRef<IndexId> lhs, ArrayRef<IndexId> rhs) {
  IndexList left = table.resolve(lhs), right = table.resolve(rhs);
  auto extentOf = [&](const IndexList &list) {
    DimExpr extent(1);
    for (IndexId index : list)
      extent = extent * table.extent(index);
    return extent;
  };
  return left != right &&
         dims.getFacts().isEqual(extentOf(left), extentOf(right)) &&
         llvm::none_of(left, [&](IndexId i) {
           return llvm::any_of(right,
                               [&](IndexId j) { return areApart(i, j); });
         });
}

void IndexFormBuilder::shareColumns() {
  // By the value that contractions have in common.
  llvm::MapVector<Value, SmallVector<IndexList>> columns;
  for (auto einsum : kernel.getOps<EinsumOp>()) {
    if (einsum.getInputs().size() != 2)
      continue;
    for (unsigned number : {0, 1}) {
      Value common = uses[&einsum->getOpOperand(1 - number)].source;
      IndexList column =
          findColumn(einsum, number, uses[&einsum->getOpOperand(number)]);
      if (column.empty())
        continue;
      for (const IndexList &known : columns[common])
        if (canBeOne(known, column))
          (void)table.unify(known, column);
      columns[common].push_back(column);
    }
  }
}
