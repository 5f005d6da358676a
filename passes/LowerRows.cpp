//===- LowerRows.cpp - Reductions along rows, and elementwise ops ---------===//
//
// Each block has a few rows. If a row fits, it is loaded once and stays in
// registers; else every level of reductions, and then the results, are a pass
// over the row of their own.
//
//===----------------------------------------------------------------------===//

#include "TileScope.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse;

namespace {
/// A sum, maximum or minimum over indices of its operand.
struct Reduction {
  Operation *op;
  OpOperand *operand;
  ReduceKind kind;
  /// What the reduction is computed in.
  Type elementType;
};

class RowLowering {
public:
  RowLowering(func::FuncOp kernel, IndexForm &form, const DimAnalysis &dims,
              const RowSchedule &schedule)
      : source(kernel), form(form), schedule(schedule),
        builder(kernel, form, dims, schedule.grid, schedule.threads),
        scope(builder, schedule.tile), reduced(getReduced(kernel, form)) {}

  tile::KernelOp run();

private:
  /// Reductions that depend on no other one of the same or a later level.
  SmallVector<SmallVector<Reduction>> findLevels();
  /// Lowers reductions that loop over the same indices.
  void lowerLevel(ArrayRef<Reduction> level, ArrayRef<TileDim> loops);
  void lowerResults();
  /// The loops that a tensor with these indices needs.
  SmallVector<TileDim> getLoops(ArrayRef<IndexId> indices);
  Value getTerms(const Reduction &reduction);
  Value finish(const Reduction &reduction, Value terms);
  SmallVector<IndexId> indicesOf(const Reduction &reduction) {
    return SmallVector<IndexId>(form.getIndices(*reduction.operand));
  }

  func::FuncOp source;
  IndexForm &form;
  const RowSchedule &schedule;
  KernelBuilder builder;
  TileScope scope;
  llvm::SetVector<IndexId> reduced;
};
} // namespace

/// Sums of 16-bit elements are formed in f32 and rounded once.
static Type getSumType(ReduceKind kind, Type elementType) {
  bool isNarrow = elementType.isF16() || elementType.isBF16();
  return kind == ReduceKind::Sum && isNarrow
             ? Float32Type::get(elementType.getContext())
             : elementType;
}

SmallVector<SmallVector<Reduction>> RowLowering::findLevels() {
  llvm::DenseMap<Value, unsigned> levels;
  SmallVector<SmallVector<Reduction>> result;
  for (Operation &op : source.front().without_terminator()) {
    if (isIndexMap(&op))
      continue;
    unsigned level = 0;
    if (!isa<IotaOp, DimOp>(op))
      for (OpOperand &operand : op.getOpOperands())
        if (!form.getRead(operand))
          level = std::max(level, levels[form.getSource(operand)]);
    auto reduce = dyn_cast<ReduceOp>(op);
    auto einsum = dyn_cast<EinsumOp>(op);
    if (reduce || (einsum && einsum.getInputs().size() == 1)) {
      ReduceKind kind = reduce ? reduce.getKind() : ReduceKind::Sum;
      OpOperand &operand = op.getOpOperand(0);
      result.resize(std::max<size_t>(result.size(), level + 1));
      result[level].push_back(
          {&op, &operand, kind,
           getSumType(kind, getElementTypeOrSelf(operand.get()))});
      ++level;
    }
    levels[op.getResult(0)] = level;
  }
  return result;
}

/// The operand, in the type of the sum, with what is beyond the row's end made
/// harmless.
Value RowLowering::getTerms(const Reduction &reduction) {
  Location loc = reduction.op->getLoc();
  SmallVector<IndexId> indices = indicesOf(reduction);
  Value terms = scope.getOperand(*reduction.operand, indices);
  auto type = cast<tile::TileType>(terms.getType());
  if (type.getElementType() != reduction.elementType)
    terms = tile::CastOp::create(builder.getBuilder(), loc,
                                 type.withElementType(reduction.elementType),
                                 terms);
  return scope.mask(terms, indices, reduced.getArrayRef(), reduction.kind, loc);
}

