//===- CheckDims.cpp - Check that the named dims of functions agree -------===//

#include "fuse/ir/DimAnalysis.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/passes/Passes.h"

namespace fuse {
#define GEN_PASS_DEF_CHECKDIMSPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {
struct CheckDimsPass final : fuse::impl::CheckDimsPassBase<CheckDimsPass> {
  using CheckDimsPassBase::CheckDimsPassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    WalkResult walk = getOperation()->walk([&](FunctionOpInterface function) {
      return succeeded(check(function)) ? WalkResult::advance()
                                        : WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult check(FunctionOpInterface function) {
    if (function.isExternal())
      return success();
    FailureOr<DimAnalysis> analysis = DimAnalysis::compute(function);
    if (failed(analysis) || !remark)
      return failure(failed(analysis));
    function->walk([&](DimInferenceOpInterface op) {
      for (Value result : op->getResults()) {
        std::string text;
        llvm::raw_string_ostream os(text);
        llvm::interleave(analysis->getDims(result), os, " x ");
        // At its place alone: the op itself is not what is spoken of.
        emitRemark(op->getLoc())
            << "dims: " << (text.empty() ? "none, rank 0" : text);
      }
    });
    return success();
  }
};
} // namespace
