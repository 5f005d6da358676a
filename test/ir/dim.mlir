// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @of_expression(
func.func @of_expression(%x: tensor<?x?xf32> {fuse.dims = ["N", "H*D"]}) {
  // CHECK-NEXT: fuse.dim "N" : tensor<i32>
  %i32 = fuse.dim "N" : tensor<i32>
  // CHECK-NEXT: fuse.dim "2*N + 1" : tensor<f16>
  %f16 = fuse.dim "2*N + 1" : tensor<f16>
  // CHECK-NEXT: fuse.dim "N - 1" : tensor<bf16>
  %bf16 = fuse.dim "N - 1" : tensor<bf16>
  // CHECK-NEXT: fuse.dim "(H*D)/H" : tensor<f32>
  %f32 = fuse.dim "(H*D)/H" : tensor<f32>
  // CHECK-NEXT: fuse.dim "96" : tensor<f64>
  %f64 = fuse.dim "96" : tensor<f64>
  return
}

// CHECK-LABEL: func.func @of_axis(
// CHECK-SAME:    %[[X:.*]]: tensor<?x24xf16>
func.func @of_axis(%x: tensor<?x24xf16>) {
  // CHECK-NEXT: fuse.dim %[[X]] axis 0 : tensor<?x24xf16> -> tensor<i32>
  %n = fuse.dim %x axis 0 : tensor<?x24xf16> -> tensor<i32>
  // CHECK-NEXT: fuse.dim %[[X]] axis 1 {tag} : tensor<?x24xf16> -> tensor<f32>
  %d = fuse.dim %x axis 1 {tag} : tensor<?x24xf16> -> tensor<f32>
  return
}
