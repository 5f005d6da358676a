//===- TextScanTest.cpp - Limits on text before it is parsed --------------===//

#include "fuse/ir/TextScan.h"
#include "llvm/ADT/Twine.h"
#include "gtest/gtest.h"

using namespace fuse;

namespace {

/// The offset of the first error with a limit on depth alone; -1 if none.
int64_t errorOffset(StringRef text, unsigned maxDepth) {
  TextLimits limits;
  limits.maxDepth = maxDepth;
  std::optional<TextError> error = scanText(text, limits);
  return error ? int64_t(error->offset) : -1;
}

/// The depth of a text: the smallest limit that it keeps.
unsigned depthOf(StringRef text) {
  unsigned depth = 0;
  while (errorOffset(text, depth) >= 0)
    ++depth;
  return depth;
}

/// The size of a text with every alias expanded.
uint64_t sizeOf(StringRef text) {
  TextLimits limits;
  for (limits.maxBytes = 0; scanText(text, limits);)
    ++limits.maxBytes;
  return limits.maxBytes;
}

TEST(TextScanTest, CountsBracketsOfEachKind) {
  EXPECT_EQ(depthOf(""), 0u);
  EXPECT_EQ(depthOf("f() [] {} <>"), 1u);
  EXPECT_EQ(depthOf("( [ { < > } ] )"), 4u);
  EXPECT_EQ(depthOf("(()) ((()))"), 3u);
  EXPECT_EQ(depthOf("(((("), 4u);
}

TEST(TextScanTest, ReportsTheFirstPlaceBeyondALimit) {
  EXPECT_EQ(errorOffset("a(b[c{d", 2), 5);
  std::optional<TextError> error = scanText("((", {/*maxDepth=*/1});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->offset, 1u);
  EXPECT_EQ(error->message,
            "expects at most 1 levels of nesting, but this is deeper");
}

