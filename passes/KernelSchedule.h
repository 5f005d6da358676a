//===- KernelSchedule.h - How all indices of a kernel are cut --*- C++ -*-===//
//
// The decision behind the lowering of any kernel. Its indices are of four
// kinds: in the grid, of which a block covers a tile; resident, which tiles in
// registers span as a whole; streamed, which loops step along; and of one value
// a block.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PASSES_KERNELSCHEDULE_H
#define FUSE_PASSES_KERNELSCHEDULE_H

#include "TileSchedule.h"

namespace fuse {

/// A summed index that loops step along.
struct StreamedIndex {
  IndexId index;
  /// The values a step covers, in reductions along rows and in contractions. At
  /// step 1 tiles have no dim for it.
  int64_t rowStep = 1, contractionStep = 1;

  bool operator==(const StreamedIndex &other) const {
    return index == other.index && rowStep == other.rowStep &&
           contractionStep == other.contractionStep;
  }
};

struct KernelSchedule {
  /// What tiles span outside of loops; neighbours in memory are last.
  SmallVector<TileDim> tile;
  /// Parallel indices, outermost first, with the extent that a block covers.
  SmallVector<TileDim> grid;
  SmallVector<StreamedIndex> streamed;
  int64_t threads = 0;
  /// An estimate of what the operands of contractions take; 0 if unknown.
  int64_t sharedBytes = 0;

  const StreamedIndex *getStreamed(IndexId index) const;
  /// How many values of an index tiles span, in the loops along it or outside.
  int64_t getExtent(IndexId index) const;

  bool operator==(const KernelSchedule &other) const {
    return tile == other.tile && grid == other.grid &&
           streamed == other.streamed && threads == other.threads &&
           sharedBytes == other.sharedBytes;
  }
};

/// The indices of a contraction by the tensors that have them.
struct ContractionSides {
  /// Of the left operand and the result; of the right one and the result.
  SmallVector<IndexId> left, right;
  /// Of all three; of both operands only; of one operand only.
  SmallVector<IndexId> batch, summed, alone;

  ContractionSides(EinsumOp op, const IndexForm &form);
};

/// Says of a summed product that it is not a contraction of tiles: both
/// operands have an index that other stages need a tile of, so a step of its
/// loop adds some products to each element. A chain has 32 of them; so many are
/// loaded at once as hide the latency of memory.
inline constexpr llvm::StringLiteral byTermsAttr = "by_terms";
inline constexpr int64_t termsOfChain = 32, termsAtOnce = 8;
bool isByTerms(mlir::Operation *op);

/// Registers of a thread for what a loop loads for its next step.
inline constexpr int64_t mostRegistersAhead = 64;

/// True for a product of two operands that is summed, tile by tile.
bool isContraction(mlir::Operation *op);
/// True for that, and for what reduces one operand.
bool isReduction(mlir::Operation *op);

/// True if a stage's result has the index.
bool isProduced(IndexId index, mlir::func::FuncOp kernel,
                const IndexForm &form);
/// True if some reduction of one operand removes the index.
bool isRowReduced(IndexId index, mlir::func::FuncOp kernel,
                  const IndexForm &form);

/// True for a contraction with so few terms that they are one chain.
bool isOneChain(EinsumOp op, const IndexForm &form);

/// Which operand of a contraction stays in registers, if any: one that another
/// stage computes for it alone, of a product with few columns and few terms. Of
/// such `tile-contract-rows` takes those that also fit its tiles.
std::optional<unsigned> findRowsOperand(EinsumOp op, const IndexForm &form);

/// `form` gets an index of extent 1 for each that a lone contraction lacks.
/// Fails, with a reason in `why`, if the kernel has no schedule.
FailureOr<KernelSchedule> scheduleKernel(mlir::func::FuncOp kernel,
                                         IndexForm &form,
                                         const DimAnalysis &dims,
                                         const SizeHints &hints,
                                         std::string &why);

} // namespace fuse

#endif // FUSE_PASSES_KERNELSCHEDULE_H
