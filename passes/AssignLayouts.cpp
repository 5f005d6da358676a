//===- AssignLayouts.cpp - Give every register tile a layout --------------===//
//
// Tiles that elementwise ops join have one layout. Accumulators of contractions
// fix theirs first; it spreads to what is broadcast to them or reduced from
// them. A group of tiles that nothing reaches gets the default for its shape,
// with lanes along the dim whose elements are neighbours in memory. Where two
// layouts meet, the tile goes through shared memory: so every kernel has a
// solution.
//
//===----------------------------------------------------------------------===//

#include "ConvertLayouts.h"
#include "LayoutRules.h"
#include "TileConstants.h"
#include "TileSchedule.h"
#include "fuse/passes/Passes.h"
#include <numeric>

namespace fuse {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using tile::FragmentMap;
using tile::MapAttr;
using tile::TileType;

/// Sums of one thread from which on registers are scarce.
static constexpr int64_t sumsOfLargeTiles = 32;

static TileType typeOf(Value value) { return cast<TileType>(value.getType()); }

static bool isRegisterTile(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  return type && type.isRegisters();
}

namespace {
class LayoutAssigner {
public:
  explicit LayoutAssigner(tile::KernelOp kernel) : kernel(kernel) {}
  LogicalResult run();

private:
  void joinGroups();
  LogicalResult anchorContractions();
  ThreadTile getThreadTileOf(tile::ContractOp op);
  /// Decides how operands lie in shared memory.
  void placeOperands(tile::ContractOp op, const FragmentMap &map);
  /// Spreads known layouts along broadcasts, reductions and reshapes.
  void spread();
  bool follow(Value leading, Value following);
  void anchorDefaults();
  bool areRowsNeighbours(Value value);
  /// Calls `fn` with the loads and stores of a group's tiles, as they are or
  /// with dims joined, and with their strides.
  void
  forEachAccess(Value value,
                function_ref<void(Operation *, ArrayRef<Value> strides)> fn);
  enum class Staging { None, AsIs, Transposed };
  Staging getStaging(Value value);
  bool hasAlignedRows(Value value, int64_t dim);
  FragmentMap getDefault(Value value);
  /// True if the group's layout follows from that of sums of its products.
  bool hasTerms(Value value);
  /// True if dims that other tiles have as one are apart in the group's.
  bool isSplit(Value value);
  void apply();
  /// The dim along which tiles of a group are reduced, or else others of its
  /// shape, whose results it is likely to meet.
  std::optional<int64_t> findReducedDim(Value value);

  Value leader(Value value) {
    Value parent = parents.try_emplace(value, value).first->second;
    return parent == value ? value : parents[value] = leader(parent);
  }
  const FragmentMap *find(Value value) {
    auto it = maps.find(leader(value));
    return it == maps.end() ? nullptr : &it->second;
  }
  bool set(Value value, FragmentMap map) {
    return maps.try_emplace(leader(value), std::move(map)).second;
  }
  tile::KernelOp kernel;
  llvm::DenseMap<Value, Value> parents;    // of tiles that have one layout
  llvm::DenseMap<Value, FragmentMap> maps; // by leader
  SmallVector<Value> tiles;                // in program order
};
} // namespace

/// Joins what must have one layout.
void LayoutAssigner::joinGroups() {
  auto join = [&](Value lhs, Value rhs) {
    if (isRegisterTile(lhs) && isRegisterTile(rhs) &&
        typeOf(lhs).getRank() == typeOf(rhs).getRank())
      parents[leader(lhs)] = leader(rhs);
  };
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (isRegisterTile(argument))
          tiles.push_back(argument);
    for (Value result : op->getResults())
      if (isRegisterTile(result))
        tiles.push_back(result);
    if (isa<tile::MapOp, tile::CompareOp, tile::SelectOp, tile::CastOp,
            tile::MaskOp, tile::ContractOp>(op))
      for (Value operand : op->getOperands())
        join(operand, op->getResult(0));
    if (auto product = dyn_cast<tile::ContractRowsOp>(op))
      join(product.getAccumulator(), product.getTile());
    if (auto accumulate = dyn_cast<tile::AccumulateOp>(op)) {
      join(accumulate.getLhs(), accumulate.getRhs());
      join(accumulate.getSum(), accumulate.getTile());
    }
    if (auto load = dyn_cast<tile::LoadOp>(op); load && load.getCondition())
      join(load.getCondition(), load.getTile());
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (auto [init, argument, result, next] :
           llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                           loop.getResults(), loop.getYieldedValues())) {
        join(init, argument);
        join(argument, result);
        join(next, result);
      }
  });
}

