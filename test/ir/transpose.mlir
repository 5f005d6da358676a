// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @permutations(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3x4xf32>
func.func @permutations(%x: tensor<?x3x4xf32>) {
  // CHECK-NEXT: fuse.transpose %[[X]] [0, 1, 2] : (tensor<?x3x4xf32>) -> tensor<?x3x4xf32>
  %identity = fuse.transpose %x [0, 1, 2] : (tensor<?x3x4xf32>) -> tensor<?x3x4xf32>
  // Axis i of the result is axis permutation[i] of the source.
  // CHECK-NEXT: fuse.transpose %[[X]] [2, 0, 1] : (tensor<?x3x4xf32>) -> tensor<4x?x3xf32>
  %cycle = fuse.transpose %x [2, 0, 1] : (tensor<?x3x4xf32>) -> tensor<4x?x3xf32>
  // CHECK-NEXT: fuse.transpose %[[X]] [2, 1, 0] {tag} : (tensor<?x3x4xf32>) -> tensor<4x3x?xf32>
  %reversed = fuse.transpose %x [2, 1, 0] {tag} : (tensor<?x3x4xf32>) -> tensor<4x3x?xf32>
  return
}

// CHECK-LABEL: func.func @ranks(
func.func @ranks(%s: tensor<i1>, %v: tensor<?xi32>, %x: tensor<1x2x3x4x5x6x7x8xbf16>) {
  // CHECK-NEXT: fuse.transpose %{{.*}} [] : (tensor<i1>) -> tensor<i1>
  %scalar = fuse.transpose %s [] : (tensor<i1>) -> tensor<i1>
  // CHECK-NEXT: fuse.transpose %{{.*}} [0] : (tensor<?xi32>) -> tensor<?xi32>
  %vector = fuse.transpose %v [0] : (tensor<?xi32>) -> tensor<?xi32>
  // CHECK-NEXT: fuse.transpose %{{.*}} [7, 0, 6, 1, 5, 2, 4, 3] : {{.*}} -> tensor<8x1x7x2x6x3x5x4xbf16>
  %rank8 = fuse.transpose %x [7, 0, 6, 1, 5, 2, 4, 3] : (tensor<1x2x3x4x5x6x7x8xbf16>) -> tensor<8x1x7x2x6x3x5x4xbf16>
  return
}
