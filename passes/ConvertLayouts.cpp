//===- ConvertLayouts.cpp - Where two layouts meet ------------------------===//
//
// Broadcasts, reductions and products of rows give or want layouts that follow
// from others. A tile that is needed in another one goes through shared memory.
//
//===----------------------------------------------------------------------===//

#include "ConvertLayouts.h"
#include "LayoutRules.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fuse;
using tile::FragmentMap;
using tile::MapAttr;
using tile::TileType;

static TileType typeOf(Value value) { return cast<TileType>(value.getType()); }

namespace {
class LayoutConverter {
public:
  explicit LayoutConverter(tile::KernelOp kernel) : kernel(kernel) {}
  void run();

private:
  void convertAt(OpOperand &operand, FragmentMap wanted);
  void meetBroadcast(tile::BroadcastOp op);
  void meetReduce(tile::ReduceOp op);
  void meetReshape(tile::ReshapeOp op);
  void meetRows(tile::ContractRowsOp op);
  /// Gives an op's result the layout that follows from its operands; users get
  /// it in the one they had.
  void settle(Value tile, FragmentMap natural);
  FragmentMap rowsInWarps(ArrayRef<int64_t> shape, int64_t dim) {
    return tile::rowBlocked(shape, kernel.getWarps(), /*vector=*/1, dim);
  }
  MapAttr attrOf(FragmentMap map) {
    return MapAttr::get(kernel.getContext(), std::move(map));
  }

  tile::KernelOp kernel;
};
} // namespace

/// The outermost op around the use of a value that still comes behind it.
static Operation *findEarliestPlace(OpOperand &operand) {
  Operation *place = operand.getOwner();
  for (auto loop = place->getParentOfType<scf::ForOp>();
       loop && loop.isDefinedOutsideOfLoop(operand.get());
       loop = place->getParentOfType<scf::ForOp>())
    place = loop;
  return place;
}

/// What `convertAt` read before `place` from a tile, in the type that is
/// wanted; null if there is none, or if it has more registers to keep than the
/// tile.
static Value findConverted(Value tile, TileType wanted, Operation *place) {
  if (wanted.getMap().getValue().registers() >
      typeOf(tile).getMap().getValue().registers())
    return {};
  for (Operation *user : tile.getUsers()) {
    auto write = dyn_cast<tile::WriteOp>(user);
    if (!write || write.getTransposed() || !write.getTarget().hasNUses(2))
      continue;
    for (Operation *reader : write.getTarget().getUsers()) {
      auto read = dyn_cast<tile::ReadOp>(reader);
      Operation *here = reader->getBlock()->findAncestorOpInBlock(*place);
      if (read && read.getTile().getType() == wanted && here &&
          read->isBeforeInBlock(here))
        return read.getTile();
    }
  }
  return {};
}

/// Brings an operand to another layout, through shared memory; once for all
/// steps of loops that do not change it, and for uses further on.
void LayoutConverter::convertAt(OpOperand &operand, FragmentMap wanted) {
  Operation *place = findEarliestPlace(operand);
  TileType type = typeOf(operand.get());
  TileType target = type.withMap(attrOf(std::move(wanted)));
  if (Value converted = findConverted(operand.get(), target, place)) {
    operand.set(converted);
    return;
  }
  OpBuilder builder(place);
  Location loc = operand.getOwner()->getLoc();
  auto shared = tile::AllocOp::create(
      builder, loc,
      TileType::get(type.getContext(), type.getShape(), type.getElementType(),
                    tile::Space::Shared, MapAttr()));
  tile::WriteOp::create(builder, loc, operand.get(), shared);
  operand.set(tile::ReadOp::create(builder, loc, target, shared));
}

