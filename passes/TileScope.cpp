//===- TileScope.cpp - Graph ops as ops on tiles --------------------------===//

#include "TileScope.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Dims of tiles
//===----------------------------------------------------------------------===//

SmallVector<int64_t> TileScope::getPositions(ArrayRef<IndexId> indices) const {
  SmallVector<int64_t> positions;
  for (auto [position, dim] : llvm::enumerate(dims))
    if (llvm::is_contained(indices, dim.index))
      positions.push_back(position);
  return positions;
}

bool TileScope::isJoined(ArrayRef<int64_t> positions, size_t number) const {
  return number > 0 && dims[positions[number]].isJoined &&
         positions[number - 1] + 1 == positions[number];
}

SmallVector<int64_t> TileScope::getTileDims(ArrayRef<IndexId> indices) const {
  SmallVector<int64_t> positions = getPositions(indices), first;
  for (size_t number = 0; number < positions.size(); ++number)
    if (!isJoined(positions, number))
      first.push_back(positions[number]);
  return first;
}

tile::TileType TileScope::getType(ArrayRef<IndexId> indices,
                                  Type element) const {
  SmallVector<int64_t> positions = getPositions(indices), shape;
  for (auto [number, position] : llvm::enumerate(positions))
    if (isJoined(positions, number))
      shape.back() *= dims[position].extent;
    else
      shape.push_back(dims[position].extent);
  return tile::TileType::get(shape, element);
}

tile::TileType TileScope::getSplitType(ArrayRef<IndexId> indices,
                                       Type element) const {
  return tile::TileType::get(llvm::map_to_vector(getPositions(indices),
                                                 [&](int64_t position) {
                                                   return dims[position].extent;
                                                 }),
                             element);
}

Value TileScope::reshape(Value tile, tile::TileType type, Location loc) {
  return tile.getType() == type ||
                 cast<tile::TileType>(tile.getType()).getRank() == 0
             ? tile
             : tile::ReshapeOp::create(kernel.getBuilder(), loc, type, tile)
                   .getResult();
}

SmallVector<IndexId> TileScope::getIndices(const Access &access) const {
  SmallVector<IndexId> indices;
  for (const auto &[index, stride] : access.strides)
    if (stride != DimExpr())
      indices.push_back(index);
  return indices;
}

/// True if the tile ends where the index does, or before.
bool TileScope::isFull(const TileDim &dim) const {
  std::optional<int64_t> extent =
      kernel.getForm().getExtent(dim.index).constant();
  return extent && *extent > 0 && *extent % dim.extent == 0;
}

SmallVector<Value> TileScope::getLimits(ArrayRef<IndexId> indices,
                                        ArrayRef<IndexId> cut, Location loc) {
  SmallVector<int64_t> positions = getPositions(cut);
  if (llvm::all_of(positions, [&](int64_t p) { return isFull(dims[p]); }))
    return {};
  SmallVector<Value> limits;
  for (int64_t position : getPositions(indices)) {
    const TileDim &dim = dims[position];
    Value extent = kernel.getSize(kernel.getForm().getExtent(dim.index));
    Value start = kernel.getStart(dim.index);
    if (isFull(dim) || !llvm::is_contained(positions, position))
      limits.push_back(kernel.getConstant(dim.extent));
    else if (start)
      limits.push_back(
          arith::SubIOp::create(kernel.getBuilder(), loc, extent, start));
    else
      limits.push_back(extent);
  }
  return limits;
}

