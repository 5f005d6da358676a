//===- Conformance.h - conformance.cu on the host twin ----------*- C++ -*-===//

#ifndef FUSE_TEST_CONFORMANCE_H
#define FUSE_TEST_CONFORMANCE_H

#include "conformance_cases.h"
#include "fuse/runtime/Twin.h"

#include <algorithm>
#include <string>

namespace fuse::test {

struct ConformanceCase {
  const char *kernel;
  int64_t blocks;
  uint32_t threads;
  size_t sharedBytes, words;
};

inline std::vector<ConformanceCase> conformanceCases() {
  return {
#define FUSE_CASE(kernel, blocks, threads, bytes, words)                       \
  {#kernel, blocks, threads, bytes, words},
      FUSE_CONFORMANCE_CASES(FUSE_CASE)
#undef FUSE_CASE
  };
}

/// The words of a case; none if it cannot run. Findings are added to
/// `findings`.
inline std::vector<uint32_t> runCase(rt::TwinModule &module,
                                     const ConformanceCase &test,
                                     const rt::TwinOptions &options,
                                     std::vector<rt::TwinFinding> &findings) {
  const std::vector<uint32_t> noise = conformanceInput();
  auto memory = *rt::TwinMemory::create();
  const size_t scratchBytes = scratchNumbers * sizeof(uint64_t);
  auto *input = static_cast<uint32_t *>(*memory->allocate(
      noise.size() * sizeof(uint32_t), rt::BufferUse::Input, "input"));
  auto *result = static_cast<uint32_t *>(*memory->allocate(
      test.words * sizeof(uint32_t), rt::BufferUse::Output, "result"));
  auto *scratch = static_cast<uint64_t *>(
      *memory->allocate(scratchBytes, rt::BufferUse::Workspace, "scratch"));
  std::copy(noise.begin(), noise.end(), input);
  std::fill_n(scratch, scratchNumbers, 0);
  memory->markInitialised(scratch, scratchBytes);

  rt::TwinKernelLaunch launch;
  launch.kernel = test.kernel;
  launch.gridBlocks = test.blocks;
  launch.blockThreads = test.threads;
  launch.sharedBytes = test.sharedBytes;
  launch.arguments = {&input, &result, &scratch};
  auto found = module.run({launch}, *memory, options);
  if (!found.ok())
    return {};
  findings.insert(findings.end(), found->begin(), found->end());
  return {result, result + test.words};
}

} // namespace fuse::test

#endif // FUSE_TEST_CONFORMANCE_H
