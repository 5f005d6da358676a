// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-allocate-shared))' | FileCheck %s

// Tiles that live at the same time lie side by side, at multiples of 128 bytes.
// CHECK-LABEL: tile.kernel @together()
// CHECK-SAME: shared 1408
tile.kernel @together() threads 32 grid [] tiles [] {
  %x = tile.fill 0.0 : f32 : !tile<33xf32, reg>
  %y = tile.fill 0.0 : f64 : !tile<128xf64, reg>
  %z = tile.fill true : !tile<100xi1, reg>
  // 33 elements are 132 bytes.
  // CHECK: tile.alloc at 0 : !tile<33xf32, smem>
  %a = tile.alloc : !tile<33xf32, smem>
  // CHECK: tile.alloc at 256 : !tile<128xf64, smem>
  %b = tile.alloc : !tile<128xf64, smem>
  // A truth value takes a byte.
  // CHECK: tile.alloc at 1280 : !tile<100xi1, smem>
  %c = tile.alloc : !tile<100xi1, smem>
  tile.write %x, %a : !tile<33xf32, reg>, !tile<33xf32, smem>
  tile.write %y, %b : !tile<128xf64, reg>, !tile<128xf64, smem>
  tile.write %z, %c : !tile<100xi1, reg>, !tile<100xi1, smem>
  %0 = tile.read %a : !tile<33xf32, smem> -> !tile<33xf32, reg>
  %1 = tile.read %b : !tile<128xf64, smem> -> !tile<128xf64, reg>
  %2 = tile.read %c : !tile<100xi1, smem> -> !tile<100xi1, reg>
}

// Tiles that live at different times have bytes of their own, as long as a thread
// takes no more than its share of a multiprocessor.
// CHECK-LABEL: tile.kernel @apart()
// CHECK-SAME: shared 512
tile.kernel @apart() threads 32 grid [] tiles [] {
  %x = tile.fill 0.0 : f32 : !tile<64xf32, reg>
  // CHECK: tile.alloc at 0 : !tile<64xf32, smem>
  %a = tile.alloc : !tile<64xf32, smem>
  tile.write %x, %a : !tile<64xf32, reg>, !tile<64xf32, smem>
  %0 = tile.read %a : !tile<64xf32, smem> -> !tile<64xf32, reg>
  // CHECK: tile.alloc at 256 : !tile<64xf32, smem>
  %b = tile.alloc : !tile<64xf32, smem>
  tile.write %0, %b : !tile<64xf32, reg>, !tile<64xf32, smem>
}

// Where they need more, a tile takes the place of those that are dead before its
// first access.
// CHECK-LABEL: tile.kernel @in_turn()
// CHECK-SAME: shared 24576
tile.kernel @in_turn() threads 32 grid [] tiles [] {
  %x = tile.fill 0.0 : f32 : !tile<32x64xf32, reg>
  %y = tile.fill 0.0 : f32 : !tile<64x64xf32, reg>
  // CHECK: tile.alloc at 0 : !tile<32x64xf32, smem>
  %a = tile.alloc : !tile<32x64xf32, smem>
  // CHECK: tile.alloc at 8192 : !tile<64x64xf32, smem>
  %b = tile.alloc : !tile<64x64xf32, smem>
  tile.write %x, %a : !tile<32x64xf32, reg>, !tile<32x64xf32, smem>
  tile.write %y, %b : !tile<64x64xf32, reg>, !tile<64x64xf32, smem>
  %0 = tile.read %a : !tile<32x64xf32, smem> -> !tile<32x64xf32, reg>
  // CHECK: tile.alloc at 0 : !tile<32x64xf32, smem>
  %c = tile.alloc : !tile<32x64xf32, smem>
  tile.write %x, %c : !tile<32x64xf32, reg>, !tile<32x64xf32, smem>
  %1 = tile.read %b : !tile<64x64xf32, smem> -> !tile<64x64xf32, reg>
  // It does not fit in front of one that lives, but behind it.
  // CHECK: tile.alloc at 8192 : !tile<64x64xf32, smem>
  %d = tile.alloc : !tile<64x64xf32, smem>
  tile.write %y, %d : !tile<64x64xf32, reg>, !tile<64x64xf32, smem>
  %2 = tile.read %c : !tile<32x64xf32, smem> -> !tile<32x64xf32, reg>
}

