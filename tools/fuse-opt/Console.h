//===- Console.h - What fuse-opt says on stderr ----------------*- C++ -*-===//
//
// Stdout is for results. Where a message has a place in the program, it is a
// diagnostic at that place instead.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_CONSOLE_H
#define FUSE_TOOLS_CONSOLE_H

#include "fuse/ir/LLVM.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace fuse {

/// `fuse-opt: error: `, in colour on a terminal.
raw_ostream &printError();

/// `fuse-opt: `, for what is no error.
raw_ostream &printInfo();

/// `file.mlir:3:8`, or the location as MLIR prints it if it has no such form.
std::string describeLocation(mlir::Location loc);

/// `'fuse.softmax' at file.mlir:3:8`.
std::string describeOp(mlir::Operation *op);

/// Flushes stdout; false, with an error, if it cannot take all that was
/// written (a full disk).
bool flushStdout();

} // namespace fuse

#endif // FUSE_TOOLS_CONSOLE_H
