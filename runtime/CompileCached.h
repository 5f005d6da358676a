//===- CompileCached.h - compiling through the cache ------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_COMPILECACHED_H
#define FUSE_RUNTIME_COMPILECACHED_H

#include "fuse/runtime/Cache.h"
#include "fuse/runtime/Device.h"

#include <algorithm>
#include <chrono>

namespace fuse::rt {

/// Seconds since it was made.
class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};

/// How many kernels of an artifact a source has.
inline int64_t countKernels(const Artifact &artifact, size_t source) {
  return std::count_if(
      artifact.kernels.begin(), artifact.kernels.end(),
      [&](const Artifact::Kernel &kernel) { return kernel.source == source; });
}

/// The bytes that the cache has for `key`, or those of `compile`, which returns
/// Result<std::string>. Counts `kernels` kernels in `stats`.
template <class Compile>
Result<std::string> compileCached(const Cache &cache, const CacheKey &key,
                                  int64_t kernels, CompileStats &stats,
                                  Compile compile) {
  if (std::optional<std::string> bytes = cache.load(key)) {
    stats.fromCache += kernels;
    return std::move(*bytes);
  }
  Stopwatch watch;
  Result<std::string> bytes = compile();
  if (!bytes.ok())
    return bytes;
  stats.compiled += kernels;
  stats.compileSeconds += watch.seconds();
  // A cache that cannot be written to is none.
  [[maybe_unused]] Status ignored = cache.store(key, *bytes);
  return bytes;
}

} // namespace fuse::rt

#endif // FUSE_RUNTIME_COMPILECACHED_H
