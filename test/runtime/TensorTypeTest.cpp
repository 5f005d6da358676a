//===- TensorTypeTest.cpp - element type and shape ------------------------===//

#include "TestUtils.h"

#include "rapidcheck/gtest.h"

using namespace fuse::rt;

TEST(TensorType, CountsElementsAndBytes) {
  auto bytes = [](const TensorType &type) { return *byteSize(type); };
  EXPECT_EQ(*numElements({DType::F32, {4, 8}}), 32);
  EXPECT_EQ(bytes({DType::F32, {4, 8}}), 128);
  EXPECT_EQ(bytes({DType::BF16, {4, 8}}), 64);
  EXPECT_EQ(bytes({DType::F64, {}}), 8);
  EXPECT_EQ(bytes({DType::F32, {4, 0}}), 0);
  EXPECT_EQ(bytes({DType::Bool, {INT64_MAX}}), INT64_MAX);
  EXPECT_EQ(bytes({DType::F64, {(int64_t{1} << 60) - 1, 1}}), INT64_MAX - 7);
}

TEST(TensorType, RejectsWhatDoesNotFit) {
  int64_t big = int64_t{1} << 31;
  auto reject = [](const TensorType &type) {
    EXPECT_EQ(messageOf(numElements(type)), messageOf(byteSize(type)));
    EXPECT_EQ(byteSize(type).status().code(), StatusCode::InvalidInput);
    return messageOf(byteSize(type));
  };
  EXPECT_EQ(reject({DType::F32, {big, big, 1}}),
            "expects a tensor of less than 2^63 bytes, but got "
            "2147483648x2147483648x1xf32");
  EXPECT_EQ(reject({DType::F32, {big, big, 0}}),
            "expects a tensor of less than 2^63 bytes, but got "
            "2147483648x2147483648x0xf32");
  EXPECT_EQ(reject({DType::Bool, {0, INT64_MAX, 2}}),
            "expects a tensor of less than 2^63 bytes, but got "
            "0x9223372036854775807x2xi1");
  EXPECT_EQ(reject({DType::F32, {2, -1}}),
            "expects sizes of 0 or more, but got -1");
  EXPECT_EQ(reject({DType::F32, std::vector<int64_t>(9, 1)}),
            "expects a tensor of rank 8 at most, but got rank 9");
}

TEST(TensorType, Formats) {
  EXPECT_EQ(formatTensorType({DType::F32, {4, 8}}), "4x8xf32");
  EXPECT_EQ(formatTensorType({DType::Bool, {0}}), "0xi1");
  EXPECT_EQ(formatTensorType({DType::BF16, {}}), "bf16");
}

RC_GTEST_PROP(TensorType, ParsesWhatItFormats, ()) {
  TensorType type = drawTensor().type();
  Result<TensorType> parsed = parseTensorType(formatTensorType(type));
  RC_ASSERT(parsed.ok());
  RC_ASSERT(*parsed == type);
}

TEST(TensorType, RejectsOtherText) {
  for (const char *text :
       {"", "4", "4x", "x4xf32", "4x8", "4 x8xf32", "-1xf32", "?xf32", "4xxf32",
        "4x8xf33", "f32x4", "tensor<f32>", "4x8xf32 "})
    EXPECT_EQ(messageOf(parseTensorType(text)).rfind("expects a type", 0), 0u)
        << text;
  EXPECT_EQ(messageOf(parseTensorType("4x8xf33")),
            "expects a type such as 4x8xf32 over f16, bf16, f32, f64, i32 or "
            "i1, but got '4x8xf33'");
  EXPECT_EQ(messageOf(parseTensorType("4x8")),
            "expects a type such as 4x8xf32, but got '4x8'");
  EXPECT_EQ(messageOf(parseTensorType("9223372036854775808xf32")),
            "expects sizes of less than 2^63, but got '9223372036854775808'");
  EXPECT_EQ(messageOf(parseTensorType("1x1x1x1x1x1x1x1x1xf32")),
            "expects a tensor of rank 8 at most, but got rank 9");
  EXPECT_EQ(messageOf(parseTensorType("9223372036854775807xf32")),
            "expects a tensor of less than 2^63 bytes, but got "
            "9223372036854775807xf32");
}
