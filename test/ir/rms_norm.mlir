// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @clauses(
// CHECK-SAME:    %[[X:.*]]: tensor<?x64xf32>, %[[G:.*]]: tensor<64xf32>
func.func @clauses(%x: tensor<?x64xf32>, %g: tensor<64xf32>) {
  // CHECK-NEXT: fuse.rms_norm %[[X]] axis 1 : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %plain = fuse.rms_norm %x axis 1 : (tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK-NEXT: fuse.rms_norm %[[X]] gamma %[[G]] axis 1 : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %gamma = fuse.rms_norm %x gamma %g axis 1 : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  // An eps of 1e-5 is not printed.
  // CHECK-NEXT: fuse.rms_norm %[[X]] gamma %[[G]] axis 1 : (
  %default = fuse.rms_norm %x gamma %g axis 1 eps 1.0e-5 : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  // CHECK-NEXT: fuse.rms_norm %[[X]] gamma %[[G]] axis 1 eps 2.500000e-01 {tag} : (
  %eps = fuse.rms_norm %x gamma %g axis 1 eps 0.25 {tag} : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
func.func @element_types(%f16: tensor<?xf16>, %bf16: tensor<2x?x4xbf16>, %f64: tensor<1xf64>) {
  // CHECK-NEXT: fuse.rms_norm %{{.*}} axis 0 : (tensor<?xf16>) -> tensor<?xf16>
  %vector = fuse.rms_norm %f16 axis 0 : (tensor<?xf16>) -> tensor<?xf16>
  // CHECK-NEXT: fuse.rms_norm %{{.*}} axis 1 : (tensor<2x?x4xbf16>) -> tensor<2x?x4xbf16>
  %middle = fuse.rms_norm %bf16 axis 1 : (tensor<2x?x4xbf16>) -> tensor<2x?x4xbf16>
  // CHECK-NEXT: fuse.rms_norm %{{.*}} axis 0 : (tensor<1xf64>) -> tensor<1xf64>
  %one = fuse.rms_norm %f64 axis 0 : (tensor<1xf64>) -> tensor<1xf64>
  return
}