/// Rows that are reduced afterwards lie in one warp each, if they can.
ThreadTile LayoutAssigner::getThreadTileOf(tile::ContractOp op) {
  ArrayRef<int64_t> shape = op.getTile().getType().getShape();
  bool isReduced[2] = {false, false};
  kernel.walk([&](tile::ReduceOp reduce) {
    if (typeOf(reduce.getSource()).getRank() == 2 &&
        leader(reduce.getSource()) == leader(op.getTile()))
      isReduced[reduce.getDim()] = true;
  });
  kernel.walk([&](tile::ContractRowsOp product) {
    isReduced[1] |= leader(product.getLhs()) == leader(op.getTile());
  });
  std::optional<ThreadTile> tile;
  if (isReduced[1] && !isReduced[0]) {
    tile = getRowThreadTile(shape[0], shape[1], kernel.getWarps());
  } else if (isReduced[0] && !isReduced[1]) {
    tile = getRowThreadTile(shape[1], shape[0], kernel.getWarps());
    if (tile) {
      std::swap(tile->thread.first, tile->thread.second);
      std::swap(tile->warp.first, tile->warp.second);
    }
  }
  return tile ? *tile : getThreadTile(shape[0], shape[1], kernel.getWarps());
}

/// The strides of a tile whose neighbours are joined to one of shape `to`: of
/// each dim the innermost.
static SmallVector<Value> joinStrides(OperandRange strides,
                                      ArrayRef<int64_t> from,
                                      ArrayRef<int64_t> to) {
  SmallVector<Value> joined;
  size_t next = from.size();
  for (int64_t extent : llvm::reverse(to)) {
    if (next == 0)
      return {};
    joined.push_back(strides[--next]);
    for (extent /= from[next]; extent > 1 && next > 0;)
      extent /= from[--next];
  }
  std::reverse(joined.begin(), joined.end());
  return joined;
}

void LayoutAssigner::forEachAccess(
    Value value, function_ref<void(Operation *, ArrayRef<Value>)> fn) {
  auto call = [&](Operation *op, Value tile, OperandRange strides,
                  Value reshaped) {
    if (leader(tile) == leader(value))
      fn(op, SmallVector<Value>(strides));
    else if (reshaped && leader(reshaped) == leader(value))
      fn(op, joinStrides(strides, typeOf(tile).getShape(),
                         typeOf(reshaped).getShape()));
  };
  kernel.walk([&](Operation *op) {
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      Value tile = load.getTile();
      auto reshape = tile.hasOneUse()
                         ? dyn_cast<tile::ReshapeOp>(*tile.user_begin())
                         : nullptr;
      call(op, tile, load.getStrides(), reshape ? reshape.getTile() : Value());
    } else if (auto store = dyn_cast<tile::StoreOp>(op)) {
      auto reshape = store.getTile().getDefiningOp<tile::ReshapeOp>();
      call(op, store.getTile(), store.getStrides(),
           reshape ? reshape.getSource() : Value());
    }
  });
}

/// True if more of the group's tiles have neighbours in memory along rows than
/// along columns.
bool LayoutAssigner::areRowsNeighbours(Value value) {
  int64_t rows = 0, columns = 0;
  forEachAccess(value, [&](Operation *, ArrayRef<Value> strides) {
    if (strides.size() != 2)
      return;
    rows += isConstantIntValue(strides[0], 1);
    columns += isConstantIntValue(strides[1], 1);
  });
  return rows > columns;
}

