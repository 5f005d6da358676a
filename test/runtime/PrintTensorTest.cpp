//===- PrintTensorTest.cpp - tensors as text ------------------------------===//

#include "TestUtils.h"

#include "fuse/runtime/InputSpec.h"
#include "fuse/runtime/PrintTensor.h"

#include "rapidcheck/gtest.h"

#include <numeric>

using namespace fuse::rt;

static std::string print(const HostTensor &tensor, bool full = false) {
  PrintOptions options;
  options.full = full;
  return *printTensor("x", tensor, options);
}

/// 0, 1, 2, ... in this shape.
static HostTensor count(std::vector<int64_t> shape, DType dtype = DType::I32) {
  HostTensor tensor = std::move(*HostTensor::create({dtype, std::move(shape)}));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.set(i, double(i));
  return tensor;
}

static size_t occurrences(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(PrintTensor, NestsByRank) {
  EXPECT_EQ(print(makeTensor(DType::F32, {}, {1.5})), "x: f32 = 1.5");
  EXPECT_EQ(print(makeTensor(DType::F32, {2}, {1.5, -2})),
            "x: 2xf32 = [1.5, -2]");
  EXPECT_EQ(print(count({2, 3})), "x: 2x3xi32 = [[0, 1, 2], [3, 4, 5]]");
  EXPECT_EQ(print(count({2, 1, 2})), "x: 2x1x2xi32 = [[[0, 1]], [[2, 3]]]");
}

TEST(PrintTensor, EveryElementType) {
  EXPECT_EQ(print(makeTensor(DType::F16, {2}, {0.1, 65504})),
            "x: 2xf16 = [0.1, 65500]");
  EXPECT_EQ(print(makeTensor(DType::BF16, {2}, {0.1, NAN})),
            "x: 2xbf16 = [0.1, nan]");
  EXPECT_EQ(print(makeTensor(DType::F64, {3}, {0.1, INFINITY, -INFINITY})),
            "x: 3xf64 = [0.1, inf, -inf]");
  EXPECT_EQ(print(makeTensor(DType::Bool, {2}, {1, 0})),
            "x: 2xi1 = [true, false]");
}

TEST(PrintTensor, NamesMayBeAnyTextOrNone) {
  HostTensor tensor = makeTensor(DType::F32, {}, {1});
  EXPECT_EQ(*printTensor("q_proj.weight", tensor), "q_proj.weight: f32 = 1");
  EXPECT_EQ(*printTensor("", tensor), "f32 = 1");
}

TEST(PrintTensor, WithoutElements) {
  EXPECT_EQ(print(count({0})), "x: 0xi32 = []");
  EXPECT_EQ(print(count({2, 0})), "x: 2x0xi32 = [[], []]");
  EXPECT_EQ(print(count({2, 0, 3})), "x: 2x0x3xi32 = [[], []]");
  EXPECT_EQ(print(count({0, int64_t{1} << 40})), "x: 0x1099511627776xi32 = []");
  // Nothing worth printing in full, and far too much of it.
  for (bool full : {false, true})
    EXPECT_EQ(print(count({int64_t{1} << 40, 0}), full),
              "x: 1099511627776x0xi32 = [[], [], [], ..., [], [], []]");
}

TEST(PrintTensor, ElidesPast64Elements) {
  EXPECT_EQ(print(count({64})).find("..."), std::string::npos);
  EXPECT_EQ(print(count({65})), "x: 65xi32 = [0, 1, 2, ..., 62, 63, 64]");
  EXPECT_EQ(occurrences(print(count({8, 8})), ", "), 63u);
  EXPECT_EQ(print(count({3, 22})),
            "x: 3x22xi32 = [[0, 1, 2, ..., 19, 20, 21], "
            "[22, 23, 24, ..., 41, 42, 43], [44, 45, 46, ..., 63, 64, 65]]");
  EXPECT_EQ(print(count({11, 6})),
            "x: 11x6xi32 = [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11], "
            "[12, 13, 14, 15, 16, 17], ..., [48, 49, 50, 51, 52, 53], "
            "[54, 55, 56, 57, 58, 59], [60, 61, 62, 63, 64, 65]]");
}

TEST(PrintTensor, EdgesShrinkWithTheRank) {
  auto values = [](const std::string &text) {
    return occurrences(text.substr(text.find('=')), "7");
  };
  auto sevens = [](std::vector<int64_t> shape) {
    HostTensor tensor =
        std::move(*HostTensor::create({DType::I32, std::move(shape)}));
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      tensor.set(i, 7);
    return tensor;
  };
  EXPECT_EQ(values(print(sevens({9}))), 9u);
  EXPECT_EQ(values(print(sevens({99}))), 6u);
  EXPECT_EQ(values(print(sevens({9, 9}))), 36u);
  EXPECT_EQ(values(print(sevens({9, 9, 9}))), 64u);
  EXPECT_EQ(values(print(sevens({9, 9, 9, 9}))), 16u);
  EXPECT_EQ(values(print(sevens({1, 1, 9, 9, 1}))), 36u);
  EXPECT_EQ(values(print(sevens({3, 3, 3, 3, 3, 3, 3, 3}))), 256u);
  EXPECT_EQ(values(print(sevens({3, 3, 3, 3, 3}), true)), 243u);
}

RC_GTEST_PROP(PrintTensor, AFullPrintIsAnInput, ()) {
  HostTensor tensor = drawTensor();
  std::string text = print(tensor, true);
  Result<InputSpec> spec = parseInputSpec(text);
  RC_ASSERT(messageOf(spec) == "");
  RC_ASSERT(spec->name == "x");
  Result<HostTensor> back = materialize(*spec, std::nullopt);
  RC_ASSERT(messageOf(back) == "");
  RC_ASSERT(sameValues(*back, tensor) || text.find("nan") != text.npos);
  RC_ASSERT(print(*back, true) == text);
}
