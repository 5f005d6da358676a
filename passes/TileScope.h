//===- TileScope.h - Graph ops as ops on tiles -----------------*- C++ -*-===//

#ifndef FUSE_PASSES_TILESCOPE_H
#define FUSE_PASSES_TILESCOPE_H

#include "KernelSchedule.h"
#include "Monoids.h"
#include "fuse/tile/TileDialect.h"

namespace fuse {

/// The kernel under construction: its arguments, sizes of dims, and where the
/// block's part of each index starts.
class KernelBuilder {
public:
  /// Creates the `tile.kernel` behind `source`.
  KernelBuilder(mlir::func::FuncOp source, const IndexForm &form,
                const DimAnalysis &dims, ArrayRef<TileDim> grid,
                int64_t threads);

  tile::KernelOp getKernel() { return kernel; }
  const IndexForm &getForm() const { return form; }
  mlir::OpBuilder &getBuilder() { return builder; }

  mlir::Value getBuffer(mlir::BlockArgument argument);
  mlir::Value getResultBuffer(unsigned number);
  /// An extent, stride or offset as an index value. Computed at the kernel's
  /// start, once for equal expressions.
  mlir::Value getSize(const DimExpr &expr);
  mlir::Value getConstant(int64_t value) { return getSize(DimExpr(value)); }
  /// What a `fuse.dim` stands for.
  DimExpr getDim(DimOp op) const;
  /// The first value of an index in the current tile; null if it is 0.
  mlir::Value getStart(IndexId index);
  void setStart(IndexId index, mlir::Value value) { starts[index] = value; }
  /// Lets the first blocks have the last tiles of an index.
  void reverseBlocks(IndexId index);
  /// The offset of the current tile's first element.
  mlir::Value getOffset(const Access &access, mlir::Location loc);

  /// The next loop over `index` ends at `value`, if that is before its extent.
  void setEnd(IndexId index, mlir::Value value) { ends[index] = value; }

  /// Runs `body` in a nest of loops over `dims`, whose starts it sets: over all
  /// of an index, or over what the block has of it. With `init`, `body` gets
  /// and returns values carried from step to step.
  SmallVector<mlir::Value>
  createLoops(ArrayRef<TileDim> dims, mlir::ValueRange init,
              function_ref<SmallVector<mlir::Value>(mlir::ValueRange)> body);

  /// Runs `body` in a loop over some values of an index at a time, at most
  /// `count` of them from its start on. `body` gets what is carried and returns
  /// the next.
  mlir::Value createTerms(const TileDim &terms, int64_t count, mlir::Value init,
                          function_ref<mlir::Value(mlir::Value)> body);

  /// Runs `body` in a loop over pieces of the current tile's `whole` values of
  /// an index, whose start it sets. `body` gets the value that is carried and
  /// the piece's place in the tile, and returns the next value.
  mlir::Value
  createPieces(const TileDim &piece, int64_t whole, mlir::Value init,
               function_ref<mlir::Value(mlir::Value, mlir::Value)> body);

private:
  mlir::Value createSum(const DimExpr &expr);

  const IndexForm &form;
  const DimAnalysis &dims;
  tile::KernelOp kernel;
  mlir::OpBuilder builder;
  mlir::OpBuilder entry; // for sizes
  unsigned numInputs = 0;
  llvm::StringMap<mlir::Value> symbols;
  llvm::StringMap<mlir::Value> sizes; // by spelling
  llvm::DenseMap<IndexId, mlir::Value> starts, ends;
  llvm::DenseMap<IndexId, int64_t> blockExtents; // of indices in the grid
};

class TileScope;

/// What a scope leaves to the lowering that made it.
class ReductionLowering {
public:
  virtual ~ReductionLowering() = default;
  /// The result of a reduction or contraction as a tile of `scope`.
  virtual mlir::Value lower(mlir::Operation &op, TileScope &scope) = 0;
  /// Evaluates what it needs and does not depend on `indices`.
  virtual void hoist(mlir::Operation &op, ArrayRef<IndexId> indices,
                     TileScope &scope) = 0;
  /// True if it needs the result of a loop that has not ended.
  virtual bool isPending(mlir::Value value) = 0;
};

/// An operand of a contraction in shared memory.
struct StagedOperand {
  mlir::OpOperand *operand;
  /// Its two dims; of joined ones the first.
  IndexId outer, depth;
  mlir::Value shared;
  bool isDepthLast;
};

/// Values of graph ops as tiles over given dims. Operands are evaluated when
/// first asked for, so that a value is computed where it is needed. A scope in
/// a loop, with more dims, sees what the scope around it knows.
class TileScope {
public:
  TileScope(KernelBuilder &kernel, ArrayRef<TileDim> dims,
            ReductionLowering &reductions, TileScope *parent = nullptr)
      : kernel(kernel), dims(dims), reductions(reductions), parent(parent) {}