// A tile from outside a loop lives through all of it; one of each iteration
// until its last access.
// CHECK-LABEL: tile.kernel @loop(
// CHECK-SAME: shared 16384
tile.kernel @loop(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tile.fill 0.0 : f32 : !tile<32x64xf32, reg>
  // CHECK: tile.alloc at 0 : !tile<32x64xf32, smem>
  %a = tile.alloc : !tile<32x64xf32, smem>
  tile.write %x, %a : !tile<32x64xf32, reg>, !tile<32x64xf32, smem>
  scf.for %i = %c0 to %n step %c1 {
    %0 = tile.read %a : !tile<32x64xf32, smem> -> !tile<32x64xf32, reg>
    // CHECK: tile.alloc at 8192 : !tile<32x64xf32, smem>
    %b = tile.alloc : !tile<32x64xf32, smem>
    tile.write %0, %b : !tile<32x64xf32, reg>, !tile<32x64xf32, smem>
    %1 = tile.read %b : !tile<32x64xf32, smem> -> !tile<32x64xf32, reg>
    // CHECK: tile.alloc at 8192 : !tile<32x64xf32, smem>
    %c = tile.alloc : !tile<32x64xf32, smem>
    tile.write %1, %c : !tile<32x64xf32, reg>, !tile<32x64xf32, smem>
  }
  // CHECK: tile.alloc at 0 : !tile<32x64xf32, smem>
  %d = tile.alloc : !tile<32x64xf32, smem>
  tile.write %x, %d : !tile<32x64xf32, reg>, !tile<32x64xf32, smem>
}

// Operands of a contraction live until it.
// CHECK-LABEL: tile.kernel @contraction()
// CHECK: tile.alloc at 0 : !tile<16x32xf32, smem>
// CHECK: tile.alloc at 2048 : !tile<32x16xf32, smem>
tile.kernel @contraction() threads 32 grid [] tiles [] {
  %x = tile.fill 0.0 : f32 : !tile<16x32xf32, reg>
  %y = tile.fill 0.0 : f32 : !tile<32x16xf32, reg>
  %zero = tile.fill 0.0 : f32 : !tile<16x16xf32, reg>
  %a = tile.alloc : !tile<16x32xf32, smem>
  tile.write %x, %a : !tile<16x32xf32, reg>, !tile<16x32xf32, smem>
  %b = tile.alloc : !tile<32x16xf32, smem>
  tile.write %y, %b : !tile<32x16xf32, reg>, !tile<32x16xf32, smem>
  %0 = tile.contract %a, %b into %zero : !tile<16x32xf32, smem>, !tile<32x16xf32, smem>, !tile<16x16xf32, reg>
}

// CHECK-LABEL: tile.kernel @none()
// CHECK-SAME: shared 0
tile.kernel @none() threads 32 grid [] tiles [] {
}

// As much as there is.
// CHECK-LABEL: tile.kernel @all()
// CHECK-SAME: shared 232448
tile.kernel @all() threads 32 grid [] tiles [] {
  %x = tile.fill 0.0 : f32 : !tile<58112xf32, reg>
  %a = tile.alloc : !tile<58112xf32, smem>
  tile.write %x, %a : !tile<58112xf32, reg>, !tile<58112xf32, smem>
}

// Slots lie one behind the other, each at a multiple of 128 bytes, and live
// through the loop that uses them.
// CHECK-LABEL: tile.kernel @slots(
// CHECK-SAME: shared 640
tile.kernel @slots(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tile.fill 0.0 : f32 : !tile<33xf32, reg>
  // CHECK: tile.alloc at 0 slots 2 : !tile<33xf32, smem>
  %a = tile.alloc slots 2 : !tile<33xf32, smem>
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: tile.alloc at 512 : !tile<32xf32, smem>
    %b = tile.alloc : !tile<32xf32, smem>
    %y = tile.read %b : !tile<32xf32, smem> -> !tile<32xf32, reg>
    %now = tile.slot %a[%i] : !tile<33xf32, smem>
    tile.write %x, %now : !tile<33xf32, reg>, !tile<33xf32, smem>
  }
}

// A tile lives as long as some of its rows do.
// CHECK-LABEL: tile.kernel @rows(
tile.kernel @rows(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // CHECK: tile.alloc at 0 : !tile<512x8xf32, smem>
  %a = tile.alloc : !tile<512x8xf32, smem>
  %some = tile.rows %a[%n] : !tile<512x8xf32, smem> -> !tile<16x8xf32, smem>
  // CHECK: tile.alloc at 16384 : !tile<8xf32, smem>
  %b = tile.alloc : !tile<8xf32, smem>
  %y = tile.read %b : !tile<8xf32, smem> -> !tile<8xf32, reg>
  %x = tile.read %some : !tile<16x8xf32, smem> -> !tile<16x8xf32, reg>
  // CHECK: tile.alloc at 0 : !tile<8xf32, smem>
  %c = tile.alloc : !tile<8xf32, smem>
  %z = tile.read %c : !tile<8xf32, smem> -> !tile<8xf32, reg>
}
