//===- HostDeviceTest.cpp - programs on the CPU, end to end ---------------===//

#include "TestArtifacts.h"
#include "TestUtils.h"

#include "fuse/runtime/Device.h"
#include "fuse/runtime/DeviceHeader.h"

#include <functional>

using namespace fuse::rt;

namespace {
class HostDeviceTest : public testing::Test {
protected:
  HostDeviceTest() {
    options.compiler.searchPath = std::getenv("PATH");
    options.compiler.temporaryFolder = directory.path(".");
    // Each test is a process; a text is compiled once for all of them.
    options.cache.folder = FUSE_TEST_CACHE;
  }

  std::unique_ptr<Executable>
  load(const std::function<void(Artifact &)> &change = [](Artifact &) {}) {
    Artifact artifact = makeTwoKernelArtifact(fuse::deviceHeader());
    change(artifact);
    Result<std::unique_ptr<Device>> device = openHostDevice(options);
    EXPECT_EQ(messageOf(device), "");
    Result<std::unique_ptr<Executable>> executable =
        (*device)->load(makeProgram(std::move(artifact)));
    EXPECT_EQ(messageOf(executable), "");
    return std::move(*executable);
  }

  static void expectRight(const HostTensor &y,
                          const std::vector<HostTensor> &arguments) {
    for (int64_t i = 0; i < y.numElements(); ++i) {
      float sum = 0;
      for (int64_t c = 0; c < 4; ++c)
        sum += float(arguments[0].get(i / 4 * 4 + c));
      EXPECT_EQ(y.get(i), float(arguments[0].get(i)) * float(i % 4 + 1) / sum);
    }
  }

  TemporaryDirectory directory;
  HostOptions options;
};
} // namespace

