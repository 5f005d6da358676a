//===- Emit.cpp - --emit --------------------------------------------------===//

#include "Emit.h"
#include "fuse/codegen/BuildArtifact.h"
#include "fuse/passes/Pipelines.h"
#include "fuse/tile/TileDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace fuse;

LogicalResult fuse::lowerToKernels(ModuleOp module, const NamedExtents &dims) {
  PassManager passes(module.getContext());
  FusePipelineOptions options;
  SmallVector<std::string> texts;
  for (const auto &[name, extent] : dims)
    texts.push_back(name + "=" + std::to_string(extent));
  options.dims = texts;
  buildFusePipeline(passes, options);
  return passes.run(module);
}

FailureOr<std::string> fuse::emitStage(ModuleOp module, StringRef function,
                                       const NamedExtents &dims,
                                       EmitStage stage) {
  if (failed(lowerToKernels(module, dims)))
    return failure();
  if (stage == EmitStage::Tile) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module.print(os);
    os << "\n";
    return text;
  }
  FailureOr<rt::Artifact> artifact = buildArtifact(module, function);
  if (failed(artifact))
    return failure();
  if (stage == EmitStage::Cuda)
    return std::move(artifact->sources.front().text);
  rt::Result<std::string> bytes = rt::serializeArtifact(*artifact);
  if (!bytes.ok())
    return module.emitError() << bytes.status().message();
  return std::move(*bytes);
}

EmitFlag::EmitFlag(llvm::cl::OptionCategory &category)
    : stage("emit", llvm::cl::cat(category),
            llvm::cl::desc("Lower to kernels, after the passes that are given, "
                           "and print:"),
            llvm::cl::init(EmitStage::None),
            llvm::cl::values(
                clEnumValN(EmitStage::Tile, "tile",
                           "launches, and kernels on tiles"),
                clEnumValN(EmitStage::Cuda, "cuda",
                           "CUDA C++ that stands alone"),
                clEnumValN(EmitStage::Artifact, "artifact",
                           "what fuse-run runs"))) {}

namespace {
/// Stands after the passes of the command line.
class EmitPass final : public PassWrapper<EmitPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EmitPass)

  EmitPass(std::string function, NamedExtents dims, EmitStage stage,
           std::string &text)
      : function(std::move(function)), dims(std::move(dims)), stage(stage),
        text(text) {}

  StringRef getName() const override { return "Emit"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tile::TileDialect>();
  }

  void runOnOperation() override {
    FailureOr<std::string> emitted =
        emitStage(getOperation(), function, dims, stage);
    if (failed(emitted))
      return signalPassFailure();
    text = std::move(*emitted);
  }

private:
  std::string function;
  NamedExtents dims;
  EmitStage stage;
  std::string &text;
};
} // namespace

ExitCode fuse::emitProgram(std::unique_ptr<llvm::MemoryBuffer> program,
                           DialectRegistry &registry,
                           const MlirOptMainConfig &config, StringRef function,
                           const NamedExtents &dims, EmitStage stage,
                           std::string &text) {
  MlirOptMainConfig withEmit = config;
  withEmit.setPassPipelineSetupFn([&](PassManager &passes) {
    if (failed(config.setupPassPipeline(passes)))
      return failure();
    passes.addPass(
        std::make_unique<EmitPass>(function.str(), dims, stage, text));
    return success();
  });
  LogicalResult result =
      MlirOptMain(llvm::nulls(), std::move(program), registry, withEmit);
  return succeeded(result) ? ExitCode::Ok : ExitCode::Diagnostic;
}
