// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: tile.kernel @contract()
tile.kernel @contract() threads 32 grid [] tiles [] {
  // CHECK-NEXT: %[[ZERO:.*]] = tile.fill
  %zero = tile.fill 0.0 : f32 : !tile<16x64xf32, reg>
  // CHECK-NEXT: %[[MK:.*]] = tile.alloc
  %mk = tile.alloc : !tile<16x32xf32, smem>
  // CHECK-NEXT: %[[KM:.*]] = tile.alloc
  %km = tile.alloc : !tile<32x16xf32, smem>
  // CHECK-NEXT: %[[KN:.*]] = tile.alloc
  %kn = tile.alloc : !tile<32x64xf32, smem>
  // CHECK-NEXT: %[[NK:.*]] = tile.alloc
  %nk = tile.alloc : !tile<64x32xf32, smem>
  // CHECK-NEXT: tile.contract %[[MK]], %[[KN]] into %[[ZERO]] : !tile<16x32xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
  %plain = tile.contract %mk, %kn into %zero : !tile<16x32xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
  // CHECK-NEXT: tile.contract %[[KM]] transposed, %[[KN]] into %[[ZERO]] : !tile<32x16xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
  %lhs = tile.contract %km transposed, %kn into %zero : !tile<32x16xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
  // CHECK-NEXT: tile.contract %[[MK]], %[[NK]] transposed into %[[ZERO]] {tag} : !tile<16x32xf32, smem>, !tile<64x32xf32, smem>, !tile<16x64xf32, reg>
  %rhs = tile.contract %mk, %nk transposed into %zero {tag} : !tile<16x32xf32, smem>, !tile<64x32xf32, smem>, !tile<16x64xf32, reg>
  // CHECK-NEXT: tile.contract %[[MK]], %[[KN]] into %[[ZERO]] unroll 4 {tag} : !tile<16x32xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
  %unrolled = tile.contract %mk, %kn into %zero unroll 4 {tag} : !tile<16x32xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
  // CHECK-NEXT: tile.contract %[[KM]] transposed, %[[NK]] transposed into %[[ZERO]] : !tile<32x16xf32, smem>, !tile<64x32xf32, smem>, !tile<16x64xf32, reg>
  %both = tile.contract %km transposed, %nk transposed into %zero : !tile<32x16xf32, smem>, !tile<64x32xf32, smem>, !tile<16x64xf32, reg>
  // CHECK-NEXT: tile.contract %[[MK]], %[[KN]] into %[[ZERO]] one_chain unroll 8 additions 7 : !tile<16x32xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
  %free = tile.contract %mk, %kn into %zero one_chain unroll 8 additions 7 : !tile<16x32xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
}
