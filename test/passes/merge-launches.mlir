// RUN: fuse-opt %s --fuse-merge-launches --split-input-file | FileCheck %s

// Kernels of two launches on one input become parts of one kernel, which has
// each input, and each dim, once; also the dims of which only a number of blocks
// depends.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf32>
// CHECK: %[[PQ:.*]]:2 = fuse.launch @kernels::@p_q(%[[X]]) dims {{\[\[}}"N"], ["N"]] : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
// CHECK-NEXT: return %[[PQ]]#0, %[[PQ]]#1
// CHECK: tile.kernel @p_q(%[[BUFFER:.*]]: !tile<buffer f32> {tile.name = "x"}, %[[P:.*]]: !tile<buffer f32> {tile.name = "p"}, %[[Q:.*]]: !tile<buffer f32> {tile.name = "q"}, %[[N:.*]]: index {tile.dim = "N"}) threads 32 grid [] tiles [] shared 256
// CHECK-NEXT: tile.part "p" grid ["N"] tiles [32] {
// CHECK:   tile.origin
// CHECK:   tile.load %[[BUFFER]]{{.*}} limits[%[[N]]]
// CHECK:   tile.store %{{.*}}, %[[P]]
// CHECK: tile.part "q" grid ["N"] tiles [32] {
// CHECK:   tile.load %[[BUFFER]]
// CHECK:   tile.store %{{.*}}, %[[Q]]
// CHECK-NOT: tile.kernel
!row = !tile<32xf32, reg, #tile.map<"warps 1, [lane 32@1]">>
!buffer = !tile<buffer f32>
func.func @main(%x: tensor<?xf32> {fuse.dims = ["N"]}) -> (tensor<?xf32>, tensor<?xf32>)
    attributes {fuse.size_hints = {N = 64}} {
  %p = fuse.launch @kernels::@p(%x) dims [["N"]] : (tensor<?xf32>) -> tensor<?xf32>
  %q = fuse.launch @kernels::@q(%x) dims [["N"]] : (tensor<?xf32>) -> tensor<?xf32>
  return %p, %q : tensor<?xf32>, tensor<?xf32>
}
module @kernels {
  tile.kernel @p(%x: !buffer {tile.name = "x"}, %y: !buffer {tile.name = "p"}, %n: index {tile.dim = "N"}) threads 32 grid ["N"] tiles [32] shared 256 {
    %i = tile.origin : index
    %c1 = arith.constant 1 : index
    %0 = tile.load %x[%i] strides[%c1] limits[%n] fill 0.0 : f32 : !buffer -> !row
    tile.store %0, %y[%i] strides[%c1] limits[%n] : !row, !buffer
  }
  tile.kernel @q(%x: !buffer {tile.name = "x"}, %y: !buffer {tile.name = "q"}) threads 32 grid ["N"] tiles [32] {
    %i = tile.origin : index
    %c1 = arith.constant 1 : index
    %0 = tile.load %x[%i] strides[%c1] fill 0.0 : f32 : !buffer -> !row
    tile.store %0, %y[%i] strides[%c1] : !row, !buffer
  }
}

// -----

// A third one joins them, across a launch that stays between: it needs @p.
// CHECK-LABEL: func.func @main(
// CHECK: %[[PQ:.*]]:2 = fuse.launch @kernels::@p_q(
// CHECK-NEXT: fuse.launch @kernels::@r(%[[PQ]]#0)
// CHECK-NEXT: return
!row = !tile<32xf32, reg, #tile.map<"warps 1, [lane 32@1]">>
!buffer = !tile<buffer f32>
func.func @main(%x: tensor<?xf32> {fuse.dims = ["N"]}) -> (tensor<?xf32>, tensor<?xf32>)
    attributes {fuse.size_hints = {N = 64}} {
  %p = fuse.launch @kernels::@p(%x) dims [["N"]] : (tensor<?xf32>) -> tensor<?xf32>
  %r = fuse.launch @kernels::@r(%p) dims [["N"]] : (tensor<?xf32>) -> tensor<?xf32>
  %q = fuse.launch @kernels::@q(%x) dims [["N"]] : (tensor<?xf32>) -> tensor<?xf32>
  return %r, %q : tensor<?xf32>, tensor<?xf32>
}
module @kernels {
  tile.kernel @p(%x: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 32 grid ["N"] tiles [32] {}
  tile.kernel @q(%x: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 32 grid ["N"] tiles [32] {}
  tile.kernel @r(%x: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 64 grid ["N"] tiles [32] {}
}

// -----

// Stays: one needs what the other makes; other numbers of threads; a kernel that
// keeps blocks of the other off the device, of which there are many.
// CHECK-LABEL: func.func @main(
// CHECK: fuse.launch @kernels::@p(
// CHECK-NEXT: fuse.launch @kernels::@next(
// CHECK-NEXT: fuse.launch @kernels::@threads(
// CHECK-NEXT: fuse.launch @kernels::@shared(
// CHECK-NEXT: return
!buffer = !tile<buffer f32>
func.func @main(%x: tensor<?xf32> {fuse.dims = ["N"]}) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
    attributes {fuse.size_hints = {N = 1000000}} {
  %p = fuse.launch @kernels::@p(%x) dims [["N"]] : (tensor<?xf32>) -> tensor<?xf32>
  %next = fuse.launch @kernels::@next(%p) dims [["N"]] : (tensor<?xf32>) -> tensor<?xf32>
  %q = fuse.launch @kernels::@threads(%x) dims [["N"]] : (tensor<?xf32>) -> tensor<?xf32>
  %r = fuse.launch @kernels::@shared(%x) dims [["N"]] : (tensor<?xf32>) -> tensor<?xf32>
  return %next, %q, %r : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
module @kernels {
  tile.kernel @p(%x: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 128 grid ["N"] tiles [32] {}
  tile.kernel @next(%x: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 128 grid ["N"] tiles [32] {}
  tile.kernel @threads(%x: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 256 grid ["N"] tiles [32] {}
  tile.kernel @shared(%x: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 128 grid ["N"] tiles [32] shared 120000 {}
}
