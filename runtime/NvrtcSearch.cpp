//===- NvrtcSearch.cpp - where NVRTC may be -------------------------------===//

#include "NvrtcSearch.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

using namespace fuse::rt;
namespace fs = std::filesystem;

/// Paths in a folder whose name starts with `prefix`, the last in order first,
/// so that newer versions come first.
static std::vector<fs::path> entriesOf(const fs::path &folder,
                                       const std::string &prefix) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error))
    if (it->path().filename().string().rfind(prefix, 0) == 0)
      paths.push_back(it->path());
  std::sort(paths.rbegin(), paths.rend());
  return paths;
}

static void addLibraries(const fs::path &folder,
                         std::vector<std::string> &candidates) {
  for (const fs::path &path : entriesOf(folder, "libnvrtc.so"))
    candidates.push_back(path.string());
}

/// Of wheels for CUDA 13 and later, then of those before.
static void addPackages(const fs::path &packages,
                        std::vector<std::string> &candidates) {
  for (const fs::path &toolkit : entriesOf(packages / "nvidia", "cu"))
    addLibraries(toolkit / "lib", candidates);
}

std::vector<std::string> fuse::rt::nvrtcCompanions(const std::string &library) {
  std::vector<std::string> companions;
  if (const fs::path folder = fs::path(library).parent_path(); !folder.empty())
    for (const fs::path &path : entriesOf(folder, "libnvrtc-builtins.so"))
      companions.push_back(path.string());
  return companions;
}

std::vector<std::string> fuse::rt::nvrtcCandidates(const NvrtcSearch &search) {
  if (!search.library.empty())
    return {search.library};
  std::vector<std::string> candidates;
  for (const std::string &toolkit :
       {search.cudaHome, std::string("/usr/local/cuda")})
    if (!toolkit.empty())
      addLibraries(fs::path(toolkit) / "lib64", candidates);
  for (const std::string &folder : search.pythonFolders) {
    addPackages(folder, candidates);
    for (const fs::path &python : entriesOf(fs::path(folder) / "lib", "python"))
      addPackages(python / "site-packages", candidates);
  }
  for (const char *name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
    candidates.emplace_back(name);
  return candidates;
}