TEST(TextScanTest, SkipsStringsAndComments) {
  EXPECT_EQ(depthOf(R"("((((")"), 0u);
  EXPECT_EQ(depthOf(R"("\"((((" ()"), 1u);
  EXPECT_EQ(depthOf(R"("\\" (("((" ))"), 2u);
  EXPECT_EQ(depthOf("// ((((\n()"), 1u);
  EXPECT_EQ(depthOf("// (((("), 0u);
  // As in MLIR's lexer, each of these ends a comment, and a line a string.
  EXPECT_EQ(depthOf("// a\r(("), 2u);
  EXPECT_EQ(depthOf("\"a\n(("), 2u);
  EXPECT_EQ(depthOf("@\"((\" @a(("), 2u);
}

TEST(TextScanTest, TellsBracketsFromArrowsAndComparisons) {
  EXPECT_EQ(depthOf("() -> () -> () -> ()"), 1u);
  EXPECT_EQ(depthOf("f<() -> ()>(<>)"), 2u);
  EXPECT_EQ(depthOf("s<(d0) : (d0 >= 0, d0 >= 1)> t<>"), 2u);
  // A `<` that nothing closes ends with what is around it.
  EXPECT_EQ(depthOf("(a < b) (a < b) (a < b)"), 2u);
  EXPECT_EQ(depthOf(">>>> ))) ]]] ()"), 1u);
}

TEST(TextScanTest, CountsOperatorsUpToTheNextComma) {
  EXPECT_EQ(depthOf("(a + b)"), 2u);
  EXPECT_EQ(depthOf("(a + b * c - d)"), 4u);
  EXPECT_EQ(depthOf("(a + b, c + d, -1, -2)"), 2u);
  EXPECT_EQ(depthOf("(- - - a)"), 4u);
  EXPECT_EQ(depthOf("(a mod 2 floordiv 3 ceildiv 4)"), 4u);
  EXPECT_EQ(depthOf("(a 4mod 4mod 4)"), 3u);
  EXPECT_EQ(depthOf("(a + (b + c), d)"), 4u);
  EXPECT_EQ(depthOf("[1.5e-3, 0x1e, modulo, mod.x]"), 1u);
  EXPECT_EQ(depthOf("[0x1e-0x1e-0x1e]"), 3u);
  // Signs of numbers among ops.
  EXPECT_EQ(depthOf("{ c -1 c -1 c -1 } -1 -1"), 1u);
}

TEST(TextScanTest, CountsAnAliasAsWhatItStandsFor) {
  EXPECT_EQ(depthOf("!a = t<i32>\n f(!a)"), 2u);
  EXPECT_EQ(depthOf("!a = t<t<i32>>\n!b = t<!a>\n f(!b)"), 4u);
  EXPECT_EQ(depthOf("#a = [1]\n#b = [#a, #a]\n#c = {x = #b}"), 3u);
  EXPECT_EQ(depthOf("!a = i32\n!b = !a\n!c = !b\nf (!c)"), 1u);
  // The mark is part of the name, as may be a dash, but not a dot.
  EXPECT_EQ(depthOf("!a = t<t<t<>>>\nf (#a)"), 3u);
  EXPECT_EQ(depthOf("!a-1 = t<>\n!a-2 = t<!a-1>\nf (!a-2)"), 3u);
  EXPECT_EQ(depthOf("#a = [[[]]]\nf (#a.b)"), 3u);
  // Not yet defined.
  EXPECT_EQ(depthOf("(#l) #l = loc(\"a\")"), 1u);
}

TEST(TextScanTest, EndsADefinitionWhereItsValueEnds) {
  // What follows is deep, but is not the alias.
  for (StringRef next : {"module {{{{}}}}", "func.func @f((((", "%0 = f((((",
                         "\"f\"((((", "#b = [[[["})
    EXPECT_EQ(depthOf(("#a = 1 : i32\n" + next + "]]]]))))}}}} (#a)").str()),
              4u)
        << next.str();
  // What belongs to it may stand on the next line, behind a comment.
  for (StringRef value :
       {"t\n<[{}]>", "\n// (\n t // )\n <[{}]>", "1 : \n t<[{}]>",
        "() -> \n t<[{}]>", "- \n 1 : t<[{}]>", "@f :: \n @g <[{}]>",
        "distinct[0] \n <[{}]>", "0x1f : t<[{}]>", "1.5e-3 : t<[{}]>"})
    EXPECT_EQ(depthOf(("#a // =\n = " + value + "\nf ((#a))").str()), 5u)
        << value.str();
}

TEST(TextScanTest, CountsBytesWithAliasesExpanded) {
  EXPECT_EQ(sizeOf(""), 0u);
  EXPECT_EQ(sizeOf("module {}"), 9u);
  // 7 bytes for the definition, 5 for the rest, and 7 for each use.
  EXPECT_EQ(sizeOf("!a=i32 f !a"), 11u + 7u);
  EXPECT_EQ(sizeOf("!a=i32 f !a !a"), 14u + 2 * 7u);
}

TEST(TextScanTest, RefusesAliasesThatDouble) {
  std::string text = "!a0 = i32\n";
  for (int i = 1; i < 100; ++i)
    text += "!a" + std::to_string(i) + " = t<!a" + std::to_string(i - 1) +
            ", !a" + std::to_string(i - 1) + ">\n";
  std::optional<TextError> error = scanText(text);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message,
            "expects a text of at most 268435456 bytes with every alias "
            "expanded, but this is longer");
}

TEST(TextScanTest, RefusesLongText) {
  TextLimits limits;
  limits.maxBytes = 9;
  EXPECT_FALSE(scanText("module {}", limits));
  std::optional<TextError> error = scanText("module {} ", limits);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "expects a text of at most 9 bytes, but got 10");
}

TEST(TextScanTest, SurvivesAnyBytes) {
  std::string bytes;
  for (unsigned i = 0; i < 1u << 16; ++i) {
    bytes.push_back(char(i));
    bytes.push_back(char(i >> 8));
  }
  scanText(bytes);
  for (StringRef text : {"\"", "\"\\", "/", "//", "#", "!", "#=", "!a",
                         "!a=", "-", "@", "@\"", "0x", "1.", "1.e", "\0"})
    EXPECT_EQ(depthOf(text), 0u) << text.str();
}

TEST(TextScanTest, KnowsBytecode) {
  EXPECT_TRUE(isBytecode("ML\xefR"));
  EXPECT_FALSE(isBytecode("ML\xef"));
  EXPECT_FALSE(isBytecode("module {}"));
}

} // namespace
