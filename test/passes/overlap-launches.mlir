// RUN: fuse-opt %s --fuse-overlap-launches --split-input-file | FileCheck %s

!row = !tile<32xf32, reg, #tile.map<"warps 1, [lane 32@1]">>
!square = !tile<4x8xf32, reg, #tile.map<"warps 1, [lane 4@8], [lane 8@1]">>
!buffer = !tile<buffer f32>

// The first launch has nobody to wait for; it lets the next one come at once.
// The second one loads what the program was given before it waits, also what it
// loaded later; the third one, nothing but a store in a loop, and it needs
// nothing of those in front.
// CHECK-LABEL: func.func @main(
// CHECK: %[[P:.*]] = fuse.launch @kernels::@p(%{{.*}}) dims {{\[\[}}"N"]] : (
// CHECK: %[[Q:.*]] = fuse.launch @kernels::@q({{.*}}) dims {{\[\[}}"N"]] {overlap} : (
// CHECK: fuse.launch @kernels::@r({{.*}}) dims {{\[\[}}"N"]] {independent, overlap} : (
// CHECK: tile.kernel @p(
// CHECK-NEXT: tile.await
// CHECK-NEXT: arith.constant
// CHECK-NOT: tile.await
// CHECK: tile.kernel @q(%[[X:.*]]: !tile<buffer f32>, %[[W:.*]]: !tile<buffer f32>, %{{.*}}: !tile<buffer f32>, %[[N:.*]]: index
// CHECK: %[[PLACE:.*]] = arith.muli %[[N]], %[[N]]
// CHECK-NEXT: tile.load %[[W]][%[[PLACE]]]
// CHECK-NEXT: tile.await
// CHECK-NEXT: tile.load %[[X]]
// CHECK-NOT: tile.await
// CHECK: tile.kernel @r(
// CHECK: tile.load
// CHECK-NEXT: tile.map exp
// CHECK-NEXT: tile.await
// CHECK-NEXT: scf.for
func.func @main(%x: tensor<?xf32> {fuse.dims = ["N"]}, %w: tensor<?xf32> {fuse.dims = ["N"]}) -> (tensor<?xf32>, tensor<?xf32>) {
  %p = fuse.launch @kernels::@p(%x) dims [["N"]] : (tensor<?xf32>) -> tensor<?xf32>
  %q = fuse.launch @kernels::@q(%p, %w) dims [["N"]] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = fuse.launch @kernels::@r(%w) dims [["N"]] : (tensor<?xf32>) -> tensor<?xf32>
  return %q, %r : tensor<?xf32>, tensor<?xf32>
}
module @kernels {
  tile.kernel @p(%x: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
    %c1 = arith.constant 1 : index
    %0 = tile.load %x[%n] strides[%c1] fill 0.0 : f32 : !buffer -> !row
    tile.store %0, %y[%n] strides[%c1] : !row, !buffer
  }
  tile.kernel @q(%x: !buffer, %w: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
    %c1 = arith.constant 1 : index
    %0 = tile.load %x[%n] strides[%c1] fill 0.0 : f32 : !buffer -> !row
    %square = tile.reshape %0 : !row -> !square
    %place = arith.muli %n, %n : index
    %1 = tile.load %w[%place] strides[%c1] fill 0.0 : f32 : !buffer -> !row
    %2 = tile.map mul %0, %1 : (!row, !row) -> !row
    tile.store %2, %y[%n] strides[%c1] : !row, !buffer
  }
  tile.kernel @r(%w: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
    %c1 = arith.constant 1 : index
    %0 = tile.load %w[%n] strides[%c1] fill 0.0 : f32 : !buffer -> !row
    %1 = tile.map exp %0 : (!row) -> !row
    scf.for %i = %c1 to %n step %c1 {
      tile.store %1, %y[%i] strides[%c1] : !row, !buffer
    }
  }
}

// -----

// One launch alone overlaps nothing.
// CHECK-LABEL: func.func @main(
// CHECK: fuse.launch
// CHECK-NOT: overlap
// CHECK-NOT: tile.await
!buffer = !tile<buffer f32>
func.func @main(%x: tensor<?xf32> {fuse.dims = ["N"]}) -> tensor<?xf32> {
  %p = fuse.launch @kernels::@p(%x) dims [["N"]] : (tensor<?xf32>) -> tensor<?xf32>
  return %p : tensor<?xf32>
}
module @kernels {
  tile.kernel @p(%x: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
    %c1 = arith.constant 1 : index
    %zero = tile.fill 0.0 : f32 : !tile<32xf32, reg, #tile.map<"warps 1, [lane 32@1]">>
    tile.store %zero, %y[%n] strides[%c1] : !tile<32xf32, reg, #tile.map<"warps 1, [lane 32@1]">>, !buffer
  }
}
