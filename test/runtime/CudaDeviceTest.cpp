//===- CudaDeviceTest.cpp - device cuda on a driver without a GPU ---------===//

#include "FakeCudaDriver.h"
#include "TestArtifacts.h"
#include "TestUtils.h"

#include "fuse/runtime/Device.h"

#include <algorithm>
#include <functional>

using namespace fuse::rt;

namespace {
class CudaDeviceTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(fake.open());
    fake->kernels["row_sums"].body = rowSums;
    fake->kernels["scale_rows"].body = scaleRows;
    fake->kernels["empty_kernel"] = {0, nullptr};
    options.driver = FUSE_FAKE_CUDA;
    options.nvrtc.library = FUSE_FAKE_NVRTC;
  }

  void TearDown() override {
    EXPECT_EQ(fake->allocated, 0u);
    EXPECT_EQ(fake->objects, 0);
  }

  template <class T>
  static T parameter(void **parameters, size_t index) {
    return *static_cast<T *>(parameters[index]);
  }

  /// What the kernels of the test program do.
  static void rowSums(const FakeCudaState::Launch &, void **parameters) {
    auto *x = parameter<const float *>(parameters, 0);
    auto *sums = parameter<float *>(parameters, 1);
    for (int64_t n = 0; n < parameter<int64_t>(parameters, 2); ++n)
      sums[n] = x[4 * n] + x[4 * n + 1] + x[4 * n + 2] + x[4 * n + 3];
  }
  static void scaleRows(const FakeCudaState::Launch &, void **parameters) {
    auto *x = parameter<const float *>(parameters, 0);
    auto *w = parameter<const float *>(parameters, 1);
    auto *sums = parameter<const float *>(parameters, 2);
    auto *y = parameter<float *>(parameters, 3);
    for (int64_t i = 0; i < 4 * parameter<int64_t>(parameters, 4); ++i)
      y[i] = x[i] * w[i % 4] / sums[i / 4];
  }

  std::unique_ptr<Device> open() {
    Result<std::unique_ptr<Device>> device = openCudaDevice(options);
    EXPECT_EQ(messageOf(device), "");
    return device.ok() ? std::move(*device) : nullptr;
  }

  Result<std::unique_ptr<Executable>>
  tryLoad(const std::function<void(Artifact &)> &change = [](Artifact &) {}) {
    Artifact artifact = makeTwoKernelArtifact();
    change(artifact);
    return open()->load(makeProgram(std::move(artifact)));
  }

  std::unique_ptr<Executable>
  load(const std::function<void(Artifact &)> &change = [](Artifact &) {}) {
    Result<std::unique_ptr<Executable>> executable = tryLoad(change);
    EXPECT_EQ(messageOf(executable), "");
    return std::move(*executable);
  }

  static void runWith(const Executable &executable, int64_t n) {
    EXPECT_EQ(messageOf(executable.run({n}, makeArguments(n))), "");
  }

  size_t countCalls(const std::string &name) {
    return size_t(std::count(fake->calls.begin(), fake->calls.end(), name));
  }

  FakeCudaDriver fake;
  CudaOptions options;
};
} // namespace

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

TEST_F(CudaDeviceTest, Describes) {
  std::unique_ptr<Device> device = open();
  EXPECT_EQ(device->name(), "cuda");
  EXPECT_EQ(device->describe(), "a fake GPU (sm_90a), driver for CUDA 13.0");
}

TEST_F(CudaDeviceTest, MissingDriver) {
  options.driver = "/nowhere/libcuda.so.1";
  Status status = openCudaDevice(options).status();
  EXPECT_EQ(status.code(), StatusCode::NoDevice);
  EXPECT_EQ(status.message(),
            "device cuda expects an NVIDIA driver: /nowhere/libcuda.so.1: "
            "cannot open shared object file: No such file or directory");
}

// Another library under the driver's name.
TEST_F(CudaDeviceTest, LibraryThatIsNoDriver) {
  options.driver = FUSE_FAKE_NVRTC;
  Status status = openCudaDevice(options).status();
  EXPECT_EQ(status.code(), StatusCode::NoDevice);
  EXPECT_EQ(status.message(), "device cuda expects an NVIDIA driver: " +
                                  std::string(FUSE_FAKE_NVRTC) +
                                  " has no function cuInit, it is too old");
}

