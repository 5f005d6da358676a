//===- ContractRows.cpp - Products of rows that are in registers ----------===//
//
// A product with few columns leaves a thread few sums, and each of its terms
// wants almost as many reads of shared memory. Where one operand was computed
// in registers anyway, a thread multiplies what it has of each row: there is a
// sum for each of its rows and each column, whose parts lanes then add and
// share out. The operand need not go through shared memory at all.
//
//===----------------------------------------------------------------------===//

#include "TileSchedule.h"
#include "fuse/passes/Passes.h"
#include "fuse/tile/TileDialect.h"
#include "llvm/Support/MathExtras.h"

namespace fuse {
#define GEN_PASS_DEF_CONTRACTROWSPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {
/// What a shared operand was written from.
struct Rows {
  tile::AllocOp alloc;
  tile::WriteOp write;
};
} // namespace

/// Rows of terms that are written just for `op`.
static std::optional<Rows> findRows(Value operand, tile::ContractOp op) {
  auto alloc = operand.getDefiningOp<tile::AllocOp>();
  if (!alloc || !alloc.getTile().hasNUses(2) || op.getLhs() == op.getRhs())
    return std::nullopt;
  for (Operation *user : alloc.getTile().getUsers()) {
    auto write = dyn_cast<tile::WriteOp>(user);
    if (write && !write.getTransposed() && write->getBlock() == op->getBlock())
      return Rows{alloc, write};
  }
  return std::nullopt;
}

/// True for sums of a contraction, and what elementwise ops make of them.
static bool isComputed(Value tile) {
  SmallVector<Value> stack = {tile};
  llvm::DenseSet<Value> seen;
  while (!stack.empty()) {
    Value value = stack.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<tile::ContractOp>(op))
      return true;
    if (auto loop = dyn_cast_or_null<scf::ForOp>(op))
      stack.push_back(
          loop.getYieldedValues()[cast<OpResult>(value).getResultNumber()]);
    else if (isa_and_nonnull<tile::MapOp, tile::SelectOp, tile::CastOp,
                             tile::MaskOp>(op))
      llvm::append_range(stack, op->getOperands());
  }
  return false;
}

/// True if each thread has room for its sums, and terms may be added so: those
/// of a thread in a chain, and then those of the lanes of a row by a tree.
static bool fits(tile::TileType rows, int64_t columns, int64_t additions,
                 tile::KernelOp kernel) {
  int64_t terms = rows.getShape()[1];
  std::optional<ThreadTile> tile =
      getContractedRows(rows.getShape()[0], terms, columns, kernel.getWarps());
  return tile &&
         tile->thread.second + llvm::Log2_64(terms / tile->thread.second) <=
             additions;
}

static void rewrite(tile::ContractOp op, Rows rows, bool areLhs) {
  OpBuilder builder(op);
  Value matrix = areLhs ? op.getRhs() : op.getLhs();
  bool isTransposed = areLhs ? op.getRhsTransposed() : !op.getLhsTransposed();
  auto product = tile::ContractRowsOp::create(
      builder, op.getLoc(), op.getTile().getType(), op.getAccumulator(),
      rows.write.getSource(), matrix, isTransposed,
      /*tile_transposed=*/!areLhs);
  op.getTile().replaceAllUsesWith(product.getTile());
  op.erase();
  rows.write.erase();
  rows.alloc.erase();
}

static void visit(tile::ContractOp op) {
  if (!op.getAdditions())
    return;
  auto kernel = op->getParentOfType<tile::KernelOp>();
  for (bool isLhs : {true, false}) {
    // Rows have their terms side by side.
    if (isLhs ? op.getLhsTransposed() : !op.getRhsTransposed())
      continue;
    std::optional<Rows> rows = findRows(isLhs ? op.getLhs() : op.getRhs(), op);
    int64_t columns = op.getTile().getType().getShape()[isLhs ? 1 : 0];
    if (rows && isComputed(rows->write.getSource()) &&
        fits(rows->write.getSource().getType(), columns, *op.getAdditions(),
             kernel))
      return rewrite(op, *rows, isLhs);
  }
}

namespace {
struct ContractRowsPass final
    : fuse::impl::ContractRowsPassBase<ContractRowsPass> {
  using ContractRowsPassBase::ContractRowsPassBase;
  void runOnOperation() override {
    SmallVector<tile::ContractOp> contractions;
    getOperation().walk(
        [&](tile::ContractOp op) { contractions.push_back(op); });
    llvm::for_each(contractions, visit);
  }
};
} // namespace
