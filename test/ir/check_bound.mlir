// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @checks(
// CHECK-SAME:    %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<3x?xf32>, %[[S:.*]]: tensor<f64>
func.func @checks(%a: tensor<?x4xf32>, %b: tensor<3x?xf32>, %s: tensor<f64>) {
  // CHECK-NEXT: fuse.check.bound %[[A]], %[[A]] : tensor<?x4xf32>, tensor<?x4xf32>
  fuse.check.bound %a, %a : tensor<?x4xf32>, tensor<?x4xf32>
  // CHECK-NEXT: fuse.check.bound %[[A]], %[[B]] {tag} : tensor<?x4xf32>, tensor<3x?xf32>
  fuse.check.bound %a, %b {tag} : tensor<?x4xf32>, tensor<3x?xf32>
  // CHECK-NEXT: fuse.check.bound %[[S]], %[[S]] : tensor<f64>, tensor<f64>
  fuse.check.bound %s, %s : tensor<f64>, tensor<f64>
  return
}
