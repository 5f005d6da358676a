//===- LayoutRules.h - Layouts that follow from others ---------*- C++ -*-===//

#ifndef FUSE_PASSES_LAYOUTRULES_H
#define FUSE_PASSES_LAYOUTRULES_H

#include "fuse/tile/TileDialect.h"

namespace fuse {

/// Neighbours in memory that one thread has of a tile on its way to shared
/// memory: accesses of 16 bytes, if elements have 4.
inline constexpr int64_t accessRun = 4;

/// The smaller tile's layout: that of the larger without some dims.
tile::FragmentMap dropDims(tile::FragmentMap map, ArrayRef<int64_t> dims);

/// The layout of products whose sums have layout `map`.
tile::FragmentMap addTerms(tile::AccumulateOp op, const tile::FragmentMap &map);

/// The layout of what `contract_rows` makes of rows with layout `map`: columns
/// are shared out to the lanes that have parts of a row, by their bits from the
/// highest one on, and are in registers beyond that.
tile::FragmentMap shareOutColumns(tile::ContractRowsOp op,
                                  const tile::FragmentMap &map);

/// True if several warps hold parts of a dim, which only shared memory brings
/// together.
bool isSplitByWarps(const tile::FragmentMap &map, int64_t dim);

/// The registers that hold neighbours along a dim: rows that one thread reads.
int64_t getRun(const tile::FragmentMap &map, int64_t dim);

/// As `rowBlocked`, with blocks of neighbours along both dims: those along rows
/// are what a load has, those along columns what a transposed write has.
tile::FragmentMap blocked(ArrayRef<int64_t> shape, int64_t warps,
                          std::optional<int64_t> whole);

} // namespace fuse

#endif // FUSE_PASSES_LAYOUTRULES_H
