//===- Sha256Test.cpp - the checksum against published values -------------===//

#include "Sha256.h"

#include "gtest/gtest.h"

using namespace fuse::rt;

static std::string digestOf(std::string_view text) {
  Sha256 sum;
  sum.update(text);
  return hexDigest(sum.finish());
}

// The examples of FIPS 180-4, and the empty message.
TEST(Sha256, PublishedValues) {
  EXPECT_EQ(digestOf(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digestOf("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(
      digestOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(digestOf(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// However a message is cut into updates.
TEST(Sha256, UpdatesAreOneMessage) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += char('a' + i % 26);
  for (size_t step : {1, 7, 55, 56, 63, 64, 65, 299}) {
    Sha256 sum;
    for (size_t at = 0; at < text.size(); at += step)
      sum.update(std::string_view(text).substr(at, step));
    EXPECT_EQ(hexDigest(sum.finish()), digestOf(text)) << step;
  }
}

TEST(Sha256, FieldsDoNotRunTogether) {
  Sha256 a, b;
  a.updateField("ab");
  a.updateField("c");
  b.updateField("a");
  b.updateField("bc");
  EXPECT_NE(a.finish(), b.finish());
}
