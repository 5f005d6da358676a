//===- RealNvrtcTest.cpp - kernels through NVRTC, with no GPU -------------===//
//
// Needs NVRTC: a program of its own, which nvrtc.test runs where there is one.
//
//===----------------------------------------------------------------------===//

#include "fuse/runtime/Nvrtc.h"

#include "TestArtifacts.h"
#include "TestUtils.h"

#include "fuse/runtime/DeviceHeader.h"

using namespace fuse::rt;

namespace {
class RealNvrtc : public testing::Test {
protected:
  void SetUp() override {
    NvrtcSearch search;
    if (const char *library = std::getenv("FUSE_NVRTC"))
      search.library = library;
    auto loaded = Nvrtc::load(search);
    ASSERT_EQ(messageOf(loaded), "");
    nvrtc = *loaded;
  }

  std::shared_ptr<const Nvrtc> nvrtc;
};
} // namespace

TEST_F(RealNvrtc, CompilesTheTestProgram) {
  Artifact artifact = makeTwoKernelArtifact(fuse::deviceHeader());
  Result<CudaBinary> binary = nvrtc->compile(artifact.sources[0], "sm_90a");
  ASSERT_EQ(messageOf(binary), "");
  EXPECT_EQ(binary->code.substr(1, 3), "ELF");
  ASSERT_EQ(binary->resources.size(), 2u) << binary->log;
  for (const KernelResources &kernel : binary->resources) {
    EXPECT_GT(kernel.registers, 4) << kernel.kernel;
    EXPECT_LT(kernel.registers, 64) << kernel.kernel;
    EXPECT_EQ(kernel.spillStoreBytes, 0) << kernel.kernel;
  }
  Result<CudaBinary> ptx =
      nvrtc->compile(artifact.sources[0], "sm_90a", Nvrtc::Output::Ptx);
  ASSERT_EQ(messageOf(ptx), "");
  EXPECT_NE(ptx->code.find(".target sm_90a"), std::string::npos);
}

// What NVRTC has compiled before is assembled anew, or nothing would be said.
TEST_F(RealNvrtc, ResourcesAreSeenEveryTime) {
  Artifact::Source source = {
      "k.cu", "extern \"C\" __global__ void k() {}\n", {}, true};
  for (int i = 0; i < 2; ++i) {
    Result<CudaBinary> binary = nvrtc->compile(source, "sm_90a");
    ASSERT_EQ(messageOf(binary), "");
    EXPECT_EQ(binary->resources.size(), 1u);
  }
}

TEST_F(RealNvrtc, SharedMemoryAndSpillsAreSeen) {
  Artifact::Source source = {
      "spill.cu",
      "extern \"C\" __global__ void __launch_bounds__(1024, 2) k(float *x) {\n"
      "  __shared__ float tile[256];\n"
      "  float a[64];\n"
      "#pragma unroll\n"
      "  for (int i = 0; i < 64; ++i) a[i] = x[i * 1024 + threadIdx.x];\n"
      "  tile[threadIdx.x & 255] = a[0];\n"
      "  __syncthreads();\n"
      "#pragma unroll\n"
      "  for (int i = 0; i < 64; ++i)\n"
      "    x[i * 1024 + threadIdx.x] = a[63 - i] * tile[i] + a[i];\n"
      "}\n",
      {},
      true};
  Result<CudaBinary> binary = nvrtc->compile(source, "sm_90a");
  ASSERT_EQ(messageOf(binary), "");
  ASSERT_EQ(binary->resources.size(), 1u);
  EXPECT_EQ(binary->resources[0].registers, 32);
  EXPECT_EQ(binary->resources[0].sharedBytes, 1024);
  EXPECT_GT(binary->resources[0].spillStoreBytes, 0);
  EXPECT_GT(binary->resources[0].spillLoadBytes, 0);
}

TEST_F(RealNvrtc, ErrorsOfTheText) {
  Status status =
      nvrtc
          ->compile({"a.cu",
                     "extern \"C\" __global__ void k() { no_such_thing(); }\n",
                     {},
                     true},
                    "sm_90a")
          .status();
  EXPECT_EQ(status.code(), StatusCode::InvalidInput);
  EXPECT_EQ(status.message(),
            "a.cu: NVRTC fails (NVRTC_ERROR_COMPILATION):\n"
            "  a.cu(1): error: identifier \"no_such_thing\" is undefined\n"
            "  1 error detected in the compilation of \"a.cu\".");
  Status target =
      nvrtc->compile({"a.cu", "// Nothing.\n", {}, true}, "sm_10").status();
  EXPECT_EQ(target.code(), StatusCode::InvalidInput);
  EXPECT_NE(target.message().find("gpu-architecture"), std::string::npos)
      << target.message();
}
