//===- LowerContraction.cpp - A contraction and what stands around it -----===//
//
// Blocks of 32 terms of both operands are brought to shared memory, with what
// is computed from each operand alone applied on the way; the accumulator stays
// in registers until everything behind the contraction is applied to it.
//
//===----------------------------------------------------------------------===//

#include "TileScope.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

namespace {
class ContractionLowering {
public:
  ContractionLowering(func::FuncOp kernel, EinsumOp einsum, IndexForm &form,
                      const DimAnalysis &dims,
                      const ContractionSchedule &schedule)
      : source(kernel), einsum(einsum), form(form), schedule(schedule),
        builder(kernel, form, dims, schedule.grid, schedule.threads) {
    Type element = getElementTypeOrSelf(einsum.getInputs()[0]);
    computeType = element.isF64()
                      ? element
                      : Type(Float32Type::get(element.getContext()));
  }

  tile::KernelOp run();

private:
  /// One operand's block in shared memory.
  struct Staged {
    Value shared;
    bool isTransposed;
  };
  Staged stage(OpOperand &operand, const TileDim &outer, bool isLhs);
  Value accumulate();

  func::FuncOp source;
  EinsumOp einsum;
  IndexForm &form;
  const ContractionSchedule &schedule;
  KernelBuilder builder;
  Type computeType;
};
} // namespace

/// Of `outer` and the summed index, the one with neighbours in memory is last,
/// so that loads are coalesced and shared rows are what memory has side by
/// side.
ContractionLowering::Staged ContractionLowering::stage(OpOperand &operand,
                                                       const TileDim &outer,
                                                       bool isLhs) {
  Location loc = einsum.getLoc();
  OpBuilder &ops = builder.getBuilder();
  const Read *read = form.getRead(operand);
  bool termsLast = read && read->access.stride(schedule.k.index) == DimExpr(1);
  SmallVector<TileDim> dims = {outer, schedule.k};
  if (!termsLast)
    std::swap(dims[0], dims[1]);
  SmallVector<IndexId> indices = {outer.index, schedule.k.index};

  TileScope scope(builder, dims);
  Value tile = scope.getOperand(operand, indices);
  auto type = cast<tile::TileType>(tile.getType());
  if (type.getElementType() != computeType)
    tile =
        tile::CastOp::create(ops, loc, type.withElementType(computeType), tile);
  // Loads beyond the end are zeros already; what is computed from them is not.
  if (!read)
    tile = scope.mask(tile, indices, indices, ReduceKind::Sum, loc);
  type = cast<tile::TileType>(tile.getType());
  Value shared = tile::AllocOp::create(
      ops, loc,
      tile::TileType::get(type.getContext(), type.getShape(), computeType,
                          tile::Space::Shared, tile::MapAttr()));
  tile::WriteOp::create(ops, loc, tile, shared);
  return {shared, isLhs != termsLast};
}

Value ContractionLowering::accumulate() {
  Location loc = einsum.getLoc();
  OpBuilder &ops = builder.getBuilder();
  auto type =
      tile::TileType::get({schedule.m.extent, schedule.n.extent}, computeType);
  Value zero = tile::FillOp::create(ops, loc, type,
                                    getIdentity(ReduceKind::Sum, computeType));
  SmallVector<TileDim> loops = schedule.loops;
  loops.push_back(schedule.k);
  return builder
      .createLoops(loops, zero,
                   [&](ValueRange carried) {
                     Staged lhs =
                         stage(einsum->getOpOperand(0), schedule.m, true);
                     Staged rhs =
                         stage(einsum->getOpOperand(1), schedule.n, false);
                     return SmallVector<Value>{tile::ContractOp::create(
                         ops, loc, type, carried[0], lhs.shared, rhs.shared,
                         lhs.isTransposed, rhs.isTransposed)};
                   })
      .front();
}

tile::KernelOp ContractionLowering::run() {
  Value sum = accumulate();
  SmallVector<TileDim> dims = {schedule.m, schedule.n};
  TileScope scope(builder, dims);
  Type element = getElementTypeOrSelf(einsum.getType());
  auto type = cast<tile::TileType>(sum.getType());
  if (element != computeType)
    sum = tile::CastOp::create(builder.getBuilder(), einsum.getLoc(),
                               type.withElementType(element), sum);
  scope.setTile(einsum.getResult(), sum);
  for (OpOperand &result : source.front().getTerminator()->getOpOperands())
    scope.store(result);
  return builder.getKernel();
}

tile::KernelOp fuse::lowerContraction(func::FuncOp kernel, EinsumOp einsum,
                                      IndexForm &form, const DimAnalysis &dims,
                                      const SizeHints &hints) {
  ContractionSchedule schedule = scheduleContraction(einsum, form, hints);
  return ContractionLowering(kernel, einsum, form, dims, schedule).run();
}
