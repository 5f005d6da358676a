//===- StageContraction.cpp - Products of tiles in shared memory ----------===//
//
// Both operands go through shared memory, with what is computed from each
// applied on the way; the accumulator stays in registers.
//
//===----------------------------------------------------------------------===//

#include "StageContraction.h"
#include "fuse/ir/SumOrder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

/// Threads write blocks of so many rows and columns.
static constexpr int64_t accessRun = 4;

namespace {
/// The dims that tiles span of one tensor's indices: one, or joined ones.
struct Side {
  SmallVector<TileDim, 2> dims;

  IndexId index() const { return dims.front().index; }
  SmallVector<IndexId> indices() const {
    return llvm::map_to_vector(dims, [](const TileDim &d) { return d.index; });
  }
  int64_t extent() const {
    int64_t product = 1;
    for (const TileDim &dim : dims)
      product *= dim.extent;
    return product;
  }
};

/// A contraction's part in a scope: which of its indices tiles span.
struct Roles {
  Side m, n;
  TileDim k;
  /// The operands with m and with n.
  OpOperand *lhs, *rhs;
};
} // namespace

static Side findSide(ArrayRef<IndexId> indices, const TileScope &scope) {
  Side side;
  for (const TileDim &dim : scope.getDims())
    if (llvm::is_contained(indices, dim.index))
      side.dims.push_back(dim);
  // An index that loops step through one by one.
  if (side.dims.empty())
    side.dims.push_back({indices.front(), 1});
  return side;
}

static TileDim findDepth(const ContractionSides &sides,
                         const TileScope &scope) {
  for (IndexId index : sides.summed)
    if (const TileDim *dim = scope.findDim(index))
      return *dim;
  return {sides.summed.front(), 1};
}

/// The accumulator's rows are the dim that is first in the scope.
static Roles findRoles(EinsumOp op, const KernelBuilder &kernel,
                       const TileScope &scope) {
  ContractionSides sides(op, kernel.getForm());
  Roles roles{findSide(sides.left, scope), findSide(sides.right, scope),
              findDepth(sides, scope), &op->getOpOperand(0),
              &op->getOpOperand(1)};
  SmallVector<int64_t> left = scope.getPositions(roles.m.index());
  SmallVector<int64_t> right = scope.getPositions(roles.n.index());
  if (left > right) {
    std::swap(roles.m, roles.n);
    std::swap(roles.lhs, roles.rhs);
  }
  return roles;
}

Type fuse::getComputeType(EinsumOp op) {
  Type element = getElementTypeOrSelf(op.getInputs()[0]);
  return element.isF64() ? element
                         : Type(Float32Type::get(element.getContext()));
}

/// Of `outer` and `depth`, the one with neighbours in memory is last, so that
/// loads are coalesced and shared rows are what memory has side by side.
static SmallVector<TileDim> orderDims(OpOperand &operand, const Side &outer,
                                      const TileDim &depth,
                                      KernelBuilder &kernel,
                                      const TileScope &scope) {
  const Read *read = kernel.getForm().getRead(operand);
  bool isDepthLast;
  if (read)
    isDepthLast = read->access.stride(depth.index) == DimExpr(1);
  else
    isDepthLast =
        scope.getPositions(outer.index()) < scope.getPositions(depth.index);
  SmallVector<TileDim> dims(outer.dims);
  dims.insert(isDepthLast ? dims.end() : dims.begin(), depth);
  return dims;
}

/// With `termsAreRows`, one term is a row in shared memory, however it comes.
static StagedOperand stage(EinsumOp op, OpOperand &operand, const Side &outer,
                           const TileDim &depth, KernelBuilder &kernel,
                           TileScope &scope, bool termsAreRows = false) {
  if (const StagedOperand *known =
          scope.findStaged(operand, outer.index(), depth.index))
    return *known;
  Location loc = op.getLoc();
  OpBuilder &ops = kernel.getBuilder();
  SmallVector<TileDim> dims = orderDims(operand, outer, depth, kernel, scope);
  SmallVector<IndexId> indices = outer.indices();
  indices.push_back(depth.index);
  // What the operand is computed from may need the other dims.
  SmallVector<TileDim> all;
  for (const TileDim &dim : scope.getDims())
    if (!llvm::is_contained(indices, dim.index))
      all.push_back(dim);
  llvm::append_range(all, dims);
  TileScope own(kernel, all, scope.getReductions(), &scope);
  Value tile = own.getOperand(operand, indices);
  auto type = cast<tile::TileType>(tile.getType());
  Type computeType = getComputeType(op);
  if (type.getElementType() != computeType)
    tile =
        tile::CastOp::create(ops, loc, type.withElementType(computeType), tile);
  // Loads beyond the end are zeros already; what is computed from them is not,
  // nor what is one value for all terms. Rows beyond the end give sums that
  // nobody stores.
  const Read *read = kernel.getForm().getRead(operand);
  if (!read || read->access.stride(depth.index) == DimExpr())
    tile = own.mask(tile, indices, depth.index, ReduceKind::Sum, loc);
  type = cast<tile::TileType>(tile.getType());
  bool isDepthLast = dims.back().index == depth.index;
  bool isTurned = termsAreRows && isDepthLast;
  SmallVector<int64_t> shape(type.getShape());
  if (isTurned)
    std::swap(shape[0], shape[1]);
  auto shared = tile::AllocOp::create(
      ops, loc,
      tile::TileType::get(type.getContext(), shape, computeType,
                          tile::Space::Shared, tile::MapAttr()));
  auto write = tile::WriteOp::create(ops, loc, tile, shared);
  if (isTurned) {
    shared.setSwizzle(accessRun);
    write.setTransposed(true);
  }
  StagedOperand staged{&operand, outer.index(), depth.index, shared,
                       isDepthLast && !isTurned};
  scope.addStaged(staged);
  return staged;
}

