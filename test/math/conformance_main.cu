//===- conformance_main.cu - prints the hashes that a GPU computes --------===//
//
// The lines of MathHashes.cpp, `number name type hash`, from the device. Built
// by nvcc into a bundle, for machines that have a GPU.

#include "conformance.cu"
#include <cstdio>

static const char *const realNames[] = {
#define FUSE_NAME(name) #name,
    FUSE_UNARY_FUNCTIONS(FUSE_NAME) FUSE_BINARY_FUNCTIONS(FUSE_NAME)};
static const char *const integerNames[] = {FUSE_INTEGER_FUNCTIONS(FUSE_NAME)};

int main() {
  constexpr int real = fuse::realCount;
  unsigned long *sum = nullptr;
  if (cudaMalloc(&sum, sizeof *sum) != cudaSuccess)
    return 5;
  for (int function = 0; function < fuse::functionCount; ++function) {
    unsigned long hash = 0;
    cudaMemcpy(sum, &hash, sizeof hash, cudaMemcpyHostToDevice);
    conformance<<<264, 256>>>(function, 0, 32771, 131072, sum);
    cudaMemcpy(&hash, sum, sizeof hash, cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
      std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
      return 4;
    }
    bool isInteger = function >= 2 * real;
    std::printf("%2d %-10s %s %016lx\n", function,
                isInteger ? integerNames[function - 2 * real]
                          : realNames[function % real],
                isInteger         ? "i32"
                : function < real ? "f32"
                                  : "f64",
                hash);
  }
  return cudaFree(sum) == cudaSuccess ? 0 : 4;
}
