//===- Cache.h - compiled kernels kept between runs -------------*- C++ -*-===//
//
// One file an entry, in one folder of this user alone. A file comes into being
// whole, by rename, holds the key that it is for and the checksum of everything
// in it, and is removed when the folder outgrows its limit, oldest first.
// Whatever is wrong with a file or with the folder is a miss, never an error.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CACHE_H
#define FUSE_RUNTIME_CACHE_H

#include "fuse/runtime/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fuse::rt {

struct CacheOptions {
  std::string folder;                    ///< Empty: there is no cache.
  uint64_t maxBytes = uint64_t(1) << 30; ///< Of all files together.
};

/// All that an entry depends on. Two keys are equal if all their fields are.
using CacheKey = std::vector<std::string>;

/// Any number of processes and threads may use one folder. Two that miss
/// together both compile: cheaper than locks that hang.
class Cache {
public:
  explicit Cache(CacheOptions options) : options(std::move(options)) {}

  bool isOn() const { return !options.folder.empty(); }

  /// The bytes that `store` was given for this key. Marks them as used.
  std::optional<std::string> load(const CacheKey &key) const;

  /// Io or Resource if nothing was stored, which a caller may ignore.
  Status store(const CacheKey &key, std::string_view bytes) const;

  /// The file of a key, there or not.
  std::string pathOf(const CacheKey &key) const;

private:
  Status checkFolder() const;
  Status createFolder() const;
  void evict() const;

  CacheOptions options;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_CACHE_H
