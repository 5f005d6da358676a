// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-prepare-for-cuda))' \
// RUN:   --split-input-file --verify-diagnostics | FileCheck %s

// What nothing needs is gone; everything else stays as it is.
// CHECK-LABEL: tile.kernel @ready(
// CHECK-NEXT: arith.constant 1
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.fill
// CHECK-NEXT: tile.alloc at 0
// CHECK-NEXT: tile.write
// CHECK-NEXT: }
// CHECK-NEXT: }
tile.kernel @ready(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c1 = arith.constant 1 : index
  %unused = arith.addi %c1, %c1 : index
  %tile = tile.fill 0.0 : f32 : !tile<32xf32, reg, #tile.map<"warps 1, [lane 32@1]">>
  scf.for %i = %c1 to %n step %c1 {
    %0 = tile.fill 0.0 : f32 : !tile<32xf32, reg, #tile.map<"warps 1, [lane 32@1]">>
    %1 = tile.alloc at 0 : !tile<32xf32, smem>
    tile.write %0, %1 : !tile<32xf32, reg, #tile.map<"warps 1, [lane 32@1]">>, !tile<32xf32, smem>
  }
}

// -----

tile.kernel @foreign_op(%y: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'arith.remsi' op has no spelling in CUDA}}
  %0 = arith.remsi %n, %n : index
  %1 = tile.fill 0.0 : f32 : !tile<f32, reg, #tile.map<"warps 1">>
  tile.store %1, %y[%0] strides[] : !tile<f32, reg, #tile.map<"warps 1">>, !tile<buffer f32>
}

// -----

tile.kernel @scalars(%y: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'arith.constant' op has no spelling in CUDA}}
  %0 = arith.constant 1 : i32
  %1 = arith.index_cast %0 : i32 to index
  %2 = tile.fill 0.0 : f32 : !tile<f32, reg, #tile.map<"warps 1">>
  tile.store %2, %y[%1] strides[] : !tile<f32, reg, #tile.map<"warps 1">>, !tile<buffer f32>
}

// -----

tile.kernel @layout(%y: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.fill' op expects tiles in registers to have a layout; run tile-assign-layouts}}
  %0 = tile.fill 0.0 : f32 : !tile<f32, reg>
  tile.store %0, %y[%n] strides[] : !tile<f32, reg>, !tile<buffer f32>
}

// -----

tile.kernel @warps(%y: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 64 grid [] tiles [] {
  // expected-error @+1 {{'tile.fill' op expects layouts of 2 warps, but got '!tile<f32, reg, #tile.map<"warps 1">>'}}
  %0 = tile.fill 0.0 : f32 : !tile<f32, reg, #tile.map<"warps 1">>
  tile.store %0, %y[%n] strides[] : !tile<f32, reg, #tile.map<"warps 1">>, !tile<buffer f32>
}

// -----

tile.kernel @place() threads 32 grid [] tiles [] {
  %0 = tile.fill 0.0 : f32 : !tile<32xf32, reg, #tile.map<"warps 1, [lane 32@1]">>
  // expected-error @+1 {{'tile.alloc' op expects a tile in shared memory to have a place; run tile-allocate-shared}}
  %1 = tile.alloc : !tile<32xf32, smem>
  tile.write %0, %1 : !tile<32xf32, reg, #tile.map<"warps 1, [lane 32@1]">>, !tile<32xf32, smem>
}
