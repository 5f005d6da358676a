// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @concat(
// CHECK-SAME:    %[[A:.*]]: tensor<?x8xf32>, %[[B:.*]]: tensor<?x4xf32>
func.func @concat(%a: tensor<?x8xf32>, %b: tensor<?x4xf32>) {
  // CHECK-NEXT: fuse.concat %[[A]] axis 0 : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %one = fuse.concat %a axis 0 : (tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK-NEXT: fuse.concat %[[A]], %[[B]] axis 1 : (tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<?x12xf32>
  %two = fuse.concat %a, %b axis 1 : (tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<?x12xf32>
  // CHECK-NEXT: fuse.concat %[[A]], %[[B]], %[[A]] axis 1 {tag} : (tensor<?x8xf32>, tensor<?x4xf32>, tensor<?x8xf32>) -> tensor<?x20xf32>
  %three = fuse.concat %a, %b, %a axis 1 {tag} : (tensor<?x8xf32>, tensor<?x4xf32>, tensor<?x8xf32>) -> tensor<?x20xf32>
  // CHECK-NEXT: fuse.concat %[[A]], %[[A]] axis 0 : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %dynamic = fuse.concat %a, %a axis 0 : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// A number says more than a name, whichever operand has it.
// CHECK-LABEL: func.func @refined(
func.func @refined(%a: tensor<?x8xf32>, %b: tensor<5x4xf32>) {
  // CHECK-NEXT: fuse.concat %{{.*}}, %{{.*}} axis 1 : (tensor<?x8xf32>, tensor<5x4xf32>) -> tensor<5x12xf32>
  %0 = fuse.concat %a, %b axis 1 : (tensor<?x8xf32>, tensor<5x4xf32>) -> tensor<5x12xf32>
  return
}

// CHECK-LABEL: func.func @other_operands(
func.func @other_operands(%a: tensor<2x?xi1>, %b: tensor<0x3xi1>) {
  // CHECK-NEXT: fuse.concat %{{.*}}, %{{.*}} axis 0 : (tensor<2x?xi1>, tensor<0x3xi1>) -> tensor<2x3xi1>
  %empty = fuse.concat %a, %b axis 0 : (tensor<2x?xi1>, tensor<0x3xi1>) -> tensor<2x3xi1>
  return
}
