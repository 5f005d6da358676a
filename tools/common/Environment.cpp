//===- Environment.cpp - What the environment says to a tool --------------===//

#include "Environment.h"

#include <cstdlib>
#include <filesystem>

using namespace fuse;

/// "" for a variable that is not set.
static std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

static rt::CacheOptions cacheOptions() {
  rt::CacheOptions options;
  if (variable("FUSE_CACHE") == "off")
    return options;
  options.folder = variable("FUSE_CACHE_DIR");
  if (options.folder.empty())
    if (std::string caches = variable("XDG_CACHE_HOME"); !caches.empty())
      options.folder = caches + "/fuse";
  if (options.folder.empty())
    if (std::string home = variable("HOME"); !home.empty())
      options.folder = home + "/.cache/fuse";
  return options;
}

/// `tools/dev cuda` installs into `build/cuda`, beside the build that this
/// program is in; a bundle has such a folder beside `bin`.
static void addFoldersBesideProgram(std::vector<std::string> &folders) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return;
  fs::path build = program.parent_path().parent_path();
  for (const fs::path &folder : {build / "cuda", build.parent_path() / "cuda"})
    folders.push_back(folder.string());
}

rt::NvrtcSearch fuse::nvrtcSearchFromEnvironment() {
  rt::NvrtcSearch search;
  search.library = variable("FUSE_NVRTC");
  search.cudaHome = variable("CUDA_HOME");
  addFoldersBesideProgram(search.pythonFolders);
  if (std::string folder = variable("VIRTUAL_ENV"); !folder.empty())
    search.pythonFolders.push_back(folder);
  return search;
}

rt::CudaOptions fuse::cudaOptionsFromEnvironment() {
  rt::CudaOptions options;
  options.driver = variable("FUSE_CUDA_DRIVER");
  options.nvrtc = nvrtcSearchFromEnvironment();
  options.cache = cacheOptions();
  return options;
}

rt::HostOptions fuse::hostOptionsFromEnvironment() {
  rt::HostOptions options;
  options.compiler.command = variable("FUSE_CXX");
  options.compiler.searchPath = variable("PATH");
  if (std::string folder = variable("TMPDIR"); !folder.empty())
    options.compiler.temporaryFolder = folder;
  options.cache = cacheOptions();
  return options;
}
