//===- LowerStages.cpp - What one block does in a kernel ------------------===//
//
// Values stay in registers from where they are computed to where they are
// needed. A reduction along an index that tiles span is one op; along a
// streamed index it is a loop, which it shares with others of its group. What a
// loop needs and does not change in it is computed before.
//
//===----------------------------------------------------------------------===//

#include "LoopEnd.h"
#include "LowerOnline.h"
#include "StageContraction.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

namespace {
class StageLowering final : public ReductionLowering {
public:
  StageLowering(func::FuncOp kernel, const IndexForm &form,
                const DimAnalysis &dims, const KernelSchedule &schedule)
      : source(kernel), form(form), schedule(schedule),
        builder(kernel, form, dims, schedule.grid, schedule.threads),
        reduced(getReduced(kernel, form)),
        groups(groupReductions(kernel, form, schedule)) {}

  tile::KernelOp run();

  Value lower(Operation &op, TileScope &scope) override;
  void hoist(Operation &op, ArrayRef<IndexId> indices,
             TileScope &scope) override;
  bool isPending(Value value) override;

private:
  const LoopGroup &getGroup(Operation *op) const;
  /// Ends the group's loop where its terms stop counting for all rows of the
  /// tile.
  void setEnd(const LoopGroup &group);
  /// Rows with the longest loops come first, so that few start when others have
  /// ended.
  void startWithLongest();
  void lowerGroup(const LoopGroup &group, TileScope &scope);
  /// What a member carries from step to step, before the first.
  Value createInit(const LoopMember &member, TileScope &body);
  /// The sum of a chain of terms.
  Value createChain(const LoopMember &member, TileScope &body);
  /// The same after a step.
  Value createStep(const LoopMember &member, Value carried, TileScope &body);
  void lowerResults(TileScope &scope);
  /// The dims of `scope` and of loops around its body.
  SmallVector<TileDim> addLoopDims(const TileScope &scope,
                                   ArrayRef<TileDim> loops);

  Value getTerms(const LoopMember &member, TileScope &scope);
  /// Joins the terms of a tile along the dims that the result lacks.
  Value join(const LoopMember &member, Value terms, TileScope &scope);
  Value castTo(Value tile, Type element, Location loc);
  /// True if it is carried as its result so far, not as terms of a tile.
  static bool carriesResult(const LoopMember &member) {
    return member.neededAs != Factor::Kind::None || !member.corrections.empty();
  }

  func::FuncOp source;
  const IndexForm &form;
  const KernelSchedule &schedule;
  KernelBuilder builder;
  llvm::SetVector<IndexId> reduced;
  SmallVector<LoopGroup> groups;
  /// Reductions of loops that have not ended, and what is known to need them.
  llvm::DenseSet<Operation *> pending;
  llvm::DenseMap<Value, bool> pendingValues;
};
} // namespace

bool StageLowering::isPending(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (pending.contains(op))
    return true;
  auto it = pendingValues.find(value);
  if (it != pendingValues.end())
    return it->second;
  bool isPendingOp = llvm::any_of(
      op->getOperands(), [&](Value operand) { return isPending(operand); });
  return pendingValues[value] = isPendingOp;
}

