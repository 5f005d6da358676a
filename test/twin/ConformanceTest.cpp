//===- ConformanceTest.cpp - the kernels that GPUs are judged by ----------===//
//
// They must be free of findings, and give the same words however threads are
// scheduled, or a GPU could rightly give others.

#include "Conformance.h"
#include "TwinTestUtils.h"

using namespace fuse::test;
using namespace fuse::rt::test;

namespace {
class ConformanceTest : public testing::TestWithParam<ConformanceCase> {};
} // namespace

TEST_P(ConformanceTest, GivesTheSameUnderEverySchedule) {
  auto module = loadKernels("conformance");
  ASSERT_TRUE(module);
  std::vector<uint32_t> expected;
  for (const fuse::rt::TwinOptions &options : allSchedules()) {
    std::vector<fuse::rt::TwinFinding> findings;
    const auto words = runCase(*module, GetParam(), options, findings);
    ASSERT_EQ(show(findings), "") << show(options);
    ASSERT_EQ(words.size(), GetParam().words);
    if (expected.empty())
      expected = words;
    EXPECT_EQ(words, expected) << show(options);
  }
}

/// A hash of zeros would agree with anything that does nothing.
TEST_P(ConformanceTest, SaysSomething) {
  auto module = loadKernels("conformance");
  ASSERT_TRUE(module);
  std::vector<fuse::rt::TwinFinding> findings;
  const auto words = runCase(*module, GetParam(), {}, findings);
  const bool isApproximate =
      std::string(GetParam().kernel).find("within") != std::string::npos;
  EXPECT_EQ(std::set(words.begin(), words.end()).size() == 1, isApproximate);
}

INSTANTIATE_TEST_SUITE_P(Twin, ConformanceTest,
                         testing::ValuesIn(conformanceCases()),
                         [](const auto &info) {
                           return std::string(info.param.kernel);
                         });
