// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-vectorize-accesses))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-vectorize-accesses{alignment=8}))' | FileCheck %s --check-prefix=ALIGN8

!vector4 = !tile<32xf32, reg, #tile.map<"warps 1, [lane 8@1, reg 4@1]">>

!tile = !tile<8x32xf32, reg, #tile.map<"warps 1, [reg 2@4, lane 4@8], [lane 8@1, reg 4@1]">>

// Registers run along a dim of stride 1: 16 bytes at a time. Offset, strides and
// limits are multiples of 4 for all N.
// CHECK-LABEL: tile.kernel @runs(
// CHECK: tile.load {{.*}} {vector = 4 : i64}
// CHECK: tile.load {{.*}} {vector = 4 : i64}
// CHECK: tile.store {{.*}} {vector = 4 : i64}
tile.kernel @runs(%x: !tile<buffer f32>, %y: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid ["N"] tiles [8] {
  %row = tile.origin : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c20 = arith.constant 20 : index
  %c32 = arith.constant 32 : index
  %even = arith.muli %n, %c2 : index
  %four = arith.muli %even, %c2 : index
  %place = arith.addi %row, %four : index
  %rest = arith.subi %n, %row : index
  %0 = tile.load %x[%place] strides[%four, %c1] limits[%rest, %c32] fill 0.0 : f32 : !tile<buffer f32> -> !tile
  scf.for %i = %c0 to %n step %c20 {
    %1 = tile.load %x[%i] strides[%c32, %c1] limits[%n, %four] fill 0.0 : f32 : !tile<buffer f32> -> !tile
    tile.store %1, %x[%i] strides[%c32, %c1] : !tile, !tile<buffer f32>
  }
}

// One of them is not, for some N: the kernel looks.
// CHECK-LABEL: tile.kernel @looks(
// CHECK-COUNT-4: tile.load {{.*}} {any_stride, vector = 4 : i64}
// CHECK: tile.store {{.*}} {any_stride, vector = 4 : i64}
tile.kernel @looks(%x: !tile<buffer f32>, %y: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid ["N"] tiles [2] {
  %row = tile.origin : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %0 = tile.load %x[%n] strides[%c32, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile
  %1 = tile.load %x[%c0] strides[%n, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile
  %2 = tile.load %x[%c0] strides[%c32, %c1] limits[%n, %n] fill 0.0 : f32 : !tile<buffer f32> -> !tile
  %3 = tile.load %x[%row] strides[%c32, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile
  tile.store %0, %y[%c0] strides[%n, %c1] limits[%n, %c32] : !tile, !tile<buffer f32>
}

// One of them is not, for all N: shorter runs.
// CHECK-LABEL: tile.kernel @shorter(
// CHECK: tile.load {{.*}} {vector = 2 : i64}
// CHECK: tile.load {{.*}} {vector = 2 : i64}
// CHECK: tile.load {{.*}} fill 0.000000e+00 : f32 : !tile<buffer f32>
tile.kernel @shorter(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c30 = arith.constant 30 : index
  %0 = tile.load %x[%c0] strides[%c30, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile
  %1 = tile.load %x[%c0] strides[%c0, %c1] limits[%n, %c30] fill 0.0 : f32 : !tile<buffer f32> -> !tile
  %2 = tile.load %x[%c15] strides[%c0, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile
}

// As many elements as 16 bytes have, and as the layout has in a run.
// Where tensors start at multiples of less, the kernel looks.
// ALIGN8-LABEL: tile.kernel @types(
// ALIGN8: tile.load {{.*}} {any_stride, vector = 2 : i64} : !tile<buffer f64>
// ALIGN8: tile.load {{.*}} {any_stride, vector = 8 : i64} : !tile<buffer f16>
// ALIGN8: tile.load {{.*}} {vector = 4 : i64} : !tile<buffer i1>
// ALIGN8: tile.load {{.*}} {vector = 2 : i64} : !tile<buffer f32>
// CHECK-LABEL: tile.kernel @types(
// CHECK: tile.load {{.*}} {vector = 2 : i64} : !tile<buffer f64>
// CHECK: tile.load {{.*}} {vector = 8 : i64} : !tile<buffer f16>
// CHECK: tile.load {{.*}} {vector = 4 : i64} : !tile<buffer i1>
// CHECK: tile.load {{.*}} {vector = 2 : i64} : !tile<buffer f32>
tile.kernel @types(%d: !tile<buffer f64>, %h: !tile<buffer f16>, %b: !tile<buffer i1>, %f: !tile<buffer f32>) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.load %d[%c0] strides[%c1] fill 0.0 : f64 : !tile<buffer f64> -> !tile<32xf64, reg, #tile.map<"warps 1, [lane 8@1, reg 4@1]">>
  %1 = tile.load %h[%c0] strides[%c1] fill 0.0 : f16 : !tile<buffer f16> -> !tile<128xf16, reg, #tile.map<"warps 1, [lane 8@1, reg 16@1]">>
  %2 = tile.load %b[%c0] strides[%c1] fill false : !tile<buffer i1> -> !tile<32xi1, reg, #tile.map<"warps 1, [lane 8@1, reg 4@1]">>
  %3 = tile.load %f[%c0] strides[%c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<48xf32, reg, #tile.map<"warps 1, [lane 8@1, reg 6@1]">>
}

// Stays: registers run along no dim, along one whose neighbours lie apart, or
// along one of unknown stride; two 1-byte elements; a condition by element; a
// tile without a layout.
// CHECK-LABEL: tile.kernel @stays(
// CHECK-NOT: vector
tile.kernel @stays(%x: !tile<buffer f32>, %b: !tile<buffer i1>, %y: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = tile.load %x[%c0] strides[%c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<128xf32, reg, #tile.map<"warps 1, [reg 4@1, lane 32@1]">>
  %1 = tile.load %x[%c0] strides[%c1, %c4] fill 0.0 : f32 : !tile<buffer f32> -> !tile<4x32xf32, reg, #tile.map<"warps 1, [lane 4@8], [lane 8@1, reg 4@1]">>
  %2 = tile.load %x[%c0] strides[%n] fill 0.0 : f32 : !tile<buffer f32> -> !vector4
  %3 = tile.load %b[%c0] strides[%c1] fill false : !tile<buffer i1> -> !tile<16xi1, reg, #tile.map<"warps 1, [lane 8@1, reg 2@1]">>
  %4 = tile.fill true : !tile<32xi1, reg, #tile.map<"warps 1, [lane 8@1, reg 4@1]">>
  %5 = tile.load %x[%c0] strides[%c1] if %4 : !tile<32xi1, reg, #tile.map<"warps 1, [lane 8@1, reg 4@1]">> fill 0.0 : f32 : !tile<buffer f32> -> !vector4
  tile.store %0, %y[%c0] strides[%c1] : !tile<128xf32, reg, #tile.map<"warps 1, [reg 4@1, lane 32@1]">>, !tile<buffer f32>
  %6 = tile.load %x[%c0] strides[%c1] fill 0.0 : f32 : !tile<buffer f32> -> !tile<32xf32, reg>
}