void LayoutConverter::meetBroadcast(tile::BroadcastOp op) {
  if (typeOf(op.getSource()).getRank() == 0)
    return;
  FragmentMap wanted =
      ::dropDims(op.getTile().getType().getMap().getValue(), op.getDims());
  if (typeOf(op.getSource()).getMap().getValue() != wanted)
    convertAt(op.getSourceMutable(), std::move(wanted));
}

void LayoutConverter::settle(Value tile, FragmentMap natural) {
  FragmentMap wanted = typeOf(tile).getMap().getValue();
  if (wanted == natural)
    return;
  tile.setType(typeOf(tile).withMap(attrOf(std::move(natural))));
  // The first one comes last in the list; later ones read what it reads.
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : tile.getUses())
    uses.push_back(&use);
  for (OpOperand *use : llvm::reverse(uses))
    convertAt(*use, wanted);
}

void LayoutConverter::meetReduce(tile::ReduceOp op) {
  TileType type = op.getTile().getType();
  TileType source = typeOf(op.getSource());
  if (isSplitByWarps(source.getMap().getValue(), op.getDim()))
    convertAt(op.getSourceMutable(),
              rowsInWarps(source.getShape(), op.getDim()));
  if (type.getRank() == 0)
    return;
  settle(op.getTile(),
         typeOf(op.getSource()).getMap().getValue().sliceDim(op.getDim()));
}

/// All elements in every thread: a layout that has every shape.
static FragmentMap inRegisters(ArrayRef<int64_t> shape, int64_t warps) {
  SmallVector<tile::FragmentDim> dims(shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim])
    dims[dim].push_back({tile::Owner::Register, shape[dim], stride});
  std::string error;
  return *FragmentMap::get(warps, dims, error);
}

void LayoutConverter::meetReshape(tile::ReshapeOp op) {
  TileType source = typeOf(op.getSource()), type = op.getTile().getType();
  auto mapOf = [](TileType type) { return type.getMap().getValue(); };
  std::optional<FragmentMap> wanted = mapOf(type).reshape(source.getShape());
  if (!wanted && !mapOf(source).reshape(type.getShape()))
    wanted = inRegisters(source.getShape(), kernel.getWarps());
  if (wanted && mapOf(source) != *wanted)
    convertAt(op.getSourceMutable(), *wanted);
  settle(op.getTile(), *mapOf(typeOf(op.getSource())).reshape(type.getShape()));
}

void LayoutConverter::meetRows(tile::ContractRowsOp op) {
  if (isSplitByWarps(typeOf(op.getLhs()).getMap().getValue(), 1))
    convertAt(op.getLhsMutable(),
              rowsInWarps(typeOf(op.getLhs()).getShape(), 1));
  FragmentMap natural =
      shareOutColumns(op, typeOf(op.getLhs()).getMap().getValue());
  if (typeOf(op.getAccumulator()).getMap().getValue() != natural)
    convertAt(op.getAccumulatorMutable(), natural);
  settle(op.getTile(), std::move(natural));
}

void LayoutConverter::run() {
  SmallVector<tile::BroadcastOp> broadcasts;
  SmallVector<tile::ReduceOp> reductions;
  SmallVector<tile::ReshapeOp> reshapes;
  SmallVector<tile::ContractRowsOp> products;
  kernel.walk([&](tile::ContractRowsOp op) { products.push_back(op); });
  kernel.walk([&](tile::BroadcastOp op) { broadcasts.push_back(op); });
  kernel.walk([&](tile::ReduceOp op) { reductions.push_back(op); });
  kernel.walk([&](tile::ReshapeOp op) { reshapes.push_back(op); });
  llvm::for_each(reductions, [&](auto op) { meetReduce(op); });
  llvm::for_each(products, [&](auto op) { meetRows(op); });
  llvm::for_each(reshapes, [&](auto op) { meetReshape(op); });
  llvm::for_each(broadcasts, [&](auto op) { meetBroadcast(op); });
}

void fuse::convertLayouts(tile::KernelOp kernel) {
  LayoutConverter(kernel).run();
}