/// Replaces `from`, which is there, in the text of an artifact.
static void replaceText(Artifact &artifact, const std::string &from,
                        const std::string &to) {
  std::string &text = artifact.sources[0].text;
  size_t at = text.rfind(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

TEST_F(HostDeviceTest, RunsUnderTheChecker) {
  auto executable = load();
  for (int64_t n : {1, 32, 33, 70}) {
    std::vector<HostTensor> arguments = makeArguments(n);
    Result<RunResult> result = executable->run({n}, arguments);
    ASSERT_EQ(messageOf(result), "");
    EXPECT_EQ(result->findings, std::vector<std::string>());
    expectRight(result->results[0], arguments);
    EXPECT_EQ(result->bytes, uint64_t(n) * 36 + 16);
  }
}

TEST_F(HostDeviceTest, EverySchedule) {
  for (TwinSchedule schedule :
       {TwinSchedule::InOrder, TwinSchedule::Reversed, TwinSchedule::Random,
        TwinSchedule::OneWarpFirst})
    for (AsyncCopies copies : {AsyncCopies::Eager, AsyncCopies::Late}) {
      options.twin.schedule = schedule;
      options.twin.asyncCopies = copies;
      std::vector<HostTensor> arguments = makeArguments(40);
      Result<RunResult> result = load()->run({40}, arguments);
      ASSERT_EQ(messageOf(result), "");
      EXPECT_EQ(result->findings, std::vector<std::string>());
      expectRight(result->results[0], arguments);
    }
}

TEST_F(HostDeviceTest, WithoutChecks) {
  options.twin.checks = false;
  auto executable = load();
  std::vector<HostTensor> arguments = makeArguments(100);
  Result<RunResult> result = executable->run({100}, arguments);
  ASSERT_EQ(messageOf(result), "");
  expectRight(result->results[0], arguments);
}

// What goes wrong in a kernel is found, named and placed.
TEST_F(HostDeviceTest, FindingsNameKernelAndLine) {
  auto executable = load([](Artifact &artifact) {
    replaceText(artifact, "c < 4; ++c)\n    y", "c < 3; ++c)\n    y");
  });
  Result<RunResult> result = executable->run({2}, makeArguments(2));
  ASSERT_EQ(messageOf(result), "");
  ASSERT_FALSE(result->findings.empty());
  EXPECT_EQ(
      result->findings[0].rfind("kernel 'scale_rows': output not written", 0),
      0u)
      << result->findings[0];

  executable = load([](Artifact &artifact) {
    replaceText(artifact, "x[row * 4 + c];\n  sums", "x[row * 4 + 4];\n  sums");
  });
  result = executable->run({2}, makeArguments(2));
  ASSERT_EQ(messageOf(result), "");
  ASSERT_FALSE(result->findings.empty());
  EXPECT_EQ(result->findings[0].rfind("kernel 'row_sums': out of bounds", 0),
            0u)
      << result->findings[0];
  EXPECT_NE(result->findings[0].find("normalize.cu:"), std::string::npos)
      << result->findings[0];
}

TEST_F(HostDeviceTest, CompilesOnce) {
  options.cache.folder = directory.path("cache");
  auto first = load();
  EXPECT_EQ(first->compileStats().compiled, 2);
  EXPECT_EQ(first->compileStats().fromCache, 0);
  EXPECT_GT(first->compileStats().compileSeconds, 0);
  auto second = load();
  EXPECT_EQ(second->compileStats().compiled, 0);
  EXPECT_EQ(second->compileStats().fromCache, 2);
  options.twin.checks = false; // Other code.
  EXPECT_EQ(load()->compileStats().compiled, 2);
}

TEST_F(HostDeviceTest, TextsThatDoNotCompile) {
  Artifact artifact = makeTwoKernelArtifact(fuse::deviceHeader());
  artifact.sources[0].text += "int x = no_such_thing;\n";
  Result<std::unique_ptr<Device>> device = openHostDevice(options);
  ASSERT_EQ(messageOf(device), "");
  Status status = (*device)->load(makeProgram(std::move(artifact))).status();
  EXPECT_EQ(status.code(), StatusCode::InvalidInput);
  EXPECT_NE(status.message().find("no_such_thing"), std::string::npos);
}

TEST_F(HostDeviceTest, LimitsOfTheGpu) {
  Artifact artifact = makeTwoKernelArtifact(fuse::deviceHeader());
  artifact.plans[0].launches[0].sharedBytes = (227 << 10) + 1;
  Result<std::unique_ptr<Device>> device = openHostDevice(options);
  ASSERT_EQ(messageOf(device), "");
  Status status = (*device)->load(makeProgram(std::move(artifact))).status();
  EXPECT_EQ(status.code(), StatusCode::Resource);
  EXPECT_EQ(status.message(),
            "kernel 'row_sums': expects at most 232448 bytes of shared memory "
            "a block on device host, but got 232449");
}

TEST_F(HostDeviceTest, LaunchesOnMemoryOfTheCaller) {
  auto executable = load();
  alignas(256) float x[8] = {1, 1, 1, 1, 2, 2, 2, 2}, w[4] = {4, 4, 4, 8},
                     y[8] = {}, sums[64];
  void *pointers[] = {x, w, y};
  Call call;
  call.pointers = pointers;
  call.numPointers = 3;
  call.workspace = sums;
  call.workspaceBytes = sizeof(sums);
  int64_t n = 2;
  ASSERT_EQ(messageOf(executable->launch(&n, 1, call, nullptr)), "");
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(y[i], i % 4 == 3 ? 2.0f : 1.0f);
  pointers[0] = nullptr;
  EXPECT_EQ(messageOf(executable->launch(&n, 1, call, nullptr)),
            "expects memory for argument 'x', but got a null pointer");
  EXPECT_EQ(messageOf(executable->capture(&n, 1, call, 1)),
            "device host has no graphs to record");
}

TEST_F(HostDeviceTest, TimesAreOfTheTwin) {
  options.twin.checks = false;
  BenchmarkOptions few;
  few.seconds = 0;
  auto times = load()->benchmark({5}, makeArguments(5), few);
  ASSERT_EQ(messageOf(times), "");
  ASSERT_EQ(times->size(), 1u);
  EXPECT_EQ((*times)[0].name, "twin");
  EXPECT_EQ((*times)[0].nanoseconds.size(), 3u);
}
