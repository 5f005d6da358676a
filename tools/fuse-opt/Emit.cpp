//===- Emit.cpp - --emit --------------------------------------------------===//

#include "Emit.h"
#include "Environment.h"
#include "Report.h"
#include "fuse/codegen/BuildArtifact.h"
#include "fuse/codegen/EmitLauncher.h"
#include "fuse/passes/KernelCost.h"
#include "fuse/passes/Pipelines.h"
#include "fuse/passes/SizeClasses.h"
#include "fuse/runtime/Nvrtc.h"
#include "fuse/runtime/Program.h"
#include "fuse/tile/TileDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace fuse;

/// True if passes have come to the end of the pipeline: what it does last to
/// kernels is not undone by what it does first.
static bool isLowered(ModuleOp module) {
  bool hasKernels = false, areDone = true;
  module.walk([&](tile::KernelOp kernel) {
    hasKernels = true;
    areDone &= kernel->hasAttr(tile::TileDialect::preparedAttr);
  });
  return hasKernels && areDone;
}

LogicalResult fuse::lowerToKernels(ModuleOp module, const NamedExtents &dims) {
  if (isLowered(module))
    return success();
  PassManager passes(module.getContext());
  FusePipelineOptions options;
  SmallVector<std::string> texts;
  for (const auto &[name, extent] : dims)
    texts.push_back(name + "=" + std::to_string(extent));
  options.dims = texts;
  // Kernels that passes have lowered stay as they are.
  WalkResult walk =
      module.walk([](tile::KernelOp) { return WalkResult::interrupt(); });
  options.merge = options.overlap = !walk.wasInterrupted();
  buildFusePipeline(passes, options);
  return passes.run(module);
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

static double numberOf(DictionaryAttr cost, StringRef name) {
  auto value = cost ? cost.getAs<FloatAttr>(name) : FloatAttr();
  return value ? value.getValueAsDouble() : 0;
}

static void writeGrid(const tile::IndexSpace &space,
                      llvm::json::OStream &json) {
  json.attributeArray("grid", [&] {
    for (auto [extent, tile] :
         llvm::zip_equal(space.grid.getAsRange<StringAttr>(), space.tiles))
      json.value(extent.getValue().str() + " by " + std::to_string(tile));
  });
}

static void writeKernel(tile::KernelOp kernel, llvm::json::OStream &json) {
  auto cost =
      kernel->getAttrOfType<DictionaryAttr>(tile::TileDialect::costAttr);
  json.object([&] {
    json.attribute("name", kernel.getSymName());
    auto parts = kernel.getBody().getOps<tile::PartOp>();
    if (parts.empty())
      writeGrid(kernel.getIndexSpaces().front(), json);
    else
      json.attributeArray("parts", [&] {
        for (tile::PartOp part : parts)
          json.object([&] {
            json.attribute("name", part.getName());
            writeGrid({part.getGrid(), part.getTiles()}, json);
          });
      });
    json.attribute("threads", kernel.getThreads());
    json.attribute("smem", kernel.getSharedBytes().value_or(0));
    for (StringRef name : {"bytes", "flops", "predicted_us"})
      json.attribute(name, numberOf(cost, name));
  });
}

/// The plan for calls of the given sizes; those of the smallest class where
/// nothing is given.
static rt::Result<std::string> selectPlan(const rt::Artifact &artifact,
                                          Operation *function,
                                          const NamedExtents &given) {
  auto program = rt::Program::create(artifact);
  if (!program.ok())
    return program.status();
  DimBindings known = getSizeHints(function);
  for (const auto &[name, extent] : given)
    known[name] = extent;
  rt::Dims dims;
  for (const std::string &dim : artifact.dims)
    dims.push_back(estimateExtent(DimExpr::symbol(dim), known));
  auto plan = (*program)->selectPlan(dims.data(), dims.size());
  if (!plan.ok())
    return plan.status();
  return (*plan)->name;
}

/// The kernels of one call in the order in which they run, with what they are
/// expected to take at the sizes that they are planned for.
static ExitCode emitPlan(ModuleOp module, StringRef functionName,
                         const rt::Artifact &artifact, const NamedExtents &dims,
                         std::string &text) {
  auto plan = selectPlan(artifact, module.lookupSymbol(functionName), dims);
  if (!plan.ok())
    return report(plan.status().withContext("--emit"));
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 2);
  Operation *function = module.lookupSymbol(*plan);
  json.object([&] {
    json.attribute("function", *plan);
    json.attributeObject("planned_for", [&] {
      if (DictionaryAttr hints = getSizeHintsAttr(function))
        for (NamedAttribute hint : hints)
          json.attribute(hint.getName(),
                         cast<IntegerAttr>(hint.getValue()).getInt());
    });
    json.attributeArray("kernels", [&] {
      function->walk([&](LaunchOp launch) {
        if (auto kernel =
                dyn_cast_or_null<tile::KernelOp>(launch.lookUpKernel()))
          writeKernel(kernel, json);
      });
    });
  });
  os << "\n";
  return ExitCode::Ok;
}

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

