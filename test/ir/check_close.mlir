// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @checks(
// CHECK-SAME:    %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<3x?xf32>, %[[S:.*]]: tensor<f16>
func.func @checks(%a: tensor<?x4xf32>, %b: tensor<3x?xf32>, %s: tensor<f16>) {
  // CHECK-NEXT: fuse.check.close %[[A]], %[[B]] rtol 9.9999999999999995E-7 atol 0.000000e+00 : tensor<?x4xf32>, tensor<3x?xf32>
  fuse.check.close %a, %b rtol 1.0e-6 atol 0.0 : tensor<?x4xf32>, tensor<3x?xf32>
  // CHECK-NEXT: fuse.check.close %[[S]], %[[S]] rtol 0.000000e+00 atol 0.33333333333333331 {tag} : tensor<f16>, tensor<f16>
  fuse.check.close %s, %s rtol 0.0 atol 0.33333333333333331 {tag} : tensor<f16>, tensor<f16>
  return
}
