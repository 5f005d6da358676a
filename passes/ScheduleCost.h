//===- ScheduleCost.h - The time of a kernel that is scheduled -*- C++ -*-===//

#ifndef FUSE_PASSES_SCHEDULECOST_H
#define FUSE_PASSES_SCHEDULECOST_H

#include "KernelSchedule.h"
#include "fuse/passes/KernelCost.h"

namespace fuse {

/// A roofline over DRAM, L2 and FP32 pipes, with what blocks compute again,
/// how well tiles reuse operands, and how evenly blocks fill the device.
double predictMicroseconds(mlir::func::FuncOp kernel, const IndexForm &form,
                           const KernelSchedule &schedule,
                           const KernelCost &cost, const SizeHints &hints,
                           const DeviceRates &rates = {});

/// The bytes that all blocks together read, those from a cache included: how
/// often each byte is used is what a tile is for.
double predictTraffic(mlir::func::FuncOp kernel, const IndexForm &form,
                      const KernelSchedule &schedule, const SizeHints &hints);

} // namespace fuse

#endif // FUSE_PASSES_SCHEDULECOST_H
