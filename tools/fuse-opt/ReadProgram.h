//===- ReadProgram.h - A program, read within limits -----------*- C++ -*-===//

#ifndef FUSE_TOOLS_READPROGRAM_H
#define FUSE_TOOLS_READPROGRAM_H

#include "fuse/ir/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace fuse {

/// Reads a file, or stdin for `-`, and checks that MLIR's parser can cope with
/// it (TextScan.h). With a marker, the parts that it separates are parsed, and
/// so checked, one by one. Prints an error and returns null on failure.
std::unique_ptr<llvm::MemoryBuffer> readProgram(StringRef path,
                                                StringRef splitMarker = "");

} // namespace fuse

#endif // FUSE_TOOLS_READPROGRAM_H