Value TileScope::spread(Value tile, ArrayRef<IndexId> from,
                        ArrayRef<IndexId> to, Location loc) {
  SmallVector<int64_t> source = getPositions(from), target = getPositions(to);
  if (source == target)
    return tile;
  // Joined dims are apart as long as the tile has only one of them.
  SmallVector<int64_t> added, shape;
  auto isNew = [&](int64_t position) {
    return !llvm::is_contained(source, position);
  };
  for (auto [number, position] : llvm::enumerate(target)) {
    if (isJoined(target, number) && isNew(position) == isNew(position - 1)) {
      shape.back() *= dims[position].extent;
      continue;
    }
    if (isNew(position))
      added.push_back(shape.size());
    shape.push_back(dims[position].extent);
  }
  Type element = cast<tile::TileType>(tile.getType()).getElementType();
  auto all = tile::BroadcastOp::create(kernel.getBuilder(), loc,
                                       tile::TileType::get(shape, element),
                                       tile, added);
  return reshape(all, getType(to, element), loc);
}

Value TileScope::mask(Value tile, ArrayRef<IndexId> indices,
                      ArrayRef<IndexId> masked, ReduceKind kind, Location loc) {
  // What lies beyond other dims goes nowhere.
  SmallVector<Value> limits = getLimits(indices, masked, loc);
  if (limits.empty())
    return tile;
  // Joined dims are none that end here.
  SmallVector<int64_t> positions = getPositions(indices);
  for (size_t number = positions.size(); number-- > 0;)
    if (isJoined(positions, number)) {
      assert(!llvm::is_contained(masked, dims[positions[number]].index) &&
             !llvm::is_contained(masked, dims[positions[number - 1]].index) &&
             "joined dims are never reduced");
      limits.erase(limits.begin() + number);
      limits[number - 1] = kernel.getConstant(
          dims[positions[number - 1]].extent * dims[positions[number]].extent);
    }
  auto type = cast<tile::TileType>(tile.getType());
  return tile::MaskOp::create(kernel.getBuilder(), loc, type, tile, limits,
                              getIdentity(kind, type.getElementType()));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static bool isSameRead(const Read &lhs, const Read &rhs) {
  return lhs.buffer == rhs.buffer && lhs.access == rhs.access &&
         !lhs.range == !rhs.range;
}

SmallVector<Value> TileScope::getStrides(const Access &access,
                                         ArrayRef<IndexId> indices) {
  return llvm::map_to_vector(getPositions(indices), [&](int64_t position) {
    return kernel.getSize(access.stride(dims[position].index));
  });
}

Value TileScope::createLoad(const Read &read, ArrayRef<IndexId> indices,
                            Value condition, Location loc) {
  Type element = getElementTypeOrSelf(read.buffer.getType());
  // In this order, which between arguments of a call would be the compiler's.
  SmallVector<Value> strides = getStrides(read.access, indices);
  SmallVector<Value> limits = getLimits(indices, indices, loc);
  Value offset = kernel.getOffset(read.access, loc);
  if (condition)
    condition = reshape(
        condition, getSplitType(indices, kernel.getBuilder().getI1Type()), loc);
  Value tile = tile::LoadOp::create(
      kernel.getBuilder(), loc, getSplitType(indices, element),
      kernel.getBuffer(read.buffer), offset, strides, limits, condition,
      getIdentity(ReduceKind::Sum, element));
  return reshape(tile, getType(indices, element), loc);
}

Value TileScope::findLoad(const Read &read) const {
  for (auto &[known, tile] : loads)
    if (isSameRead(*known, read))
      return tile;
  return parent && agreesWith(*parent, getIndices(read.access))
             ? parent->findLoad(read)
             : Value();
}

Value TileScope::load(const Read &read, Location loc) {
  if (Value known = findLoad(read))
    return known;
  Value tile = createLoad(read, getIndices(read.access), /*condition=*/{}, loc);
  loads.push_back({&read, tile});
  return tile;
}

void TileScope::store(OpOperand &result) {
  Location loc = result.getOwner()->getLoc();
  unsigned number = result.getOperandNumber();
  const Access &access = kernel.getForm().getResult(number);
  // The tile has the indices of the result, and those of extent 1 that only the
  // value has.
  const IndexForm &form = kernel.getForm();
  llvm::SmallSetVector<IndexId, 4> all;
  all.insert_range(form.getIndices(result));
  if (!form.getRead(result))
    all.insert_range(form.getIndices(form.getSource(result)));
  ArrayRef<IndexId> indices = all.getArrayRef();
  Value tile = getOperand(result, indices);
  SmallVector<Value> strides = getStrides(access, indices);
  SmallVector<Value> limits = getLimits(indices, indices, loc);
  Value offset = kernel.getOffset(access, loc);
  Type element = cast<tile::TileType>(tile.getType()).getElementType();
  tile = reshape(tile, getSplitType(indices, element), loc);
  tile::StoreOp::create(kernel.getBuilder(), loc, tile,
                        kernel.getResultBuffer(number), offset, strides,
                        limits);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value TileScope::getOperand(OpOperand &operand, ArrayRef<IndexId> indices) {
  Location loc = operand.getOwner()->getLoc();
  const IndexForm &form = kernel.getForm();
  if (const Read *read = form.getRead(operand))
    return spread(load(*read, loc), getIndices(read->access), indices, loc);
  Value source = form.getSource(operand);
  return spread(getTile(source), form.getIndices(source), indices, loc);
}

/// True if tiles of these indices are the same in both scopes.
bool TileScope::agreesWith(const TileScope &other,
                           ArrayRef<IndexId> indices) const {
  auto own = getPositions(indices), theirs = other.getPositions(indices);
  return own.size() == theirs.size() &&
         llvm::all_of(llvm::zip(own, theirs),
                      [&](auto pair) {
                        const TileDim &lhs = dims[std::get<0>(pair)];
                        const TileDim &rhs = other.dims[std::get<1>(pair)];
                        return lhs.index == rhs.index &&
                               lhs.extent == rhs.extent;
                      }) &&
         getTileDims(indices).size() == other.getTileDims(indices).size();
}

Value TileScope::findTile(Value value) const {
  if (Value known = tiles.lookup(value))
    return known;
  return parent && agreesWith(*parent, kernel.getForm().getIndices(value))
             ? parent->findTile(value)
             : Value();
}

const TileDim *TileScope::findDim(IndexId index) const {
  const auto *it = llvm::find_if(
      dims, [&](const TileDim &dim) { return dim.index == index; });
  return it == dims.end() ? nullptr : it;
}

const StagedOperand *TileScope::findStaged(OpOperand &operand, IndexId outer,
                                           IndexId depth) const {
  const IndexForm &form = kernel.getForm();
  const Read *read = form.getRead(operand);
  for (const StagedOperand &known : staged) {
    const Read *knownRead = form.getRead(*known.operand);
    bool isSame = read ? knownRead && isSameRead(*knownRead, *read)
                       : !knownRead && form.getSource(*known.operand) ==
                                           form.getSource(operand);
    if (isSame && known.outer == outer && known.depth == depth)
      return &known;
  }
  return parent ? parent->findStaged(operand, outer, depth) : nullptr;
}

Value TileScope::getTile(Value value) {
  if (Value known = findTile(value))
    return known;
  Value tile = compute(*value.getDefiningOp());
  tiles[value] = tile;
  return tile;
}

void TileScope::hoist(OpOperand &operand, ArrayRef<IndexId> indices) {
  llvm::DenseSet<Value> seen;
  hoist(operand, indices, seen);
}

void TileScope::hoist(OpOperand &operand, ArrayRef<IndexId> indices,
                      llvm::DenseSet<Value> &seen) {
  const IndexForm &form = kernel.getForm();
  const Read *read = form.getRead(operand);
  if (!read)
    return hoist(form.getSource(operand), indices, seen);
  bool depends = llvm::any_of(indices, [&](IndexId index) {
    return read->access.stride(index) != DimExpr();
  });
  if (!depends && !read->range)
    load(*read, operand.getOwner()->getLoc());
}

void TileScope::hoist(Value value, ArrayRef<IndexId> indices,
                      llvm::DenseSet<Value> &seen) {
  if (!seen.insert(value).second || findTile(value))
    return;
  ArrayRef<IndexId> own = kernel.getForm().getIndices(value);
  bool depends = llvm::any_of(
      indices, [&](IndexId index) { return llvm::is_contained(own, index); });
  if (!depends && !reductions.isPending(value)) {
    getTile(value);
    return;
  }
  Operation *op = value.getDefiningOp();
  if (isReduction(op))
    reductions.hoist(*op, indices, *this);
  else if (isa<MapOp, EinsumOp, CompareOp, SelectOp, CastOp, ConcatOp>(op))
    for (OpOperand &operand : op->getOpOperands())
      hoist(operand, indices, seen);
}

/// Where an index lies in [begin, end) of a concatenation's piece.
Value TileScope::createInside(const Read::Range &range,
                              ArrayRef<IndexId> indices, Location loc) {
  OpBuilder &builder = kernel.getBuilder();
  Value position = createPosition(range.index, indices, loc);
  auto type = cast<tile::TileType>(position.getType())
                  .withElementType(builder.getI1Type());
  auto compare = [&](Comparison comparison, const DimExpr &bound) -> Value {
    Value limit = tile::SplatOp::create(
        builder, loc, tile::TileType::get({}, builder.getI32Type()),
        kernel.getSize(bound));
    return tile::CompareOp::create(builder, loc, type, comparison, position,
                                   limit);
  };
  Value above = compare(Comparison::Ge, range.begin);
  Value below = compare(Comparison::Lt, range.end);
  return tile::MapOp::create(builder, loc, type, ScalarFn::And,
                             ValueRange{above, below});
}

/// The value of an index: a tile of `indices` if it is a dim of theirs, else
/// one for all elements.
Value TileScope::createPosition(IndexId index, ArrayRef<IndexId> indices,
                                Location loc) {
  OpBuilder &builder = kernel.getBuilder();
  Type element = builder.getI32Type();
  Value start = kernel.getStart(index);
  if (!start)
    start = kernel.getConstant(0);
  SmallVector<int64_t> positions = getPositions(indices);
  SmallVector<int64_t> tileDims = getTileDims(indices);
  auto isIndex = [&](int64_t position) {
    return dims[position].index == index;
  };
  auto create = [&](tile::TileType type, int64_t dim) {
    return tile::IotaOp::create(builder, loc, type, dim, start);
  };
  const auto *own = llvm::find_if(positions, isIndex);
  if (own != positions.end()) {
    size_t number = own - positions.begin();
    if (isJoined(positions, number) ||
        (number + 1 < positions.size() && isJoined(positions, number + 1)))
      return reshape(create(getSplitType(indices, element), number),
                     getType(indices, element), loc);
    return create(getType(indices, element),
                  llvm::find(tileDims, *own) - tileDims.begin());
  }
  return tile::SplatOp::create(builder, loc, tile::TileType::get({}, element),
                               start);
}

Value TileScope::createConcat(ConcatOp op) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = op.getLoc();
  const IndexForm &form = kernel.getForm();
  ArrayRef<IndexId> indices = form.getIndices(op.getResult());
  Value result;
  for (OpOperand &operand : op->getOpOperands()) {
    const Read &read = *form.getRead(operand);
    if (!read.range)
      return getOperand(operand, indices);
    if (read.range->isEmpty())
      continue;
    Value inside = createInside(*read.range, indices, loc);
    Value piece = createLoad(read, indices, inside, loc);
    result = result ? tile::SelectOp::create(builder, loc, piece.getType(),
                                             inside, piece, result)
                          .getResult()
                    : piece;
  }
  if (result)
    return result;
  // Nothing is to be read, nor stored.
  Type element = getElementTypeOrSelf(op.getType());
  return tile::FillOp::create(builder, loc, getType(indices, element),
                              getIdentity(ReduceKind::Sum, element));
}

Value TileScope::createIota(IotaOp op) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = op.getLoc();
  const IndexForm &form = kernel.getForm();
  ArrayRef<IndexId> indices = form.getIndices(op.getResult());
  tile::TileType type = getType(indices, builder.getI32Type());
  Value sum;
  DimExpr stride(1);
  for (IndexId index : llvm::reverse(form.getCounted(op))) {
    Value term = createPosition(index, indices, loc);
    if (stride != DimExpr(1)) {
      Value scale = tile::SplatOp::create(
          builder, loc, tile::TileType::get({}, builder.getI32Type()),
          kernel.getSize(stride));
      term = tile::MapOp::create(builder, loc, term.getType(), ScalarFn::Mul,
                                 ValueRange{term, scale});
    }
    Type sumType = sum && cast<tile::TileType>(sum.getType()).getRank() != 0
                       ? sum.getType()
                       : term.getType();
    sum = sum ? tile::MapOp::create(builder, loc, sumType, ScalarFn::Add,
                                    ValueRange{term, sum})
                    .getResult()
              : term;
    stride = stride * form.getExtent(index);
  }
  if (!sum)
    sum = tile::FillOp::create(builder, loc,
                               tile::TileType::get({}, builder.getI32Type()),
                               builder.getI32IntegerAttr(0));
  if (sum.getType() != type)
    sum = spread(sum, {}, indices, loc);
  Type element = getElementTypeOrSelf(op.getType());
  if (element == builder.getI32Type())
    return sum;
  return tile::CastOp::create(builder, loc, type.withElementType(element), sum);
}

