// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @clauses(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x64xf32>, %[[W:.*]]: tensor<32x64xf32>, %[[B:.*]]: tensor<32xf32>
func.func @clauses(%x: tensor<?x?x64xf32>, %w: tensor<32x64xf32>, %b: tensor<32xf32>) {
  // CHECK-NEXT: fuse.linear %[[X]], %[[W]] : (tensor<?x?x64xf32>, tensor<32x64xf32>) -> tensor<?x?x32xf32>
  %plain = fuse.linear %x, %w : (tensor<?x?x64xf32>, tensor<32x64xf32>) -> tensor<?x?x32xf32>
  // CHECK-NEXT: fuse.linear %[[X]], %[[W]] bias %[[B]] : (tensor<?x?x64xf32>, tensor<32x64xf32>, tensor<32xf32>) -> tensor<?x?x32xf32>
  %bias = fuse.linear %x, %w bias %b : (tensor<?x?x64xf32>, tensor<32x64xf32>, tensor<32xf32>) -> tensor<?x?x32xf32>
  // CHECK-NEXT: fuse.linear %[[X]], %[[W]] bias %[[B]] precision tf32 {tag} : (
  %tf32 = fuse.linear %x, %w bias %b precision tf32 {tag} : (tensor<?x?x64xf32>, tensor<32x64xf32>, tensor<32xf32>) -> tensor<?x?x32xf32>
  return
}

// CHECK-LABEL: func.func @precisions(
// CHECK-SAME:    %[[X:.*]]: tensor<2x2xf32>
func.func @precisions(%x: tensor<2x2xf32>) {
  // The default is not printed.
  // CHECK-NEXT: fuse.linear %[[X]], %[[X]] : (
  %ieee = fuse.linear %x, %x precision ieee : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK-NEXT: fuse.linear %[[X]], %[[X]] precision bf16x6 : (
  %bf16x6 = fuse.linear %x, %x precision bf16x6 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK-NEXT: fuse.linear %[[X]], %[[X]] precision bf16x3 : (
  %bf16x3 = fuse.linear %x, %x precision bf16x3 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK-NEXT: fuse.linear %[[X]], %[[X]] precision bf16 : (
  %bf16 = fuse.linear %x, %x precision bf16 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// CHECK-LABEL: func.func @shapes(
func.func @shapes(%v: tensor<?xbf16>, %w: tensor<?x?xbf16>, %u: tensor<3x8xbf16>,
                  %x: tensor<1x2x3x4x5x6x7x8xf16>, %y: tensor<0x8xf16>) {
  // CHECK-NEXT: fuse.linear %{{.*}}, %{{.*}} : (tensor<?xbf16>, tensor<?x?xbf16>) -> tensor<?xbf16>
  %vector = fuse.linear %v, %w : (tensor<?xbf16>, tensor<?x?xbf16>) -> tensor<?xbf16>
  // CHECK-NEXT: fuse.linear %{{.*}}, %{{.*}} : (tensor<?xbf16>, tensor<3x8xbf16>) -> tensor<3xbf16>
  %static = fuse.linear %v, %u : (tensor<?xbf16>, tensor<3x8xbf16>) -> tensor<3xbf16>
  // CHECK-NEXT: fuse.linear {{.*}} -> tensor<1x2x3x4x5x6x7x0xf16>
  %rank8 = fuse.linear %x, %y : (tensor<1x2x3x4x5x6x7x8xf16>, tensor<0x8xf16>) -> tensor<1x2x3x4x5x6x7x0xf16>
  return
}
