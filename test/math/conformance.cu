//===- conformance.cu - the scalar functions on a GPU -----------*- C++ -*-===//
//
// Adds to *sum, which the host sets to 0 before, the hashes of function number
// `function` at `count` samples. Grid and block are free. MathHashes.cpp prints
// the sums that must come out.

#include "conformance.h"

extern "C" __global__ void conformance(int function, unsigned first,
                                       unsigned stride, unsigned count,
                                       unsigned long *sum) {
  fuse::atomic_add(sum,
                   fuse::conformanceSum(function, first, stride, count,
                                        blockIdx.x * blockDim.x + threadIdx.x,
                                        gridDim.x * blockDim.x));
}