/// The one value of a constant's elements.
static TypedAttr getSplat(ConstantOp op) {
  auto elements = cast<DenseElementsAttr>(op.getValue());
  return cast<TypedAttr>(elements.getSplatValue<Attribute>());
}

Value TileScope::compute(Operation &op) {
  if (isReduction(&op))
    return reductions.lower(op, *this);
  OpBuilder &builder = kernel.getBuilder();
  Location loc = op.getLoc();
  Value result = op.getResult(0);
  ArrayRef<IndexId> indices = kernel.getForm().getIndices(result);
  tile::TileType type = getType(indices, getElementTypeOrSelf(result));
  SmallVector<Value> operands;
  if (isa<MapOp, EinsumOp, CompareOp, SelectOp, CastOp>(op))
    for (OpOperand &operand : op.getOpOperands()) {
      // Scalars stay scalars.
      bool isScalar =
          cast<RankedTensorType>(operand.get().getType()).getRank() == 0;
      operands.push_back(
          getOperand(operand, isScalar ? ArrayRef<IndexId>() : indices));
    }
  return TypeSwitch<Operation *, Value>(&op)
      .Case([&](MapOp op) {
        return builder.createOrFold<tile::MapOp>(loc, type, op.getFn(),
                                                 operands);
      })
      .Case([&](EinsumOp) {
        for (Value &operand : operands)
          if (auto own = cast<tile::TileType>(operand.getType());
              own.getElementType() != type.getElementType())
            operand = tile::CastOp::create(
                builder, loc, own.withElementType(type.getElementType()),
                operand);
        return builder.createOrFold<tile::MapOp>(loc, type, ScalarFn::Mul,
                                                 operands);
      })
      .Case([&](CompareOp op) {
        return tile::CompareOp::create(builder, loc, type, op.getComparison(),
                                       operands[0], operands[1]);
      })
      .Case([&](SelectOp) {
        return tile::SelectOp::create(builder, loc, type, operands[0],
                                      operands[1], operands[2]);
      })
      .Case([&](CastOp) {
        return tile::CastOp::create(builder, loc, type, operands[0]);
      })
      .Case([&](ConstantOp op) {
        return tile::FillOp::create(builder, loc, type, getSplat(op));
      })
      .Case([&](DimOp op) {
        return tile::SplatOp::create(builder, loc, type,
                                     kernel.getSize(kernel.getDim(op)));
      })
      .Case([&](IotaOp op) { return createIota(op); })
      .Case([&](ConcatOp op) { return createConcat(op); })
      .Default([](Operation *) -> Value {
        llvm_unreachable("an index form has no other ops");
      });
}
