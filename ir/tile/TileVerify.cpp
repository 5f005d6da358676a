//===- TileVerify.cpp - What the tile ops demand --------------------------===//

#include "fuse/tile/TileDialect.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

static constexpr int64_t maxThreads = 1024;

//===----------------------------------------------------------------------===//
// Shared checks
//===----------------------------------------------------------------------===//

static LogicalResult requireElementType(Operation *op, Type actual,
                                        Type expected, StringRef what) {
  if (actual == expected)
    return success();
  return op->emitOpError() << "expects " << what << " of " << expected
                           << ", but got " << actual;
}

static LogicalResult requireShape(Operation *op, TileType actual,
                                  ArrayRef<int64_t> expected, StringRef what) {
  if (actual.getShape() == expected)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "expects " << what << " of shape [";
  llvm::interleaveComma(expected, diag);
  return diag << "], but got " << actual;
}

/// Operands of nonzero rank have the result's shape and layout.
static LogicalResult requireElementwise(Operation *op, TileType result,
                                        ValueRange inputs) {
  for (auto [index, input] : llvm::enumerate(inputs)) {
    auto type = cast<TileType>(input.getType());
    if (type.getRank() == 0)
      continue;
    if (failed(requireShape(op, type, result.getShape(),
                            ("operand #" + Twine(index)).str())))
      return failure();
    if (type.getMap() != result.getMap())
      return op->emitOpError() << "expects operand #" << index
                               << " to have the result's layout, but got "
                               << type << " for " << result;
  }
  return success();
}

