// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// From every type to every type.
// CHECK-LABEL: func.func @from_f16(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xf16>
func.func @from_f16(%x: tensor<?x3xf16>) {
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf16> -> tensor<?x3xf16>
  %f16 = fuse.cast %x : tensor<?x3xf16> -> tensor<?x3xf16>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf16> -> tensor<?x3xbf16>
  %bf16 = fuse.cast %x : tensor<?x3xf16> -> tensor<?x3xbf16>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf16> -> tensor<?x3xf32>
  %f32 = fuse.cast %x : tensor<?x3xf16> -> tensor<?x3xf32>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf16> -> tensor<?x3xf64>
  %f64 = fuse.cast %x : tensor<?x3xf16> -> tensor<?x3xf64>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf16> -> tensor<?x3xi32>
  %i32 = fuse.cast %x : tensor<?x3xf16> -> tensor<?x3xi32>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf16> -> tensor<?x3xi1>
  %i1 = fuse.cast %x : tensor<?x3xf16> -> tensor<?x3xi1>
  return
}

// CHECK-LABEL: func.func @from_bf16(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xbf16>
func.func @from_bf16(%x: tensor<?x3xbf16>) {
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xbf16> -> tensor<?x3xf16>
  %f16 = fuse.cast %x : tensor<?x3xbf16> -> tensor<?x3xf16>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xbf16> -> tensor<?x3xbf16>
  %bf16 = fuse.cast %x : tensor<?x3xbf16> -> tensor<?x3xbf16>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xbf16> -> tensor<?x3xf32>
  %f32 = fuse.cast %x : tensor<?x3xbf16> -> tensor<?x3xf32>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xbf16> -> tensor<?x3xf64>
  %f64 = fuse.cast %x : tensor<?x3xbf16> -> tensor<?x3xf64>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xbf16> -> tensor<?x3xi32>
  %i32 = fuse.cast %x : tensor<?x3xbf16> -> tensor<?x3xi32>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xbf16> -> tensor<?x3xi1>
  %i1 = fuse.cast %x : tensor<?x3xbf16> -> tensor<?x3xi1>
  return
}

// CHECK-LABEL: func.func @from_f32(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xf32>
func.func @from_f32(%x: tensor<?x3xf32>) {
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf32> -> tensor<?x3xf16>
  %f16 = fuse.cast %x : tensor<?x3xf32> -> tensor<?x3xf16>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf32> -> tensor<?x3xbf16>
  %bf16 = fuse.cast %x : tensor<?x3xf32> -> tensor<?x3xbf16>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf32> -> tensor<?x3xf32>
  %f32 = fuse.cast %x : tensor<?x3xf32> -> tensor<?x3xf32>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf32> -> tensor<?x3xf64>
  %f64 = fuse.cast %x : tensor<?x3xf32> -> tensor<?x3xf64>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf32> -> tensor<?x3xi32>
  %i32 = fuse.cast %x : tensor<?x3xf32> -> tensor<?x3xi32>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf32> -> tensor<?x3xi1>
  %i1 = fuse.cast %x : tensor<?x3xf32> -> tensor<?x3xi1>
  return
}

// CHECK-LABEL: func.func @from_f64(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xf64>
func.func @from_f64(%x: tensor<?x3xf64>) {
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf64> -> tensor<?x3xf16>
  %f16 = fuse.cast %x : tensor<?x3xf64> -> tensor<?x3xf16>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf64> -> tensor<?x3xbf16>
  %bf16 = fuse.cast %x : tensor<?x3xf64> -> tensor<?x3xbf16>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf64> -> tensor<?x3xf32>
  %f32 = fuse.cast %x : tensor<?x3xf64> -> tensor<?x3xf32>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf64> -> tensor<?x3xf64>
  %f64 = fuse.cast %x : tensor<?x3xf64> -> tensor<?x3xf64>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf64> -> tensor<?x3xi32>
  %i32 = fuse.cast %x : tensor<?x3xf64> -> tensor<?x3xi32>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xf64> -> tensor<?x3xi1>
  %i1 = fuse.cast %x : tensor<?x3xf64> -> tensor<?x3xi1>
  return
}

// CHECK-LABEL: func.func @from_i32(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xi32>
func.func @from_i32(%x: tensor<?x3xi32>) {
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xi32> -> tensor<?x3xf16>
  %f16 = fuse.cast %x : tensor<?x3xi32> -> tensor<?x3xf16>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xi32> -> tensor<?x3xbf16>
  %bf16 = fuse.cast %x : tensor<?x3xi32> -> tensor<?x3xbf16>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xi32> -> tensor<?x3xf32>
  %f32 = fuse.cast %x : tensor<?x3xi32> -> tensor<?x3xf32>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xi32> -> tensor<?x3xf64>
  %f64 = fuse.cast %x : tensor<?x3xi32> -> tensor<?x3xf64>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xi32> -> tensor<?x3xi32>
  %i32 = fuse.cast %x : tensor<?x3xi32> -> tensor<?x3xi32>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xi32> -> tensor<?x3xi1>
  %i1 = fuse.cast %x : tensor<?x3xi32> -> tensor<?x3xi1>
  return
}

// CHECK-LABEL: func.func @from_i1(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xi1>
func.func @from_i1(%x: tensor<?x3xi1>) {
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xi1> -> tensor<?x3xf16>
  %f16 = fuse.cast %x : tensor<?x3xi1> -> tensor<?x3xf16>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xi1> -> tensor<?x3xbf16>
  %bf16 = fuse.cast %x : tensor<?x3xi1> -> tensor<?x3xbf16>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xi1> -> tensor<?x3xf32>
  %f32 = fuse.cast %x : tensor<?x3xi1> -> tensor<?x3xf32>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xi1> -> tensor<?x3xf64>
  %f64 = fuse.cast %x : tensor<?x3xi1> -> tensor<?x3xf64>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xi1> -> tensor<?x3xi32>
  %i32 = fuse.cast %x : tensor<?x3xi1> -> tensor<?x3xi32>
  // CHECK-NEXT: fuse.cast %[[X]] : tensor<?x3xi1> -> tensor<?x3xi1>
  %i1 = fuse.cast %x : tensor<?x3xi1> -> tensor<?x3xi1>
  return
}

// CHECK-LABEL: func.func @shapes(
func.func @shapes(%x: tensor<f32>, %y: tensor<?x0x4xf32>) {
  // CHECK-NEXT: fuse.cast %{{.*}} : tensor<f32> -> tensor<f64>
  %scalar = fuse.cast %x : tensor<f32> -> tensor<f64>
  // CHECK-NEXT: fuse.cast %{{.*}} {tag} : tensor<?x0x4xf32> -> tensor<2x?x4xbf16>
  %other = fuse.cast %y {tag} : tensor<?x0x4xf32> -> tensor<2x?x4xbf16>
  return
}