TEST_F(CudaDeviceTest, MissingGpu) {
  fake->devices = 0;
  Status status = openCudaDevice(options).status();
  EXPECT_EQ(status.code(), StatusCode::NoDevice);
  EXPECT_EQ(status.message(),
            "device cuda expects a GPU, but the driver has none");
  fake->devices = 2;
  options.ordinal = 2;
  EXPECT_EQ(messageOf(openCudaDevice(options)),
            "device cuda expects a GPU with number 2, but there are 2");
}

TEST_F(CudaDeviceTest, DriverThatDoesNotStart) {
  fake->failing = "cuInit";
  Status status = openCudaDevice(options).status();
  EXPECT_EQ(status.code(), StatusCode::NoDevice);
  EXPECT_EQ(status.message(), "device cuda expects an NVIDIA driver: it does "
                              "not start: CUDA_ERROR_FAKE: planted");
}

TEST_F(CudaDeviceTest, MissingNvrtc) {
  options.nvrtc.library = "/nowhere/libnvrtc.so";
  Status status = tryLoad().status();
  EXPECT_EQ(status.code(), StatusCode::NoDevice);
  EXPECT_EQ(status.message(),
            "device cuda expects NVRTC, the run-time compiler of CUDA, but "
            "cannot load it (/nowhere/libnvrtc.so: cannot open shared object "
            "file: No such file or directory); 'tools/dev cuda' installs it, "
            "FUSE_NVRTC and CUDA_HOME say where it is");
}

