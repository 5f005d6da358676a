//===- ArtifactMutationTest.cpp - the artifact fuzzer on fixed inputs -----===//

#include "TestArtifacts.h"

#include "fuse/runtime/Random.h"

#include "gtest/gtest.h"

#include <cstdint>

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int fuzzArtifact(const uint8_t *data, size_t size);

using namespace fuse::rt;

static void fuzz(const std::string &bytes) {
  fuzzArtifact(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
}

static std::string seed() {
  Artifact artifact = makeTwoKernelArtifact();
  artifact.sources[0].text = "x";
  artifact.cubins = {{0, "sm_90a", "y"}};
  Result<std::string> bytes = serializeArtifact(artifact);
  EXPECT_TRUE(bytes.ok());
  return *bytes;
}

TEST(ArtifactMutation, SeedPassesTheFuzzer) { fuzz(seed()); }

// Random changes of manifests: bits, tokens of JSON and of expressions, cuts.
TEST(ArtifactMutation, MutantsPassTheFuzzer) {
  static const std::string kTokens[] = {
      "0",          "-1",    "9223372036854775807",
      "1e9",        "\"N\"", "\"mul\"",
      "[]",         "{}",    "[",
      "]",          "{",     "}",
      ",",          "null",  "\"floordiv\"",
      "4294967296", "true",  "\"\xff\""};
  const std::string original = seed();
  SplitMix64 generator(7);
  auto below = [&](size_t limit) { return generator.next() % limit; };
  for (int i = 0; i < 4000; ++i) {
    std::string bytes = original;
    for (size_t count = 1 + below(3); count > 0; --count) {
      size_t at = below(bytes.size());
      const std::string &token = kTokens[below(std::size(kTokens))];
      switch (below(5)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes.replace(at, token.size(), token);
        break;
      case 2:
        bytes.insert(at, token);
        break;
      case 3:
        bytes.erase(at, below(8));
        break;
      case 4: // Two places change places, so that the text stays well formed.
        std::swap(bytes[at], bytes[below(bytes.size())]);
        break;
      }
    }
    fuzz(bytes);
  }
}

// Numbers at random places, so that most manifests stay well formed and what is
// wrong with them is in their meaning.
TEST(ArtifactMutation, OtherNumbersPassTheFuzzer) {
  const std::string original = seed();
  std::string manifest = manifestOf(original);
  static const std::string kNumbers[] = {
      "0", "1", "-1", "2147483648", "7", "-9223372036854775808"};
  for (size_t at = 0; at < manifest.size(); ++at) {
    bool startsNumber = isdigit(static_cast<unsigned char>(manifest[at])) &&
                        !isalnum(static_cast<unsigned char>(manifest[at - 1]));
    size_t end = manifest.find_first_not_of("0123456789", at);
    for (const std::string &number : kNumbers)
      if (startsNumber)
        fuzz(withManifest(original, manifest.substr(0, at) + number +
                                        manifest.substr(end)));
  }
}
