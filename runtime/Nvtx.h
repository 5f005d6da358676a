//===- Nvtx.h - ranges for profilers ----------------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_NVTX_H
#define FUSE_RUNTIME_NVTX_H

#include "SharedLibrary.h"

namespace fuse::rt {

/// The NVTX library, if there is one; else ranges cost a comparison.
class Nvtx {
public:
  /// Off.
  Nvtx() = default;

  static Nvtx load() {
    Nvtx nvtx;
    for (const char *name : {"libnvtx3interop.so.1", "libnvToolsExt.so.1"}) {
      Result<SharedLibrary> library = SharedLibrary::open(name);
      if (library.ok() && library->get("nvtxRangePushA", nvtx.push).ok() &&
          library->get("nvtxRangePop", nvtx.pop).ok()) {
        nvtx.library = std::move(*library);
        return nvtx;
      }
    }
    return {};
  }

  /// A range for as long as it lives.
  class Range {
  public:
    Range(const Nvtx &nvtx, const char *name) : pop(nvtx.pop) {
      if (pop)
        nvtx.push(name);
    }
    ~Range() {
      if (pop)
        pop();
    }
    Range(const Range &) = delete;
    Range &operator=(const Range &) = delete;

  private:
    int (*pop)();
  };

private:
  SharedLibrary library;
  int (*push)(const char *) = nullptr;
  int (*pop)() = nullptr;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_NVTX_H
