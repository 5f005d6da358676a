//===- UnrollContractions.cpp - How much of a contraction is unrolled -----===//
//
// A block of 32 terms, unrolled as a whole, has no instructions for its loop,
// and all of its operands can be read ahead. But kernels whose code does not
// stay in the instruction cache wait for it: with four contractions of 64 sums
// a thread, whole blocks take 959 us and 4 terms 591 us, where one contraction
// alone takes 342 us and 370 us (H200, the triangle's first and second kernel,
// N = 384, 128 channels).
//
//===----------------------------------------------------------------------===//

#include "KernelSchedule.h"
#include "fuse/passes/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace fuse {
#define GEN_PASS_DEF_UNROLLCONTRACTIONSPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// Multiply-adds of a thread that all contractions of a kernel may have in
/// their code, and those of one where that is exceeded.
static constexpr int64_t mostOfKernel = 2560, mostOfLoop = 256;

/// Sums that a thread has.
static int64_t countSums(tile::ContractOp op, int64_t threads) {
  return std::max<int64_t>(op.getTile().getType().getNumElements() / threads,
                           1);
}

namespace {
struct UnrollContractionsPass final
    : fuse::impl::UnrollContractionsPassBase<UnrollContractionsPass> {
  using UnrollContractionsPassBase::UnrollContractionsPassBase;

  void runOnOperation() override {
    auto threads = static_cast<int64_t>(getOperation().getThreads());
    int64_t whole = 0;
    getOperation().walk([&](tile::ContractOp op) {
      whole += countSums(op, threads) * termsOfChain;
    });
    if (whole <= mostOfKernel)
      return;
    getOperation().walk([&](tile::ContractOp op) {
      int64_t terms = std::max<int64_t>(
          llvm::bit_floor<uint64_t>(mostOfLoop / countSums(op, threads)), 1);
      if (terms < termsOfChain)
        op.setUnroll(terms);
    });
  }
};
} // namespace
