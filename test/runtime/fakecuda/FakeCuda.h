//===- FakeCuda.h - a CUDA driver without a GPU -----------------*- C++ -*-===//
//
// A library with the functions of the driver that the runtime uses. Device
// memory is that of the host, launches call functions that a test gives, time
// goes on by one microsecond a launch, and any function can be made to fail.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_RUNTIME_FAKECUDA_H
#define FUSE_TEST_RUNTIME_FAKECUDA_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fuse::rt {

/// What a test sees and sets. One for the whole library.
struct FakeCudaState {
  struct Launch {
    std::string kernel;
    uint32_t grid = 0, block = 0, sharedBytes = 0;
    bool overlap = false;
  };
  /// A kernel of so many parameters, each of 8 bytes.
  struct Kernel {
    size_t numParameters = 0;
    std::function<void(const Launch &, void **)> body;
  };

  int devices = 1;
  int major = 9, minor = 0;
  int maxThreads = 1024, sharedBytes = 232448;
  int multiprocessors = 132, l2Bytes = 60 << 20;
  int functionThreads = 1024; ///< Of a block, for any function.
  int residentBlocks = 2;     ///< Of any function on one multiprocessor.
  size_t memory = size_t(1) << 30;
  std::map<std::string, Kernel> kernels;

  /// This function returns `failure` once it has been called `failAfter` times.
  std::string failing;
  int failAfter = 0, failure = 719;

  bool quiet = false; ///< Note nothing and run nothing: memory stays as it is.
  std::vector<std::string> calls; ///< Of all functions, in order.
  std::vector<Launch> launches;   ///< That have run.
  int functionShared = 0;         ///< The last dynamic limit of a function.
  size_t allocated = 0;
  int objects = 0; ///< Modules, streams, events, graphs, contexts alive.
  double nanoseconds = 0;

  bool called(const std::string &name) const {
    for (const std::string &call : calls)
      if (call == name)
        return true;
    return false;
  }
};

} // namespace fuse::rt

/// Exported by the library.
extern "C" fuse::rt::FakeCudaState *fakecuda_state();

#endif // FUSE_TEST_RUNTIME_FAKECUDA_H
