// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-sink-reads))' | FileCheck %s

!row = !tile<32xf32, reg, #tile.map<"warps 1, [lane 32@1]">>
!shared = !tile<32xf32, smem>
!buffer = !tile<buffer f32>

// A read and what follows from it alone move behind the write of another tile.
// CHECK-LABEL: tile.kernel @moves(
// CHECK: tile.write %{{.*}}, %[[A:.*]] :
// CHECK-NEXT: %[[OTHER:.*]] = tile.map exp
// CHECK-NEXT: tile.write %[[OTHER]], %[[B:.*]] :
// CHECK-NEXT: %[[S:.*]] = tile.read %[[B]]
// CHECK-NEXT: %[[R:.*]] = tile.read %[[A]]
// CHECK-NEXT: %[[NEG:.*]] = tile.map neg %[[R]]
// CHECK-NEXT: tile.map add %[[NEG]], %[[S]]
tile.kernel @moves(%x: !buffer, %y: !buffer) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %value = tile.load %x[%c0] strides[%c1] fill 0.0 : f32 : !buffer -> !row
  %a = tile.alloc : !shared
  %b = tile.alloc : !shared
  tile.write %value, %a : !row, !shared
  %r = tile.read %a : !shared -> !row
  %neg = tile.map neg %r : (!row) -> !row
  %other = tile.map exp %value : (!row) -> !row
  tile.write %other, %b : !row, !shared
  %s = tile.read %b : !shared -> !row
  %sum = tile.map add %neg, %s : (!row, !row) -> !row
  tile.store %sum, %y[%c0] strides[%c1] : !row, !buffer
}

// Stays: a read whose tile is written again before its use; one that a write
// uses; one before a loop, in which anything may be written.
// CHECK-LABEL: tile.kernel @stays(
// CHECK: tile.write %{{.*}}, %[[A:.*]] :
// CHECK-NEXT: %[[R:.*]] = tile.read %[[A]]
// CHECK-NEXT: %[[NEG:.*]] = tile.map neg %[[R]]
// CHECK-NEXT: tile.write %[[NEG]], %[[B:.*]] :
// CHECK-NEXT: tile.write %{{.*}}, %[[A]] :
// CHECK-NEXT: %[[S:.*]] = tile.read %[[B]]
// CHECK-NEXT: scf.for
// CHECK: }
// CHECK-NEXT: %[[SUM:.*]] = tile.map add %[[R]], %[[S]]
tile.kernel @stays(%x: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %value = tile.load %x[%c0] strides[%c1] fill 0.0 : f32 : !buffer -> !row
  %a = tile.alloc : !shared
  %b = tile.alloc : !shared
  %c = tile.alloc : !shared
  tile.write %value, %a : !row, !shared
  %r = tile.read %a : !shared -> !row
  %neg = tile.map neg %r : (!row) -> !row
  tile.write %neg, %b : !row, !shared
  tile.write %value, %a : !row, !shared
  %s = tile.read %b : !shared -> !row
  scf.for %i = %c0 to %n step %c1 {
    tile.write %value, %c : !row, !shared
  }
  %sum = tile.map add %r, %s : (!row, !row) -> !row
  tile.store %sum, %y[%c0] strides[%c1] : !row, !buffer
}
