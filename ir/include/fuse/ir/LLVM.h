//===- LLVM.h - The MLIR and LLVM names that fuse uses ---------*- C++ -*-===//

#ifndef FUSE_IR_LLVM_H
#define FUSE_IR_LLVM_H

#include "mlir/Support/LLVM.h"

namespace fuse {
// NOLINTBEGIN(misc-unused-using-decls)
using mlir::ArrayRef;
using mlir::cast;
using mlir::cast_or_null;
using mlir::dyn_cast;
using mlir::dyn_cast_or_null;
using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::function_ref;
using mlir::isa;
using mlir::isa_and_nonnull;
using mlir::LogicalResult;
using mlir::MutableArrayRef;
using mlir::ParseResult;
using mlir::raw_ostream;
using mlir::SmallVector;
using mlir::SmallVectorImpl;
using mlir::StringRef;
using mlir::succeeded;
using mlir::success;
using mlir::Twine;
using mlir::TypeSwitch;
// NOLINTEND(misc-unused-using-decls)
} // namespace fuse

#endif // FUSE_IR_LLVM_H
