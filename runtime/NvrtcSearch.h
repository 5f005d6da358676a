//===- NvrtcSearch.h - where NVRTC may be -----------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_NVRTCSEARCH_H
#define FUSE_RUNTIME_NVRTCSEARCH_H

#include "fuse/runtime/Nvrtc.h"

#include <string>
#include <vector>

namespace fuse::rt {

/// Paths of libraries that are there, and names for the loader to search, in
/// the order in which they are to be tried. Never empty.
std::vector<std::string> nvrtcCandidates(const NvrtcSearch &search);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_NVRTCSEARCH_H