/// A stride a dim, and limits for all dims or for none.
static LogicalResult requireAddress(Operation *op, TileType tile,
                                    BufferType buffer, size_t numStrides,
                                    size_t numLimits) {
  if (failed(requireElementType(op, tile.getElementType(),
                                buffer.getElementType(), "a tile")))
    return failure();
  size_t rank = tile.getRank();
  if (numStrides != rank)
    return op->emitOpError() << "expects a stride for each of " << rank
                             << " dims, but got " << numStrides;
  if (numLimits != 0 && numLimits != rank)
    return op->emitOpError() << "expects a limit for each of " << rank
                             << " dims or none, but got " << numLimits;
  return success();
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

static LogicalResult requireGrid(Operation *op, ArrayAttr grid,
                                 ArrayRef<int64_t> tiles) {
  if (grid.size() != tiles.size())
    return op->emitOpError() << "expects a tile for each of " << grid.size()
                             << " dims of the grid, but got " << tiles.size();
  for (int64_t extent : tiles)
    if (extent < 1)
      return op->emitOpError()
             << "expects tiles of at least 1, but got " << extent;
  for (auto text : grid.getAsRange<StringAttr>()) {
    std::string error;
    if (!DimExpr::parse(text, error))
      return op->emitOpError() << "'grid' " << error;
  }
  return success();
}

LogicalResult KernelOp::verify() {
  int64_t threads = getThreads();
  if (threads < 32 || threads > maxThreads || threads % 32 != 0)
    return emitOpError() << "expects a multiple of 32 threads, at most "
                         << maxThreads << ", but got " << threads;
  if (failed(requireGrid(*this, getGrid(), getTiles())))
    return failure();
  Block &body = getBody().front();
  if (llvm::any_of(body, llvm::IsaPred<PartOp>)) {
    if (!getGrid().empty())
      return emitOpError() << "expects no grid beside those of parts, but got "
                           << getGrid();
    for (Operation &op : body.without_terminator())
      if (!isa<PartOp>(op))
        return op.emitOpError("expects to be in a part, as others are");
  }
  if (!getResultTypes().empty())
    return emitOpError("expects no results: kernels write to buffers");
  for (auto [index, type] : llvm::enumerate(getArgumentTypes())) {
    bool isDim = getArgAttr(index, TileDialect::dimAttr) != nullptr;
    if (isDim ? !type.isIndex() : !isa<BufferType>(type))
      return emitOpError() << "expects argument #" << index
                           << " to be a buffer, or an index with 'tile.dim', "
                              "but got "
                           << type;
  }
  return success();
}

LogicalResult PartOp::verify() {
  return requireGrid(*this, getGrid(), getTiles());
}

LogicalResult OriginOp::verify() {
  if (!(*this)->getParentOfType<KernelOp>())
    return emitOpError("expects a kernel around it");
  size_t rank = getIndexSpace().tiles.size();
  if (getNumResults() != rank)
    return emitOpError() << "expects a start for each of " << rank
                         << " dims of the grid, but got " << getNumResults();
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

LogicalResult LoadOp::verify() {
  TileType type = getTile().getType();
  if (failed(requireAddress(*this, type, getBuffer().getType(),
                            getStrides().size(), getLimits().size())) ||
      failed(requireElementType(*this, getFill().getType(),
                                type.getElementType(), "a fill")))
    return failure();
  if (!getCondition())
    return success();
  auto condition = cast<TileType>(getCondition().getType());
  if (failed(requireElementType(*this, condition.getElementType(),
                                IntegerType::get(getContext(), 1),
                                "a condition")))
    return failure();
  return requireElementwise(*this, type, getCondition());
}

LogicalResult StoreOp::verify() {
  return requireAddress(*this, getTile().getType(), getBuffer().getType(),
                        getStrides().size(), getLimits().size());
}

static LogicalResult verifyTransfer(Operation *op, TileType registers,
                                    TileType shared, bool isTransposed) {
  if (failed(requireElementType(op, registers.getElementType(),
                                shared.getElementType(), "a tile")))
    return failure();
  SmallVector<int64_t> shape(shared.getShape());
  if (isTransposed) {
    if (shape.size() != 2)
      return op->emitOpError() << "expects a tile of rank 2 to transpose, but "
                                  "got "
                               << shared;
    std::swap(shape[0], shape[1]);
  }
  return requireShape(op, registers, shape, "a tile");
}

LogicalResult AllocOp::verify() {
  if (!getSlots())
    return success();
  if (*getSlots() < 1)
    return emitOpError() << "expects one slot at least, but got "
                         << *getSlots();
  for (Operation *user : getTile().getUsers())
    if (!isa<SlotOp>(user))
      return emitOpError("expects a tile with slots to be used by tile.slot "
                         "only");
  return success();
}

LogicalResult SlotOp::verify() {
  auto alloc = getSource().getDefiningOp<AllocOp>();
  if (!alloc || !alloc.getSlots())
    return emitOpError("expects a tile.alloc with slots");
  return success();
}

LogicalResult RowsOp::verify() {
  auto alloc = getSource().getDefiningOp<AllocOp>();
  if (!alloc)
    return emitOpError("expects a tile.alloc");
  TileType whole = alloc.getTile().getType(), part = getTile().getType();
  if (whole.getRank() != 2 || part.getRank() != 2 ||
      whole.getElementType() != part.getElementType() ||
      whole.getShape()[1] != part.getShape()[1])
    return emitOpError() << "expects rows of " << whole << ", but got " << part;
  int64_t rows = part.getShape()[0];
  if (whole.getShape()[0] % rows != 0)
    return emitOpError() << "expects a number of rows that divides "
                         << whole.getShape()[0] << ", but got " << rows;
  if (int64_t period = 8 * alloc.getSwizzle().value_or(0);
      period != 0 && rows % period != 0)
    return emitOpError() << "expects a multiple of " << period
                         << " rows of a tile with this swizzle, but got "
                         << rows;
  return success();
}

LogicalResult WriteOp::verify() {
  return verifyTransfer(*this, getSource().getType(), getTarget().getType(),
                        getTransposed());
}

LogicalResult ReadOp::verify() {
  return verifyTransfer(*this, getTile().getType(), getSource().getType(),
                        /*isTransposed=*/false);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

LogicalResult FillOp::verify() {
  return requireElementType(*this, getValue().getType(),
                            getTile().getType().getElementType(), "a value");
}

LogicalResult SplatOp::verify() {
  return requireShape(*this, getTile().getType(), {}, "a result");
}

static LogicalResult requireDim(Operation *op, int64_t dim, int64_t rank) {
  if (dim >= 0 && dim < rank)
    return success();
  return op->emitOpError() << "expects a dim of the tile's " << rank
                           << ", but got " << dim;
}

LogicalResult tile::IotaOp::verify() {
  TileType type = getTile().getType();
  if (failed(requireElementType(*this, type.getElementType(),
                                IntegerType::get(getContext(), 32),
                                "a result")))
    return failure();
  return requireDim(*this, getDim(), type.getRank());
}

LogicalResult tile::MapOp::verify() {
  const ScalarFnInfo &info = getInfo(getFn());
  if (getInputs().size() != info.arity)
    return emitOpError() << "expects " << info.arity << " operands for '"
                         << info.spelling << "', but got "
                         << getInputs().size();
  TileType type = getTile().getType();
  for (Value input : getInputs())
    if (failed(requireElementType(
            *this, cast<TileType>(input.getType()).getElementType(),
            type.getElementType(), "operands")))
      return failure();
  return requireElementwise(*this, type, getInputs());
}

LogicalResult tile::CompareOp::verify() {
  TileType type = getTile().getType();
  if (failed(requireElementType(*this, type.getElementType(),
                                IntegerType::get(getContext(), 1),
                                "a result")) ||
      failed(requireElementType(*this, getRhs().getType().getElementType(),
                                getLhs().getType().getElementType(),
                                "operands")))
    return failure();
  return requireElementwise(*this, type, getOperands());
}

LogicalResult tile::SelectOp::verify() {
  TileType type = getTile().getType();
  if (failed(
          requireElementType(*this, getCondition().getType().getElementType(),
                             IntegerType::get(getContext(), 1), "a condition")))
    return failure();
  for (TileType side : {getOnTrue().getType(), getOnFalse().getType()})
    if (failed(requireElementType(*this, side.getElementType(),
                                  type.getElementType(), "sides")))
      return failure();
  return requireElementwise(*this, type, getOperands());
}

LogicalResult tile::CastOp::verify() {
  TileType source = getSource().getType(), type = getTile().getType();
  if (failed(requireShape(*this, source, type.getShape(), "a source")))
    return failure();
  return requireElementwise(*this, type, getSource());
}

LogicalResult MaskOp::verify() {
  TileType type = getTile().getType();
  if (getSource().getType() != type)
    return emitOpError() << "expects a result of " << getSource().getType()
                         << ", but got " << type;
  if (getLimits().size() != static_cast<size_t>(type.getRank()))
    return emitOpError() << "expects a limit for each of " << type.getRank()
                         << " dims, but got " << getLimits().size();
  return requireElementType(*this, getIdentity().getType(),
                            type.getElementType(), "an identity");
}

LogicalResult tile::BroadcastOp::verify() {
  TileType source = getSource().getType(), type = getTile().getType();
  for (int64_t dim : getDims())
    if (failed(requireDim(*this, dim, type.getRank())))
      return failure();
  if (failed(requireElementType(*this, source.getElementType(),
                                type.getElementType(), "a source")))
    return failure();
  return requireShape(*this, source, dropDims(type.getShape(), getDims()),
                      "a source");
}

LogicalResult tile::ReshapeOp::verify() {
  TileType source = getSource().getType(), type = getTile().getType();
  if (failed(requireElementType(*this, source.getElementType(),
                                type.getElementType(), "a source")))
    return failure();
  if (source.getNumElements() != type.getNumElements())
    return emitOpError() << "expects a source of " << type.getNumElements()
                         << " elements, but got " << source;
  if (!source.getMap() && !type.getMap())
    return success();
  std::optional<FragmentMap> map;
  if (source.getMap())
    map = source.getMap().getValue().reshape(type.getShape());
  if (!map || !type.getMap() || type.getMap().getValue() != *map)
    return emitOpError() << "expects the source's layout in the result's shape"
                         << (map ? ", \"" + map->str() + "\"" : std::string())
                         << ", but got " << type << " for " << source;
  return success();
}

LogicalResult tile::ReduceOp::verify() {
  TileType source = getSource().getType(), type = getTile().getType();
  int64_t dim = getDim();
  if (failed(requireDim(*this, dim, source.getRank())) ||
      failed(requireElementType(*this, type.getElementType(),
                                source.getElementType(), "a result")))
    return failure();
  // With layouts, warps may keep a part each.
  if (source.getMap() && type.getRank() == source.getRank()) {
    FragmentMap partial = source.getMap().getValue().partialDim(dim);
    if (!type.getMap() || !(type.getMap().getValue() == partial))
      return emitOpError() << "expects layout \"" << partial.str()
                           << "\", but got " << type;
    return success();
  }
  return requireShape(*this, type, dropDims(source.getShape(), {dim}),
                      "a result");
}

LogicalResult AccumulateOp::verify() {
  TileType source = getLhs().getType(), type = getTile().getType();
  Type element = type.getElementType();
  if (!element.isF32() && !element.isF64())
    return emitOpError() << "expects elements of f32 or f64, but got "
                         << element;
  if (failed(requireElementType(*this, source.getElementType(), element,
                                "operands")))
    return failure();
  auto dim = static_cast<int64_t>(getDim());
  if (dim < 0 || dim >= source.getRank())
    return emitOpError() << "expects a dim of " << source << ", but got "
                         << dim;
  if (failed(requireShape(*this, type, dropDims(source.getShape(), {dim}),
                          "a sum")))
    return failure();
  if (!source.getMap())
    return success();
  const FragmentMap &map = source.getMap().getValue();
  bool isInRegisters = llvm::all_of(map.factors(dim), [](const Factor &factor) {
    return factor.owner == Owner::Register || factor.extent == 1;
  });
  if (!isInRegisters)
    return emitOpError() << "expects dim " << dim
                         << " to lie in registers, but got " << source;
  FragmentMap left = map.sliceDim(dim);
  if (!type.getMap() || !(type.getMap().getValue() == left))
    return emitOpError() << "expects layout \"" << left.str() << "\", but got "
                         << type;
  return success();
}

LogicalResult ContractOp::verify() {
  TileType lhs = getLhs().getType(), rhs = getRhs().getType(),
           type = getTile().getType();
  if (lhs.getRank() != 2 || rhs.getRank() != 2 || type.getRank() != 2)
    return emitOpError("expects tiles of rank 2");
  int64_t lhsK = getLhsTransposed() ? 0 : 1, rhsK = getRhsTransposed() ? 1 : 0;
  int64_t depth = lhs.getShape()[lhsK];
  if (rhs.getShape()[rhsK] != depth)
    return emitOpError() << "expects both operands to have " << depth
                         << " terms, but got " << rhs.getShape()[rhsK];
  if (std::optional<int64_t> unroll = getUnroll();
      unroll && (*unroll < 1 || *unroll > 16 || !llvm::isPowerOf2_64(*unroll)))
    return emitOpError() << "expects 'unroll' to be 1, 2, 4, 8 or 16, but got "
                         << *unroll;
  if (std::optional<int64_t> additions = getAdditions();
      additions && *additions < 1)
    return emitOpError() << "expects 'additions' to be positive, but got "
                         << *additions;
  SmallVector<int64_t> expected = {lhs.getShape()[1 - lhsK],
                                   rhs.getShape()[1 - rhsK]};
  return requireShape(*this, type, expected, "an accumulator");
}

LogicalResult ContractRowsOp::verify() {
  TileType lhs = getLhs().getType(), rhs = getRhs().getType(),
           type = getTile().getType();
  if (lhs.getRank() != 2 || rhs.getRank() != 2 || type.getRank() != 2)
    return emitOpError("expects tiles of rank 2");
  int64_t rhsK = getRhsTransposed() ? 1 : 0;
  int64_t depth = lhs.getShape()[1];
  if (rhs.getShape()[rhsK] != depth)
    return emitOpError() << "expects both operands to have " << depth
                         << " terms, but got " << rhs.getShape()[rhsK];
  if (int64_t columns = rhs.getShape()[1 - rhsK]; !llvm::isPowerOf2_64(columns))
    return emitOpError() << "expects a power of 2 of columns, but got "
                         << columns;
  if (lhs.getElementType() != type.getElementType())
    return emitOpError() << "expects rows of " << type.getElementType()
                         << ", but got " << lhs.getElementType();
  SmallVector<int64_t> expected = {lhs.getShape()[0], rhs.getShape()[1 - rhsK]};
  if (getTileTransposed())
    std::swap(expected[0], expected[1]);
  return requireShape(*this, type, expected, "an accumulator");
}
