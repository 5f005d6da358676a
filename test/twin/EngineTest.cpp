//===- EngineTest.cpp - memory, modules and runs of the host twin ---------===//

#include "TwinTestUtils.h"

#include <csignal>
#include <fstream>
#include <thread>

using namespace fuse::rt;
using namespace fuse::rt::test;

/// x -> y by kernel `apply` with function 5, a sum.
static Setting &addSum(Setting &setting, const float *x, const float *y,
                       float *result, int64_t n) {
  setting.launch("apply", (n + 255) / 256, 256, 0, x, y, y, result, n, 5);
  return setting;
}

static std::string errorOf(TwinModule &module, Setting &setting,
                           const TwinOptions &options = TwinOptions()) {
  auto findings = module.run(setting.launches, *setting.memory, options);
  return findings.ok() ? "" : findings.status().message();
}

static TwinOptions unchecked() {
  TwinOptions options;
  options.checks = false;
  return options;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(TwinMemoryTest, BuffersAreAlignedAndApart) {
  Setting setting;
  for (size_t bytes : {0, 1, 255, 256, 257, 5000}) {
    auto buffer = setting.memory->allocate(bytes, BufferUse::Output, "b");
    ASSERT_TRUE(buffer.ok());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(*buffer) % 256, 0u);
    std::memset(*buffer, 1, bytes);
  }
}

TEST(TwinMemoryTest, TooMuchIsAnError) {
  Setting setting;
  auto buffer =
      setting.memory->allocate(size_t(1) << 41, BufferUse::Input, "x");
  ASSERT_FALSE(buffer.ok());
  EXPECT_EQ(buffer.status().code(), StatusCode::Resource);
  EXPECT_EQ(
      buffer.status().message(),
      "expects buffer 'x' to fit into 1 TiB, but got 2199023255552 bytes");
}

TEST(TwinMemoryTest, MarksOfTheHostAddUp) {
  auto module = loadKernels("numerics");
  Setting setting;
  const std::vector<float> zeros(256, 0.0f);
  const float *x = setting.input("x", zeros);
  float *y = setting.buffer<float>(BufferUse::Workspace, "w", 256);
  std::fill_n(y, 256, 1.0f);
  float *result = setting.output<float>("result", 256);
  addSum(setting, x, y, result, 256);
  // Out of order, overlapping and touching, with one hole.
  setting.memory->markInitialised(y + 128, 128 * 4);
  setting.memory->markInitialised(y, 64 * 4);
  setting.memory->markInitialised(y + 32, 60 * 4);
  EXPECT_NE(show(setting.run(*module)).find("byte 368 of buffer 'w'"),
            std::string::npos);
  setting.memory->markInitialised(y + 92, 36 * 4);
  const std::vector<TwinFinding> findings = setting.run(*module);
  ASSERT_EQ(findings.size(), 1u) << show(findings);
  EXPECT_EQ(findings[0].kind, FindingKind::OutputWrittenTwice);
  EXPECT_NE(findings[0].message.find("thread 0 of kernel 'apply'"),
            std::string::npos);
}

TEST(TwinMemoryTest, ReleasedBuffersAreOutOfBounds) {
  auto module = loadKernels("numerics");
  Setting setting;
  const std::vector<float> zeros(256, 0.0f);
  float *x = setting.input("x", zeros), *y = setting.input("y", zeros);
  addSum(setting, x, y, setting.output<float>("result", 256), 256);
  setting.memory->release(y);
  EXPECT_NE(show(setting.run(*module)).find("byte 0 of released buffer 'y'"),
            std::string::npos);
}

TEST(TwinMemoryTest, GiantBuffersRunInPart) {
  auto module = loadKernels("numerics");
  Setting setting;
  const int64_t n = (int64_t(1) << 31) + 1000;
  const auto count = static_cast<size_t>(n);
  auto *x = setting.buffer<float>(BufferUse::Input, "x", count);
  float *result = setting.output<float>("result", count);
  x[n - 1] = 3;
  x[5] = 4;
  addSum(setting, x, x, result, n);
  TwinOptions options;
  options.onlyBlocks = {setting.launches[0].gridBlocks - 1, 0, 0, 1 << 30};
  EXPECT_EQ(show(setting.run(*module, options)), "");
  EXPECT_EQ(result[n - 1], 6);
  EXPECT_EQ(result[5], 8);
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

TEST(TwinModuleTest, WhatIsNoLibraryIsAnError) {
  const std::string path = testing::TempDir() + "/not-a-library.so";
  std::ofstream(path) << "text";
  auto module = TwinModule::load(path);
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.status().code(), StatusCode::InvalidInput);
  EXPECT_EQ(TwinModule::load("libc.so.6").status().message(),
            "libc.so.6 is no library of kernels");
}

TEST(TwinModuleTest, ChecksNeedObservation) {
  auto module = loadKernels("numerics", false);
  EXPECT_FALSE(module->observed());
  Setting setting;
  EXPECT_NE(errorOf(*module, setting)
                .find("checks expect a library compiled with "
                      "-fsanitize=thread, but "),
            std::string::npos);
  EXPECT_EQ(errorOf(*module, setting, unchecked()), "");
}

