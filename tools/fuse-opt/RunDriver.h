//===- RunDriver.h - What --run does ---------------------------*- C++ -*-===//

#ifndef FUSE_TOOLS_RUNDRIVER_H
#define FUSE_TOOLS_RUNDRIVER_H

#include "ExitCode.h"
#include "RunOptions.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace fuse {

/// Diagnostic, with an error, if a device that was asked for cannot do what
/// else was.
ExitCode checkDevice(const RunOptions &options);

/// Parses a program, runs the passes of `config`, and then the program.
ExitCode runProgram(std::unique_ptr<llvm::MemoryBuffer> program,
                    mlir::DialectRegistry &registry,
                    const mlir::MlirOptMainConfig &config,
                    const RunOptions &options);

} // namespace fuse

#endif // FUSE_TOOLS_RUNDRIVER_H
