// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @comparisons(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<?x4xf32>
func.func @comparisons(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) {
  // CHECK-NEXT: fuse.compare eq %[[X]], %[[Y]] : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
  %eq = fuse.compare eq %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
  // CHECK-NEXT: fuse.compare ne %[[X]], %[[Y]] :
  %ne = fuse.compare ne %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
  // CHECK-NEXT: fuse.compare lt %[[X]], %[[Y]] :
  %lt = fuse.compare lt %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
  // CHECK-NEXT: fuse.compare le %[[X]], %[[Y]] :
  %le = fuse.compare le %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
  // CHECK-NEXT: fuse.compare gt %[[X]], %[[Y]] :
  %gt = fuse.compare gt %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
  // CHECK-NEXT: fuse.compare ge %[[X]], %[[Y]] {tag} :
  %ge = fuse.compare ge %x, %y {tag} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
  return
}

// CHECK-LABEL: func.func @element_types(
func.func @element_types(%a: tensor<2xf16>, %b: tensor<2xbf16>,
                         %c: tensor<2xf64>, %d: tensor<2xi32>,
                         %e: tensor<2xi1>) {
  // CHECK-NEXT: fuse.compare lt %{{.*}}, %{{.*}} : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xi1>
  %f16 = fuse.compare lt %a, %a : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xi1>
  // CHECK-NEXT: fuse.compare lt %{{.*}}, %{{.*}} : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xi1>
  %bf16 = fuse.compare lt %b, %b : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xi1>
  // CHECK-NEXT: fuse.compare lt %{{.*}}, %{{.*}} : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
  %f64 = fuse.compare lt %c, %c : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
  // CHECK-NEXT: fuse.compare lt %{{.*}}, %{{.*}} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %i32 = fuse.compare lt %d, %d : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  // CHECK-NEXT: fuse.compare eq %{{.*}}, %{{.*}} : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %i1 = fuse.compare eq %e, %e : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// CHECK-LABEL: func.func @scalar_operands(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[S:.*]]: tensor<f32>
func.func @scalar_operands(%x: tensor<?xf32>, %s: tensor<f32>) {
  // CHECK-NEXT: fuse.compare lt %[[X]], %[[S]] : (tensor<?xf32>, tensor<f32>) -> tensor<?xi1>
  %right = fuse.compare lt %x, %s : (tensor<?xf32>, tensor<f32>) -> tensor<?xi1>
  // CHECK-NEXT: fuse.compare lt %[[S]], %[[X]] : (tensor<f32>, tensor<?xf32>) -> tensor<?xi1>
  %left = fuse.compare lt %s, %x : (tensor<f32>, tensor<?xf32>) -> tensor<?xi1>
  // CHECK-NEXT: fuse.compare lt %[[S]], %[[S]] : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %both = fuse.compare lt %s, %s : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return
}