TEST(TwinModuleTest, LaunchesAreChecked) {
  auto module = loadKernels("numerics");
  EXPECT_TRUE(module->observed());
  auto error = [&](const char *kernel, int64_t blocks, uint32_t threads,
                   size_t sharedBytes) {
    Setting setting;
    setting.launch(kernel, blocks, threads, sharedBytes);
    return errorOf(*module, setting);
  };
  EXPECT_NE(error("absent", 1, 1, 0).find(" has no kernel 'absent'"),
            std::string::npos);
  EXPECT_EQ(error("apply", 0, 1, 0),
            "kernel 'apply' expects 1 .. 2147483647 blocks, but got 0");
  EXPECT_EQ(error("apply", 1, 1025, 0),
            "kernel 'apply' expects 1 .. 1024 threads a block, but got 1025");
  EXPECT_EQ(error("apply", 1, 1, 300000),
            "kernel 'apply' expects at most 232448 bytes of shared memory, but "
            "got 300000");
}

TEST(TwinModuleTest, FindingsAreLimited) {
  auto module = loadKernels("bounds");
  Setting setting;
  const std::vector<float> x(64, 1.0f);
  float *in = setting.input("x", x);
  for (int i = 0; i < 5; ++i) // Outputs that stay incomplete.
    setting.output<float>("y" + std::to_string(i), 3);
  setting.launch("output_incomplete_correct", 1, 64, 0, in,
                 setting.output<float>("y", 64), static_cast<float *>(nullptr),
                 static_cast<uint32_t *>(nullptr), int64_t(64));
  TwinOptions options;
  options.maxFindings = 3;
  EXPECT_EQ(setting.run(*module, options).size(), 3u);
}

//===----------------------------------------------------------------------===//
// Without checks
//===----------------------------------------------------------------------===//

/// Runs a kernel of bounds.cu on 1024 numbers without observation.
static std::string runPlain(const std::string &kernel, size_t sharedBytes = 0) {
  auto module = loadKernels("bounds", false);
  Setting setting;
  std::vector<float> x(1024);
  float *in = setting.input("x", x);
  setting.launch(
      kernel, 1, 1024, sharedBytes, in, setting.output<float>("y", 1024),
      setting.buffer<float>(BufferUse::Workspace, "w", 1024),
      setting.initialised("c", std::vector<uint32_t>{0}), int64_t(1024));
  return show(setting.run(*module, unchecked()));
}

/// " at bounds.cu:12\n", for the line with that mark.
static std::string at(const std::string &mark) {
  return " at bounds.cu:" + std::to_string(*linesOf("bounds", mark).begin()) +
         "\n";
}

TEST(TwinFaultTest, UnmappedPagesEndBuffers) {
  EXPECT_EQ(runPlain("global_beyond_end_faulty"),
            "out of bounds in global_beyond_end_faulty: thread 1023 of block 0 "
            "accesses byte 4096 of buffer 'x'" +
                at("global_beyond_end"));
  EXPECT_EQ(runPlain("shared_beyond_end_faulty", 4096),
            "out of bounds in shared_beyond_end_faulty: thread 1023 of block 0 "
            "accesses byte 4096 of shared memory" +
                at("shared_beyond_end"));
  EXPECT_EQ(runPlain("wild_pointer_faulty"),
            "out of bounds in wild_pointer_faulty: thread 0 of block 0 "
            "accesses an address outside of every buffer" +
                at("wild_pointer"));
}

TEST(TwinFaultTest, FaultsOfTheProcessorAreFindings) {
  EXPECT_NE(runPlain("too_deep_faulty").find("stack overflow"),
            std::string::npos);
  EXPECT_NE(
      runPlain("division_by_zero_faulty").find("divides integers by zero"),
      std::string::npos);
  EXPECT_EQ(runPlain("division_by_zero_correct"), "");
}

TEST(TwinFaultTest, BytesNextToBuffersAreWatched) {
  auto module = loadKernels("bounds", false);
  Setting setting;
  const std::vector<float> x(65, 1.0f);
  float *in = setting.input("x", x);
  // 63 numbers, so that the next one is in the alignment's slack.
  setting.launch("output_incomplete_correct", 1, 64, 0, in,
                 setting.output<float>("y", 63), static_cast<float *>(nullptr),
                 static_cast<uint32_t *>(nullptr), int64_t(64));
  EXPECT_EQ(show(setting.run(*module, unchecked())),
            "out of bounds in output_incomplete_correct: bytes next to buffer "
            "'y' of 252 bytes were overwritten\n");
}

TEST(TwinFaultTest, HandlersAreRestored) {
  struct sigaction before, after;
  sigaction(SIGSEGV, nullptr, &before);
  runPlain("wild_pointer_faulty");
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(before.sa_sigaction, after.sa_sigaction);
  stack_t stack;
  sigaltstack(nullptr, &stack);
  runPlain("wild_pointer_faulty");
  stack_t later;
  sigaltstack(nullptr, &later);
  EXPECT_EQ(stack.ss_sp, later.ss_sp);
}

TEST(TwinFaultTest, RunsSideBySideKeepTheirFaults) {
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  threads.reserve(found.size());
  for (size_t i = 0; i < found.size(); ++i)
    threads.emplace_back([&, i] {
      found[i] =
          runPlain(i % 2 ? "wild_pointer_faulty" : "global_beyond_end_faulty");
    });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NE(found[i].find(i % 2 ? "outside of every buffer"
                                  : "byte 4096 of buffer 'x'"),
              std::string::npos)
        << found[i];
}

TEST(TwinOptionsTest, CompileOptionsObserveOnlyForChecks) {
  auto has = [](bool checks, const std::string &option) {
    const std::vector<std::string> options = twinCompileOptions(checks);
    return std::set<std::string>(options.begin(), options.end()).count(option);
  };
  EXPECT_TRUE(has(true, "-fsanitize=thread"));
  EXPECT_FALSE(has(false, "-fsanitize=thread"));
  EXPECT_TRUE(has(false, "-ffp-contract=off"));
}
