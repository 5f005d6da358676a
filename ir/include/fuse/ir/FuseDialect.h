//===- FuseDialect.h - The graph dialect -----------------------*- C++ -*-===//

#ifndef FUSE_IR_FUSEDIALECT_H
#define FUSE_IR_FUSEDIALECT_H

#include "fuse/ir/LLVM.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"

#include "fuse/ir/FuseDialect.h.inc"

namespace fuse {

/// The largest rank of a tensor.
constexpr int64_t maxRank = 8;

/// A ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most
/// `maxRank`, whose static dims alone do not reach 2^63 bytes.
bool isFuseTensor(mlir::Type type);

/// Bytes of an element in memory; an i1 takes a whole one.
int64_t getElementBytes(mlir::Type elementType);

/// Registers the dialect, and what a program needs beside it (`func`).
void registerFuseDialects(mlir::DialectRegistry &registry);

} // namespace fuse

#endif // FUSE_IR_FUSEDIALECT_H
