// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-unroll-contractions))' | FileCheck %s

!a = !tile<32x128xf32, smem>
!sums = !tile<128x128xf32, reg>
!small = !tile<128x8xf32, reg>

// In a loop, 64 sums a thread: 2048 multiply-adds, which may all be code; and 128 more.
// CHECK-LABEL: tile.kernel @whole(
// CHECK-NOT: unroll
// CHECK: tile.kernel @parts
tile.kernel @whole() threads 256 grid [] tiles [] {
  %a = tile.alloc : !a
  %b = tile.alloc : !tile<32x8xf32, smem>
  %zero = tile.fill 0.0 : f32 : !sums
  %none = tile.fill 0.0 : f32 : !small
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    %sums = tile.contract %a transposed, %a into %zero : !a, !a, !sums
    %more = tile.contract %a transposed, %b into %none : !a, !tile<32x8xf32, smem>, !small
  }
}

// Two of them are too many: 1600 in loops are 8 terms of 132 sums. The other one
// has 4 sums, and may have all of its
// terms in 128 multiply-adds.
// CHECK: tile.contract %{{.*}} into %{{[0-9]+}} unroll 8
// CHECK-NEXT: tile.contract %{{.*}} into %{{[0-9]+}} unroll 8
// CHECK-NEXT: tile.contract %{{.*}} into %{{[0-9]+}} :
tile.kernel @parts() threads 256 grid [] tiles [] {
  %a = tile.alloc : !a
  %b = tile.alloc : !tile<32x8xf32, smem>
  %zero = tile.fill 0.0 : f32 : !sums
  %none = tile.fill 0.0 : f32 : !small
  %first = tile.contract %a transposed, %a into %zero : !a, !a, !sums
  %second = tile.contract %a transposed, %a into %first : !a, !a, !sums
  %more = tile.contract %a transposed, %b into %none : !a, !tile<32x8xf32, smem>, !small
}

// What runs once has no more than 512 multiply-adds in its code: 32 sums are 16
// terms.
// CHECK-LABEL: tile.kernel @once(
// CHECK: tile.contract %{{.*}} into %{{[0-9]+}} unroll 16
// CHECK-NEXT: tile.contract %{{.*}} into %{{[0-9]+}} :
tile.kernel @once() threads 128 grid [] tiles [] {
  %a = tile.alloc : !tile<32x64xf32, smem>
  %b = tile.alloc : !tile<32x32xf32, smem>
  %zero = tile.fill 0.0 : f32 : !tile<64x64xf32, reg>
  %none = tile.fill 0.0 : f32 : !tile<64x32xf32, reg>
  %sums = tile.contract %a transposed, %a into %zero : !tile<32x64xf32, smem>, !tile<32x64xf32, smem>, !tile<64x64xf32, reg>
  %few = tile.contract %a transposed, %b into %none : !tile<32x64xf32, smem>, !tile<32x32xf32, smem>, !tile<64x32xf32, reg>
}
