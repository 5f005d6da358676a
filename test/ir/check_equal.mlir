// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @checks(
// CHECK-SAME:    %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<3x?xf32>, %[[S:.*]]: tensor<f64>
func.func @checks(%a: tensor<?x4xf32>, %b: tensor<3x?xf32>, %s: tensor<f64>) {
  // CHECK-NEXT: fuse.check.equal %[[A]], %[[A]] : tensor<?x4xf32>, tensor<?x4xf32>
  fuse.check.equal %a, %a : tensor<?x4xf32>, tensor<?x4xf32>
  // CHECK-NEXT: fuse.check.equal %[[A]], %[[B]] {tag} : tensor<?x4xf32>, tensor<3x?xf32>
  fuse.check.equal %a, %b {tag} : tensor<?x4xf32>, tensor<3x?xf32>
  // CHECK-NEXT: fuse.check.equal %[[S]], %[[S]] : tensor<f64>, tensor<f64>
  fuse.check.equal %s, %s : tensor<f64>, tensor<f64>
  return
}

// CHECK-LABEL: func.func @element_types(
func.func @element_types(%f16: tensor<0xf16>, %bf16: tensor<?xbf16>,
                         %i32: tensor<?xi32>, %i1: tensor<?xi1>) {
  // CHECK-NEXT: fuse.check.equal %{{.*}}, %{{.*}} : tensor<0xf16>, tensor<0xf16>
  fuse.check.equal %f16, %f16 : tensor<0xf16>, tensor<0xf16>
  // CHECK-NEXT: fuse.check.equal %{{.*}}, %{{.*}} : tensor<?xbf16>, tensor<?xbf16>
  fuse.check.equal %bf16, %bf16 : tensor<?xbf16>, tensor<?xbf16>
  // CHECK-NEXT: fuse.check.equal %{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>
  fuse.check.equal %i32, %i32 : tensor<?xi32>, tensor<?xi32>
  // CHECK-NEXT: fuse.check.equal %{{.*}}, %{{.*}} : tensor<?xi1>, tensor<?xi1>
  fuse.check.equal %i1, %i1 : tensor<?xi1>, tensor<?xi1>
  return
}
