//===- NpyMutationTest.cpp - the .npy fuzzer on a fixed set of inputs -----===//

#include "NpySeeds.h"

#include "fuse/runtime/Npy.h"
#include "fuse/runtime/Random.h"

#include "gtest/gtest.h"

#include <cstdint>

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

using namespace fuse::rt;

namespace {
/// Damages a file at random, in the ways that files are damaged or forged.
class Mutator {
public:
  explicit Mutator(uint64_t seed) : generator(seed) {}

  std::string mutate(std::string file, const std::string &other) {
    for (size_t count = 1 + below(3); count > 0; --count)
      mutateOnce(file, other);
    return file;
  }

private:
  size_t below(size_t limit) { return generator.next() % limit; }

  /// A position in `file`, more often in its header than in its data.
  size_t position(const std::string &file) {
    size_t limit = below(4) ? std::min<size_t>(file.size(), 80) : file.size();
    return limit ? below(limit) : 0;
  }

  void mutateOnce(std::string &file, const std::string &other) {
    static const std::string kTokens[] = {
        "0",  "-1", "1L", "4294967296", "9223372036854775807", "(",    ")",
        ",",  "'",  "{",  "}",          "'shape': (2,), ",     "True", "<V2",
        "[]", ">",  "\\", "|b1",        std::string(1, '\0'),  "\n",   "\xff"};
    size_t at = position(file), length = below(6);
    switch (below(7)) {
    case 0: // Flip a bit.
      if (!file.empty())
        file[at] = char(file[at] ^ (1 << below(8)));
      break;
    case 1: // Set a byte.
      if (!file.empty())
        file[at] = char(generator.next());
      break;
    case 2:
      file.insert(at, kTokens[below(std::size(kTokens))]);
      break;
    case 3: {
      const std::string &token = kTokens[below(std::size(kTokens))];
      file.replace(at, token.size(), token);
      break;
    }
    case 4:
      file.erase(at, length);
      break;
    case 5: // Truncate, or append.
      file.resize(below(2) ? at : file.size() + length, char(below(2)));
      break;
    case 6: // Continue with another file.
      file.replace(at, std::string::npos,
                   other.substr(std::min(at, other.size())));
      break;
    }
  }

  SplitMix64 generator;
};
} // namespace

TEST(NpyMutation, SeedsPassTheFuzzer) {
  for (const NpySeed &seed : npySeeds())
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(seed.bytes.data()),
                           seed.bytes.size());
}

TEST(NpyMutation, NoDamageBreaksTheReader) {
  constexpr int kMutations = 50000;
  std::vector<NpySeed> seeds = npySeeds();
  Mutator mutator(1);
  int accepted = 0;
  for (int i = 0; i < kMutations; ++i) {
    size_t seed = size_t(i) % seeds.size();
    size_t other = size_t(i) / seeds.size() % seeds.size();
    std::string file = mutator.mutate(seeds[seed].bytes, seeds[other].bytes);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(file.data()),
                           file.size());
    accepted += readNpyBuffer(file.data(), file.size(), "x").ok();
  }
  // Both sides of the reader have been at work.
  EXPECT_GT(accepted, kMutations / 100);
  EXPECT_LT(accepted, kMutations / 2);
}
