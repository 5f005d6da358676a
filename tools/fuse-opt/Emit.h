//===- Emit.h - --emit -----------------------------------------*- C++ -*-===//

#ifndef FUSE_TOOLS_EMIT_H
#define FUSE_TOOLS_EMIT_H

#include "ExitCode.h"
#include "fuse/ir/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fuse {

/// What `--emit` prints.
enum class EmitStage {
  None,
  Plan,
  Tile,
  Cuda,
  Ptx,
  Cubin,
  Resources,
  Artifact
};

/// Extents by name.
using NamedExtents = std::vector<std::pair<std::string, int64_t>>;

/// Completes the pipeline on a module from wherever it is. Emits diagnostics.
LogicalResult lowerToKernels(mlir::ModuleOp module, const NamedExtents &dims);

/// The text of a stage, or the bytes of an artifact or a cubin, for `sm_90a`.
/// Prints, or emits diagnostics for, what is wrong.
ExitCode emitStage(mlir::ModuleOp module, StringRef function,
                   const NamedExtents &dims, EmitStage stage,
                   std::string &text);

/// Registers `--emit`.
class EmitFlag {
public:
  explicit EmitFlag(llvm::cl::OptionCategory &category);
  EmitStage get() const { return stage; }

private:
  llvm::cl::opt<EmitStage> stage;
};

/// Parses a program, runs the passes of the command line and then `emitStage`,
/// whose text goes to `text`.
ExitCode emitProgram(std::unique_ptr<llvm::MemoryBuffer> program,
                     mlir::DialectRegistry &registry,
                     const mlir::MlirOptMainConfig &config, StringRef function,
                     const NamedExtents &dims, EmitStage stage,
                     std::string &text);

} // namespace fuse

#endif // FUSE_TOOLS_EMIT_H
