//===- TwinTestUtils.h - runs test kernels on the host twin -----*- C++ -*-===//

#ifndef FUSE_TEST_TWINTESTUTILS_H
#define FUSE_TEST_TWINTESTUTILS_H

#include "fuse/runtime/Twin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace fuse::rt::test {

/// The library made of `<name>.cu`, with observation or without.
inline std::unique_ptr<TwinModule> loadKernels(const std::string &name,
                                               bool observed = true) {
  auto module = TwinModule::load(std::string(FUSE_TWIN_KERNELS) + "/" + name +
                                 (observed ? ".observed.so" : ".plain.so"));
  EXPECT_TRUE(module.ok()) << module.status().message();
  return module.ok() ? std::move(*module) : nullptr;
}

/// Buffers and arguments of a run.
class Setting {
public:
  Setting() : memory(*TwinMemory::create()) {}

  template <class T>
  T *input(const std::string &name, const std::vector<T> &values) {
    return fill(BufferUse::Input, name, values);
  }
  /// A workspace that the host has written.
  template <class T>
  T *initialised(const std::string &name, const std::vector<T> &values) {
    T *buffer = fill(BufferUse::Workspace, name, values);
    memory->markInitialised(buffer, values.size() * sizeof(T));
    return buffer;
  }
  template <class T>
  T *buffer(BufferUse use, const std::string &name, size_t count) {
    auto allocated = memory->allocate(count * sizeof(T), use, name);
    EXPECT_TRUE(allocated.ok()) << allocated.status().message();
    return allocated.ok() ? static_cast<T *>(*allocated) : nullptr;
  }
  template <class T>
  T *output(const std::string &name, size_t count) {
    return buffer<T>(BufferUse::Output, name, count);
  }

  /// Adds a launch; `arguments` are the values of the parameters.
  template <class... Arguments>
  TwinKernelLaunch &launch(const std::string &kernel, int64_t blocks,
                           uint32_t threads, size_t sharedBytes,
                           Arguments... arguments) {
    TwinKernelLaunch result;
    result.kernel = kernel;
    result.gridBlocks = blocks;
    result.blockThreads = threads;
    result.sharedBytes = sharedBytes;
    (result.arguments.push_back(keep(arguments)), ...);
    launches.push_back(std::move(result));
    return launches.back();
  }

  std::vector<TwinFinding> run(TwinModule &module,
                               const TwinOptions &options = TwinOptions()) {
    auto findings = module.run(launches, *memory, options);
    EXPECT_TRUE(findings.ok()) << findings.status().message();
    return findings.ok() ? *findings : std::vector<TwinFinding>();
  }

  std::unique_ptr<TwinMemory> memory;
  std::vector<TwinKernelLaunch> launches;

private:
  template <class T>
  T *fill(BufferUse use, const std::string &name,
          const std::vector<T> &values) {
    T *result = buffer<T>(use, name, values.size());
    std::copy(values.begin(), values.end(), result);
    return result;
  }
  template <class T>
  void *keep(T value) {
    auto bytes = std::make_unique<char[]>(sizeof(T));
    std::memcpy(bytes.get(), &value, sizeof(T));
    kept.push_back(std::move(bytes));
    return kept.back().get();
  }

  std::vector<std::unique_ptr<char[]>> kept;
};

inline std::string show(const std::vector<TwinFinding> &findings) {
  std::string text;
  for (const TwinFinding &finding : findings)
    text += std::string(name(finding.kind)) + " in " + finding.kernel + ": " +
            finding.message + "\n";
  return text;
}

/// Every schedule, with early and late asynchronous copies.
inline std::vector<TwinOptions> allSchedules() {
  std::vector<TwinOptions> result;
  for (TwinSchedule schedule :
       {TwinSchedule::InOrder, TwinSchedule::Reversed, TwinSchedule::Random,
        TwinSchedule::OneWarpFirst})
    for (AsyncCopies copies : {AsyncCopies::Eager, AsyncCopies::Late}) {
      TwinOptions options;
      options.schedule = schedule;
      options.asyncCopies = copies;
      options.seed = 7;
      result.push_back(options);
    }
  return result;
}

inline std::string show(const TwinOptions &options) {
  const char *schedules[] = {"in order", "reversed", "random",
                             "one warp first"};
  return std::string(schedules[static_cast<int>(options.schedule)]) +
         (options.asyncCopies == AsyncCopies::Eager ? ", eager copies"
                                                    : ", late copies");
}

/// Lines of the source that end in `@mark`.
inline std::set<unsigned> linesOf(const std::string &file,
                                  const std::string &mark) {
  std::ifstream source(std::string(FUSE_TWIN_SOURCES) + "/" + file + ".cu");
  std::set<unsigned> result;
  std::string line;
  for (unsigned number = 1; std::getline(source, line); ++number) {
    const std::string ending = "// @" + mark;
    if (line.size() >= ending.size() &&
        line.compare(line.size() - ending.size(), ending.size(), ending) == 0)
      result.insert(number);
  }
  EXPECT_FALSE(result.empty()) << "no line is marked @" << mark;
  return result;
}

} // namespace fuse::rt::test

#endif // FUSE_TEST_TWINTESTUTILS_H
