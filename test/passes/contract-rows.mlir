// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-contract-rows))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-contract-rows,tile-assign-layouts))' | FileCheck %s --check-prefix=LAYOUT

!a = !tile<64x32xf32, smem>
!b = !tile<32x64xf32, smem>
!sums = !tile<64x64xf32, reg>
!shared = !tile<64x64xf32, smem>
!w = !tile<8x64xf32, smem>
!heads = !tile<8x64xf32, reg>
!wide = !tile<32x64xf32, smem>
!many = !tile<32x64xf32, reg>

// What a contraction computed is multiplied where it is.
// CHECK-LABEL: tile.kernel @heads(
// CHECK: %[[W:.*]] = tile.alloc : !tile<8x64xf32, smem>
// CHECK: %[[SUMS:.*]] = tile.contract
// CHECK-NEXT: %[[ROWS:.*]] = tile.map silu %[[SUMS]]
// CHECK-NEXT: tile.contract_rows %[[ROWS]], %[[W]] transposed into %{{.*}} transposed
// CHECK-NOT: tile.write

// Rows are in one warp each, by eight lanes, of which each gets a column.
// LAYOUT-LABEL: tile.kernel @heads(
// LAYOUT: tile.contract_rows {{.*}} : !tile<64x64xf32, reg, #tile.map<"warps 2, [warp 2@1, reg 2@32, lane 2@16, lane 2@2, reg 4@8], [reg 2@4, lane 4@4, lane 2@1, reg 4@1]">>
// LAYOUT-SAME: !tile<8x64xf32, reg, #tile.map<"warps 2, [lane 4@4, lane 2@1], [warp 2@1, reg 2@4, lane 2@16, lane 2@2, reg 4@1]">>
// LAYOUT-NOT: tile.write
// LAYOUT: tile.kernel @columns(
tile.kernel @heads(%y: !tile<buffer f32>) threads 64 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tile.alloc : !a
  %b = tile.alloc : !b
  %w = tile.alloc : !w
  %none = tile.fill 0.0 : f32 : !sums
  %zero = tile.fill 0.0 : f32 : !heads
  %sums = tile.contract %a, %b into %none : !a, !b, !sums
  %rows = tile.map silu %sums : (!sums) -> !sums
  %s = tile.alloc : !shared
  tile.write %rows, %s : !sums, !shared
  %heads = tile.contract %w, %s transposed into %zero additions 11 : !w, !shared, !heads
  tile.store %heads, %y[%c0] strides[%c64, %c1] : !heads, !tile<buffer f32>
}

// The same the other way round, out of a loop.
// CHECK-LABEL: tile.kernel @columns(
// CHECK: %[[ROWS:.*]] = scf.for
// CHECK: tile.contract_rows %[[ROWS]], %{{.*}} transposed into %{{[0-9]+}} :
tile.kernel @columns() threads 64 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = tile.alloc : !a
  %b = tile.alloc : !b
  %w = tile.alloc : !w
  %none = tile.fill 0.0 : f32 : !sums
  %zero = tile.fill 0.0 : f32 : !tile<64x8xf32, reg>
  %rows = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %none) -> (!sums) {
    %next = tile.contract %a, %b into %sum : !a, !b, !sums
    scf.yield %next : !sums
  }
  %s = tile.alloc : !shared
  tile.write %rows, %s : !sums, !shared
  %heads = tile.contract %s, %w transposed into %zero additions 11 : !shared, !w, !tile<64x8xf32, reg>
}

// Too many columns; rows that were loaded; rows that others read, too; terms
// that are not side by side; more additions than are allowed, or none.
// CHECK-LABEL: tile.kernel @not(
// CHECK-NOT: tile.contract_rows
tile.kernel @not(%x: !tile<buffer f32>) threads 64 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tile.alloc : !a
  %b = tile.alloc : !b
  %w = tile.alloc : !w
  %wide = tile.alloc : !wide
  %none = tile.fill 0.0 : f32 : !sums
  %zero = tile.fill 0.0 : f32 : !heads
  %zeros = tile.fill 0.0 : f32 : !many
  %sums = tile.contract %a, %b into %none : !a, !b, !sums
  %s0 = tile.alloc : !shared
  tile.write %sums, %s0 : !sums, !shared
  %0 = tile.contract %wide, %s0 transposed into %zeros additions 11 : !wide, !shared, !many

  %loaded = tile.load %x[%c0] strides[%c64, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !sums
  %s1 = tile.alloc : !shared
  tile.write %loaded, %s1 : !sums, !shared
  %1 = tile.contract %w, %s1 transposed into %zero additions 11 : !w, !shared, !heads

  %s2 = tile.alloc : !shared
  tile.write %sums, %s2 : !sums, !shared
  %2 = tile.contract %w, %s2 transposed into %zero additions 11 : !w, !shared, !heads
  %3 = tile.contract %w, %s2 transposed into %2 additions 11 : !w, !shared, !heads

  %s4 = tile.alloc : !shared
  tile.write %sums, %s4 : !sums, !shared
  %4 = tile.contract %w, %s4 into %zero additions 11 : !w, !shared, !heads

  %s5 = tile.alloc : !shared
  tile.write %sums, %s5 : !sums, !shared
  %5 = tile.contract %w, %s5 transposed into %zero additions 10 : !w, !shared, !heads

  %s6 = tile.alloc : !shared
  tile.write %sums, %s6 : !sums, !shared
  %6 = tile.contract %w, %s6 transposed into %zero : !w, !shared, !heads
}
