//===- CheckDims.cpp - Check that the named dims of a function agree ------===//

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
    FunctionOpInterface function = getOperation();
    if (function.isExternal())
      return;
    FailureOr<DimAnalysis> analysis = DimAnalysis::compute(function);
    if (failed(analysis))
      return signalPassFailure();
    if (!remark)
      return markAllAnalysesPreserved();
    function->walk([&](DimInferenceOpInterface op) {
      for (Value result : op->getResults()) {
        std::string text;
        llvm::raw_string_ostream os(text);
        llvm::interleave(analysis->getDims(result), os, " x ");
        op->emitRemark() << "dims: " << text;
      }
    });
  }
};
} // namespace
