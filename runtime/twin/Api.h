//===- Api.h - the table of functions that kernels call ---------*- C++ -*-===//

#ifndef FUSE_RUNTIME_TWIN_API_H
#define FUSE_RUNTIME_TWIN_API_H

#include "fuse/runtime/TwinAbi.h"

namespace fuse::rt::twin {

/// The engine's side of TwinAbi.h.
const FuseTwinApi &twinApi();

} // namespace fuse::rt::twin

#endif // FUSE_RUNTIME_TWIN_API_H
