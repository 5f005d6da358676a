//===- IndexTable.h - Indices that are still being found -------*- C++ -*-===//

#ifndef FUSE_PASSES_INDEXTABLE_H
#define FUSE_PASSES_INDEXTABLE_H

#include "fuse/passes/IndexForm.h"

namespace fuse {
/// Indices under unification: each is one of its own, the same as another, or
/// a row-major list of finer ones.
class IndexTable {
public:
  explicit IndexTable(const DimFacts &facts) : facts(facts) {}

  IndexId create(const DimExpr &extent) {
    nodes.push_back({extent, {}});
    return nodes.size() - 1;
  }
  const DimExpr &extent(IndexId index) const { return nodes[index].extent; }
  /// The finest indices behind a list.
  IndexList resolve(ArrayRef<IndexId> list) const;
  /// Makes two lists, which stand for one axis, the same.
  LogicalResult unify(ArrayRef<IndexId> lhs, ArrayRef<IndexId> rhs);
  size_t size() const { return nodes.size(); }

private:
  struct Node {
    DimExpr extent;
    IndexList parts; // empty for an index of its own
  };
  bool trySplit(IndexId whole, IndexId inner);

  const DimFacts &facts;
  SmallVector<Node> nodes;
};
} // namespace fuse

#endif // FUSE_PASSES_INDEXTABLE_H
