// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

!rows = !tile<64x32xf32, reg>
!kn = !tile<32x8xf32, smem>
!nk = !tile<8x32xf32, smem>
!mn = !tile<64x8xf32, reg>
!nm = !tile<8x64xf32, reg>

// CHECK-LABEL: tile.kernel @contract_rows()
tile.kernel @contract_rows() threads 32 grid [] tiles [] {
  // CHECK-NEXT: %[[ROWS:.*]] = tile.fill
  %rows = tile.fill 1.0 : f32 : !rows
  // CHECK-NEXT: %[[KN:.*]] = tile.alloc
  %kn = tile.alloc : !kn
  // CHECK-NEXT: %[[NK:.*]] = tile.alloc
  %nk = tile.alloc : !nk
  // CHECK-NEXT: %[[MN:.*]] = tile.fill
  %mn = tile.fill 0.0 : f32 : !mn
  // CHECK-NEXT: %[[NM:.*]] = tile.fill
  %nm = tile.fill 0.0 : f32 : !nm
  // CHECK-NEXT: tile.contract_rows %[[ROWS]], %[[KN]] into %[[MN]] : !tile<64x32xf32, reg>, !tile<32x8xf32, smem>, !tile<64x8xf32, reg>
  %plain = tile.contract_rows %rows, %kn into %mn : !rows, !kn, !mn
  // CHECK-NEXT: tile.contract_rows %[[ROWS]], %[[NK]] transposed into %[[MN]] {tag} : !tile<64x32xf32, reg>, !tile<8x32xf32, smem>, !tile<64x8xf32, reg>
  %rhs = tile.contract_rows %rows, %nk transposed into %mn {tag} : !rows, !nk, !mn
  // CHECK-NEXT: tile.contract_rows %[[ROWS]], %[[KN]] into %[[NM]] transposed {tag} : !tile<64x32xf32, reg>, !tile<32x8xf32, smem>, !tile<8x64xf32, reg>
  %turned = tile.contract_rows %rows, %kn into %nm transposed {tag} : !rows, !kn, !nm
}
