//===- conformance_main.cu - what the primitives give on a GPU ------------===//
//
// The lines of fuse-twin-conformance, from the device. Built by nvcc into a
// bundle, for machines that have a GPU, with the device header included first.

#include "conformance_cases.h"

// The host's own headers must not find the header's `exp` beside the library's.
namespace fuse {
#include "conformance.cu"

namespace {

using Kernel = void (*)(const uint32_t *, uint32_t *, uint64_t *);

/// Memory of the device that is all ones, or zeros, in each byte.
template <class T>
T *deviceMemory(size_t count, int byte) {
  T *memory = nullptr;
  cudaMalloc(&memory, count * sizeof(T));
  cudaMemset(memory, byte, count * sizeof(T));
  return memory;
}

void run(const char *name, Kernel kernel, unsigned blocks, unsigned threads,
         size_t sharedBytes, size_t words) {
  const std::vector<uint32_t> noise = test::conformanceInput();
  auto *input = deviceMemory<uint32_t>(noise.size(), 0);
  auto *result = deviceMemory<uint32_t>(words, 0xff);
  auto *scratch = deviceMemory<uint64_t>(test::scratchNumbers, 0);
  cudaMemcpy(input, noise.data(), noise.size() * sizeof(uint32_t),
             cudaMemcpyHostToDevice);
  kernel<<<blocks, threads, sharedBytes>>>(input, result, scratch);
  std::vector<uint32_t> values(words);
  cudaMemcpy(values.data(), result, words * sizeof(uint32_t),
             cudaMemcpyDeviceToHost);
  cudaFree(input);
  cudaFree(result);
  cudaFree(scratch);
  test::printConformance(name, values);
}

} // namespace
} // namespace fuse

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    return 5;
#define FUSE_RUN(kernel, blocks, threads, bytes, words)                        \
  fuse::run(#kernel, fuse::kernel, blocks, threads, bytes, words);
  FUSE_CONFORMANCE_CASES(FUSE_RUN)
#undef FUSE_RUN
  if (cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 4;
  }
  return 0;
}
