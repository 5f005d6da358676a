//===- Symbolizer.h - program counters to source lines ----------*- C++ -*-===//

#ifndef FUSE_RUNTIME_TWIN_SYMBOLIZER_H
#define FUSE_RUNTIME_TWIN_SYMBOLIZER_H

#include "Library.h"
#include "fuse/runtime/Twin.h"

#include <vector>

namespace fuse::rt::twin {

/// For each program counter the innermost line that is the kernel's own, that
/// is, not in namespace `fuse`. Asks llvm-symbolizer or addr2line, whichever
/// there is; else a location is the library and an offset.
std::vector<TwinLocation> symbolize(const Library &library,
                                    const std::vector<uint32_t> &pcs);

} // namespace fuse::rt::twin

#endif // FUSE_RUNTIME_TWIN_SYMBOLIZER_H
