//===- MemoryLimit.h - --max-memory ----------------------------*- C++ -*-===//

#ifndef FUSE_TOOLS_MEMORYLIMIT_H
#define FUSE_TOOLS_MEMORYLIMIT_H

#include "fuse/runtime/Status.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fuse {

/// Three quarters of this machine's memory.
int64_t defaultMaxBytes();

/// `4GiB`, `4G`, `512 MiB`, `1000`.
rt::Result<int64_t> parseMemorySize(std::string_view text);

/// `1.5 GiB`.
std::string formatBytes(int64_t bytes);

/// Resource if a run needs more than is allowed.
rt::Status checkMemory(int64_t needed, int64_t allowed);

} // namespace fuse

#endif // FUSE_TOOLS_MEMORYLIMIT_H
