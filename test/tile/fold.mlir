// RUN: fuse-opt %s --canonicalize | FileCheck %s

!row = !tile<32xf32, reg>
!scalar = !tile<f32, reg>

// A factor or divisor of 1 changes no element, not even one that is no number.
// CHECK-LABEL: tile.kernel @ones(
// CHECK: %[[X:.*]] = tile.load
// CHECK-NEXT: tile.store %[[X]]
// CHECK-NEXT: tile.store %[[X]]
// CHECK-NEXT: tile.store %[[X]]
tile.kernel @ones(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.load %x[%c0] strides[%c1] fill 0.0 : f32 : !tile<buffer f32> -> !row
  %one = tile.fill 1.0 : f32 : !scalar
  %ones = tile.broadcast %one dims [0] : !scalar -> !row
  %1 = tile.map mul %0, %one : (!row, !scalar) -> !row
  %2 = tile.map mul %ones, %0 : (!row, !row) -> !row
  %3 = tile.map div %0, %ones : (!row, !row) -> !row
  tile.store %1, %y[%c0] strides[%c1] : !row, !tile<buffer f32>
  tile.store %2, %y[%c0] strides[%c1] : !row, !tile<buffer f32>
  tile.store %3, %y[%c0] strides[%c1] : !row, !tile<buffer f32>
}

// Stays: 1 / x; other numbers; a factor that the result takes its shape from.
// CHECK-LABEL: tile.kernel @stays(
// CHECK: tile.map div
// CHECK: tile.map mul
// CHECK: tile.map mul
tile.kernel @stays(%x: !tile<buffer f32>, %y: !tile<buffer f32>) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.load %x[%c0] strides[%c1] fill 0.0 : f32 : !tile<buffer f32> -> !row
  %s = tile.load %x[%c0] strides[] fill 0.0 : f32 : !tile<buffer f32> -> !scalar
  %ones = tile.fill 1.0 : f32 : !row
  %two = tile.fill 2.0 : f32 : !scalar
  %1 = tile.map div %ones, %0 : (!row, !row) -> !row
  %2 = tile.map mul %0, %two : (!row, !scalar) -> !row
  %3 = tile.map mul %s, %ones : (!scalar, !row) -> !row
  tile.store %1, %y[%c0] strides[%c1] : !row, !tile<buffer f32>
  tile.store %2, %y[%c0] strides[%c1] : !row, !tile<buffer f32>
  tile.store %3, %y[%c0] strides[%c1] : !row, !tile<buffer f32>
}
