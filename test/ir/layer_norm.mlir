// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @clauses(
// CHECK-SAME:    %[[X:.*]]: tensor<?x64xf32>, %[[G:.*]]: tensor<64xf32>, %[[B:.*]]: tensor<64xf32>
func.func @clauses(%x: tensor<?x64xf32>, %g: tensor<64xf32>, %b: tensor<64xf32>) {
  // CHECK-NEXT: fuse.layer_norm %[[X]] axis 1 : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %plain = fuse.layer_norm %x axis 1 : (tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK-NEXT: fuse.layer_norm %[[X]] gamma %[[G]] axis 1 : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %gamma = fuse.layer_norm %x gamma %g axis 1 : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  // CHECK-NEXT: fuse.layer_norm %[[X]] beta %[[B]] axis 1 : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %beta = fuse.layer_norm %x beta %b axis 1 : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  // CHECK-NEXT: fuse.layer_norm %[[X]] gamma %[[G]] beta %[[B]] axis 1 {tag} : (tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %both = fuse.layer_norm %x gamma %g beta %b axis 1 {tag} : (tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  return
}

// An eps of 1e-5 is not printed; others keep every digit.
// CHECK-LABEL: func.func @eps(
// CHECK-SAME:    %[[X:.*]]: tensor<4x3xf64>
func.func @eps(%x: tensor<4x3xf64>) {
  // CHECK-NEXT: fuse.layer_norm %[[X]] axis 0 : (
  %default = fuse.layer_norm %x axis 0 eps 1.0e-5 : (tensor<4x3xf64>) -> tensor<4x3xf64>
  // CHECK-NEXT: fuse.layer_norm %[[X]] axis 0 eps 9.9999999999999995E-7 : (
  %smaller = fuse.layer_norm %x axis 0 eps 1.0e-6 : (tensor<4x3xf64>) -> tensor<4x3xf64>
  // CHECK-NEXT: fuse.layer_norm %[[X]] axis 0 eps 1.0000000000000003E-5 : (
  %next = fuse.layer_norm %x axis 0 eps 1.0000000000000003e-5 : (tensor<4x3xf64>) -> tensor<4x3xf64>
  // CHECK-NEXT: fuse.layer_norm %[[X]] axis 0 eps 0.000000e+00 : (
  %zero = fuse.layer_norm %x axis 0 eps 0.0 : (tensor<4x3xf64>) -> tensor<4x3xf64>
  return
}

// CHECK-LABEL: func.func @axes(
func.func @axes(%v: tensor<?xf16>, %x: tensor<2x?x4xbf16>, %g: tensor<3xbf16>) {
  // CHECK-NEXT: fuse.layer_norm %{{.*}} axis 0 : (tensor<?xf16>) -> tensor<?xf16>
  %vector = fuse.layer_norm %v axis 0 : (tensor<?xf16>) -> tensor<?xf16>
  // CHECK-NEXT: fuse.layer_norm %{{.*}} gamma %{{.*}} axis 1 : (tensor<2x?x4xbf16>, tensor<3xbf16>) -> tensor<2x?x4xbf16>
  %middle = fuse.layer_norm %x gamma %g axis 1 : (tensor<2x?x4xbf16>, tensor<3xbf16>) -> tensor<2x?x4xbf16>
  return
}
