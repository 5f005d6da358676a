// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// New axes are numbers, symbols of the function, or indices of another tensor.
// CHECK-LABEL: func.func @new_axes(
// CHECK-SAME:    %[[B:[^:]*]]: tensor<?xf32> {{{.*}}}, %[[X:[^:]*]]: tensor<?x?xf32>
func.func @new_axes(%b: tensor<?xf32> {fuse.dims = ["D"]},
                    %x: tensor<?x?xf32> {fuse.dims = ["N", "D"]}) {
  // CHECK-NEXT: fuse.broadcast %[[B]] "d -> d 4 1" : (tensor<?xf32>) -> tensor<?x4x1xf32>
  %numbers = fuse.broadcast %b "d -> d 4 1" : (tensor<?xf32>) -> tensor<?x4x1xf32>
  // CHECK-NEXT: fuse.broadcast %[[B]] "d -> N d" : (tensor<?xf32>) -> tensor<?x?xf32>
  %symbol = fuse.broadcast %b "d -> N d" : (tensor<?xf32>) -> tensor<?x?xf32>
  // CHECK-NEXT: fuse.broadcast %[[B]] "d -> n d" like %[[X]] : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %like = fuse.broadcast %b "d -> n d" like %x : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK-NEXT: fuse.broadcast %[[B]] "D -> N D" : (tensor<?xf32>) -> tensor<?x?xf32>
  %named = fuse.broadcast %b "D -> N D" : (tensor<?xf32>) -> tensor<?x?xf32>
  // CHECK-NEXT: fuse.broadcast %[[B]] "d -> 0 d" {tag} : (tensor<?xf32>) -> tensor<0x?xf32>
  %empty = fuse.broadcast %b "d -> 0 d" {tag} : (tensor<?xf32>) -> tensor<0x?xf32>
  return
}

// CHECK-LABEL: func.func @sources(
// CHECK-SAME:    %[[S:.*]]: tensor<i1>, %[[X:.*]]: tensor<2x3xf16>, %[[L:.*]]: tensor<3x?x2xi32>
func.func @sources(%s: tensor<i1>, %x: tensor<2x3xf16>, %l: tensor<3x?x2xi32>) {
  // CHECK-NEXT: fuse.broadcast %[[S]] " -> 5" : (tensor<i1>) -> tensor<5xi1>
  %scalar = fuse.broadcast %s " -> 5" : (tensor<i1>) -> tensor<5xi1>
  // CHECK-NEXT: fuse.broadcast %[[S]] "->" : (tensor<i1>) -> tensor<i1>
  %nothing = fuse.broadcast %s "->" : (tensor<i1>) -> tensor<i1>
  // The axes of the source may change places.
  // CHECK-NEXT: fuse.broadcast %[[X]] "a b -> b 7 a" : (tensor<2x3xf16>) -> tensor<3x7x2xf16>
  %turned = fuse.broadcast %x "a b -> b 7 a" : (tensor<2x3xf16>) -> tensor<3x7x2xf16>
  // The element type of the other tensor is of no concern.
  // CHECK-NEXT: fuse.broadcast %[[X]] "a b -> b n a" like %[[L]] : (tensor<2x3xf16>, tensor<3x?x2xi32>) -> tensor<3x?x2xf16>
  %like = fuse.broadcast %x "a b -> b n a" like %l : (tensor<2x3xf16>, tensor<3x?x2xi32>) -> tensor<3x?x2xf16>
  return
}

// What either tensor knows of an axis holds for the result.
// CHECK-LABEL: func.func @mixed_shapes(
func.func @mixed_shapes(%x: tensor<?xf32>, %l: tensor<4x8xf32>) {
  // CHECK-NEXT: fuse.broadcast %{{.*}} "d -> n d" like %{{.*}} : (tensor<?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %static = fuse.broadcast %x "d -> n d" like %l : (tensor<?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
