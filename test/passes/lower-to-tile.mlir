// RUN: fuse-opt %s --fuse-lower-to-tile --split-input-file | FileCheck %s

// Buffers that only lent their shape are no arguments of the kernel, nor are
// dims that nothing needs.
// CHECK-LABEL: func.func @unused(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?xf32>
// CHECK-NEXT: fuse.launch @kernels::@exp(%[[X]]) dims {{\[\[}}"N"]] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: tile.kernel @exp(%{{[^:]*}}: !tile<buffer f32> {tile.name = "x"},
// CHECK-SAME: %{{[^:]*}}: !tile<buffer f32> {tile.name = "result0"}, %{{[^:]*}}: index {tile.dim = "N"})
func.func @unused(%like: tensor<?x?xi1> {fuse.dims = ["M", "N"]},
                  %x: tensor<?xf32> {fuse.dims = ["N"]}) -> tensor<?xf32> {
  %y = fuse.launch @kernels::@exp(%like, %x) dims [["N"]] : (tensor<?x?xi1>, tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
module @kernels {
  func.func @exp(%like: tensor<?x?xi1> {fuse.dims = ["M", "N"]},
                 %x: tensor<?xf32> {fuse.name = "x", fuse.dims = ["N"]})
      -> (tensor<?xf32> {fuse.dims = ["N"]}) {
    %y = fuse.map exp %x : (tensor<?xf32>) -> tensor<?xf32>
    return %y : tensor<?xf32>
  }
}

// -----

// The grid needs the extents of its dims, even if no op does.
// CHECK: tile.kernel @grid(
// CHECK-SAME: index {tile.dim = "N"}) threads 32 grid ["1", "1", "N"] tiles [16, 16, 1]
module { module @kernels {
  func.func @grid(%x: tensor<?x8xf32> {fuse.dims = ["N", 8]}) -> (tensor<?xf32> {fuse.dims = ["N"]}) {
    %y = fuse.einsum "ik,ik->i" %x, %x : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?xf32>
    return %y : tensor<?xf32>
  }
}}

// -----

// A quotient of a sum is divided as a whole.
// CHECK: tile.kernel @quotient(
// CHECK-SAME: %[[N:[^:]*]]: index {tile.dim = "N"}) threads 128 grid ["(N + 1)/2"]
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2
// CHECK: %[[SUM:.*]] = arith.addi %[[ONE]], %[[N]]
// CHECK: arith.divsi %[[SUM]], %[[TWO]]
module { module @kernels {
  func.func @quotient(%x: tensor<?xf32> {fuse.dims = ["N + 1"]}) -> (tensor<?xf32> {fuse.dims = ["(N + 1)/2"]}) {
    %0 = fuse.slice %x axis 0 from "0" to "$/2" : (tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}}

// -----

// Functions that are no kernels stay.
// CHECK-LABEL: func.func @no_kernel(
// CHECK-NEXT: fuse.map exp
func.func @no_kernel(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuse.map exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