/// Joins the terms of a tile, and rounds to the type of the result.
Value RowLowering::finish(const Reduction &reduction, Value terms) {
  Location loc = reduction.op->getLoc();
  SmallVector<IndexId> indices = indicesOf(reduction);
  ArrayRef<IndexId> kept = form.getIndices(reduction.op->getResult(0));
  SmallVector<int64_t> positions = scope.getPositions(indices);
  // From the last dim on, so that the numbers of the others stay.
  for (size_t dim = positions.size(); dim-- > 0;) {
    if (llvm::is_contained(kept, schedule.tile[positions[dim]].index))
      continue;
    auto type = cast<tile::TileType>(terms.getType());
    terms = tile::ReduceOp::create(
        builder.getBuilder(), loc,
        type.withShape(tile::dropDims(type.getShape(), dim)), reduction.kind,
        terms, dim);
  }
  Type element = getElementTypeOrSelf(reduction.op->getResult(0));
  auto type = cast<tile::TileType>(terms.getType());
  if (type.getElementType() == element)
    return terms;
  return tile::CastOp::create(builder.getBuilder(), loc,
                              type.withElementType(element), terms);
}

SmallVector<TileDim> RowLowering::getLoops(ArrayRef<IndexId> indices) {
  SmallVector<TileDim> loops;
  for (const TileDim &dim : schedule.loops)
    if (llvm::is_contained(indices, dim.index))
      loops.push_back(dim);
  return loops;
}

static SmallVector<IndexId> indicesOfLoops(ArrayRef<TileDim> loops) {
  SmallVector<IndexId> indices;
  for (const TileDim &loop : loops)
    indices.push_back(loop.index);
  return indices;
}

void RowLowering::lowerLevel(ArrayRef<Reduction> level,
                             ArrayRef<TileDim> loops) {
  SmallVector<Value> init;
  if (!loops.empty())
    for (const Reduction &reduction : level) {
      scope.hoist(*reduction.operand, indicesOfLoops(loops));
      init.push_back(tile::FillOp::create(
          builder.getBuilder(), reduction.op->getLoc(),
          scope.getType(indicesOf(reduction), reduction.elementType),
          getIdentity(reduction.kind, reduction.elementType)));
    }
  TileScope::Mark mark = scope.getMark();
  SmallVector<Value> sums =
      builder.createLoops(loops, init, [&](ValueRange carried) {
        SmallVector<Value> next;
        for (auto [number, reduction] : llvm::enumerate(level)) {
          Value terms = getTerms(reduction);
          if (!carried.empty())
            terms = tile::MapOp::create(builder.getBuilder(),
                                        reduction.op->getLoc(), terms.getType(),
                                        getCombiner(reduction.kind),
                                        ValueRange{carried[number], terms});
          next.push_back(terms);
        }
        return next;
      });
  if (!loops.empty())
    scope.forgetSince(mark);
  for (auto [reduction, sum] : llvm::zip_equal(level, sums))
    scope.setTile(reduction.op->getResult(0), finish(reduction, sum));
}

void RowLowering::lowerResults() {
  for (OpOperand &result : source.front().getTerminator()->getOpOperands()) {
    SmallVector<TileDim> loops = getLoops(form.getIndices(result));
    if (!loops.empty())
      scope.hoist(result, indicesOfLoops(loops));
    TileScope::Mark mark = scope.getMark();
    builder.createLoops(loops, {}, [&](ValueRange) {
      scope.store(result);
      return SmallVector<Value>();
    });
    if (!loops.empty())
      scope.forgetSince(mark);
  }
}

tile::KernelOp RowLowering::run() {
  for (ArrayRef<Reduction> level : findLevels()) {
    // One pass over a row for all reductions that loop alike.
    SmallVector<std::pair<SmallVector<TileDim>, SmallVector<Reduction>>> passes;
    for (const Reduction &reduction : level) {
      SmallVector<TileDim> loops = getLoops(indicesOf(reduction));
      auto *pass = llvm::find_if(passes, [&](const auto &pass) {
        return indicesOfLoops(pass.first) == indicesOfLoops(loops);
      });
      if (pass == passes.end())
        pass = &passes.emplace_back(loops, SmallVector<Reduction>());
      pass->second.push_back(reduction);
    }
    for (auto &[loops, reductions] : passes)
      lowerLevel(reductions, loops);
  }
  lowerResults();
  return builder.getKernel();
}

tile::KernelOp fuse::lowerRows(func::FuncOp kernel, IndexForm &form,
                               const DimAnalysis &dims,
                               const SizeHints &hints) {
  RowSchedule schedule = scheduleRows(kernel, form, hints);
  return RowLowering(kernel, form, dims, schedule).run();
}
