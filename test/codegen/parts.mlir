// RUN: fuse-opt %s --fuse-pipeline --emit=cuda | FileCheck %s
// RUN: fuse-opt %s --fuse-pipeline=merge=false --emit=cuda | FileCheck %s --check-prefix=APART
// RUN: fuse-opt %s --fuse-pipeline --emit=plan | FileCheck %s --check-prefix=PLAN
// RUN: fuse-opt %s --run --device=host --check --dims=N=70,M=300 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: fuse-opt %s --run --device=host --check --dims=N=0,M=3 2>&1 | FileCheck %s --check-prefix=RAN
// REQUIRES: host
//
// Three reductions that do not depend on each other: one launch, whose blocks
// share them out.

// CHECK: extern "C" __global__ void __launch_bounds__(256)
// CHECK-NEXT: reduce_0_reduce_1_reduce_2(const float *x, const float *y, const float *z, float *result0, float *result0_1, float *result0_2, int64_t N, int64_t M) {
// CHECK: const int64_t blocks = ((N + 31) / 32);
// CHECK-NEXT: const int64_t blocks_1 = blocks + ((M + 31) / 32);
// CHECK-NEXT: if (block_index() < blocks) { // reduce_0
// CHECK-NEXT:   const int64_t i0 = block_index() * 32;
// CHECK: } else if (block_index() < blocks_1) { // reduce_1
// CHECK-NEXT:   const int64_t i0_1 = (block_index() - blocks) * 32;
// CHECK: } else { // reduce_2
// CHECK-NEXT:   const int64_t i0_2 = (block_index() - blocks_1) * 32;
// CHECK-NOT: __global__
// CHECK: const int64_t blocks = ceildiv(N, 32) + ceildiv(M, 32) + ceildiv(N, 32)

// APART: reduce_0(
// APART: reduce_1(
// APART: reduce_2(

// PLAN: "name": "reduce_0_reduce_1_reduce_2",
// PLAN-NEXT: "parts": [
// PLAN: "name": "reduce_1",
// PLAN-NEXT: "grid": [
// PLAN-NEXT: "M by 32"

// RAN-COUNT-3: passed
func.func @main(%x: tensor<?x40xf32> {fuse.name = "x", fuse.dims = ["N", 40]},
                %y: tensor<?x40xf32> {fuse.name = "y", fuse.dims = ["M", 40]},
                %z: tensor<?x40xf32> {fuse.name = "z", fuse.dims = ["N", 40]})
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
    attributes {fuse.size_hints = {N = 64, M = 64}} {
  %p = fuse.reduce sum %x axes [1] : (tensor<?x40xf32>) -> tensor<?xf32>
  %q = fuse.reduce max %y axes [1] : (tensor<?x40xf32>) -> tensor<?xf32>
  %r = fuse.reduce min %z axes [1] : (tensor<?x40xf32>) -> tensor<?xf32>
  return %p, %q, %r : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
