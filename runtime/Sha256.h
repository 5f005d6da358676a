//===- Sha256.h - checksums of artifacts and of the cache -------*- C++ -*-===//

#ifndef FUSE_RUNTIME_SHA256_H
#define FUSE_RUNTIME_SHA256_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fuse::rt {

/// SHA-256 (FIPS 180-4).
class Sha256 {
public:
  using Digest = std::array<uint8_t, 32>;

  void update(const void *data, size_t size);
  void update(std::string_view text) { update(text.data(), text.size()); }
  /// The length goes in front, so that no two lists of fields run together.
  void updateField(std::string_view text);

  /// Of all updates. Call it last.
  Digest finish();

private:
  void compress(const uint8_t *block);

  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                   0xa54ff53a, 0x510e527f, 0x9b05688c,
                                   0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> pending = {};
  uint64_t length = 0; ///< In bytes; `length % 64` of them are pending.
};

/// In lower-case hexadecimal digits.
std::string hexDigest(const Sha256::Digest &digest);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_SHA256_H
