//===- Environment.h - What the environment says to a tool -----*- C++ -*-===//
//
//   FUSE_CXX         the C++ compiler of device host, with arguments if need be
//   FUSE_NVRTC       the library NVRTC; CUDA_HOME, a toolkit that has it
//   FUSE_CACHE_DIR   where compiled kernels are kept (default:
//                    $XDG_CACHE_HOME/fuse, or $HOME/.cache/fuse)
//   FUSE_CACHE=off   keep none
//   FUSE_CUDA_DRIVER the driver, for tests
//
// Libraries read none of this.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_ENVIRONMENT_H
#define FUSE_TOOLS_ENVIRONMENT_H

#include "fuse/runtime/Device.h"

#include <string>

namespace fuse {

/// How to open devices here. The options that a user sets are at their
/// defaults.
rt::CudaOptions cudaOptionsFromEnvironment();
rt::HostOptions hostOptionsFromEnvironment();

/// Where the run-time compiler of CUDA may be.
rt::NvrtcSearch nvrtcSearchFromEnvironment();

} // namespace fuse

#endif // FUSE_TOOLS_ENVIRONMENT_H
