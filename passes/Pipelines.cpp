//===- Pipelines.cpp - From a tensor program to kernels -------------------===//

#include "fuse/passes/Pipelines.h"
#include "fuse/passes/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace fuse;

void fuse::buildFusePipeline(OpPassManager &passes,
                             const FusePipelineOptions &options) {
  SpecializePassOptions specialize;
  specialize.dims.assign(options.dims.begin(), options.dims.end());
  passes.addPass(createSpecializePass(std::move(specialize)));
  // Plans are made from core ops alone: how a program is written decides
  // nothing.
  passes.addPass(createDecomposeCompositesPass());
  passes.addPass(createNormalizeConcatsPass());
  passes.addPass(createCSEPass());
  FormRegionsPassOptions regions;
  regions.fuse = options.fuse;
  regions.forceFuse.assign(options.forceFuse.begin(), options.forceFuse.end());
  regions.forbidFuse.assign(options.forbidFuse.begin(),
                            options.forbidFuse.end());
  regions.remark = options.remark;
  passes.addPass(createFormRegionsPass(std::move(regions)));
  passes.addPass(createLowerToTilePass());
  passes.addPass(createCSEPass());

  OpPassManager &kernel = passes.nest<ModuleOp>().nest<tile::KernelOp>();
  kernel.addPass(createContractRowsPass());
  kernel.addPass(createAssignLayoutsPass());
  kernel.addPass(createVectorizeAccessesPass({options.alignment}));
  kernel.addPass(createPipelineLoopsPass());
  kernel.addPass(createPreloadTilesPass());
  kernel.addPass(createSinkReadsPass());
  kernel.addPass(createUnrollContractionsPass());
  kernel.addPass(createAllocateSharedPass());
  // After places are known, since tiles may share bytes.
  kernel.addPass(createInsertBarriersPass());
  if (options.fuse && options.merge)
    passes.addPass(createMergeLaunchesPass());
  if (options.fuse && options.overlap)
    passes.addPass(createOverlapLaunchesPass());
  passes.nest<ModuleOp>().nest<tile::KernelOp>().addPass(
      createPrepareForCudaPass());
}

void fuse::registerFusePipelines() {
  PassPipelineRegistration<FusePipelineOptions>(
      "fuse-pipeline", "lower a tensor program to kernels on tiles",
      buildFusePipeline);
}
