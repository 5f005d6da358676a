//===- UnrollContractions.cpp - How much of a contraction is unrolled -----===//
//
// A block of 32 terms, unrolled as a whole, has no instructions for its loop,
// and all of its operands can be read ahead. But kernels whose code does not
// stay in the instruction cache wait for it. Measured on an H200, of 64 sums a
// thread, N = 384 and 128 channels in the triangle, N = 512 in the scene graph:
//
//     contractions     whole blocks   8 terms   4 terms
//     1 (triangle)     342 us                   370 us
//     2 (triangle)                    271 us    277 us
//     3 (scene graph)  177 us         160 us    164 us
//     4 (triangle)     959 us         558 us    524 us
//
// The 959 are of sums in blocks, where 4 terms took 544; the others of the
// triangle with 2 and 4 are of one chain.
//
// A contraction that stands in no loop runs once: its code is fetched for a few
// turns. With 64 terms the pair MLP of the scene graph, at N = 512, takes with
// 32 sums a thread 571 us in whole blocks, 539 with 16 terms, 547 with 8 and
// 560 with 4; and with 64 sums 547 us with 16 terms, 528 with 8 and 535 with 4.
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
/// their code as whole blocks; and, where that is exceeded, those of all loops
/// and what each may have in any case.
static constexpr int64_t mostInBlocks = 2560, mostInLoops = 1600,
                         mostOfLoop = 256;
/// Those of a contraction that runs once.
static constexpr int64_t mostOnce = 512;

/// Sums that a thread has.
static int64_t countSums(tile::ContractOp op, int64_t threads) {
  return std::max<int64_t>(op.getTile().getType().getNumElements() / threads,
                           1);
}

/// A power of two.
static int64_t getTerms(int64_t most, int64_t sums) {
  return static_cast<int64_t>(
      llvm::bit_floor<uint64_t>(std::max<int64_t>(most / sums, 1)));
}

namespace {
struct UnrollContractionsPass final
    : fuse::impl::UnrollContractionsPassBase<UnrollContractionsPass> {
  using UnrollContractionsPassBase::UnrollContractionsPassBase;

  void runOnOperation() override {
    auto threads = static_cast<int64_t>(getOperation().getThreads());
    int64_t sums = 0;
    getOperation().walk(
        [&](tile::ContractOp op) { sums += countSums(op, threads); });
    int64_t terms = sums * termsOfChain <= mostInBlocks
                        ? termsOfChain
                        : getTerms(mostInLoops, sums);
    getOperation().walk([&](tile::ContractOp op) {
      int64_t own = countSums(op, threads);
      int64_t most = std::max(terms, getTerms(mostOfLoop, own));
      if (!op->getParentOfType<scf::ForOp>())
        most = std::min(most, getTerms(mostOnce, own));
      if (most < termsOfChain)
        op.setUnroll(most);
    });
  }
};
} // namespace
