// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @masked_rows(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>
func.func @masked_rows(%x: tensor<?x4xf32>) {
  // The default is not printed.
  // CHECK-NEXT: fuse.softmax %[[X]] axis 1 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %default = fuse.softmax %x axis 1 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: fuse.softmax %[[X]] axis 1 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %nan = fuse.softmax %x axis 1 masked_rows nan : (tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: fuse.softmax %[[X]] axis 0 masked_rows zero {tag} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %zero = fuse.softmax %x axis 0 masked_rows zero {tag} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
func.func @element_types(%f16: tensor<?xf16>, %bf16: tensor<2x?x4xbf16>, %f64: tensor<3x0xf64>) {
  // CHECK-NEXT: fuse.softmax %{{.*}} axis 0 : (tensor<?xf16>) -> tensor<?xf16>
  %vector = fuse.softmax %f16 axis 0 : (tensor<?xf16>) -> tensor<?xf16>
  // CHECK-NEXT: fuse.softmax %{{.*}} axis 1 : (tensor<2x?x4xbf16>) -> tensor<2x?x4xbf16>
  %middle = fuse.softmax %bf16 axis 1 : (tensor<2x?x4xbf16>) -> tensor<2x?x4xbf16>
  // CHECK-NEXT: fuse.softmax %{{.*}} axis 1 : (tensor<3x0xf64>) -> tensor<3x0xf64>
  %empty = fuse.softmax %f64 axis 1 : (tensor<3x0xf64>) -> tensor<3x0xf64>
  return
}
