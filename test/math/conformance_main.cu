//===- conformance_main.cu - prints the hashes that a GPU computes --------===//
//
// The lines of MathHashes.cpp, `number name type hash`, from the device. Built
// by nvcc into a bundle, for machines that have a GPU.

#include "conformance.cu"
#include "conformance_lines.h"

int main() {
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
    fuse::printHash(function, hash);
  }
  return cudaFree(sum) == cudaSuccess ? 0 : 4;
}
