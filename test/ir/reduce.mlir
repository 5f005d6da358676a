// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @kinds(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4x5xf32>
func.func @kinds(%x: tensor<?x4x5xf32>) {
  // CHECK-NEXT: fuse.reduce sum %[[X]] axes [2] : (tensor<?x4x5xf32>) -> tensor<?x4xf32>
  %sum = fuse.reduce sum %x axes [2] : (tensor<?x4x5xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: fuse.reduce max %[[X]] axes [0] : (tensor<?x4x5xf32>) -> tensor<4x5xf32>
  %max = fuse.reduce max %x axes [0] : (tensor<?x4x5xf32>) -> tensor<4x5xf32>
  // CHECK-NEXT: fuse.reduce min %[[X]] axes [1] {tag} : (tensor<?x4x5xf32>) -> tensor<?x5xf32>
  %min = fuse.reduce min %x axes [1] {tag} : (tensor<?x4x5xf32>) -> tensor<?x5xf32>
  return
}

// CHECK-LABEL: func.func @axes(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4x5xf32>, %[[S:.*]]: tensor<f32>
func.func @axes(%x: tensor<?x4x5xf32>, %s: tensor<f32>) {
  // CHECK-NEXT: fuse.reduce sum %[[X]] axes [] : (tensor<?x4x5xf32>) -> tensor<?x4x5xf32>
  %none = fuse.reduce sum %x axes [] : (tensor<?x4x5xf32>) -> tensor<?x4x5xf32>
  // The order in which axes are given does not matter, and is kept.
  // CHECK-NEXT: fuse.reduce sum %[[X]] axes [2, 0] : (tensor<?x4x5xf32>) -> tensor<4xf32>
  %two = fuse.reduce sum %x axes [2, 0] : (tensor<?x4x5xf32>) -> tensor<4xf32>
  // CHECK-NEXT: fuse.reduce sum %[[X]] axes [0, 1, 2] : (tensor<?x4x5xf32>) -> tensor<f32>
  %all = fuse.reduce sum %x axes [0, 1, 2] : (tensor<?x4x5xf32>) -> tensor<f32>
  // CHECK-NEXT: fuse.reduce max %[[S]] axes [] : (tensor<f32>) -> tensor<f32>
  %scalar = fuse.reduce max %s axes [] : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @element_types(
func.func @element_types(%f16: tensor<0xf16>, %bf16: tensor<?xbf16>,
                         %f64: tensor<?xf64>, %i32: tensor<?xi32>) {
  // CHECK-NEXT: fuse.reduce sum %{{.*}} axes [0] : (tensor<0xf16>) -> tensor<f16>
  %a = fuse.reduce sum %f16 axes [0] : (tensor<0xf16>) -> tensor<f16>
  // CHECK-NEXT: fuse.reduce sum %{{.*}} axes [0] : (tensor<?xbf16>) -> tensor<bf16>
  %b = fuse.reduce sum %bf16 axes [0] : (tensor<?xbf16>) -> tensor<bf16>
  // CHECK-NEXT: fuse.reduce sum %{{.*}} axes [0] : (tensor<?xf64>) -> tensor<f64>
  %c = fuse.reduce sum %f64 axes [0] : (tensor<?xf64>) -> tensor<f64>
  // CHECK-NEXT: fuse.reduce max %{{.*}} axes [0] : (tensor<?xi32>) -> tensor<i32>
  %d = fuse.reduce max %i32 axes [0] : (tensor<?xi32>) -> tensor<i32>
  return
}
