//===- NvrtcTest.cpp - finding and using the run-time compiler ------------===//

#include "fuse/runtime/Nvrtc.h"

#include "NvrtcSearch.h"
#include "TestUtils.h"

#include <algorithm>
#include <fstream>

using namespace fuse::rt;
namespace fs = std::filesystem;

TEST(Nvrtc, Architectures) {
  EXPECT_EQ(archName(9, 0), "sm_90a");
  EXPECT_EQ(archName(8, 6), "sm_86");
  EXPECT_EQ(archName(12, 0), "sm_120a");
}

static std::shared_ptr<const Nvrtc> loadFake() {
  NvrtcSearch search;
  search.library = FUSE_FAKE_NVRTC;
  auto nvrtc = Nvrtc::load(search);
  EXPECT_EQ(messageOf(nvrtc), "");
  return *nvrtc;
}

TEST(Nvrtc, Options) {
  auto nvrtc = loadFake();
  Artifact::Source source = {"a.cu", "", {"-DX=1"}, true};
  EXPECT_EQ(nvrtc->options(source, "sm_90a"),
            (std::vector<std::string>{
                "--gpu-architecture=sm_90a", "-std=c++17", "--fmad=false",
                "--prec-div=true", "--prec-sqrt=true", "--ftz=false",
                "--no-cache", "--ptxas-options=-v", "-DX=1"}));
  std::vector<std::string> ptx =
      nvrtc->options(source, "sm_90a", Nvrtc::Output::Ptx);
  EXPECT_EQ(ptx[0], "--gpu-architecture=compute_90a");
  EXPECT_EQ(std::count(ptx.begin(), ptx.end(), "--ptxas-options=-v"), 0);
}

TEST(Nvrtc, ResourcesFromTheLog) {
  std::vector<KernelResources> all = parseResources(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
      "ptxas info    : Function properties for helper\n"
      "ptxas         .     999 bytes stack frame, 99 bytes spill stores, 9 "
      "bytes spill loads\n"
      "ptxas info    : Function properties for k\n"
      "ptxas         .     160 bytes stack frame, 24 bytes spill stores, 28 "
      "bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 1 barriers, 160 bytes "
      "cumulative stack size, 2048 bytes smem\n"
      "ptxas info    : Compiling entry function 'l' for 'sm_90a'\n"
      "ptxas info    : Function properties for l\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes "
      "spill loads\n"
      "ptxas info    : Used 8 registers, used 0 barriers\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].kernel, "k");
  EXPECT_EQ(all[0].registers, 255);
  EXPECT_EQ(all[0].sharedBytes, 2048);
  EXPECT_EQ(all[0].stackBytes, 160);
  EXPECT_EQ(all[0].spillStoreBytes, 24);
  EXPECT_EQ(all[0].spillLoadBytes, 28);
  EXPECT_EQ(all[1].kernel, "l");
  EXPECT_EQ(all[1].registers, 8);
  EXPECT_EQ(all[1].sharedBytes, 0);
  EXPECT_TRUE(parseResources("").empty());
}

TEST(Nvrtc, SearchesToolkitsAndWheels) {
  TemporaryDirectory directory;
  auto add = [&](const std::string &path) {
    fs::create_directories(fs::path(directory.path(path)).parent_path());
    std::ofstream(directory.path(path)) << "x";
    return directory.path(path);
  };
  std::string toolkit = add("cuda/lib64/libnvrtc.so.13");
  add("cuda/lib64/libnvrtc-builtins.so.13.0");
  std::string wheel =
      add("venv/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
  std::string old = add("venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/"
                        "lib/libnvrtc.so.12");
  std::string packages = add("packages/nvidia/cu13/lib/libnvrtc.so.13");
  NvrtcSearch search;
  search.cudaHome = directory.path("cuda");
  search.pythonFolders = {directory.path("venv"), directory.path("packages")};
  std::vector<std::string> found;
  for (const std::string &path : nvrtcCandidates(search))
    if (path.rfind(directory.path(""), 0) == 0)
      found.push_back(path);
  EXPECT_EQ(found, (std::vector<std::string>{toolkit, old, wheel, packages}));
  EXPECT_EQ(nvrtcCandidates(search).back(), "libnvrtc.so");
  search.library = "mine.so";
  EXPECT_EQ(nvrtcCandidates(search), std::vector<std::string>{"mine.so"});
}

TEST(Nvrtc, Companions) {
  TemporaryDirectory directory;
  auto add = [&](const std::string &name) {
    std::ofstream(directory.path(name)) << "x";
    return directory.path(name);
  };
  std::string library = add("libnvrtc.so.13");
  std::string builtins = add("libnvrtc-builtins.so.13.0");
  add("libnvrtc-builtins.alt.so.13.0"); // of libnvrtc.alt
  EXPECT_EQ(nvrtcCompanions(library), std::vector<std::string>{builtins});
  // The loader knows where it found what was asked for by name.
  EXPECT_TRUE(nvrtcCompanions("libnvrtc.so.13").empty());
}

TEST(Nvrtc, Missing) {
  NvrtcSearch search;
  search.library = FUSE_FAKE_CUDA; // A library, but another one.
  Status status = Nvrtc::load(search).status();
  EXPECT_EQ(status.code(), StatusCode::NoDevice);
  EXPECT_EQ(status.message(),
            "device cuda expects NVRTC, the run-time compiler of CUDA, but "
            "cannot load it (" +
                std::string(FUSE_FAKE_CUDA) +
                ": has no function nvrtcGetErrorString); 'tools/dev cuda' "
                "installs it, FUSE_NVRTC and CUDA_HOME say where it is");
}

TEST(Nvrtc, FakeOutputs) {
  auto nvrtc = loadFake();
  EXPECT_EQ(nvrtc->version(), "13.0");
  EXPECT_EQ(nvrtc->path(), FUSE_FAKE_NVRTC);
  Artifact::Source source = {"a.cu", "text", {}, true};
  Result<CudaBinary> ptx = nvrtc->compile(source, "sm_90a", Nvrtc::Output::Ptx);
  ASSERT_EQ(messageOf(ptx), "");
  EXPECT_EQ(ptx->code, "fake PTX") << "without the zero byte that ends it";
}