  ArrayRef<TileDim> getDims() const { return dims; }
  ReductionLowering &getReductions() const { return reductions; }
  const TileDim *findDim(IndexId index) const;

  /// The tile of a computed value, of those `dims` that are its indices.
  mlir::Value getTile(mlir::Value value);
  /// An operand as a tile of those `dims` that are in `indices`.
  mlir::Value getOperand(mlir::OpOperand &operand, ArrayRef<IndexId> indices);
  void setTile(mlir::Value value, mlir::Value tile) { tiles[value] = tile; }
  /// Evaluates what an operand needs and does not depend on `indices`, so that
  /// a loop over these need not.
  void hoist(mlir::OpOperand &operand, ArrayRef<IndexId> indices);
  /// What was staged here or around here.
  const StagedOperand *findStaged(mlir::OpOperand &operand, IndexId outer,
                                  IndexId depth) const;
  void addStaged(const StagedOperand &operand) { staged.push_back(operand); }

  /// Elements beyond the limits replaced by the identity of a reduction, if
  /// `masked` are cut by the end of one of them.
  mlir::Value mask(mlir::Value tile, ArrayRef<IndexId> indices,
                   ArrayRef<IndexId> masked, ReduceKind kind,
                   mlir::Location loc);
  void store(mlir::OpOperand &result);
  /// A tile of indices `from` as one of indices `to`, the same along new ones.
  mlir::Value spread(mlir::Value tile, ArrayRef<IndexId> from,
                     ArrayRef<IndexId> to, mlir::Location loc);

  /// The positions in `dims` of those that are in `indices`.
  SmallVector<int64_t> getPositions(ArrayRef<IndexId> indices) const;
  /// The same of the dims of a tile: of joined ones the first.
  SmallVector<int64_t> getTileDims(ArrayRef<IndexId> indices) const;
  tile::TileType getType(ArrayRef<IndexId> indices, mlir::Type element) const;

private:
  void hoist(mlir::OpOperand &operand, ArrayRef<IndexId> indices,
             llvm::DenseSet<mlir::Value> &seen);
  void hoist(mlir::Value value, ArrayRef<IndexId> indices,
             llvm::DenseSet<mlir::Value> &seen);
  mlir::Value compute(mlir::Operation &op);
  mlir::Value load(const Read &read, mlir::Location loc);
  /// Elements where `condition`, if there is one, is false are not read.
  mlir::Value createLoad(const Read &read, ArrayRef<IndexId> indices,
                         mlir::Value condition, mlir::Location loc);
  mlir::Value createInside(const Read::Range &range, ArrayRef<IndexId> indices,
                           mlir::Location loc);
  mlir::Value createPosition(IndexId index, ArrayRef<IndexId> indices,
                             mlir::Location loc);
  mlir::Value createConcat(ConcatOp op);
  mlir::Value createIota(IotaOp op);
  /// Limits of all dims of a tile, which are its extents but for those `cut`;
  /// none if no element can be beyond.
  SmallVector<mlir::Value> getLimits(ArrayRef<IndexId> indices,
                                     ArrayRef<IndexId> cut, mlir::Location loc);
  SmallVector<mlir::Value> getStrides(const Access &access,
                                      ArrayRef<IndexId> indices);
  bool isFull(const TileDim &dim) const;
  /// True if a tile of `positions` has number `number` of them in one dim with
  /// the one in front.
  bool isJoined(ArrayRef<int64_t> positions, size_t number) const;
  /// With a dim for each index, as memory has them.
  tile::TileType getSplitType(ArrayRef<IndexId> indices,
                              mlir::Type element) const;
  mlir::Value reshape(mlir::Value tile, tile::TileType type,
                      mlir::Location loc);
  SmallVector<IndexId> getIndices(const Access &access) const;
  /// Null if the value is not known, or known in another order of dims.
  mlir::Value findTile(mlir::Value value) const;
  mlir::Value findLoad(const Read &read) const;
  bool agreesWith(const TileScope &other, ArrayRef<IndexId> indices) const;

  KernelBuilder &kernel;
  SmallVector<TileDim> dims;
  ReductionLowering &reductions;
  TileScope *parent;
  llvm::DenseMap<mlir::Value, mlir::Value> tiles;
  SmallVector<StagedOperand> staged;
  SmallVector<std::pair<const Read *, mlir::Value>> loads;
};

/// Lowers one kernel of graph ops, and leaves the source function in place.
tile::KernelOp lowerStages(mlir::func::FuncOp kernel, const IndexForm &form,
                           const DimAnalysis &dims,
                           const KernelSchedule &schedule);

} // namespace fuse

#endif // FUSE_PASSES_TILESCOPE_H
