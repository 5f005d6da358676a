//===- LiveRegisters.h - Registers that a schedule takes -------*- C++ -*-===//

#ifndef FUSE_PASSES_LIVEREGISTERS_H
#define FUSE_PASSES_LIVEREGISTERS_H

#include "LoopGroups.h"

namespace fuse {

/// An estimate of the registers of 32 bits that a thread needs at one time for
/// the values of a kernel, and for what it loads for them, if its loops are
/// `groups`. Ops are taken in the order in which a kernel computes them, not in
/// that of the program. Addresses and operands of multiply-adds come on top.
int64_t countLiveRegisters(mlir::func::FuncOp kernel, const IndexForm &form,
                           const KernelSchedule &schedule,
                           ArrayRef<LoopGroup> groups);

} // namespace fuse

#endif // FUSE_PASSES_LIVEREGISTERS_H