/// True if one operand stays whole, because it is computed or was staged before
/// a loop, and the other one, which is read, can pass by in pieces.
static bool streamsOther(const Roles &roles, OpOperand *whole,
                         KernelBuilder &kernel, const TileScope &scope) {
  const IndexForm &form = kernel.getForm();
  OpOperand *other = whole == roles.lhs ? roles.rhs : roles.lhs;
  const Side &outer = whole == roles.lhs ? roles.m : roles.n;
  const StagedOperand *known =
      scope.findStaged(*whole, outer.index(), roles.k.index);
  bool isWhole = known ? !known->isDepthLast : !form.getRead(*whole);
  return isWhole && form.getRead(*other) && !form.getRead(*other)->range;
}

static bool hasPieces(int64_t sums, const TileDim &depth,
                      const TileScope &scope) {
  return comesInPieces(sums, depth.extent) && scope.findDim(depth.index);
}

static Value createPieces(EinsumOp op, Value accumulator, const Roles &roles,
                          bool isLhsWhole, KernelBuilder &kernel,
                          TileScope &scope) {
  const Side &outer = isLhsWhole ? roles.m : roles.n;
  StagedOperand whole = stage(op, isLhsWhole ? *roles.lhs : *roles.rhs, outer,
                              roles.k, kernel, scope, /*termsAreRows=*/true);
  TileDim piece{roles.k.index, pieceOfDepth};
  SmallVector<TileDim> dims(scope.getDims());
  for (TileDim &dim : dims)
    if (dim.index == piece.index)
      dim = piece;
  OpBuilder &ops = kernel.getBuilder();
  return kernel.createPieces(
      piece, roles.k.extent, accumulator,
      [&](Value carried, Value first) -> Value {
        TileScope body(kernel, dims, scope.getReductions(), nullptr);
        StagedOperand other =
            stage(op, isLhsWhole ? *roles.rhs : *roles.lhs,
                  isLhsWhole ? roles.n : roles.m, piece, kernel, body);
        auto type = cast<tile::TileType>(whole.shared.getType());
        Value terms = tile::RowsOp::create(
            ops, op.getLoc(),
            type.withShape({pieceOfDepth, type.getShape()[1]}), whole.shared,
            first);
        auto product = tile::ContractOp::create(
            ops, op.getLoc(), accumulator.getType(), carried,
            isLhsWhole ? terms : other.shared,
            isLhsWhole ? other.shared : terms, isLhsWhole || !other.isDepthLast,
            isLhsWhole && other.isDepthLast);
        product.setOneChain(isOneChain(op, kernel.getForm()));
        return product;
      });
}

/// How many additions a term may pass in any order, if tiles have all terms.
static std::optional<int64_t>
findFreeAdditions(EinsumOp op, const TileDim &depth, const IndexForm &form) {
  ContractionSides sides(op, form);
  std::optional<int64_t> terms = form.getExtent(depth.index).constant();
  if (sides.summed.size() != 1 || !terms || *terms > depth.extent)
    return std::nullopt;
  for (ArrayRef<IndexId> side : {ArrayRef(sides.left), ArrayRef(sides.right)}) {
    DimExpr columns(1);
    for (IndexId index : side)
      columns = columns * form.getExtent(index);
    if (std::optional<int64_t> count = columns.constant())
      if (auto additions = fuse::getFreeAdditions(*count, *terms))
        return additions;
  }
  return std::nullopt;
}

Value fuse::createContraction(EinsumOp op, Value accumulator,
                              KernelBuilder &kernel, TileScope &scope) {
  Roles roles = findRoles(op, kernel, scope);
  if (hasPieces(roles.m.extent() * roles.n.extent(), roles.k, scope))
    for (OpOperand *whole : {roles.lhs, roles.rhs})
      if (streamsOther(roles, whole, kernel, scope))
        return createPieces(op, accumulator, roles, whole == roles.lhs, kernel,
                            scope);
  StagedOperand lhs = stage(op, *roles.lhs, roles.m, roles.k, kernel, scope);
  StagedOperand rhs = stage(op, *roles.rhs, roles.n, roles.k, kernel, scope);
  auto product = tile::ContractOp::create(
      kernel.getBuilder(), op.getLoc(), accumulator.getType(), accumulator,
      lhs.shared, rhs.shared, !lhs.isDepthLast, rhs.isDepthLast);
  product.setOneChain(isOneChain(op, kernel.getForm()));
  if (auto additions = findFreeAdditions(op, roles.k, kernel.getForm()))
    product.setAdditions(additions);
  return product;
}

void fuse::stageInvariant(EinsumOp op, ArrayRef<IndexId> indices, int64_t sums,
                          KernelBuilder &kernel, TileScope &scope) {
  ContractionSides sides(op, kernel.getForm());
  TileDim depth = findDepth(sides, scope);
  for (unsigned number : {0, 1}) {
    OpOperand &operand = op->getOpOperand(number);
    bool depends = llvm::any_of(indices, [&](IndexId index) {
      return llvm::is_contained(kernel.getForm().getIndices(operand), index);
    });
    if (depends || scope.getReductions().isPending(operand.get()))
      continue;
    Side outer = findSide(number == 0 ? sides.left : sides.right, scope);
    stage(op, operand, outer, depth, kernel, scope,
          hasPieces(sums, depth, scope));
  }
}
