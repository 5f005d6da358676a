//===- Sha256.cpp - checksums of artifacts and of the cache ---------------===//

#include "Sha256.h"

#include <algorithm>
#include <cstring>

using namespace fuse::rt;

static constexpr std::array<uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t value, int count) {
  return value >> count | value << (32 - count);
}

static uint32_t loadBigEndian(const uint8_t *from) {
  return uint32_t(from[0]) << 24 | uint32_t(from[1]) << 16 |
         uint32_t(from[2]) << 8 | from[3];
}

void Sha256::compress(const uint8_t *block) {
  std::array<uint32_t, 64> words;
  for (size_t i = 0; i < 16; ++i)
    words[i] = loadBigEndian(block + 4 * i);
  for (size_t i = 16; i < 64; ++i) {
    uint32_t x = words[i - 15], y = words[i - 2];
    words[i] = words[i - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) +
               words[i - 7] + (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t i = 0; i < 64; ++i) {
    uint32_t first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                     ((e & f) ^ (~e & g)) + kRoundConstants[i] + words[i];
    uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                      ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const uint32_t added[] = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < 8; ++i)
    state[i] += added[i];
}

void Sha256::update(const void *data, size_t size) {
  const auto *from = static_cast<const uint8_t *>(data);
  while (size > 0) {
    size_t filled = length % 64, count = std::min(size, 64 - filled);
    std::memcpy(pending.data() + filled, from, count);
    from += count;
    size -= count;
    length += count;
    if (filled + count == 64)
      compress(pending.data());
  }
}

void Sha256::updateField(std::string_view text) {
  update(std::to_string(text.size()));
  update(":");
  update(text);
}

Sha256::Digest Sha256::finish() {
  uint64_t bits = length * 8;
  const uint8_t one = 0x80, zero = 0;
  update(&one, 1);
  while (length % 64 != 56)
    update(&zero, 1);
  for (int shift = 56; shift >= 0; shift -= 8) {
    auto byte = static_cast<uint8_t>(bits >> shift);
    update(&byte, 1);
  }
  Digest digest;
  for (size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

std::string fuse::rt::hexDigest(const Sha256::Digest &digest) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : digest)
    text += {digits[byte >> 4], digits[byte & 15]};
  return text;
}