LogicalResult LayoutAssigner::anchorContractions() {
  WalkResult walk = kernel.walk([&](tile::ContractOp op) {
    ArrayRef<int64_t> shape = op.getTile().getType().getShape();
    ThreadTile threadTile = getThreadTileOf(op);
    std::string error;
    std::optional<FragmentMap> map = tile::ffmaAccumulator(
        {shape[0], shape[1]}, kernel.getWarps(), threadTile.warp,
        threadTile.thread, error, areRowsNeighbours(op.getTile()));
    if (!map) {
      op.emitOpError() << error;
      return WalkResult::interrupt();
    }
    placeOperands(op, *map);
    set(op.getTile(), std::move(*map));
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Turns an operand over on its way to shared memory, so that rows are what one
/// term has. False if it goes there in another way than by one write.
static bool transpose(Value operand, int64_t swizzle) {
  auto alloc = operand.getDefiningOp<tile::AllocOp>();
  if (!alloc || !alloc.getTile().hasNUsesOrMore(2) ||
      alloc.getTile().hasNUsesOrMore(3))
    return false;
  tile::WriteOp write;
  for (Operation *user : alloc.getTile().getUsers())
    if (auto op = dyn_cast<tile::WriteOp>(user))
      write = op;
  if (!write || write.getTransposed())
    return false;
  ArrayRef<int64_t> shape = typeOf(operand).getShape();
  alloc.getTile().setType(typeOf(operand).withShape({shape[1], shape[0]}));
  alloc.setSwizzle(swizzle);
  write.setTransposed(true);
  return true;
}

void LayoutAssigner::placeOperands(tile::ContractOp op,
                                   const FragmentMap &map) {
  // Read along the summed index, 4 terms at a time, operands of many sums would
  // fill the registers. Read term by term, they are few.
  if (map.registers() >= sumsOfLargeTiles) {
    if (!op.getLhsTransposed())
      op.setLhsTransposed(transpose(op.getLhs(), accessRun));
    if (op.getRhs() != op.getLhs() && op.getRhsTransposed())
      op.setRhsTransposed(!transpose(op.getRhs(), accessRun));
  }
  // Threads that read along the summed index meet no bank twice.
  auto swizzle = [&](Value shared, int64_t dim) {
    TileType type = typeOf(shared);
    int64_t rowBytes =
        type.getShape().back() * getElementBytes(type.getElementType());
    if (auto alloc = shared.getDefiningOp<tile::AllocOp>();
        alloc && rowBytes % 16 == 0)
      alloc.setSwizzle(getRun(map, dim));
  };
  if (!op.getLhsTransposed())
    swizzle(op.getLhs(), 0);
  if (op.getRhsTransposed())
    swizzle(op.getRhs(), 1);
}

/// Gives a tile the layout of what it is a reshape of, or the other way round.
bool LayoutAssigner::follow(Value leading, Value following) {
  const FragmentMap *map = find(leading);
  std::optional<FragmentMap> own =
      map ? map->reshape(typeOf(following).getShape()) : std::nullopt;
  return own && set(following, std::move(*own));
}

void LayoutAssigner::spread() {
  for (bool changed = true; changed;) {
    changed = false;
    kernel.walk([&](Operation *op) {
      if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
        const FragmentMap *map = find(broadcast.getTile());
        if (map && typeOf(broadcast.getSource()).getRank() != 0)
          changed |=
              set(broadcast.getSource(), ::dropDims(*map, broadcast.getDims()));
      } else if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
        const FragmentMap *map = find(reduce.getSource());
        if (map && reduce.getTile().getType().getRank() != 0)
          changed |= set(reduce.getTile(), map->sliceDim(reduce.getDim()));
      } else if (auto reshape = dyn_cast<tile::ReshapeOp>(op)) {
        changed |= follow(reshape.getTile(), reshape.getSource()) ||
                   follow(reshape.getSource(), reshape.getTile());
      } else if (auto accumulate = dyn_cast<tile::AccumulateOp>(op)) {
        if (const FragmentMap *map = find(accumulate.getTile()))
          changed |= set(accumulate.getLhs(), addTerms(accumulate, *map));
      } else if (auto product = dyn_cast<tile::ContractRowsOp>(op)) {
        const FragmentMap *map = find(product.getLhs());
        if (map && !isSplitByWarps(*map, 1))
          changed |= set(product.getTile(), shareOutColumns(product, *map));
      }
    });
  }
}

/// How tiles of the group of `value` come to shared memory.
LayoutAssigner::Staging LayoutAssigner::getStaging(Value value) {
  Staging staging = Staging::None;
  kernel.walk([&](tile::WriteOp op) {
    if (leader(op.getSource()) == leader(value))
      staging = op.getTransposed() ? Staging::Transposed : Staging::AsIs;
  });
  return staging;
}

std::optional<int64_t> LayoutAssigner::findReducedDim(Value value) {
  std::optional<int64_t> own, alike;
  kernel.walk([&](tile::ReduceOp op) {
    if (leader(op.getSource()) == leader(value))
      own = op.getDim();
    if (typeOf(op.getSource()).getShape() == typeOf(value).getShape())
      alike = op.getDim();
  });
  return own ? own : alike;
}

/// True if rows that are loaded for the group lie along `dim`, whole runs
/// apart.
bool LayoutAssigner::hasAlignedRows(Value value, int64_t dim) {
  bool areAligned = true, areThere = false;
  forEachAccess(value, [&](Operation *op, ArrayRef<Value> strides) {
    if (!isa<tile::LoadOp>(op))
      return;
    areThere = true;
    for (auto [number, stride] : llvm::enumerate(strides)) {
      std::optional<int64_t> known = getConstantIntValue(stride);
      bool isDim = static_cast<int64_t>(number) == dim;
      areAligned &= known && (isDim ? *known == 1 : *known % accessRun == 0);
    }
  });
  return areThere && areAligned;
}

/// Lanes along the dim in which a load or store of the group finds neighbours.
FragmentMap LayoutAssigner::getDefault(Value value) {
  TileType type = typeOf(value);
  int64_t rank = type.getRank();
  std::optional<int64_t> contiguous;
  forEachAccess(value, [&](Operation *, ArrayRef<Value> strides) {
    if (contiguous)
      return;
    for (auto [dim, stride] : llvm::enumerate(strides))
      if (isConstantIntValue(stride, 1))
        contiguous = dim;
  });
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (contiguous && *contiguous != rank - 1) {
    std::swap(order[*contiguous], order[rank - 1]);
    std::swap(shape[*contiguous], shape[rank - 1]);
  }
  int64_t warps = kernel.getWarps();
  Staging staging = getStaging(value);
  std::optional<int64_t> whole = findReducedDim(value);
  if (whole)
    whole = order[*whole];
  if (staging == Staging::Transposed)
    return blocked(shape, warps, whole).permute(order);
  // No thread without elements for the sake of long runs.
  int64_t share =
      std::max<int64_t>(type.getNumElements() / (warps * tile::kLanes), 1);
  // A row's sum has fewer steps, too, if a thread adds up runs.
  bool hasRuns =
      staging == Staging::AsIs ||
      (contiguous && whole == rank - 1 && hasAlignedRows(value, *contiguous));
  int64_t run = hasRuns ? std::gcd(accessRun, share) : 1;
  // The order swaps two dims, so it is its own inverse.
  return tile::rowBlocked(shape, warps, run, whole).permute(order);
}

bool LayoutAssigner::hasTerms(Value value) {
  return kernel
      .walk([&](tile::AccumulateOp op) {
        return leader(op.getLhs()) == leader(value) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

bool LayoutAssigner::isSplit(Value value) {
  return kernel
      .walk([&](tile::ReshapeOp op) {
        Value tiles[] = {op.getSource(), op.getTile()};
        bool isTileSplit =
            op.getTile().getType().getRank() > typeOf(tiles[0]).getRank();
        return leader(tiles[isTileSplit]) == leader(value)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void LayoutAssigner::anchorDefaults() {
  for (;;) {
    spread();
    // Of the tiles without a layout, the largest rank decides: the others are
    // slices of it. Not one with split dims: it follows.
    auto getRank = [&](Value tile) {
      return isSplit(tile) ? -1 : typeOf(tile).getRank();
    };
    Value next;
    for (Value tile : tiles)
      if (!find(tile) && !hasTerms(tile) &&
          (!next || getRank(tile) > getRank(next)))
        next = tile;
    if (!next)
      return;
    set(next, getDefault(next));
  }
}

void LayoutAssigner::apply() {
  for (Value tile : tiles)
    tile.setType(
        typeOf(tile).withMap(MapAttr::get(kernel.getContext(), *find(tile))));
  convertLayouts(kernel);
}

LogicalResult LayoutAssigner::run() {
  separateConstants(kernel);
  joinGroups();
  if (failed(anchorContractions()))
    return failure();
  // Scalars lie in every thread.
  for (Value tile : tiles)
    if (typeOf(tile).getRank() == 0)
      set(tile, tile::rowBlocked({}, kernel.getWarps(), 1));
  anchorDefaults();
  apply();
  uniteConstants(kernel);
  return success();
}

namespace {
struct AssignLayoutsPass final
    : fuse::impl::AssignLayoutsPassBase<AssignLayoutsPass> {
  using AssignLayoutsPassBase::AssignLayoutsPassBase;
  void runOnOperation() override {
    WalkResult assigned = getOperation().walk([](Operation *op) {
      return llvm::any_of(op->getResults(),
                          [](Value value) {
                            auto type = dyn_cast<TileType>(value.getType());
                            return type && type.getMap();
                          })
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (assigned.wasInterrupted())
      return;
    if (failed(LayoutAssigner(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
