// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @like(
// CHECK-SAME:    %[[S:.*]]: tensor<?x8xf32>
func.func @like(%s: tensor<?x8xf32>) {
  // CHECK-NEXT: fuse.iota axis 0 like %[[S]] : tensor<?x8xf32> -> tensor<?x8xi32>
  %row = fuse.iota axis 0 like %s : tensor<?x8xf32> -> tensor<?x8xi32>
  // CHECK-NEXT: fuse.iota axis 1 like %[[S]] {tag} : tensor<?x8xf32> -> tensor<?x8xbf16>
  %col = fuse.iota axis 1 like %s {tag} : tensor<?x8xf32> -> tensor<?x8xbf16>
  return
}

// CHECK-LABEL: func.func @shape(
func.func @shape(%x: tensor<?x?xf32> {fuse.dims = ["T", "S"]}) {
  // CHECK-NEXT: fuse.iota axis 0 shape "4" : tensor<4xi32>
  %static = fuse.iota axis 0 shape "4" : tensor<4xi32>
  // CHECK-NEXT: fuse.iota axis 2 shape "T 2*S+1 3" : tensor<?x?x3xf32>
  %mixed = fuse.iota axis 2 shape "T 2*S+1 3" : tensor<?x?x3xf32>
  // The type may know more than the shape, or less.
  // CHECK-NEXT: fuse.iota axis 0 shape "T" : tensor<16xf64>
  %more = fuse.iota axis 0 shape "T" : tensor<16xf64>
  // CHECK-NEXT: fuse.iota axis 0 shape "4" : tensor<?xf16>
  %less = fuse.iota axis 0 shape "4" : tensor<?xf16>
  // CHECK-NEXT: fuse.iota axis 0 shape "0" : tensor<0xi32>
  %empty = fuse.iota axis 0 shape "0" : tensor<0xi32>
  return
}
