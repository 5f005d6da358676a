//===- LayoutRules.cpp - Layouts that follow from others ------------------===//

#include "LayoutRules.h"
#include <numeric>

using namespace mlir;
using namespace fuse;
using tile::FragmentMap;

FragmentMap fuse::dropDims(FragmentMap map, ArrayRef<int64_t> dims) {
  for (int64_t dim : llvm::reverse(dims))
    map = map.sliceDim(dim);
  return map;
}

FragmentMap fuse::addTerms(tile::AccumulateOp op, const FragmentMap &map) {
  SmallVector<tile::FragmentDim> dims;
  for (int64_t dim = 0; dim < map.rank(); ++dim)
    dims.emplace_back(map.factors(dim));
  auto terms = static_cast<int64_t>(op.getDim());
  int64_t extent = op.getLhs().getType().getShape()[terms];
  dims.insert(
      dims.begin() + terms,
      tile::FragmentDim{{tile::Owner::Register, extent, map.registers()}});
  std::string error;
  return *FragmentMap::get(map.warps(), dims, error);
}

FragmentMap fuse::shareOutColumns(tile::ContractRowsOp op,
                                  const FragmentMap &map) {
  FragmentMap rows = map.sliceDim(1);
  SmallVector<tile::Factor> lanes;
  for (const tile::Factor &factor : map.factors(1))
    if (factor.owner == tile::Owner::Lane)
      lanes.push_back(factor);
  llvm::sort(lanes, [](const tile::Factor &lhs, const tile::Factor &rhs) {
    return lhs.stride > rhs.stride;
  });
  int64_t left =
      op.getRhs().getType().getShape()[op.getRhsTransposed() ? 0 : 1];
  tile::FragmentDim columns;
  for (const tile::Factor &factor : lanes) {
    int64_t extent = std::min(factor.extent, left);
    if (extent > 1)
      columns.push_back({tile::Owner::Lane, extent,
                         factor.stride * (factor.extent / extent)});
    left /= extent;
  }
  if (left > 1)
    columns.push_back({tile::Owner::Register, left, rows.registers()});
  SmallVector<tile::FragmentDim> dims = {tile::FragmentDim(rows.factors(0)),
                                         std::move(columns)};
  if (op.getTileTransposed())
    std::swap(dims[0], dims[1]);
  std::string error;
  return *FragmentMap::get(map.warps(), dims, error);
}

bool fuse::isSplitByWarps(const FragmentMap &map, int64_t dim) {
  return llvm::any_of(map.factors(dim), [](const tile::Factor &factor) {
    return factor.owner == tile::Owner::Warp && factor.extent > 1;
  });
}

int64_t fuse::getRun(const FragmentMap &map, int64_t dim) {
  ArrayRef<tile::Factor> factors = map.factors(dim);
  return !factors.empty() && factors.back().owner == tile::Owner::Register
             ? factors.back().extent
             : 1;
}

FragmentMap fuse::blocked(ArrayRef<int64_t> shape, int64_t warps,
                          std::optional<int64_t> whole) {
  int64_t rows = std::gcd(shape[0], accessRun);
  FragmentMap map =
      tile::rowBlocked({shape[0] / rows, shape[1]}, warps, accessRun, whole);
  SmallVector<tile::FragmentDim> dims = {tile::FragmentDim(map.factors(0)),
                                         tile::FragmentDim(map.factors(1))};
  dims[0].push_back({tile::Owner::Register, rows, map.registers()});
  std::string error;
  return *FragmentMap::get(warps, dims, error);
}