/// Registers, shared memory and spills, a kernel a line.
static std::string resourcesText(const rt::CudaBinary &binary,
                                 const rt::Artifact &artifact) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::DenseSet<size_t> seen;
  for (const rt::Artifact::Plan &plan : artifact.plans)
    for (const rt::Artifact::Launch &launch : plan.launches) {
      if (!seen.insert(launch.kernel).second)
        continue;
      const std::string &name = artifact.kernels[launch.kernel].name;
      for (const rt::KernelResources &kernel : binary.resources)
        if (kernel.kernel == name)
          os << name << ": " << kernel.registers << " registers, "
             << launch.sharedBytes + kernel.sharedBytes << " bytes of shared "
             << "memory, " << kernel.stackBytes << " bytes of stack, "
             << kernel.spillStoreBytes + kernel.spillLoadBytes
             << " bytes of spills\n";
    }
  return text;
}

static ExitCode compile(const rt::Artifact &artifact, EmitStage stage,
                        std::string &text) {
  auto nvrtc = rt::Nvrtc::load(nvrtcSearchFromEnvironment());
  if (!nvrtc.ok())
    return report(nvrtc.status().withContext("--emit"));
  auto binary =
      (*nvrtc)->compile(artifact.sources.front(), "sm_90a",
                        stage == EmitStage::Ptx ? rt::Nvrtc::Output::Ptx
                                                : rt::Nvrtc::Output::Cubin);
  if (!binary.ok())
    return report(binary.status().withContext("--emit"));
  text = stage == EmitStage::Resources ? resourcesText(*binary, artifact)
                                       : std::move(binary->code);
  return ExitCode::Ok;
}

ExitCode fuse::emitStage(ModuleOp module, StringRef function,
                         const NamedExtents &dims, EmitStage stage,
                         std::string &text) {
  if (failed(lowerToKernels(module, dims)))
    return ExitCode::Diagnostic;
  if (stage == EmitStage::Tile) {
    llvm::raw_string_ostream os(text);
    module.print(os);
    os << "\n";
    return ExitCode::Ok;
  }
  // What is wrong now is wrong with all of the program.
  module.getContext()->printOpOnDiagnostic(false);
  FailureOr<rt::Artifact> artifact = buildArtifact(module, function);
  if (failed(artifact))
    return ExitCode::Diagnostic;
  switch (stage) {
  case EmitStage::Plan:
    return emitPlan(module, function, *artifact, dims, text);
  case EmitStage::Cuda:
    text = artifact->sources.front().text + "\n" + launcherText(*artifact);
    return ExitCode::Ok;
  case EmitStage::Artifact: {
    auto bytes = rt::serializeArtifact(*artifact);
    if (!bytes.ok())
      return report(bytes.status());
    text = std::move(*bytes);
    return ExitCode::Ok;
  }
  default:
    return compile(*artifact, stage, text);
  }
}

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

EmitFlag::EmitFlag(llvm::cl::OptionCategory &category)
    : stage(
          "emit", llvm::cl::cat(category),
          llvm::cl::desc("Lower to kernels, after the passes that are given, "
                         "and print:"),
          llvm::cl::init(EmitStage::None),
          llvm::cl::values(
              clEnumValN(EmitStage::Plan, "plan",
                         "the kernels of a call, of the sizes in --dims or in "
                         "the hints, and their predicted cost, as JSON"),
              clEnumValN(EmitStage::Tile, "tile",
                         "launches, and kernels on tiles"),
              clEnumValN(EmitStage::Cuda, "cuda", "CUDA C++ that stands alone"),
              clEnumValN(EmitStage::Ptx, "ptx", "its assembly; needs NVRTC"),
              clEnumValN(EmitStage::Cubin, "cubin",
                         "its machine code; needs NVRTC"),
              clEnumValN(EmitStage::Resources, "resources",
                         "registers, shared memory and spills of each "
                         "kernel; needs NVRTC"),
              clEnumValN(EmitStage::Artifact, "artifact",
                         "what fuse-run runs"))) {}

namespace {
/// Stands after the passes of the command line.
class EmitPass final : public PassWrapper<EmitPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EmitPass)

  EmitPass(std::string function, NamedExtents dims, EmitStage stage,
           std::string &text, ExitCode &code)
      : function(std::move(function)), dims(std::move(dims)), stage(stage),
        text(text), code(code) {}

  StringRef getName() const override { return "Emit"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tile::TileDialect>();
  }

  void runOnOperation() override {
    code = emitStage(getOperation(), function, dims, stage, text);
    if (code != ExitCode::Ok)
      signalPassFailure();
  }

private:
  std::string function;
  NamedExtents dims;
  EmitStage stage;
  std::string &text;
  ExitCode &code;
};
} // namespace

ExitCode fuse::emitProgram(std::unique_ptr<llvm::MemoryBuffer> program,
                           DialectRegistry &registry,
                           const MlirOptMainConfig &config, StringRef function,
                           const NamedExtents &dims, EmitStage stage,
                           std::string &text) {
  // Stays so if the pipeline ends before.
  ExitCode code = ExitCode::Diagnostic;
  MlirOptMainConfig withEmit = config;
  withEmit.setPassPipelineSetupFn([&](PassManager &passes) {
    if (failed(config.setupPassPipeline(passes)))
      return failure();
    passes.addPass(
        std::make_unique<EmitPass>(function.str(), dims, stage, text, code));
    return success();
  });
  LogicalResult result =
      MlirOptMain(llvm::nulls(), std::move(program), registry, withEmit);
  if (code == ExitCode::Ok && failed(result))
    return ExitCode::Diagnostic;
  return code;
}
