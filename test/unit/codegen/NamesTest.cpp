//===- NamesTest.cpp - Identifiers for values -----------------------------===//

#include "Names.h"

#include "fuse/ir/ScalarFn.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "gtest/gtest.h"

using namespace fuse;

namespace {

TEST(Identifiers, OddCharacters) {
  EXPECT_EQ(toIdentifier("x"), "x");
  EXPECT_EQ(toIdentifier("k_proj.weight"), "k_proj_weight");
  EXPECT_EQ(toIdentifier("a/b-c$d"), "a_b_c_d");
  EXPECT_EQ(toIdentifier("\xc3\xa4"), "v__");
  EXPECT_EQ(toIdentifier("2nd"), "v2nd");
  EXPECT_EQ(toIdentifier(""), "v");
  EXPECT_EQ(toIdentifier("__global__"), "v__global__");
}

TEST(Names, AreUsedOnce) {
  Names names;
  EXPECT_EQ(names.create("x"), "x");
  EXPECT_EQ(names.create("x"), "x_1");
  EXPECT_EQ(names.create("x"), "x_2");
  EXPECT_EQ(names.create("x_3"), "x_3");
  EXPECT_EQ(names.create("x"), "x_4");
  EXPECT_EQ(names.create("x.3"), "x_3_1");
}

TEST(Names, AvoidWordsOfTheLanguageAndTheHeader) {
  Names names;
  for (StringRef word :
       {"int", "constexpr", "bitand", "load", "load_if", "KM", "FragmentMap",
        "Half", "linux", "compare_lt", "logical_and", "int64_t"})
    EXPECT_EQ(names.create(word), (word + "_1").str());
  for (StringRef function : scalarFnSpellings())
    EXPECT_NE(names.create(function), function);
}

TEST(Names, OfValues) {
  mlir::MLIRContext context;
  mlir::Builder builder(&context);
  mlir::Block block;
  auto location = builder.getUnknownLoc();
  mlir::Value x = block.addArgument(builder.getIndexType(), location);
  mlir::Value y = block.addArgument(builder.getIndexType(), location);
  Names names;
  EXPECT_FALSE(names.has(x));
  EXPECT_EQ(names.name(x, "n"), "n");
  EXPECT_TRUE(names.has(x));
  EXPECT_EQ(names.get(x), "n");
  names.alias(y, x);
  EXPECT_EQ(names.get(y), "n");
  EXPECT_EQ(names.create("n"), "n_1");
}

} // namespace
