//===- ScalarFnTest.cpp - The table of scalar functions -------------------===//

#include "fuse/ir/ScalarFn.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace fuse;

namespace {

size_t numScalarFns() { return scalarFnSpellings().size(); }

TEST(ScalarFn, SpellingsNameFunctions) {
  llvm::StringSet<> seen;
  for (size_t index = 0; index < numScalarFns(); ++index) {
    auto fn = static_cast<ScalarFn>(index);
    StringRef spelling = stringify(fn);
    EXPECT_EQ(spelling, scalarFnSpellings()[index]);
    EXPECT_TRUE(seen.insert(spelling).second) << spelling.str() << " twice";
    EXPECT_EQ(symbolizeScalarFn(spelling), fn);
    // A keyword of the assembly.
    EXPECT_TRUE(llvm::all_of(spelling, [](char c) {
      return llvm::isLower(c) || llvm::isDigit(c) || c == '_';
    })) << spelling.str();
  }
  EXPECT_EQ(symbolizeScalarFn("negate"), std::nullopt);
  EXPECT_EQ(symbolizeScalarFn(""), std::nullopt);
  EXPECT_EQ(symbolizeScalarFn("Neg"), std::nullopt);
}

TEST(ScalarFn, ComparisonsHaveSpellings) {
  const char *spellings[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (auto [index, spelling] : llvm::enumerate(spellings)) {
    auto comparison = static_cast<Comparison>(index);
    EXPECT_EQ(stringify(comparison), spelling);
    EXPECT_EQ(symbolizeComparison(spelling), comparison);
  }
  EXPECT_EQ(symbolizeComparison("neg"), std::nullopt);
}

TEST(ScalarFn, RowsMakeSense) {
  for (size_t index = 0; index < numScalarFns(); ++index) {
    const ScalarFnInfo &info = getInfo(static_cast<ScalarFn>(index));
    EXPECT_GE(info.arity, 1u) << info.spelling.str();
    EXPECT_LE(info.arity, 3u) << info.spelling.str();
    EXPECT_GE(info.ulps, 0.0) << info.spelling.str();
    EXPECT_LE(info.ulps, 8.0) << info.spelling.str();
    // Integers and truth values are not rounded.
    if (info.operands == ScalarOperands::Int ||
        info.operands == ScalarOperands::Logic) {
      EXPECT_EQ(info.ulps, 0.0) << info.spelling.str();
    }
  }
  EXPECT_EQ(getInfo(ScalarFn::Neg).arity, 1u);
  EXPECT_EQ(getInfo(ScalarFn::Pow).arity, 2u);
  EXPECT_EQ(getInfo(ScalarFn::Clamp).arity, 3u);
  EXPECT_EQ(getInfo(ScalarFn::Add).ulps, 0.5);
}

TEST(ScalarFn, ElementTypes) {
  mlir::MLIRContext context;
  mlir::Builder builder(&context);
  struct Row {
    ScalarFn fn;
    bool floats, i32, i1;
    StringRef description;
  };
  const Row rows[] = {
      {ScalarFn::Exp, true, false, false, "floating-point"},
      {ScalarFn::Add, true, true, false, "floating-point or i32"},
      {ScalarFn::Mod, false, true, false, "i32"},
      {ScalarFn::Xor, false, true, true, "i1 or i32"},
  };
  for (const Row &row : rows) {
    for (mlir::Type type :
         {mlir::Type(builder.getF16Type()), mlir::Type(builder.getBF16Type()),
          mlir::Type(builder.getF32Type()), mlir::Type(builder.getF64Type())})
      EXPECT_EQ(takesElementType(row.fn, type), row.floats);
    EXPECT_EQ(takesElementType(row.fn, builder.getI32Type()), row.i32);
    EXPECT_EQ(takesElementType(row.fn, builder.getI1Type()), row.i1);
    EXPECT_FALSE(takesElementType(row.fn, builder.getI64Type()));
    EXPECT_EQ(describe(getInfo(row.fn).operands), row.description);
  }
}

} // namespace
