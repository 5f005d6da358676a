//===- IndexTable.cpp - Indices that are still being found ----------------===//

#include "IndexTable.h"

using namespace mlir;
using namespace fuse;

IndexList IndexTable::resolve(ArrayRef<IndexId> list) const {
  IndexList result;
  for (IndexId index : list) {
    if (nodes[index].parts.empty())
      result.push_back(index);
    else
      llvm::append_range(result, resolve(nodes[index].parts));
  }
  return result;
}

/// Splits `whole` so that its innermost part is `inner`.
bool IndexTable::trySplit(IndexId whole, IndexId inner) {
  const DimExpr &dividend = extent(whole), &divisor = extent(inner);
  std::optional<DimExpr> quotient = dividend.dividedBy(divisor);
  if (!quotient || !facts.isMultipleOf(dividend, divisor))
    return false;
  IndexId outer = create(*quotient);
  nodes[whole].parts = {outer, inner};
  return true;
}

LogicalResult IndexTable::unify(ArrayRef<IndexId> lhs, ArrayRef<IndexId> rhs) {
  IndexList left = resolve(lhs), right = resolve(rhs);
  while (!left.empty() && !right.empty()) {
    IndexId x = left.back(), y = right.back();
    if (x == y || facts.isEqual(extent(x), extent(y))) {
      if (x != y)
        nodes[x].parts = {y};
      left.pop_back();
      right.pop_back();
    } else if (!trySplit(x, y) && !trySplit(y, x)) {
      return failure();
    }
    left = resolve(left);
    right = resolve(right);
  }
  return success(left.empty() && right.empty());
}
