//===- CApiTest.cpp - the C interface, on both devices --------------------===//

#include "fuse/runtime/runtime.h"

#include "AllocationCounter.h"
#include "FakeCudaDriver.h"
#include "TestArtifacts.h"
#include "TestUtils.h"

#include "fuse/runtime/DeviceHeader.h"

using namespace fuse::rt;

extern "C" int fuse_c_api_reports_errors(void);

namespace {
/// Takes an error's message and destroys it; "" for success.
std::string take(fuse_error *error) {
  std::string message = fuse_error_get_message(error);
  fuse_error_destroy(error);
  return message;
}

class CApiTest : public testing::Test {
protected:
  void SetUp() override {
    Result<std::string> bytes =
        serializeArtifact(makeTwoKernelArtifact(fuse::deviceHeader()));
    ASSERT_EQ(messageOf(bytes), "");
    ASSERT_EQ(take(fuse_program_load(bytes->data(), bytes->size(), "memory",
                                     &program)),
              "");
    options = fuse_options_create();
    set("search-path", std::getenv("PATH"));
    set("temporary", directory.path(".").c_str());
    set("driver", FUSE_FAKE_CUDA);
    set("nvrtc", FUSE_FAKE_NVRTC);
  }

  void TearDown() override {
    fuse_program_destroy(program);
    fuse_options_destroy(options);
    fuse_device_destroy(device);
    fuse_executable_destroy(executable);
  }

  void set(const char *name, const char *value) {
    EXPECT_EQ(take(fuse_options_set(options, name, value)), "");
  }

  void prepare(const char *kind) {
    ASSERT_EQ(take(fuse_device_open(kind, options, &device)), "");
    ASSERT_EQ(take(fuse_prepare(device, program, &executable)), "");
  }

  std::string launch(uint64_t workspaceBytes = 256) {
    return take(fuse_launch(executable, pointers, 3, &n, 1, nullptr, sums,
                            workspaceBytes, nullptr));
  }

  TemporaryDirectory directory;
  fuse_program *program = nullptr;
  fuse_options *options = nullptr;
  fuse_device *device = nullptr;
  fuse_executable *executable = nullptr;

  int64_t n = 2;
  alignas(256) float x[8] = {1, 1, 1, 1, 2, 2, 2, 2};
  alignas(256) float w[4] = {4, 4, 4, 8};
  alignas(256) float y[8] = {};
  alignas(256) float sums[64];
  void *pointers[3] = {x, w, y};
};
} // namespace

TEST(CApi, IsC) { EXPECT_TRUE(fuse_c_api_reports_errors()); }

TEST_F(CApiTest, DescribesPrograms) {
  EXPECT_STREQ(fuse_program_name(program), "normalize");
  ASSERT_EQ(fuse_program_num_dims(program), 1u);
  EXPECT_STREQ(fuse_program_dim_name(program, 0), "N");
  EXPECT_EQ(fuse_program_num_arguments(program), 2u);
  EXPECT_EQ(fuse_program_num_results(program), 1u);
  EXPECT_STREQ(fuse_program_tensor_name(program, 1), "w");
  EXPECT_STREQ(fuse_program_tensor_name(program, 2), "y");
  EXPECT_EQ(fuse_program_tensor_dtype(program, 2), FUSE_DTYPE_F32);
  EXPECT_EQ(fuse_program_tensor_rank(program, 2), 2u);
  EXPECT_EQ(fuse_program_tensor_alignment(program, 0), 16u);
  EXPECT_EQ(fuse_program_tensor_is_param(program, 0), 0);
  EXPECT_EQ(fuse_program_tensor_is_param(program, 1), 1);
  int64_t shape[2] = {};
  EXPECT_EQ(take(fuse_program_tensor_shape(program, 2, &n, 1, shape)), "");
  EXPECT_EQ(shape[0], 2);
  EXPECT_EQ(shape[1], 4);
  uint64_t bytes = 77;
  EXPECT_EQ(take(fuse_workspace_size(program, &n, 1, &bytes)), "");
  EXPECT_EQ(bytes, 8u);
  EXPECT_EQ(take(fuse_workspace_size(program, &n, 0, &bytes)),
            "expects extents of 1 dims, but got 0");
  EXPECT_EQ(bytes, 0u);
}

