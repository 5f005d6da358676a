// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts))' --split-input-file | FileCheck %s

// Lanes go along the dim in which memory is contiguous, and warps along what is
// left; elementwise ops have one layout, slices and broadcasts follow from it.
// CHECK-LABEL: tile.kernel @rows(
// CHECK: tile.load {{.*}} -> !tile<16x128xf32, reg, #tile.map<"warps 4, [reg 4@4, warp 4@1], [lane 32@1, reg 4@1]">>
// CHECK: tile.map exp {{.*}} -> !tile<16x128xf32, reg, #tile.map<"warps 4, [reg 4@4, warp 4@1], [lane 32@1, reg 4@1]">>
// CHECK: tile.reduce sum {{.*}} -> !tile<16xf32, reg, #tile.map<"warps 4, [reg 4@1, warp 4@1]">>
// CHECK: tile.fill {{.*}} : !tile<f32, reg, #tile.map<"warps 4">>
// CHECK: tile.map mul {{.*}} -> !tile<16xf32, reg, #tile.map<"warps 4, [reg 4@1, warp 4@1]">>
// CHECK: tile.broadcast {{.*}} -> !tile<16x128xf32, reg, #tile.map<"warps 4, [reg 4@4, warp 4@1], [lane 32@1, reg 4@1]">>
// CHECK-NOT: tile.alloc
// CHECK: tile.store
tile.kernel @rows(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 128 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %0 = tile.load %x[%c0] strides[%c128, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<16x128xf32, reg>
  %1 = tile.map exp %0 : (!tile<16x128xf32, reg>) -> !tile<16x128xf32, reg>
  %2 = tile.reduce sum %1 dim 1 : !tile<16x128xf32, reg> -> !tile<16xf32, reg>
  %k = tile.fill 2.0 : f32 : !tile<f32, reg>
  %3 = tile.map mul %2, %k : (!tile<16xf32, reg>, !tile<f32, reg>) -> !tile<16xf32, reg>
  %4 = tile.broadcast %3 dims [1] : !tile<16xf32, reg> -> !tile<16x128xf32, reg>
  %5 = tile.map div %1, %4 : (!tile<16x128xf32, reg>, !tile<16x128xf32, reg>) -> !tile<16x128xf32, reg>
  tile.store %5, %y[%c0] strides[%c128, %c1] : !tile<16x128xf32, reg>, !tile<buffer f32>
}

// -----

// Rows that are summed come in runs; but not if some start where no run does.
// CHECK-LABEL: tile.kernel @odd_rows(
// CHECK: tile.load {{.*}} -> !tile<16x128xf32, reg, #tile.map<"warps 4, [reg 4@4, warp 4@1], [reg 4@1, lane 32@1]">>
tile.kernel @odd_rows(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 128 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c130 = arith.constant 130 : index
  %0 = tile.load %x[%c0] strides[%c130, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<16x128xf32, reg>
  %1 = tile.reduce sum %0 dim 1 : !tile<16x128xf32, reg> -> !tile<16xf32, reg>
  tile.store %1, %y[%c0] strides[%c1] : !tile<16xf32, reg>, !tile<buffer f32>
}

// -----

// Where memory is contiguous along the first dim, lanes are too.
// CHECK-LABEL: tile.kernel @columns(
// CHECK: tile.load {{.*}} -> !tile<32x8xf32, reg, #tile.map<"warps 1, [lane 32@1], [reg 8@1]">>
tile.kernel @columns(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %0 = tile.load %x[%c0] strides[%c1, %c32] fill 0.0 : f32 : !tile<buffer f32> -> !tile<32x8xf32, reg>
  tile.store %0, %y[%c0] strides[%c1, %c32] : !tile<32x8xf32, reg>, !tile<buffer f32>
}

// -----

// What a loop carries has one layout, inside and outside.
// CHECK-LABEL: tile.kernel @loop(
// CHECK: %[[INIT:.*]] = tile.fill {{.*}} : !tile<4x32xf32, reg, #tile.map<"warps 1, [lane 4@8], [lane 8@1, reg 4@1]">>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[INIT]]) -> (!tile<4x32xf32, reg, #tile.map<"warps 1, [lane 4@8], [lane 8@1, reg 4@1]">>)
// CHECK: scf.yield %{{.*}} : !tile<4x32xf32, reg, #tile.map<"warps 1, [lane 4@8], [lane 8@1, reg 4@1]">>
// CHECK: tile.reduce max {{.*}} -> !tile<4xf32, reg, #tile.map<"warps 1, [lane 4@8]">>
tile.kernel @loop(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %init = tile.fill 0.0 : f32 : !tile<4x32xf32, reg>
  %sum = scf.for %k = %c0 to %c64 step %c32 iter_args(%total = %init) -> (!tile<4x32xf32, reg>) {
    %0 = tile.load %x[%k] strides[%c64, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<4x32xf32, reg>
    %next = tile.map max %total, %0 : (!tile<4x32xf32, reg>, !tile<4x32xf32, reg>) -> !tile<4x32xf32, reg>
    scf.yield %next : !tile<4x32xf32, reg>
  }
  %max = tile.reduce max %sum dim 1 : !tile<4x32xf32, reg> -> !tile<4xf32, reg>
  tile.store %max, %y[%c0] strides[%c1] : !tile<4xf32, reg>, !tile<buffer f32>
}

// -----

// A contraction fixes its accumulator's layout, and that of what follows. Its
// operands swizzle where threads read them along the summed axis.
// CHECK-LABEL: tile.kernel @contraction(
// CHECK: tile.fill {{.*}} : !tile<64x64xf32, reg, #tile.map<"[[ACC:.*]]">>
// CHECK: tile.alloc swizzle 4 : !tile<64x32xf32, smem>
// CHECK: tile.alloc : !tile<32x64xf32, smem>
// CHECK: tile.contract {{.*}}, !tile<64x64xf32, reg, #tile.map<"[[ACC]]">>
// CHECK: tile.load {{.*}} -> !tile<64xf32, reg, #tile.map<"[[ROW:.*]]">>
// CHECK: tile.broadcast {{.*}} : !tile<64xf32, reg, #tile.map<"[[ROW]]">> -> !tile<64x64xf32, reg, #tile.map<"[[ACC]]">>
// CHECK: tile.map add {{.*}} -> !tile<64x64xf32, reg, #tile.map<"[[ACC]]">>
// CHECK-NOT: tile.alloc
// CHECK: tile.store
tile.kernel @contraction(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 256 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = tile.fill 0.0 : f32 : !tile<64x64xf32, reg>
  %a = tile.alloc : !tile<64x32xf32, smem>
  %b = tile.alloc : !tile<32x64xf32, smem>
  %0 = tile.contract %a, %b into %zero : !tile<64x32xf32, smem>, !tile<32x64xf32, smem>, !tile<64x64xf32, reg>
  %1 = tile.load %x[%c0] strides[%c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<64xf32, reg>
  %2 = tile.broadcast %1 dims [0] : !tile<64xf32, reg> -> !tile<64x64xf32, reg>
  %3 = tile.map add %0, %2 : (!tile<64x64xf32, reg>, !tile<64x64xf32, reg>) -> !tile<64x64xf32, reg>
  tile.store %3, %y[%c0] strides[%c64, %c1] : !tile<64x64xf32, reg>, !tile<buffer f32>
}

// -----

// What is loaded for shared memory has 4 neighbours a thread, or as many as there
// are.
// CHECK-LABEL: tile.kernel @staged(
// CHECK: tile.load {{.*}} -> !tile<16x32xf32, reg, #tile.map<"warps 2, [reg 2@4, warp 2@1, lane 4@8], [lane 8@1, reg 4@1]">>
// CHECK: tile.load {{.*}} -> !tile<32x16xf32, reg, #tile.map<"warps 2, [lane 8@1, reg 4@1], [reg 2@4, warp 2@1, lane 4@8]">>
// CHECK: tile.load {{.*}} -> !tile<8x16xf32, reg, #tile.map<"warps 2, [warp 2@1, lane 4@8], [lane 8@1, reg 2@1]">>
tile.kernel @staged(%x: !tile<buffer f32>) threads 64 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %0 = tile.load %x[%c0] strides[%c32, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<16x32xf32, reg>
  %1 = tile.load %x[%c0] strides[%c1, %c32] fill 0.0 : f32 : !tile<buffer f32> -> !tile<32x16xf32, reg>
  %2 = tile.load %x[%c0] strides[%c32, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<8x16xf32, reg>
  %a = tile.alloc : !tile<16x32xf32, smem>
  %b = tile.alloc : !tile<32x16xf32, smem>
  %c = tile.alloc : !tile<8x16xf32, smem>
  tile.write %0, %a : !tile<16x32xf32, reg>, !tile<16x32xf32, smem>
  tile.write %1, %b : !tile<32x16xf32, reg>, !tile<32x16xf32, smem>
  tile.write %2, %c : !tile<8x16xf32, reg>, !tile<8x16xf32, smem>
}

// -----

// For sums of many registers, operands whose rows run along the summed axis are
// turned over on their way, in blocks of 4 x 4; others are as they should be. One
// that is read in two ways stays.
// CHECK-LABEL: tile.kernel @large(
// CHECK: tile.load {{.*}} -> !tile<128x32xf32, reg, #tile.map<"warps 8, [warp 8@1, lane 4@8, reg 4@4], [lane 8@1, reg 4@1]">>
// CHECK: %[[A:.*]] = tile.alloc swizzle 4 : !tile<32x128xf32, smem>
// CHECK-NEXT: tile.write %{{.*}} transposed, %[[A]]
// CHECK: tile.load {{.*}} -> !tile<32x128xf32, reg, #tile.map<"warps 8, [reg 4@4, warp 8@1], [lane 32@1, reg 4@1]">>
// CHECK: %[[B:.*]] = tile.alloc : !tile<32x128xf32, smem>
// CHECK-NEXT: tile.write %{{[0-9]+}}, %[[B]]
// CHECK: tile.contract %[[A]] transposed, %[[B]] into
// CHECK: %[[C:.*]] = tile.alloc swizzle 4 : !tile<128x32xf32, smem>
// CHECK: tile.write %{{[0-9]+}}, %[[C]]
// CHECK: tile.contract %[[C]], %[[C]] transposed into
tile.kernel @large(%x: !tile<buffer f32>) threads 256 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = tile.fill 0.0 : f32 : !tile<128x128xf32, reg>
  %0 = tile.load %x[%c0] strides[%c32, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<128x32xf32, reg>
  %a = tile.alloc : !tile<128x32xf32, smem>
  tile.write %0, %a : !tile<128x32xf32, reg>, !tile<128x32xf32, smem>
  %1 = tile.load %x[%c0] strides[%c32, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<32x128xf32, reg>
  %b = tile.alloc : !tile<32x128xf32, smem>
  tile.write %1, %b : !tile<32x128xf32, reg>, !tile<32x128xf32, smem>
  %2 = tile.contract %a, %b into %zero : !tile<128x32xf32, smem>, !tile<32x128xf32, smem>, !tile<128x128xf32, reg>
  %3 = tile.load %x[%c0] strides[%c32, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<128x32xf32, reg>
  %c = tile.alloc : !tile<128x32xf32, smem>
  tile.write %3, %c : !tile<128x32xf32, reg>, !tile<128x32xf32, smem>
  %4 = tile.contract %c, %c transposed into %2 : !tile<128x32xf32, smem>, !tile<128x32xf32, smem>, !tile<128x128xf32, reg>
}

// -----

// Where two layouts meet, the tile goes through shared memory: here one row is
// added to the rows and, turned, to the columns of a square.
// CHECK-LABEL: tile.kernel @conflict(
// CHECK: %[[ROW:.*]] = tile.load {{.*}} -> !tile<32xf32, reg, #tile.map<"[[MAP:.*]]">>
// CHECK: %[[SHARED:.*]] = tile.alloc : !tile<32xf32, smem>
// CHECK-NEXT: tile.write %[[ROW]], %[[SHARED]] : !tile<32xf32, reg, #tile.map<"[[MAP]]">>, !tile<32xf32, smem>
// CHECK-NEXT: %[[READ:.*]] = tile.read %[[SHARED]] : !tile<32xf32, smem> -> !tile<32xf32, reg, #tile.map<"[[OTHER:.*]]">>
// CHECK-NEXT: tile.broadcast %[[READ]] dims
// CHECK-NOT: tile.alloc
tile.kernel @conflict(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %0 = tile.load %x[%c0] strides[%c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<32xf32, reg>
  %1 = tile.broadcast %0 dims [0] : !tile<32xf32, reg> -> !tile<32x32xf32, reg>
  %2 = tile.broadcast %0 dims [1] : !tile<32xf32, reg> -> !tile<32x32xf32, reg>
  %3 = tile.map add %1, %2 : (!tile<32x32xf32, reg>, !tile<32x32xf32, reg>) -> !tile<32x32xf32, reg>
  tile.store %3, %y[%c0] strides[%c32, %c1] : !tile<32x32xf32, reg>, !tile<buffer f32>
}

// -----

// So does the result of a reduction that is needed in another layout.
// CHECK-LABEL: tile.kernel @reduce_conflict(
// CHECK: %[[COLUMNS:.*]] = tile.reduce sum %{{.*}} dim 0 {{.*}} -> !tile<32xf32, reg, #tile.map<"warps 1, [lane 8@1, reg 4@1]">>
// CHECK: %[[ROWS:.*]] = tile.reduce sum %{{.*}} dim 1 {{.*}} -> !tile<32xf32, reg, #tile.map<"warps 1, [reg 8@1, lane 4@8]">>
// CHECK: %[[SHARED:.*]] = tile.alloc : !tile<32xf32, smem>
// CHECK-NEXT: tile.write %[[ROWS]], %[[SHARED]]
// CHECK-NEXT: %[[READ:.*]] = tile.read %[[SHARED]] : {{.*}} -> !tile<32xf32, reg, #tile.map<"warps 1, [lane 8@1, reg 4@1]">>
// CHECK-NEXT: tile.map mul %[[COLUMNS]], %[[READ]]
tile.kernel @reduce_conflict(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %0 = tile.load %x[%c0] strides[%c32, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<32x32xf32, reg>
  %1 = tile.reduce sum %0 dim 0 : !tile<32x32xf32, reg> -> !tile<32xf32, reg>
  %2 = tile.reduce sum %0 dim 1 : !tile<32x32xf32, reg> -> !tile<32xf32, reg>
  %3 = tile.map mul %1, %2 : (!tile<32xf32, reg>, !tile<32xf32, reg>) -> !tile<32xf32, reg>
  tile.store %3, %y[%c0] strides[%c1] : !tile<32xf32, reg>, !tile<buffer f32>
}

// -----

// Once for all uses, if that takes no more registers.
// CHECK-LABEL: tile.kernel @convert_once(
// CHECK: tile.reduce sum
// CHECK: tile.write
// CHECK: %[[ROWS:.*]] = tile.read
// CHECK-NOT: tile.read
// CHECK: scf.for
// CHECK: tile.broadcast %[[ROWS]] dims [1]
// CHECK: scf.for
// CHECK: tile.broadcast %[[ROWS]] dims [1]
tile.kernel @convert_once(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %0 = tile.load %x[%c0] strides[%c64, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<8x64xf32, reg>
  %sum = tile.reduce sum %0 dim 1 : !tile<8x64xf32, reg> -> !tile<8xf32, reg>
  scf.for %k = %c0 to %c64 step %c32 {
    %1 = tile.load %x[%k] strides[%c1, %c32] fill 0.0 : f32 : !tile<buffer f32> -> !tile<8x32xf32, reg>
    %2 = tile.broadcast %sum dims [1] : !tile<8xf32, reg> -> !tile<8x32xf32, reg>
    %3 = tile.map add %1, %2 : (!tile<8x32xf32, reg>, !tile<8x32xf32, reg>) -> !tile<8x32xf32, reg>
    tile.store %3, %y[%k] strides[%c1, %c32] : !tile<8x32xf32, reg>, !tile<buffer f32>
  }
  scf.for %k = %c0 to %c64 step %c32 {
    %1 = tile.load %x[%k] strides[%c1, %c32] fill 0.0 : f32 : !tile<buffer f32> -> !tile<8x32xf32, reg>
    %2 = tile.broadcast %sum dims [1] : !tile<8xf32, reg> -> !tile<8x32xf32, reg>
    %3 = tile.map mul %1, %2 : (!tile<8x32xf32, reg>, !tile<8x32xf32, reg>) -> !tile<8x32xf32, reg>
    tile.store %3, %y[%k] strides[%c1, %c32] : !tile<8x32xf32, reg>, !tile<buffer f32>
  }
}

// -----

// A kernel that has layouts keeps them.
// CHECK-LABEL: tile.kernel @assigned(
// CHECK: tile.fill {{.*}} : !tile<32xf32, reg, #tile.map<"warps 1, [reg 32@1]">>
tile.kernel @assigned() threads 32 grid [] tiles [] {
  %0 = tile.fill 0.0 : f32 : !tile<32xf32, reg, #tile.map<"warps 1, [reg 32@1]">>
}

// A constant that nobody reads needs no layout, and goes.
// CHECK-LABEL: tile.kernel @unused(
// CHECK-NOT: tile.fill
// CHECK: tile.store
tile.kernel @unused(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = tile.fill 1.0 : f32 : !tile<32xf32, reg>
  %0 = tile.load %x[%c0] strides[%c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<32xf32, reg>
  tile.store %0, %y[%c0] strides[%c1] : !tile<32xf32, reg>, !tile<buffer f32>
}

// -----

// Rows that are joined decide, with lanes along their neighbours in memory;
// what has them apart follows.
// CHECK-LABEL: tile.kernel @joined(
// CHECK: tile.load {{.*}} -> !tile<8x4x32xf32, reg, #tile.map<"warps 4, [reg 2@4, warp 4@1], [lane 4@8], [lane 8@1, reg 4@1]">>
// CHECK: tile.reshape {{.*}} -> !tile<32x32xf32, reg, #tile.map<"warps 4, [reg 2@4, warp 4@1, lane 4@8], [lane 8@1, reg 4@1]">>
// CHECK: tile.reshape {{.*}} -> !tile<8x4x32xf32, reg, #tile.map<"warps 4, [reg 2@4, warp 4@1], [lane 4@8], [lane 8@1, reg 4@1]">>
// CHECK-NEXT: tile.store
tile.kernel @joined(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 128 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %0 = tile.load %x[%c0] strides[%c256, %c32, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<8x4x32xf32, reg>
  %1 = tile.reshape %0 : !tile<8x4x32xf32, reg> -> !tile<32x32xf32, reg>
  %2 = tile.alloc : !tile<32x32xf32, smem>
  tile.write %1, %2 : !tile<32x32xf32, reg>, !tile<32x32xf32, smem>
  %3 = tile.reshape %1 : !tile<32x32xf32, reg> -> !tile<8x4x32xf32, reg>
  tile.store %3, %y[%c0] strides[%c256, %c32, %c1] : !tile<8x4x32xf32, reg>, !tile<buffer f32>
}

// -----

// Where a dim would end within a digit, another layout does.
// CHECK-LABEL: tile.kernel @cut(
// CHECK: %[[X:.*]] = tile.load {{.*}} -> !tile<3x4xf32, reg, #tile.map<"warps 1, [reg 3@1], [lane 4@1]">>
// CHECK: tile.write %[[X]], %[[SHARED:.*]] :
// CHECK: tile.read %[[SHARED]] {{.*}} -> !tile<3x4xf32, reg, #tile.map<"warps 1, [reg 3@4], [reg 4@1]">>
// CHECK: tile.reshape {{.*}} -> !tile<2x6xf32, reg, #tile.map<"warps 1, [reg 2@6], [reg 6@1]">>
tile.kernel @cut(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %0 = tile.load %x[%c0] strides[%c4, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<3x4xf32, reg>
  %1 = tile.map exp %0 : (!tile<3x4xf32, reg>) -> !tile<3x4xf32, reg>
  %2 = tile.reshape %0 : !tile<3x4xf32, reg> -> !tile<2x6xf32, reg>
  tile.store %1, %y[%c0] strides[%c4, %c1] : !tile<3x4xf32, reg>, !tile<buffer f32>
  tile.store %2, %y[%c0] strides[%c6, %c1] : !tile<2x6xf32, reg>, !tile<buffer f32>
}
