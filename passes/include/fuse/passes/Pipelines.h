//===- Pipelines.h - From a tensor program to kernels ----------*- C++ -*-===//

#ifndef FUSE_PASSES_PIPELINES_H
#define FUSE_PASSES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include <string>

namespace fuse {

struct FusePipelineOptions : mlir::PassPipelineOptions<FusePipelineOptions> {
  ListOption<std::string> dims{
      *this, "dims",
      llvm::cl::desc("Extents of the dims in fuse.specialize, such as C=64")};
  Option<bool> fuse{
      *this, "fuse",
      llvm::cl::desc("Let kernels be joined; else each core op is one"),
      llvm::cl::init(true)};
  ListOption<std::string> forceFuse{
      *this, "force-fuse",
      llvm::cl::desc(
          "Lines of two ops, such as 43-45, whose kernels are joined "
          "whatever it costs")};
  ListOption<std::string> forbidFuse{
      *this, "forbid-fuse",
      llvm::cl::desc("Lines of two ops whose kernels stay apart whatever it "
                     "saves")};
  Option<bool> merge{
      *this, "merge",
      llvm::cl::desc("Let kernels that do not depend on each other share a "
                     "launch"),
      llvm::cl::init(true)};
  Option<bool> overlap{
      *this, "overlap",
      llvm::cl::desc("Let kernels start before the launch in front of them "
                     "ends"),
      llvm::cl::init(true)};
  Option<int64_t> alignment{
      *this, "alignment",
      llvm::cl::desc("Bytes that every tensor starts at a multiple of; "
                     "fewer make kernels look"),
      llvm::cl::init(16)};
  Option<bool> remark{
      *this, "remark",
      llvm::cl::desc("Say which kernels were joined or could be, and why not"),
      llvm::cl::init(false)};
};

/// Graph ops to launches of kernels on tiles, ready for emission.
void buildFusePipeline(mlir::OpPassManager &passes,
                       const FusePipelineOptions &options);
/// `--fuse-pipeline`.
void registerFusePipelines();

} // namespace fuse

#endif // FUSE_PASSES_PIPELINES_H