TEST_F(CApiTest, LoadsFiles) {
  std::string path = directory.path("p.fuse");
  ASSERT_EQ(messageOf(writeArtifactFile(path, makeTwoKernelArtifact())), "");
  fuse_program *other = nullptr;
  EXPECT_EQ(take(fuse_program_load_file(path.c_str(), &other)), "");
  fuse_program_destroy(other);
  fuse_error *error =
      fuse_program_load_file(directory.path("q.fuse").c_str(), &other);
  EXPECT_EQ(other, nullptr);
  EXPECT_EQ(fuse_error_get_code(error), FUSE_IO);
  EXPECT_EQ(take(error), directory.path("q.fuse") +
                             ": cannot open: No such file or directory");
}

TEST_F(CApiTest, WrongOptions) {
  auto message = [&](const char *name, const char *value) {
    return take(fuse_options_set(options, name, value));
  };
  EXPECT_EQ(message("drivers", "x"), "option 'drivers': expects the name of an "
                                     "option, but got 'drivers'");
  EXPECT_EQ(message("ordinal", "x"),
            "option 'ordinal': expects a number, but got 'x'");
  EXPECT_EQ(message("checks", "yes"),
            "option 'checks': expects 0 or 1, but got 'yes'");
  EXPECT_EQ(take(fuse_device_open("tpu", options, &device)),
            "expects cuda or host, but got 'tpu'");
  EXPECT_EQ(device, nullptr);
  set("driver", "/nowhere");
  fuse_error *error = fuse_device_open("cuda", options, &device);
  EXPECT_EQ(fuse_error_get_code(error), FUSE_NO_DEVICE);
  fuse_error_destroy(error);
}

TEST_F(CApiTest, LaunchesOnTheHost) {
  set("cache", directory.path("cache").c_str());
  prepare("host");
  EXPECT_EQ(
      std::string(fuse_device_description(device)).rfind("host twin, ", 0), 0u);
  EXPECT_EQ(fuse_executable_num_compiled(executable), 2);
  ASSERT_EQ(launch(), "");
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(y[i], i % 4 == 3 ? 2.0f : 1.0f);
  EXPECT_EQ(launch(7), "expects a workspace of at least 8 bytes for N = 2, but "
                       "got 7");
}

namespace {
/// The same on the fake driver.
class CApiCudaTest : public CApiTest {
protected:
  void SetUp() override {
    CApiTest::SetUp();
    ASSERT_NO_FATAL_FAILURE(fake.open());
    prepare("cuda");
  }

  FakeCudaDriver fake;
};
} // namespace

TEST_F(CApiCudaTest, LaunchesAndRecords) {
  EXPECT_STREQ(fuse_device_description(device),
               "a fake GPU (sm_90a), driver for CUDA 13.0");
  ASSERT_EQ(launch(), "");
  EXPECT_EQ(fake->launches.size(), 2u);
  fuse_graph *graph = nullptr;
  ASSERT_EQ(take(fuse_graph_capture(executable, pointers, 3, &n, 1, nullptr,
                                    sums, sizeof(sums), 5, &graph)),
            "");
  ASSERT_EQ(take(fuse_graph_launch(graph, nullptr)), "");
  EXPECT_EQ(fake->launches.size(), 12u);
  fuse_graph_destroy(graph);
}

TEST_F(CApiCudaTest, WrongStrides) {
  const int64_t right[] = {4, 1}, wrong[] = {1, 2};
  const int64_t *strides[] = {wrong, nullptr, right};
  fuse_error *error = fuse_launch(executable, pointers, 3, &n, 1, strides, sums,
                                  sizeof(sums), nullptr);
  EXPECT_EQ(fuse_error_get_code(error), FUSE_INVALID_INPUT);
  EXPECT_EQ(take(error), "expects row-major strides [4, 1] for argument 'x' of "
                         "shape [2, 4], but got [1, 2]");
  strides[0] = right;
  EXPECT_EQ(take(fuse_launch(executable, pointers, 3, &n, 1, strides, sums,
                             sizeof(sums), nullptr)),
            "");
}

TEST_F(CApiCudaTest, LaunchesAllocateNothing) {
  fake->quiet = true;
  const int64_t rowMajor[] = {4, 1};
  const int64_t *strides[] = {rowMajor, nullptr, rowMajor};
  size_t before = allocationCount();
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(fuse_launch(executable, pointers, 3, &n, 1, strides, sums,
                          sizeof(sums), nullptr),
              nullptr);
  EXPECT_EQ(allocationCount(), before);
}
