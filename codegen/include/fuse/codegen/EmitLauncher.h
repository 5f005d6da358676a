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
/// which launch the first plan of an artifact: `tensors` are its arguments and
/// then its results, in device memory, `dims` its dims in order; it returns a
/// cudaError_t. nvcc compiles it, NVRTC and host compilers skip it. Guards are
/// left to the caller.
std::string launcherText(const rt::Artifact &artifact);

} // namespace fuse

#endif // FUSE_CODEGEN_EMITLAUNCHER_H
