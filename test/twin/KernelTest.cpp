//===- KernelTest.cpp - three real kernels, right and without findings ----===//

#include "TwinTestUtils.h"

#include <cmath>
#include <cstdint>
#include <numeric>

using namespace fuse::rt;
using namespace fuse::rt::test;

/// Numbers in -1 .. 1 with a few bits, so that some sums are exact.
static std::vector<float> numbers(size_t count, uint32_t seed) {
  std::vector<float> result(count);
  for (float &value : result) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<int32_t>(seed) >> 20) / 2048;
  }
  return result;
}

static void runPlain(Setting &setting) {
  auto plain = loadKernels("kernels", false);
  ASSERT_TRUE(plain);
  TwinOptions options;
  options.checks = false;
  options.workers = 3;
  EXPECT_EQ(show(setting.run(*plain, options)), "");
}

namespace {
struct Shape {
  int64_t m, n, k;
};
} // namespace

//===----------------------------------------------------------------------===//
// Norm of rows
//===----------------------------------------------------------------------===//

namespace {
class RowNormTest : public testing::TestWithParam<Shape> {
protected:
  /// Adds a launch with fresh outputs.
  const float *prepare(Setting &setting) {
    const float *in = setting.input("x", x);
    const float *scale = setting.input("gamma", gamma);
    const float *shift = setting.input("beta", beta);
    float *out = setting.output<float>("y", x.size());
    setting.launch("row_norm", rows, 256, 32, in, scale, shift, out, columns,
                   eps);
    return out;
  }

  void check(const float *y) const {
    for (int64_t row = 0; row < rows; ++row) {
      const float *values = x.data() + row * columns;
      double mean = 0, variance = 0;
      for (int64_t c = 0; c < columns; ++c)
        mean += values[c] / double(columns);
      for (int64_t c = 0; c < columns; ++c)
        variance += (values[c] - mean) * (values[c] - mean) / double(columns);
      for (int64_t c = 0; c < columns; ++c) {
        const auto i = static_cast<size_t>(c);
        const double expected = (values[c] - mean) /
                                    std::sqrt(variance + double(eps)) *
                                    double(gamma[i]) +
                                double(beta[i]);
        ASSERT_NEAR(y[row * columns + c], expected, 2e-6) << row << ", " << c;
      }
    }
  }

  const int64_t rows = GetParam().m, columns = GetParam().n;
  const float eps = 1e-5f;
  const std::vector<float> x = numbers(static_cast<size_t>(rows * columns), 1);
  const std::vector<float> gamma = numbers(static_cast<size_t>(columns), 2);
  const std::vector<float> beta = numbers(static_cast<size_t>(columns), 3);
};
} // namespace

TEST_P(RowNormTest, AgreesWithDouble) {
  auto observed = loadKernels("kernels");
  ASSERT_TRUE(observed);
  for (const TwinOptions &options : allSchedules()) {
    SCOPED_TRACE(show(options));
    Setting setting;
    const float *y = prepare(setting);
    EXPECT_EQ(show(setting.run(*observed, options)), "");
    check(y);
  }
  Setting setting;
  const float *y = prepare(setting);
  runPlain(setting);
  check(y);
}

INSTANTIATE_TEST_SUITE_P(Shapes, RowNormTest,
                         testing::Values(Shape{1, 1, 0}, Shape{3, 7, 0},
                                         Shape{2, 255, 0}, Shape{2, 256, 0},
                                         Shape{5, 257, 0}, Shape{1, 1500, 0}),
                         [](const auto &instance) {
                           return std::to_string(instance.param.m) + "x" +
                                  std::to_string(instance.param.n);
                         });

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

namespace {
class ContractionTest : public testing::TestWithParam<Shape> {
protected:
  const float *prepare(Setting &setting, const char *kernel) {
    const auto [m, n, k] = GetParam();
    const float *left = setting.input("a", a);
    const float *right = setting.input("b", b);
    float *out = setting.output<float>("c", static_cast<size_t>(m * n));
    setting.launch(kernel, (m + 63) / 64 * ((n + 63) / 64), 256,
                   8 * (64 * 20 + 16 * 64), left, right, out, m, n, k);
    return out;
  }

  /// Each result is one chain of fused multiply-adds, so bits are known.
  void check(const float *c) const {
    const auto [m, n, k] = GetParam();
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum = std::fma(a[static_cast<size_t>(i * k + l)],
                         b[static_cast<size_t>(l * n + j)], sum);
        ASSERT_EQ(c[i * n + j], sum) << i << ", " << j;
      }
  }

  const std::vector<float> a =
      numbers(static_cast<size_t>(GetParam().m * GetParam().k), 4);
  const std::vector<float> b =
      numbers(static_cast<size_t>(GetParam().k * GetParam().n), 5);
};
} // namespace

TEST_P(ContractionTest, IsExact) {
  const auto [m, n, k] = GetParam();
  const bool vector = n % 4 == 0 && k % 4 == 0;
  const char *kernel = vector ? "contract_vector" : "contract_scalar";
  auto observed = loadKernels("kernels");
  ASSERT_TRUE(observed);
  for (const TwinOptions &options : allSchedules()) {
    SCOPED_TRACE(show(options));
    Setting setting;
    const float *c = prepare(setting, kernel);
    EXPECT_EQ(show(setting.run(*observed, options)), "");
    check(c);
  }
  Setting setting;
  const float *c = prepare(setting, kernel);
  runPlain(setting);
  check(c);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ContractionTest,
                         testing::Values(Shape{1, 1, 1}, Shape{64, 64, 16},
                                         Shape{65, 63, 17}, Shape{3, 130, 33},
                                         Shape{70, 68, 52}, Shape{5, 8, 100}),
                         [](const auto &instance) {
                           return std::to_string(instance.param.m) + "x" +
                                  std::to_string(instance.param.n) + "x" +
                                  std::to_string(instance.param.k);
                         });

//===----------------------------------------------------------------------===//
// Split sum
//===----------------------------------------------------------------------===//

namespace {
class SplitSumTest : public testing::TestWithParam<int64_t> {};
} // namespace

TEST_P(SplitSumTest, IsExact) {
  const int64_t n = GetParam(), share = 300;
  const int64_t parts = (n + share - 1) / share;
  const std::vector<float> x = numbers(static_cast<size_t>(n), 6);
  // The numbers are multiples of 2^-11, and all sums are exact.
  const float expected = std::accumulate(x.begin(), x.end(), 0.0f);
  auto observed = loadKernels("kernels");
  auto plain = loadKernels("kernels", false);
  ASSERT_TRUE(observed && plain);
  std::vector<TwinOptions> runs = allSchedules();
  runs.emplace_back().checks = false;
  runs.back().workers = 2;
  for (const TwinOptions &options : runs) {
    SCOPED_TRACE(show(options));
    Setting setting;
    const float *in = setting.input("x", x);
    float *partial = setting.buffer<float>(BufferUse::Workspace, "partial",
                                           static_cast<size_t>(parts));
    float *out = setting.output<float>("y", 1);
    setting.launch("sum_parts", parts, 128, 16, in, partial, n, share);
    setting
        .launch("sum_finish", 1, 128, 16, static_cast<const float *>(in),
                static_cast<const float *>(partial), out, parts)
        .overlapsPredecessor = true;
    EXPECT_EQ(show(setting.run(options.checks ? *observed : *plain, options)),
              "");
    EXPECT_EQ(*out, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, SplitSumTest,
                         testing::Values(1, 127, 300, 301, 5000));
