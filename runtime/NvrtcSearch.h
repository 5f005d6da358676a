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

/// The libraries beside `library`, a path, that it asks the loader for by name
/// when it compiles. The one in a Python package does not say where to look.
std::vector<std::string> nvrtcCompanions(const std::string &library);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_NVRTCSEARCH_H