// Machine code in the artifact needs no compiler.
TEST_F(CudaDeviceTest, PrebuiltKernels) {
  options.nvrtc.library = "/nowhere/libnvrtc.so";
  auto executable = load([](Artifact &artifact) {
    artifact.cubins = {{0, "sm_80", "of another GPU"},
                       {0, "sm_90a", "fake cubin"}};
  });
  EXPECT_EQ(executable->compileStats().prebuilt, 2);
  EXPECT_EQ(executable->compileStats().compiled, 0);
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

TEST_F(CudaDeviceTest, CompilesOnceForAllSizes) {
  TemporaryDirectory directory;
  options.cache.folder = directory.path("cache");
  auto first = load();
  EXPECT_EQ(first->compileStats().compiled, 2);
  EXPECT_EQ(first->compileStats().fromCache, 0);
  for (int64_t n : {1, 2, 33, 4096})
    EXPECT_EQ(messageOf(first->run({n}, makeArguments(n))), "") << n;
  EXPECT_EQ(countCalls("cuModuleLoadData"), 1u);
  auto second = load();
  EXPECT_EQ(second->compileStats().compiled, 0);
  EXPECT_EQ(second->compileStats().fromCache, 2);
  fake->minor = 3; // Another architecture is another entry.
  auto third = load();
  EXPECT_EQ(third->compileStats().compiled, 2);
}

TEST_F(CudaDeviceTest, TextsThatDoNotCompile) {
  Status status =
      tryLoad([](Artifact &artifact) {
        artifact.sources[0].text +=
            "#error\n//log: normalize.cu(3): error: no such thing\n";
      }).status();
  EXPECT_EQ(status.code(), StatusCode::InvalidInput);
  EXPECT_EQ(status.message(),
            "normalize.cu: NVRTC fails (NVRTC_ERROR_COMPILATION):\n"
            "  normalize.cu(3): error: no such thing");
}

// An assembler that gives up on overlap or on a directive only says so.
TEST_F(CudaDeviceTest, AssemblerThatTakesLiberties) {
  for (const char *word : {"serialized", "ignored"}) {
    std::string line = std::string("ptxas info : wgmma is ") + word;
    Status status = tryLoad([&](Artifact &artifact) {
                      artifact.sources[0].text += "//log: " + line + "\n";
                    }).status();
    EXPECT_EQ(status.code(), StatusCode::InvalidInput);
    EXPECT_EQ(status.message(), "normalize.cu: expects an assembler that takes "
                                "the text as it is, but it says:\n  " +
                                    line);
  }
}

TEST_F(CudaDeviceTest, KernelsBeyondTheGpu) {
  Status threads = tryLoad([](Artifact &artifact) {
                     artifact.plans[0].launches[0].sharedBytes = 232449;
                   }).status();
  EXPECT_EQ(threads.code(), StatusCode::Resource);
  EXPECT_EQ(threads.message(),
            "kernel 'row_sums': expects at most 232448 bytes of shared memory "
            "a block on a fake GPU, but got 232449");
  fake->functionThreads = 31;
  Status registers = tryLoad().status();
  EXPECT_EQ(registers.code(), StatusCode::Resource);
  EXPECT_EQ(registers.message(),
            "kernel 'row_sums': expects at most 31 threads a block with its 40 "
            "registers a thread, but got 32");
}

TEST_F(CudaDeviceTest, SharedMemoryIsAskedFor) {
  load();
  EXPECT_FALSE(fake->called("cuFuncSetAttribute"));
  load([](Artifact &artifact) {
    artifact.plans[0].launches[0].sharedBytes = 100000;
  });
  EXPECT_EQ(fake->functionShared, 100000);
}

TEST_F(CudaDeviceTest, KernelThatIsNotThere) {
  Status status = tryLoad([](Artifact &artifact) {
                    artifact.kernels[1].name = "scale_columns";
                  }).status();
  EXPECT_EQ(status.code(), StatusCode::Runtime);
  EXPECT_EQ(status.message(), "cannot find kernel 'scale_columns' in "
                              "normalize.cu: CUDA_ERROR_FAKE: planted");
}

// Whatever fails, the message says what, and nothing is left behind.
TEST_F(CudaDeviceTest, EveryFailureIsReported) {
  TemporaryDirectory directory;
  auto tryAll = [&]() -> Status {
    Result<std::unique_ptr<Device>> device = openCudaDevice(options);
    if (!device.ok())
      return device.status();
    auto executable = (*device)->load(makeProgram(makeTwoKernelArtifact()));
    if (!executable.ok())
      return executable.status();
    std::vector<HostTensor> arguments = makeArguments(40);
    if (auto result = (*executable)->run({40}, arguments); !result.ok())
      return result.status();
    BenchmarkOptions few;
    few.replays = few.mostReplays = 2;
    return (*executable)->benchmark({40}, arguments, few).status();
  };
  options.debugSync = true;
  ASSERT_EQ(messageOf(tryAll()), "");
  std::vector<std::string> functions = fake->calls;
  std::sort(functions.begin(), functions.end());
  functions.erase(std::unique(functions.begin(), functions.end()),
                  functions.end());
  EXPECT_GT(functions.size(), 25u);
  for (const std::string &function : functions)
    for (int after = 0; after < 3; ++after) {
      // Asked to know whether to wait, and that a failure shows itself.
      if (function == "cuStreamIsCapturing")
        continue;
      fake->calls.clear();
      fake->failing = function;
      fake->failAfter = after;
      Status status = tryAll();
      bool happened = countCalls(function) > size_t(after);
      EXPECT_EQ(status.ok(), !happened) << function << ' ' << after;
      if (happened) {
        EXPECT_NE(status.message().find("CUDA_ERROR_FAKE: planted"),
                  std::string::npos)
            << function << ": " << status.message();
      }
      EXPECT_EQ(fake->allocated, 0u) << function;
      EXPECT_EQ(fake->objects, 0) << function;
    }
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

TEST_F(CudaDeviceTest, Runs) {
  auto executable = load();
  std::vector<HostTensor> arguments = makeArguments(40);
  Result<RunResult> result = executable->run({40}, arguments);
  ASSERT_EQ(messageOf(result), "");
  ASSERT_EQ(result->results.size(), 1u);
  const HostTensor &y = result->results[0];
  EXPECT_EQ(formatTensorType(y.type()), "40x4xf32");
  for (int64_t i = 0; i < 160; ++i) {
    float sum = 0;
    for (int64_t c = 0; c < 4; ++c)
      sum += float(arguments[0].get(i / 4 * 4 + c));
    EXPECT_EQ(y.get(i), float(arguments[0].get(i)) * float(i % 4 + 1) / sum);
  }
  EXPECT_EQ(result->bytes, 40u * 16 * 2 + 16 + 160);
  EXPECT_NEAR(result->seconds, 2e-6, 1e-12);
  ASSERT_EQ(fake->launches.size(), 2u);
  EXPECT_EQ(fake->launches[0].kernel, "row_sums");
  EXPECT_EQ(fake->launches[0].grid, 2u);
  EXPECT_EQ(fake->launches[0].block, 32u);
  EXPECT_EQ(fake->launches[1].kernel, "scale_rows");
}

TEST_F(CudaDeviceTest, WrongArguments) {
  auto executable = load();
  EXPECT_EQ(messageOf(executable->run({41}, makeArguments(40))),
            "expects argument 'x' to be 41x4xf32, but got 40x4xf32");
  EXPECT_EQ(messageOf(executable->run({40}, {})),
            "expects 2 arguments, but got 0");
  EXPECT_EQ(messageOf(executable->run({5000}, makeArguments(5000))),
            "no plan of 'normalize' serves N = 5000; plan 'small' expects N at "
            "most 4096");
}

TEST_F(CudaDeviceTest, OutOfMemory) {
  auto executable = load();
  fake->memory = 1000;
  Status status = executable->run({40}, makeArguments(40)).status();
  EXPECT_EQ(status.code(), StatusCode::Resource);
  EXPECT_EQ(status.message(),
            "expects 640 bytes for result 'y' on a fake GPU, but only 344 of "
            "1000 are free");
}

// Only if the GPU holds both grids at once: 264 blocks of each.
TEST_F(CudaDeviceTest, OverlapWhereBothFit) {
  auto executable = load();
  runWith(*executable, 4096);
  EXPECT_FALSE(fake->launches[0].overlap);
  EXPECT_TRUE(fake->launches[1].overlap) << "128 + 128 blocks";
  fake->launches.clear();
  fake->residentBlocks = 1;
  executable = load();
  runWith(*executable, 4096);
  EXPECT_FALSE(fake->launches[1].overlap) << "of 132";
  fake->launches.clear();
  runWith(*executable, 2112);
  EXPECT_TRUE(fake->launches[1].overlap) << "66 + 66 blocks";
}

// What needs nothing of the launch in front comes early whatever the sizes; but
// not where that was left out.
TEST_F(CudaDeviceTest, OverlapOfIndependentLaunches) {
  auto independent = [](Artifact &artifact) {
    artifact.plans[0].launches[1].independent = true;
  };
  fake->residentBlocks = 1;
  auto executable = load(independent);
  runWith(*executable, 4096);
  EXPECT_TRUE(fake->launches[1].overlap) << "of 132";
  fake->launches.clear();
  executable = load([&](Artifact &artifact) {
    independent(artifact);
    artifact.plans[0].launches[0].grid = 0;
  });
  runWith(*executable, 40);
  ASSERT_EQ(fake->launches.size(), 1u);
  EXPECT_FALSE(fake->launches[0].overlap);
}

// A launch of no blocks is none, and what follows has nothing to overlap.
TEST_F(CudaDeviceTest, EmptyGrids) {
  auto executable =
      load([](Artifact &artifact) { artifact.plans[0].launches[0].grid = 0; });
  runWith(*executable, 40);
  ASSERT_EQ(fake->launches.size(), 1u);
  EXPECT_EQ(fake->launches[0].kernel, "scale_rows");
  EXPECT_FALSE(fake->launches[0].overlap);
}

// What is not written is NaN.
TEST_F(CudaDeviceTest, ResultsArePoisoned) {
  fake->kernels["scale_rows"].body = nullptr;
  auto executable = load();
  Result<RunResult> result = executable->run({2}, makeArguments(2));
  ASSERT_EQ(messageOf(result), "");
  for (int64_t i = 0; i < 8; ++i)
    EXPECT_TRUE(std::isnan(result->results[0].get(i)));
}

TEST_F(CudaDeviceTest, FailuresOfKernels) {
  auto executable = load();
  fake->failing = "cuLaunchKernelEx";
  fake->failAfter = 1;
  Status status = executable->run({2}, makeArguments(2)).status();
  EXPECT_EQ(status.code(), StatusCode::Runtime);
  EXPECT_EQ(status.message(), "cannot launch kernel 'scale_rows': "
                              "CUDA_ERROR_FAKE: planted");
  fake->failing = "cuStreamSynchronize";
  fake->failAfter = 0;
  EXPECT_EQ(messageOf(executable->run({2}, makeArguments(2))),
            "cannot run 'normalize' (--debug-sync names the kernel): "
            "CUDA_ERROR_FAKE: planted");
  options.debugSync = true;
  fake->failing.clear();
  executable = load();
  fake->failing = "cuStreamSynchronize";
  fake->failAfter = 1;
  EXPECT_EQ(messageOf(executable->run({2}, makeArguments(2))),
            "kernel 'scale_rows' failed: CUDA_ERROR_FAKE: planted");
}

//===----------------------------------------------------------------------===//
// Launches, graphs, times
//===----------------------------------------------------------------------===//

namespace {
/// Memory of the host, which is good for the fake GPU.
struct Buffers {
  alignas(256) float x[160], w[4], y[160], sums[64];
  void *pointers[3] = {x, w, y};

  Call call() {
    Call call;
    call.pointers = pointers;
    call.numPointers = 3;
    call.workspace = sums;
    call.workspaceBytes = sizeof(sums);
    return call;
  }
};
} // namespace

TEST_F(CudaDeviceTest, LaunchesInAStream) {
  auto executable = load();
  Buffers buffers;
  std::fill(std::begin(buffers.x), std::end(buffers.x), 2.0f);
  std::fill(std::begin(buffers.w), std::end(buffers.w), 4.0f);
  int64_t n = 40;
  EXPECT_EQ(messageOf(executable->launch(&n, 1, buffers.call(), nullptr)), "");
  for (float y : buffers.y)
    EXPECT_EQ(y, 1.0f);
  Call small = buffers.call();
  small.workspaceBytes = 159;
  Status status = executable->launch(&n, 1, small, nullptr);
  EXPECT_EQ(status.code(), StatusCode::InvalidInput);
  EXPECT_EQ(status.message(), "expects a workspace of at least 160 bytes for N "
                              "= 40, but got 159");
}

TEST_F(CudaDeviceTest, Graphs) {
  auto executable = load();
  Buffers buffers;
  std::fill(std::begin(buffers.x), std::end(buffers.x), 2.0f);
  std::fill(std::begin(buffers.w), std::end(buffers.w), 4.0f);
  int64_t n = 40;
  auto graph = executable->capture(&n, 1, buffers.call(), 3);
  ASSERT_EQ(messageOf(graph), "");
  EXPECT_EQ(fake->launches.size(), 0u);
  EXPECT_EQ(messageOf((*graph)->launch(nullptr)), "");
  EXPECT_EQ(fake->launches.size(), 6u);
  EXPECT_EQ(buffers.y[159], 1.0f);
  // The first launch of a call waits for the call before.
  EXPECT_FALSE(fake->launches[2].overlap);
  EXPECT_TRUE(fake->launches[3].overlap);
}

TEST_F(CudaDeviceTest, BenchmarksReplays) {
  auto executable = load();
  BenchmarkOptions few;
  few.replays = 20;
  few.mostReplays = 30;
  auto times = executable->benchmark({40}, makeArguments(40), few);
  ASSERT_EQ(messageOf(times), "");
  ASSERT_EQ(times->size(), 4u);
  EXPECT_EQ((*times)[0].name, "latency");
  EXPECT_EQ((*times)[0].calls, 1);
  EXPECT_EQ((*times)[1].name, "throughput");
  EXPECT_EQ((*times)[1].calls, 20);
  // Then each kernel of the call by itself.
  EXPECT_EQ((*times)[2].name, "kernel row_sums");
  EXPECT_EQ((*times)[2].calls, 20);
  EXPECT_EQ((*times)[3].name, "kernel scale_rows");
  for (size_t i = 0; i < times->size(); ++i) {
    const Measurement &measurement = (*times)[i];
    EXPECT_GE(measurement.nanoseconds.size(), 20u);
    EXPECT_LE(measurement.nanoseconds.size(), 30u);
    for (double time : measurement.nanoseconds)
      EXPECT_NEAR(time, i < 2 ? 2000 : 1000, 0.01) << "kernels of 1 us";
  }
  auto floor = open()->calibrate(few);
  ASSERT_EQ(messageOf(floor), "");
  ASSERT_EQ(floor->size(), 2u) << "its kernel is all of it";
  EXPECT_EQ((*floor)[0].name, "empty_kernel_latency");
  EXPECT_EQ((*floor)[1].name, "empty_kernel_throughput");
  for (const Measurement &measurement : *floor)
    EXPECT_NEAR(measurement.nanoseconds[0], 1000, 0.01);
}
