//===- CudaTextTest.cpp - Spelling of types and numbers -------------------===//

#include "CudaText.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <limits>

using namespace fuse;

namespace {

class CudaTextTest : public ::testing::Test {
protected:
  std::string number(mlir::FloatType type, double value) {
    return numberText(builder.getFloatAttr(type, value));
  }
  std::string bits(const llvm::fltSemantics &semantics, uint64_t bits) {
    llvm::APFloat value(
        semantics, llvm::APInt(llvm::APFloat::getSizeInBits(semantics), bits));
    auto type = &semantics == &llvm::APFloat::IEEEhalf()
                    ? mlir::FloatType(builder.getF16Type())
                : &semantics == &llvm::APFloat::BFloat() ? builder.getBF16Type()
                : &semantics == &llvm::APFloat::IEEEsingle()
                    ? builder.getF32Type()
                    : builder.getF64Type();
    return numberText(mlir::FloatAttr::get(type, value));
  }

  mlir::MLIRContext context;
  mlir::Builder builder{&context};
};

TEST_F(CudaTextTest, Types) {
  EXPECT_EQ(typeText(builder.getF32Type()), "float");
  EXPECT_EQ(typeText(builder.getF64Type()), "double");
  EXPECT_EQ(typeText(builder.getF16Type()), "Half");
  EXPECT_EQ(typeText(builder.getBF16Type()), "BFloat16");
  EXPECT_EQ(typeText(builder.getI32Type()), "int");
  EXPECT_EQ(typeText(builder.getI1Type()), "bool");
}

TEST_F(CudaTextTest, FloatsAreLiteralsOfTheirType) {
  EXPECT_EQ(number(builder.getF32Type(), 0), "0.0f");
  EXPECT_EQ(number(builder.getF32Type(), -0.0), "-0.0f");
  EXPECT_EQ(number(builder.getF32Type(), 2), "2.0f");
  EXPECT_EQ(number(builder.getF32Type(), 0.1), "0.1f");
  EXPECT_EQ(number(builder.getF32Type(), 1e-5), "1e-05f");
  EXPECT_EQ(number(builder.getF64Type(), 0.1), "0.1");
  EXPECT_EQ(number(builder.getF64Type(), 1e300), "1e+300");
  EXPECT_EQ(number(builder.getF16Type(), 0.5), "Half(0.5f)");
  EXPECT_EQ(number(builder.getBF16Type(), -3), "BFloat16(-3.0f)");
}

TEST_F(CudaTextTest, NoNumbers) {
  double infinity = std::numeric_limits<double>::infinity();
  double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(number(builder.getF32Type(), infinity), "infinity_of<float>()");
  EXPECT_EQ(number(builder.getF32Type(), -infinity), "-infinity_of<float>()");
  EXPECT_EQ(number(builder.getF64Type(), -infinity), "-infinity_of<double>()");
  EXPECT_EQ(number(builder.getBF16Type(), infinity),
            "BFloat16(infinity_of<float>())");
  EXPECT_EQ(number(builder.getF32Type(), nan), "nan_of<float>()");
  EXPECT_EQ(number(builder.getF16Type(), -nan), "Half(nan_of<float>())");
}

// Decimals read back to the same bits, over all exponents and at their ends.
TEST_F(CudaTextTest, FloatsReadBack) {
  for (uint32_t exponent = 0; exponent < 255; ++exponent)
    for (uint32_t mantissa : {0u, 1u, 0x2aaaaau, 0x7fffffu})
      for (uint32_t sign : {0u, 1u}) {
        uint32_t expected = sign << 31 | exponent << 23 | mantissa;
        std::string text = bits(llvm::APFloat::IEEEsingle(), expected);
        ASSERT_EQ(text.back(), 'f');
        float value = std::strtof(text.c_str(), nullptr);
        EXPECT_EQ(llvm::bit_cast<uint32_t>(value), expected) << text;
      }
}

TEST_F(CudaTextTest, DoublesReadBack) {
  for (uint64_t exponent = 0; exponent < 2047; ++exponent)
    for (uint64_t mantissa :
         {uint64_t(0), uint64_t(1), uint64_t(0xaaaaaaaaaaaaa),
          uint64_t(0xfffffffffffff)}) {
      uint64_t expected = exponent << 52 | mantissa;
      std::string text = bits(llvm::APFloat::IEEEdouble(), expected);
      double value = std::strtod(text.c_str(), nullptr);
      EXPECT_EQ(llvm::bit_cast<uint64_t>(value), expected) << text;
    }
}

// All 16-bit numbers, by way of the float that they are converted from.
TEST_F(CudaTextTest, NarrowFloatsReadBack) {
  for (const llvm::fltSemantics *semantics :
       {&llvm::APFloat::IEEEhalf(), &llvm::APFloat::BFloat()}) {
    for (uint32_t expected = 0; expected < 0x10000; ++expected) {
      llvm::APFloat exact(*semantics, llvm::APInt(16, expected));
      if (!exact.isFinite())
        continue;
      std::string text = bits(*semantics, expected);
      float value = std::strtof(text.c_str() + text.find('(') + 1, nullptr);
      llvm::APFloat rounded(value);
      bool losesInfo = false;
      rounded.convert(*semantics, llvm::APFloat::rmNearestTiesToEven,
                      &losesInfo);
      EXPECT_FALSE(losesInfo) << text;
      EXPECT_EQ(rounded.bitcastToAPInt().getZExtValue(), expected) << text;
    }
  }
}

TEST_F(CudaTextTest, Integers) {
  EXPECT_EQ(numberText(builder.getI32IntegerAttr(-7)), "-7");
  EXPECT_EQ(numberText(builder.getI32IntegerAttr(2147483647)), "2147483647");
  EXPECT_EQ(numberText(
                builder.getI32IntegerAttr(std::numeric_limits<int32_t>::min())),
            "(-2147483647 - 1)");
  EXPECT_EQ(numberText(builder.getBoolAttr(true)), "true");
  EXPECT_EQ(numberText(builder.getBoolAttr(false)), "false");
}

TEST_F(CudaTextTest, Maps) {
  auto text = [](StringRef map) {
    std::string error;
    return mapText(*tile::FragmentMap::parse(map, error));
  };
  EXPECT_EQ(text("warps 4"), "FragmentMap<4>");
  EXPECT_EQ(text("warps 1, []"), "FragmentMap<1, Dim<>>");
  EXPECT_EQ(text("warps 4, [warp 4@1, lane 8@4], [reg 2@4, lane 4@1, reg 4@1]"),
            "FragmentMap<4, Dim<Warp<4>, Lane<8, 4>>, "
            "Dim<Reg<2, 4>, Lane<4>, Reg<4>>>");
}

TEST_F(CudaTextTest, Functions) {
  EXPECT_EQ(functionText(ScalarFn::GeluTanh), "gelu_tanh");
  EXPECT_EQ(functionText(ScalarFn::And), "logical_and");
  EXPECT_EQ(functionText(ScalarFn::Not), "logical_not");
  EXPECT_EQ(functionText(Comparison::Le), "compare_le");
}

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

std::string dim(StringRef text) {
  std::string error;
  std::optional<DimExpr> expr = DimExpr::parse(text, error);
  EXPECT_TRUE(expr) << error;
  return dimText(*expr, [](StringRef symbol) { return symbol; });
}

TEST(DimText, Sums) {
  EXPECT_EQ(dim("0"), "0");
  EXPECT_EQ(dim("7"), "7");
  EXPECT_EQ(dim("N"), "N");
  EXPECT_EQ(dim("2*B*N"), "2 * B * N");
  EXPECT_EQ(dim("N*N"), "N * N");
  EXPECT_EQ(dim("N + 1"), "1 + N");
  EXPECT_EQ(dim("N - M"), "-1 * M + N");
}

// Quotients are exact as a whole only.
TEST(DimText, Quotients) {
  EXPECT_EQ(dim("N/2"), "N / 2");
  EXPECT_EQ(dim("3*N/H"), "3 * N / H");
  EXPECT_EQ(dim("N/(2*H)"), "N / (2 * H)");
  EXPECT_EQ(dim("(N + 1)/2"), "(1 + N) / 2");
  EXPECT_EQ(dim("(N + 1)/2 + M"), "(1 + N) / 2 + M");
  EXPECT_EQ(dim("N/2 + M/3"), "(2 * M + 3 * N) / 6");
}

TEST(DimText, NamesOfSymbols) {
  std::string error;
  auto name = [](StringRef) -> StringRef { return "renamed"; };
  EXPECT_EQ(dimText(*DimExpr::parse("2*N", error), name), "2 * renamed");
}

} // namespace
