// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @two_operands(
// CHECK-SAME:    %[[A:.*]]: tensor<?x4x8xf32>, %[[B:.*]]: tensor<?x8x5xf32>
func.func @two_operands(%a: tensor<?x4x8xf32>, %b: tensor<?x8x5xf32>) {
  // CHECK-NEXT: fuse.einsum "bij,bjk->bik" %[[A]], %[[B]] : (tensor<?x4x8xf32>, tensor<?x8x5xf32>) -> tensor<?x4x5xf32>
  %batched = fuse.einsum "bij,bjk->bik" %a, %b : (tensor<?x4x8xf32>, tensor<?x8x5xf32>) -> tensor<?x4x5xf32>
  // The order of the result is free.
  // CHECK-NEXT: fuse.einsum "bij,bjk->kbi" %[[A]], %[[B]] : {{.*}} -> tensor<5x?x4xf32>
  %free = fuse.einsum "bij,bjk->kbi" %a, %b : (tensor<?x4x8xf32>, tensor<?x8x5xf32>) -> tensor<5x?x4xf32>
  // Nothing summed, everything summed, each side summed alone.
  // CHECK-NEXT: fuse.einsum "aij,bkl->abijkl" %[[A]], %[[B]] : {{.*}} -> tensor<?x?x4x8x8x5xf32>
  %outer = fuse.einsum "aij,bkl->abijkl" %a, %b : (tensor<?x4x8xf32>, tensor<?x8x5xf32>) -> tensor<?x?x4x8x8x5xf32>
  // CHECK-NEXT: fuse.einsum "bij,bjk->" %[[A]], %[[B]] : {{.*}} -> tensor<f32>
  %all = fuse.einsum "bij,bjk->" %a, %b : (tensor<?x4x8xf32>, tensor<?x8x5xf32>) -> tensor<f32>
  // CHECK-NEXT: fuse.einsum "aij,bkl->ik" %[[A]], %[[B]] : {{.*}} -> tensor<4x8xf32>
  %apart = fuse.einsum "aij,bkl->ik" %a, %b : (tensor<?x4x8xf32>, tensor<?x8x5xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @one_operand(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4x4xf32>
func.func @one_operand(%x: tensor<?x4x4xf32>) {
  // CHECK-NEXT: fuse.einsum "bij->bji" %[[X]] : (tensor<?x4x4xf32>) -> tensor<?x4x4xf32>
  %transpose = fuse.einsum "bij->bji" %x : (tensor<?x4x4xf32>) -> tensor<?x4x4xf32>
  // CHECK-NEXT: fuse.einsum "bii->bi" %[[X]] : (tensor<?x4x4xf32>) -> tensor<?x4xf32>
  %diagonal = fuse.einsum "bii->bi" %x : (tensor<?x4x4xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: fuse.einsum "bii->" %[[X]] : (tensor<?x4x4xf32>) -> tensor<f32>
  %trace = fuse.einsum "bii->" %x : (tensor<?x4x4xf32>) -> tensor<f32>
  return
}

// An index may be repeated in both operands, and a rank be 0. Blanks around the
// parts do not matter, and letters of both cases are different indices.
// CHECK-LABEL: func.func @odd_strings(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?xf32>, %[[S:.*]]: tensor<f32>
func.func @odd_strings(%x: tensor<?x?xf32>, %s: tensor<f32>) {
  // CHECK-NEXT: fuse.einsum "ii,ii->i" %[[X]], %[[X]] :
  %both = fuse.einsum "ii,ii->i" %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?xf32>
  // CHECK-NEXT: fuse.einsum ",ij->ij" %[[S]], %[[X]] :
  %scaled = fuse.einsum ",ij->ij" %s, %x : (tensor<f32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK-NEXT: fuse.einsum "->" %[[S]] : (tensor<f32>) -> tensor<f32>
  %scalar = fuse.einsum "->" %s : (tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: fuse.einsum " ij , jk -> ik " %[[X]], %[[X]] :
  %blanks = fuse.einsum " ij , jk -> ik " %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK-NEXT: fuse.einsum "iI,Ij->ij" %[[X]], %[[X]] :
  %cases = fuse.einsum "iI,Ij->ij" %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: func.func @precisions(
// CHECK-SAME:    %[[X:.*]]: tensor<4x4xf32>
func.func @precisions(%x: tensor<4x4xf32>) {
  // The default is not printed.
  // CHECK-NEXT: fuse.einsum "ij,jk->ik" %[[X]], %[[X]] : (
  %default = fuse.einsum "ij,jk->ik" %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: fuse.einsum "ij,jk->ik" %[[X]], %[[X]] : (
  %ieee = fuse.einsum "ij,jk->ik" %x, %x precision ieee : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: fuse.einsum "ij,jk->ik" %[[X]], %[[X]] precision bf16x6 : (
  %bf16x6 = fuse.einsum "ij,jk->ik" %x, %x precision bf16x6 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: fuse.einsum "ij,jk->ik" %[[X]], %[[X]] precision bf16x3 : (
  %bf16x3 = fuse.einsum "ij,jk->ik" %x, %x precision bf16x3 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: fuse.einsum "ij,jk->ik" %[[X]], %[[X]] precision tf32 {tag} : (
  %tf32 = fuse.einsum "ij,jk->ik" %x, %x precision tf32 {tag} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: fuse.einsum "ij,jk->ik" %[[X]], %[[X]] precision bf16 : (
  %bf16 = fuse.einsum "ij,jk->ik" %x, %x precision bf16 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// 16-bit operands give their own type, or f32.
// CHECK-LABEL: func.func @element_types(
func.func @element_types(%f16: tensor<?x2xf16>, %bf16: tensor<?x2xbf16>,
                         %f64: tensor<?x2xf64>) {
  // CHECK-NEXT: (tensor<?x2xf16>, tensor<?x2xf16>) -> tensor<2x2xf16>
  %a = fuse.einsum "ij,ik->jk" %f16, %f16 : (tensor<?x2xf16>, tensor<?x2xf16>) -> tensor<2x2xf16>
  // CHECK-NEXT: (tensor<?x2xf16>, tensor<?x2xf16>) -> tensor<2x2xf32>
  %b = fuse.einsum "ij,ik->jk" %f16, %f16 : (tensor<?x2xf16>, tensor<?x2xf16>) -> tensor<2x2xf32>
  // CHECK-NEXT: (tensor<?x2xbf16>) -> tensor<2xbf16>
  %c = fuse.einsum "ij->j" %bf16 : (tensor<?x2xbf16>) -> tensor<2xbf16>
  // CHECK-NEXT: (tensor<?x2xbf16>) -> tensor<2xf32>
  %d = fuse.einsum "ij->j" %bf16 : (tensor<?x2xbf16>) -> tensor<2xf32>
  // CHECK-NEXT: (tensor<?x2xf64>) -> tensor<2xf64>
  %e = fuse.einsum "ij->j" %f64 : (tensor<?x2xf64>) -> tensor<2xf64>
  return
}

// What one operand knows of an index holds for the result.
// CHECK-LABEL: func.func @mixed_shapes(
func.func @mixed_shapes(%a: tensor<?x?xf32>, %b: tensor<8x3xf32>) {
  // CHECK-NEXT: (tensor<?x?xf32>, tensor<8x3xf32>) -> tensor<?x3xf32>
  %sum = fuse.einsum "ij,jk->ik" %a, %b : (tensor<?x?xf32>, tensor<8x3xf32>) -> tensor<?x3xf32>
  // CHECK-NEXT: (tensor<?x?xf32>, tensor<8x3xf32>) -> tensor<?x8x3xf32>
  %kept = fuse.einsum "ij,jk->ijk" %a, %b : (tensor<?x?xf32>, tensor<8x3xf32>) -> tensor<?x8x3xf32>
  return
}
