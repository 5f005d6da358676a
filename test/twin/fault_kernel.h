//===- fault_kernel.h - kernels with a planted fault ------------*- C++ -*-===//
//
// Each fault is a function template: `fault<true>` has the fault,
// `fault<false>` is the same code without it. Lines that a finding is to name
// end in a comment
// `@fault` or `@fault:role`. Goes between the device header and the kernels.

#ifndef FUSE_TEST_FAULT_KERNEL_H
#define FUSE_TEST_FAULT_KERNEL_H

/// What every such kernel gets: an input, an output and a workspace of `n`
/// floats, and a counter that is 0. A correct one writes the whole output.
struct Buffers {
  const float *x;
  float *y;
  float *workspace;
  uint32_t *counter;
  int64_t n;
};

/// This thread's number in the grid.
FUSE_INLINE int64_t global_index() {
  return block_index() * block_threads() + thread_index();
}

#define FAULT_KERNEL(kernel, body)                                             \
  extern "C" __global__ void kernel(const float *x, float *y,                  \
                                    float *workspace, uint32_t *counter,       \
                                    int64_t n) {                               \
    body(Buffers{x, y, workspace, counter, n});                                \
  }                                                                            \
  FUSE_KERNEL_ENTRY(kernel)

/// Kernels `<fault>_faulty` and `<fault>_correct`.
#define FAULT(fault)                                                           \
  FAULT_KERNEL(fault##_faulty, fault<true>)                                    \
  FAULT_KERNEL(fault##_correct, fault<false>)

#endif // FUSE_TEST_FAULT_KERNEL_H