static SmallVector<IndexId> indicesOf(ArrayRef<TileDim> loops) {
  SmallVector<IndexId> indices;
  for (const TileDim &loop : loops)
    indices.push_back(loop.index);
  return indices;
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

Value StageLowering::castTo(Value tile, Type element, Location loc) {
  auto type = cast<tile::TileType>(tile.getType());
  if (type.getElementType() == element)
    return tile;
  return tile::CastOp::create(builder.getBuilder(), loc,
                              type.withElementType(element), tile);
}

/// The operand, in the type of the sum, with what is beyond the row's end made
/// harmless.
Value StageLowering::getTerms(const LoopMember &member, TileScope &scope) {
  Location loc = member.op->getLoc();
  OpOperand &operand = member.op->getOpOperand(0);
  ArrayRef<IndexId> indices = form.getIndices(operand);
  Value terms =
      castTo(scope.getOperand(operand, indices), member.elementType, loc);
  return scope.mask(terms, indices, reduced.getArrayRef(), member.kind, loc);
}

Value StageLowering::join(const LoopMember &member, Value terms,
                          TileScope &scope) {
  ArrayRef<IndexId> kept = form.getIndices(member.op->getResult(0));
  SmallVector<int64_t> positions =
      scope.getTileDims(form.getIndices(member.op->getOpOperand(0)));
  // From the last dim on, so that the numbers of the others stay.
  for (size_t dim = positions.size(); dim-- > 0;) {
    if (llvm::is_contained(kept, scope.getDims()[positions[dim]].index))
      continue;
    auto type = cast<tile::TileType>(terms.getType());
    terms = tile::ReduceOp::create(
        builder.getBuilder(), member.op->getLoc(),
        type.withShape(tile::dropDims(type.getShape(), dim)), member.kind,
        terms, dim);
  }
  return terms;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<TileDim> StageLowering::addLoopDims(const TileScope &scope,
                                                ArrayRef<TileDim> loops) {
  SmallVector<TileDim> dims(scope.getDims());
  for (const TileDim &loop : loops) {
    if (loop.extent == 1)
      continue;
    // The others keep their order, in which tiles pass into the loop.
    unsigned count = countUnitStrides(source, form, loop.index);
    auto *place = llvm::find_if(dims, [&](const TileDim &dim) {
      return countUnitStrides(source, form, dim.index) > count;
    });
    while (place != dims.end() && place->isJoined)
      ++place;
    dims.insert(place, loop);
  }
  return dims;
}

Value StageLowering::createInit(const LoopMember &member, TileScope &body) {
  Location loc = member.op->getLoc();
  Value result = member.op->getResult(0);
  ArrayRef<IndexId> indices =
      isContraction(member.op) || isByTerms(member.op) || carriesResult(member)
          ? form.getIndices(result)
          : form.getIndices(member.op->getOpOperand(0));
  return tile::FillOp::create(builder.getBuilder(), loc,
                              body.getType(indices, member.elementType),
                              getIdentity(member.kind, member.elementType));
}

Value StageLowering::createChain(const LoopMember &member, TileScope &body) {
  Location loc = member.op->getLoc();
  TileDim terms = {getLoops(member.op, form, schedule).front().index,
                   termsAtOnce};
  SmallVector<IndexId> indices(form.getIndices(member.op->getResult(0)));
  indices.push_back(terms.index);
  return builder.createTerms(
      terms, termsOfChain, createInit(member, body), [&](Value sum) {
        TileScope own(builder, addLoopDims(body, terms), *this, &body);
        auto get = [&](unsigned number) {
          OpOperand &operand = member.op->getOpOperand(number);
          Value tile =
              castTo(own.getOperand(operand, indices), member.elementType, loc);
          // Loads beyond the end are zeros already, unless all are one value.
          const Read *read = form.getRead(operand);
          return read && read->access.stride(terms.index) != DimExpr()
                     ? tile
                     : own.mask(tile, indices, terms.index, member.kind, loc);
        };
        Value lhs = get(0), rhs = get(1);
        int64_t dim = 0;
        for (const TileDim &tileDim : own.getDims()) {
          if (tileDim.index == terms.index)
            break;
          dim += llvm::is_contained(indices, tileDim.index);
        }
        return tile::AccumulateOp::create(builder.getBuilder(), loc,
                                          sum.getType(), lhs, rhs, sum, dim);
      });
}

Value StageLowering::createStep(const LoopMember &member, Value carried,
                                TileScope &body) {
  if (isContraction(member.op))
    return createContraction(cast<EinsumOp>(member.op), carried, builder, body);
  Value terms =
      isByTerms(member.op) ? createChain(member, body) : getTerms(member, body);
  if (carriesResult(member))
    terms = join(member, terms, body);
  return tile::MapOp::create(builder.getBuilder(), member.op->getLoc(),
                             terms.getType(), getCombiner(member.kind),
                             ValueRange{carried, terms});
}

const LoopGroup &StageLowering::getGroup(Operation *op) const {
  return *llvm::find_if(groups, [&](const LoopGroup &group) {
    return llvm::any_of(group.members, [&](const LoopMember &member) {
      return member.op == op;
    });
  });
}

void StageLowering::setEnd(const LoopGroup &group) {
  // Loops around it would have steps of their own.
  std::optional<LoopEnd> end =
      group.around.empty() ? findLoopEnd(group, form) : std::nullopt;
  Value start = end ? builder.getStart(end->row) : Value();
  if (!start)
    return;
  int64_t rows = schedule.getExtent(end->row);
  builder.setEnd(group.loops.front().index,
                 arith::AddIOp::create(
                     builder.getBuilder(), group.members.front().op->getLoc(),
                     start, builder.getConstant(rows - 1 + end->distance)));
}

void StageLowering::startWithLongest() {
  llvm::SmallSetVector<IndexId, 2> rows;
  for (const LoopGroup &group : groups)
    if (std::optional<LoopEnd> end =
            group.around.empty() ? findLoopEnd(group, form) : std::nullopt)
      rows.insert(end->row);
  for (IndexId row : rows)
    builder.reverseBlocks(row);
}

void StageLowering::lowerGroup(const LoopGroup &group, TileScope &scope) {
  SmallVector<IndexId> indices = indicesOf(group.loops);
  for (const LoopMember &member : group.members)
    pending.insert(member.op);
  pendingValues.clear();
  for (const LoopMember &member : group.members)
    for (OpOperand &operand : member.op->getOpOperands())
      scope.hoist(operand, indices);

  setEnd(group);
  SmallVector<TileDim> dims(scope.getDims());
  if (!isByTerms(group.members.front().op))
    dims = addLoopDims(scope, group.loops);
  TileScope body(builder, dims, *this, &scope);
  OnlineLowering online(group, builder, body);
  SmallVector<Value> init;
  for (const LoopMember &member : group.members)
    init.push_back(createInit(member, body));
  SmallVector<Value> sums =
      builder.createLoops(group.loops, init, [&](ValueRange carried) {
        online.begin(carried);
        for (auto [number, member] : llvm::enumerate(group.members)) {
          Value corrected = online.correct(number, carried[number]);
          online.setNext(number, createStep(member, corrected, body));
        }
        return online.getNext();
      });
  for (auto [number, member] : llvm::enumerate(group.members)) {
    Value sum = sums[number];
    if (!isContraction(member.op) && !isByTerms(member.op) &&
        !carriesResult(member))
      sum = join(member, sum, body);
    sum = online.finish(number, sum, scope);
    Value result = member.op->getResult(0);
    scope.setTile(
        result, castTo(sum, getElementTypeOrSelf(result), member.op->getLoc()));
    pending.erase(member.op);
    pendingValues.clear();
  }
}

Value StageLowering::lower(Operation &op, TileScope &scope) {
  LoopMember member = describeReduction(&op);
  SmallVector<TileDim> loops = getLoops(&op, form, schedule);
  Value result = op.getResult(0);
  if (!loops.empty()) {
    lowerGroup(getGroup(&op), scope);
    return scope.getTile(result);
  }
  Value sum;
  if (isContraction(&op))
    sum = createContraction(cast<EinsumOp>(op), createInit(member, scope),
                            builder, scope);
  else
    sum = join(member, getTerms(member, scope), scope);
  return castTo(sum, getElementTypeOrSelf(result), op.getLoc());
}

void StageLowering::hoist(Operation &op, ArrayRef<IndexId> indices,
                          TileScope &scope) {
  if (isContraction(&op) && getLoops(&op, form, schedule).empty()) {
    int64_t sums = 1;
    for (IndexId index : form.getIndices(op.getResult(0)))
      sums *= schedule.getExtent(index);
    stageInvariant(cast<EinsumOp>(op), indices, sums, builder, scope);
  }
  for (OpOperand &operand : op.getOpOperands())
    scope.hoist(operand, indices);
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

void StageLowering::lowerResults(TileScope &scope) {
  for (OpOperand &result : source.front().getTerminator()->getOpOperands()) {
    SmallVector<TileDim> loops;
    for (const StreamedIndex &streamed : schedule.streamed)
      if (llvm::is_contained(form.getIndices(result), streamed.index))
        loops.push_back({streamed.index, streamed.rowStep});
    if (loops.empty()) {
      scope.store(result);
      continue;
    }
    scope.hoist(result, indicesOf(loops));
    TileScope body(builder, addLoopDims(scope, loops), *this, &scope);
    builder.createLoops(loops, {}, [&](ValueRange) {
      body.store(result);
      return SmallVector<Value>();
    });
  }
}

tile::KernelOp StageLowering::run() {
  startWithLongest();
  TileScope scope(builder, schedule.tile, *this);
  // Each with the loops that it needs, so that few sums are alive at a time.
  lowerResults(scope);
  return builder.getKernel();
}

tile::KernelOp fuse::lowerStages(func::FuncOp kernel, const IndexForm &form,
                                 const DimAnalysis &dims,
                                 const KernelSchedule &schedule) {
  return StageLowering(kernel, form, dims, schedule).run();
}
