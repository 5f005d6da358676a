// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @shapes(
// CHECK-SAME:    %[[C:.*]]: tensor<?x4xi1>, %[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<3x?xf32>
func.func @shapes(%c: tensor<?x4xi1>, %x: tensor<?x4xf32>, %y: tensor<3x?xf32>) {
  // CHECK-NEXT: fuse.select %[[C]], %[[X]], %[[X]] : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %same = fuse.select %c, %x, %x : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: fuse.select %[[C]], %[[X]], %[[Y]] {tag} : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<3x?xf32>) -> tensor<3x4xf32>
  %mixed = fuse.select %c, %x, %y {tag} : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<3x?xf32>) -> tensor<3x4xf32>
  return
}

// Any of the three may be a scalar.
// CHECK-LABEL: func.func @scalar_operands(
// CHECK-SAME:    %[[C:.*]]: tensor<?xi1>, %[[X:.*]]: tensor<?xi32>, %[[SC:.*]]: tensor<i1>, %[[S:.*]]: tensor<i32>
func.func @scalar_operands(%c: tensor<?xi1>, %x: tensor<?xi32>, %sc: tensor<i1>, %s: tensor<i32>) {
  // CHECK-NEXT: fuse.select %[[SC]], %[[X]], %[[X]] :
  %condition = fuse.select %sc, %x, %x : (tensor<i1>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  // CHECK-NEXT: fuse.select %[[C]], %[[S]], %[[X]] :
  %on_true = fuse.select %c, %s, %x : (tensor<?xi1>, tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  // CHECK-NEXT: fuse.select %[[C]], %[[S]], %[[S]] : (tensor<?xi1>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %both = fuse.select %c, %s, %s : (tensor<?xi1>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  // CHECK-NEXT: fuse.select %[[SC]], %[[S]], %[[S]] : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %all = fuse.select %sc, %s, %s : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @element_types(
func.func @element_types(%c: tensor<i1>, %f16: tensor<f16>, %bf16: tensor<bf16>,
                         %f64: tensor<f64>) {
  // CHECK-NEXT: fuse.select {{.*}} -> tensor<f16>
  %a = fuse.select %c, %f16, %f16 : (tensor<i1>, tensor<f16>, tensor<f16>) -> tensor<f16>
  // CHECK-NEXT: fuse.select {{.*}} -> tensor<bf16>
  %b = fuse.select %c, %bf16, %bf16 : (tensor<i1>, tensor<bf16>, tensor<bf16>) -> tensor<bf16>
  // CHECK-NEXT: fuse.select {{.*}} -> tensor<f64>
  %d = fuse.select %c, %f64, %f64 : (tensor<i1>, tensor<f64>, tensor<f64>) -> tensor<f64>
  // CHECK-NEXT: fuse.select {{.*}} -> tensor<i1>
  %e = fuse.select %c, %c, %c : (tensor<i1>, tensor<i1>, tensor<i1>) -> tensor<i1>
  return
}
