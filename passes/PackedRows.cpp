//===- PackedRows.cpp - Rows of a tile that are those of two indices ------===//

#include "PackedRows.h"
#include "KernelSchedule.h"

using namespace mlir;
using namespace fuse;

/// More would leave nothing of the rows to cut where tiles have to be small.
static constexpr int64_t maxPacked = 16;

/// True if every contraction has both indices in one place, or neither.
static bool areTogether(func::FuncOp kernel, const IndexForm &form,
                        IndexId rows, IndexId index) {
  return llvm::all_of(kernel.getOps<EinsumOp>(), [&](EinsumOp op) {
    if (!isContraction(op))
      return true;
    ContractionSides sides(op, form);
    auto haveSame = [&](ArrayRef<IndexId> indices) {
      return llvm::is_contained(indices, rows) ==
             llvm::is_contained(indices, index);
    };
    return haveSame(sides.left) && haveSame(sides.right) &&
           haveSame(sides.batch);
  });
}

std::optional<PackedRows>
fuse::findPackedRows(func::FuncOp kernel, const IndexForm &form,
                     ArrayRef<IndexId> candidates,
                     const llvm::SetVector<IndexId> &taken) {
  std::optional<PackedRows> found;
  int64_t longest = 1;
  for (IndexId rows : candidates)
    for (IndexId index : form.getOrder()) {
      std::optional<int64_t> extent = form.getExtent(index).constant();
      if (index == rows || taken.contains(index) || !extent ||
          *extent <= longest || *extent > maxPacked ||
          !areTogether(kernel, form, rows, index))
        continue;
      found = {rows, index};
      longest = *extent;
    }
  return found;
}

void fuse::joinRows(const PackedRows &rows, SmallVectorImpl<TileDim> &tile) {
  auto find = [&](IndexId index) {
    return llvm::find_if(
        tile, [&](const TileDim &dim) { return dim.index == index; });
  };
  TileDim dim = *find(rows.inner);
  dim.isJoined = true;
  tile.erase(find(rows.inner));
  tile.insert(std::next(find(rows.rows)), dim);
}
