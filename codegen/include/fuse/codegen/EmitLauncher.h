//===- EmitLauncher.h - A program's launches as a C function ---*- C++ -*-===//

#ifndef FUSE_CODEGEN_EMITLAUNCHER_H
#define FUSE_CODEGEN_EMITLAUNCHER_H

#include "fuse/runtime/Artifact.h"
#include <string>

namespace fuse {

/// The text of
///
///   extern "C" int <program>_launch(void *const *tensors, const int64_t *dims,
///                                   void *workspace, cudaStream_t stream);
///   extern "C" int64_t <program>_workspace_bytes(const int64_t *dims);
///
/// which launch the plan that serves `dims`, the artifact's dims in order:
/// `tensors` are its arguments and then its results, in device memory. The
/// first returns a cudaError_t, cudaErrorInvalidValue where no plan serves; the
/// second then returns -1. nvcc compiles them, NVRTC and host compilers skip
/// them.
std::string launcherText(const rt::Artifact &artifact);

} // namespace fuse

#endif // FUSE_CODEGEN_EMITLAUNCHER_H
