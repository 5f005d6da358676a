//===- LiveElements.h - What a kernel's tiles hold at one time -*- C++ -*-===//

#ifndef FUSE_PASSES_LIVEELEMENTS_H
#define FUSE_PASSES_LIVEELEMENTS_H

#include "fuse/passes/IndexForm.h"

namespace fuse {

/// Elements of accumulators, and of what is computed from them, that are alive
/// at one time. What is stored is not needed any more.
/// `getExtent` says what tiles span of an index.
int64_t countLiveElements(mlir::func::FuncOp kernel, const IndexForm &form,
                          llvm::function_ref<int64_t(IndexId)> getExtent);

} // namespace fuse

#endif // FUSE_PASSES_LIVEELEMENTS_H
