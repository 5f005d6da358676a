// RUN: fuse-opt %s --fuse-lower-to-tile --cse | FileCheck %s

module { module @kernels {

// Blocks of 32 terms of both operands go through shared memory. Of each operand
// the axis with neighbours in memory is last: both are read transposed or not
// as that demands.
// CHECK-LABEL: tile.kernel @matmul(
// CHECK-SAME:    %[[A:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[B:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[C:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[N:[^:]*]]: index {{{.*}}})
// CHECK-SAME:    threads 128 grid ["N", "128"] tiles [32, 32]
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C128:.*]] = arith.constant 128
// CHECK-NEXT: %[[START:.*]]:2 = tile.origin : index, index
// CHECK-NEXT: %[[FILL:.*]] = tile.fill 0.000000e+00 : f32 : !tile<32x32xf32, reg>
// CHECK-NEXT: %[[FOR:.*]] = scf.for %[[K:[a-z0-9]*]] = %[[C0]] to %[[C64]] step %[[C32]] iter_args(%[[TOTAL:[a-z0-9]*]] = %[[FILL]]) -> (!tile<32x32xf32, reg>) {
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[N]], %[[START]]#0
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#0, %[[C64]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[K]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[A]][%[[OFFSET]]] strides[%[[C64]], %[[C1]]] limits[%[[REST]], %[[C32]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[ALLOC:.*]] = tile.alloc : !tile<32x32xf32, smem>
// CHECK-NEXT: tile.write %[[LOAD]], %[[ALLOC]]
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[K]], %[[C128]]
// CHECK-NEXT: %[[OFFSET1:.*]] = arith.addi %[[PRODUCT1]], %[[START]]#1
// CHECK-NEXT: %[[LOAD1:.*]] = tile.load %[[B]][%[[OFFSET1]]] strides[%[[C128]], %[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[ALLOC1:.*]] = tile.alloc : !tile<32x32xf32, smem>
// CHECK-NEXT: tile.write %[[LOAD1]], %[[ALLOC1]]
// CHECK-NEXT: %[[CONTRACT:.*]] = tile.contract %[[ALLOC]], %[[ALLOC1]] into %[[TOTAL]]
// CHECK-NEXT: scf.yield %[[CONTRACT]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[REST1:.*]] = arith.subi %[[N]], %[[START]]#0
// CHECK-NEXT: %[[PRODUCT2:.*]] = arith.muli %[[START]]#0, %[[C128]]
// CHECK-NEXT: %[[OFFSET2:.*]] = arith.addi %[[PRODUCT2]], %[[START]]#1
// CHECK-NEXT: tile.store %[[FOR]], %[[C]][%[[OFFSET2]]] strides[%[[C128]], %[[C1]]] limits[%[[REST1]], %[[C32]]]
// CHECK-NEXT: }
func.func @matmul(%a: tensor<?x64xf32> {fuse.name = "a", fuse.dims = ["N", 64]},
                  %b: tensor<64x128xf32> {fuse.name = "b"})
    -> (tensor<?x128xf32> {fuse.name = "c", fuse.dims = ["N", 128]}) {
  %c = fuse.einsum "ik,kj->ij" %a, %b : (tensor<?x64xf32>, tensor<64x128xf32>) -> tensor<?x128xf32>
  return %c : tensor<?x128xf32>
}

// Batches are dims of the grid; a weight's rows lie along the summed axis.
// CHECK-LABEL: tile.kernel @batched(
// CHECK-SAME:    %[[A:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[B:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[C:[^:]*]]: !tile<buffer f32> {{{.*}}})
// CHECK-SAME:    threads 128 grid ["192", "64"] tiles [32, 32]
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[START:.*]]:2 = tile.origin : index, index
// CHECK-NEXT: %[[FILL:.*]] = tile.fill 0.000000e+00 : f32 : !tile<32x32xf32, reg>
// CHECK-NEXT: %[[FOR:.*]] = scf.for %[[K:[a-z0-9]*]] = %[[C0]] to %[[C32]] step %[[C32]] iter_args(%[[TOTAL:[a-z0-9]*]] = %[[FILL]]) -> (!tile<32x32xf32, reg>) {
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#0, %[[C32]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[K]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[A]][%[[OFFSET]]] strides[%[[C32]], %[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[ALLOC:.*]] = tile.alloc : !tile<32x32xf32, smem>
// CHECK-NEXT: tile.write %[[LOAD]], %[[ALLOC]]
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[START]]#1, %[[C32]]
// CHECK-NEXT: %[[OFFSET1:.*]] = arith.addi %[[PRODUCT1]], %[[K]]
// CHECK-NEXT: %[[LOAD1:.*]] = tile.load %[[B]][%[[OFFSET1]]] strides[%[[C32]], %[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[ALLOC1:.*]] = tile.alloc : !tile<32x32xf32, smem>
// CHECK-NEXT: tile.write %[[LOAD1]], %[[ALLOC1]]
// CHECK-NEXT: %[[CONTRACT:.*]] = tile.contract %[[ALLOC]], %[[ALLOC1]] transposed into %[[TOTAL]]
// CHECK-NEXT: scf.yield %[[CONTRACT]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[PRODUCT2:.*]] = arith.muli %[[START]]#0, %[[C64]]
// CHECK-NEXT: %[[OFFSET2:.*]] = arith.addi %[[PRODUCT2]], %[[START]]#1
// CHECK-NEXT: tile.store %[[FOR]], %[[C]][%[[OFFSET2]]] strides[%[[C64]], %[[C1]]]
// CHECK-NEXT: }
func.func @batched(%a: tensor<3x64x32xf32> {fuse.name = "a"}, %b: tensor<64x32xf32> {fuse.name = "b"})
    -> (tensor<3x64x64xf32> {fuse.name = "c"}) {
  %c = fuse.einsum "bik,jk->bij" %a, %b : (tensor<3x64x32xf32>, tensor<64x32xf32>) -> tensor<3x64x64xf32>
  return %c : tensor<3x64x64xf32>
}

// What follows a contraction is applied to its accumulator, in registers.
// CHECK-LABEL: tile.kernel @epilogue(
// CHECK-SAME:    %[[A:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[B:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[BIAS:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[C:[^:]*]]: !tile<buffer f32> {{{.*}}})
// CHECK-SAME:    threads 128 grid ["64", "64"] tiles [32, 32]
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[START:.*]]:2 = tile.origin : index, index
// CHECK-NEXT: %[[FILL:.*]] = tile.fill 0.000000e+00 : f32 : !tile<32x32xf32, reg>
// CHECK-NEXT: %[[FOR:.*]] = scf.for %[[K:[a-z0-9]*]] = %[[C0]] to %[[C32]] step %[[C32]] iter_args(%[[TOTAL:[a-z0-9]*]] = %[[FILL]]) -> (!tile<32x32xf32, reg>) {
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#0, %[[C32]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[K]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[A]][%[[OFFSET]]] strides[%[[C32]], %[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[ALLOC:.*]] = tile.alloc : !tile<32x32xf32, smem>
// CHECK-NEXT: tile.write %[[LOAD]], %[[ALLOC]]
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[START]]#1, %[[C32]]
// CHECK-NEXT: %[[OFFSET1:.*]] = arith.addi %[[PRODUCT1]], %[[K]]
// CHECK-NEXT: %[[LOAD1:.*]] = tile.load %[[B]][%[[OFFSET1]]] strides[%[[C32]], %[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[ALLOC1:.*]] = tile.alloc : !tile<32x32xf32, smem>
// CHECK-NEXT: tile.write %[[LOAD1]], %[[ALLOC1]]
// CHECK-NEXT: %[[CONTRACT:.*]] = tile.contract %[[ALLOC]], %[[ALLOC1]] transposed into %[[TOTAL]]
// CHECK-NEXT: scf.yield %[[CONTRACT]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[LOAD2:.*]] = tile.load %[[BIAS]][%[[START]]#1] strides[%[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32xf32, reg>
// CHECK-NEXT: %[[BROADCAST:.*]] = tile.broadcast %[[LOAD2]] dims [0]{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[ADD:.*]] = tile.map add %[[FOR]], %[[BROADCAST]]
// CHECK-NEXT: %[[RELU:.*]] = tile.map relu %[[ADD]]
// CHECK-NEXT: %[[PRODUCT2:.*]] = arith.muli %[[START]]#0, %[[C64]]
// CHECK-NEXT: %[[OFFSET2:.*]] = arith.addi %[[PRODUCT2]], %[[START]]#1
// CHECK-NEXT: tile.store %[[RELU]], %[[C]][%[[OFFSET2]]] strides[%[[C64]], %[[C1]]]
// CHECK-NEXT: }
func.func @epilogue(%a: tensor<64x32xf32> {fuse.name = "a"}, %b: tensor<64x32xf32> {fuse.name = "b"},
                    %bias: tensor<64xf32> {fuse.name = "bias"})
    -> (tensor<64x64xf32> {fuse.name = "c"}) {
  %0 = fuse.einsum "ik,jk->ij" %a, %b : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x64xf32>
  %1 = fuse.broadcast %bias "j -> 64 j" : (tensor<64xf32>) -> tensor<64x64xf32>
  %2 = fuse.map add %0, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = fuse.map relu %2 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %3 : tensor<64x64xf32>
}

// What is computed from an operand alone is applied on its way; beyond the
// operand's end it is zero again.
// CHECK-LABEL: tile.kernel @prologue(
// CHECK-SAME:    %[[A:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[B:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[C:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[N:[^:]*]]: index {{{.*}}})
// CHECK-SAME:    threads 128 grid ["N", "64"] tiles [32, 32]
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[START:.*]]:2 = tile.origin : index, index
// CHECK-NEXT: %[[FILL:.*]] = tile.fill 0.000000e+00 : f32 : !tile<32x32xf32, reg>
// CHECK-NEXT: %[[FOR:.*]] = scf.for %[[K:[a-z0-9]*]] = %[[C0]] to %[[C32]] step %[[C32]] iter_args(%[[TOTAL:[a-z0-9]*]] = %[[FILL]]) -> (!tile<32x32xf32, reg>) {
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[N]], %[[START]]#0
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#0, %[[C32]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[K]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[A]][%[[OFFSET]]] strides[%[[C32]], %[[C1]]] limits[%[[REST]], %[[C32]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[EXP:.*]] = tile.map exp %[[LOAD]]
// CHECK-NEXT: %[[ALLOC:.*]] = tile.alloc : !tile<32x32xf32, smem>
// CHECK-NEXT: tile.write %[[EXP]], %[[ALLOC]]
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[START]]#1, %[[C32]]
// CHECK-NEXT: %[[OFFSET1:.*]] = arith.addi %[[PRODUCT1]], %[[K]]
// CHECK-NEXT: %[[LOAD1:.*]] = tile.load %[[B]][%[[OFFSET1]]] strides[%[[C32]], %[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[ALLOC1:.*]] = tile.alloc : !tile<32x32xf32, smem>
// CHECK-NEXT: tile.write %[[LOAD1]], %[[ALLOC1]]
// CHECK-NEXT: %[[CONTRACT:.*]] = tile.contract %[[ALLOC]], %[[ALLOC1]] transposed into %[[TOTAL]]
// CHECK-NEXT: scf.yield %[[CONTRACT]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[REST1:.*]] = arith.subi %[[N]], %[[START]]#0
// CHECK-NEXT: %[[PRODUCT2:.*]] = arith.muli %[[START]]#0, %[[C64]]
// CHECK-NEXT: %[[OFFSET2:.*]] = arith.addi %[[PRODUCT2]], %[[START]]#1
// CHECK-NEXT: tile.store %[[FOR]], %[[C]][%[[OFFSET2]]] strides[%[[C64]], %[[C1]]] limits[%[[REST1]], %[[C32]]]
// CHECK-NEXT: }
func.func @prologue(%a: tensor<?x32xf32> {fuse.name = "a", fuse.dims = ["N", 32]}, %b: tensor<64x32xf32> {fuse.name = "b"})
    -> (tensor<?x64xf32> {fuse.name = "c", fuse.dims = ["N", 64]}) {
  %0 = fuse.map exp %a : (tensor<?x32xf32>) -> tensor<?x32xf32>
  %1 = fuse.einsum "ik,jk->ij" %0, %b : (tensor<?x32xf32>, tensor<64x32xf32>) -> tensor<?x64xf32>
  return %1 : tensor<?x64xf32>
}

// 16-bit operands are multiplied in f32, and the sum is rounded once.
// CHECK-LABEL: tile.kernel @narrow(
// CHECK-SAME:    %[[A:[^:]*]]: !tile<buffer bf16> {{{.*}}}, %[[B:[^:]*]]: !tile<buffer bf16> {{{.*}}}, %[[C:[^:]*]]: !tile<buffer bf16> {{{.*}}})
// CHECK-SAME:    threads 128 grid ["64", "64"] tiles [32, 32]
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[START:.*]]:2 = tile.origin : index, index
// CHECK-NEXT: %[[FILL:.*]] = tile.fill 0.000000e+00 : f32 : !tile<32x32xf32, reg>
// CHECK-NEXT: %[[FOR:.*]] = scf.for %[[K:[a-z0-9]*]] = %[[C0]] to %[[C32]] step %[[C32]] iter_args(%[[TOTAL:[a-z0-9]*]] = %[[FILL]]) -> (!tile<32x32xf32, reg>) {
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#0, %[[C32]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[K]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[A]][%[[OFFSET]]] strides[%[[C32]], %[[C1]]] fill 0.000000e+00 : bf16{{.*}} -> !tile<32x32xbf16, reg>
// CHECK-NEXT: %[[CAST:.*]] = tile.cast %[[LOAD]]{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[ALLOC:.*]] = tile.alloc : !tile<32x32xf32, smem>
// CHECK-NEXT: tile.write %[[CAST]], %[[ALLOC]]
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[START]]#1, %[[C32]]
// CHECK-NEXT: %[[OFFSET1:.*]] = arith.addi %[[PRODUCT1]], %[[K]]
// CHECK-NEXT: %[[LOAD1:.*]] = tile.load %[[B]][%[[OFFSET1]]] strides[%[[C32]], %[[C1]]] fill 0.000000e+00 : bf16{{.*}} -> !tile<32x32xbf16, reg>
// CHECK-NEXT: %[[CAST1:.*]] = tile.cast %[[LOAD1]]{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[ALLOC1:.*]] = tile.alloc : !tile<32x32xf32, smem>
// CHECK-NEXT: tile.write %[[CAST1]], %[[ALLOC1]]
// CHECK-NEXT: %[[CONTRACT:.*]] = tile.contract %[[ALLOC]], %[[ALLOC1]] transposed into %[[TOTAL]]
// CHECK-NEXT: scf.yield %[[CONTRACT]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[CAST2:.*]] = tile.cast %[[FOR]]{{.*}} -> !tile<32x32xbf16, reg>
// CHECK-NEXT: %[[PRODUCT2:.*]] = arith.muli %[[START]]#0, %[[C64]]
// CHECK-NEXT: %[[OFFSET2:.*]] = arith.addi %[[PRODUCT2]], %[[START]]#1
// CHECK-NEXT: tile.store %[[CAST2]], %[[C]][%[[OFFSET2]]] strides[%[[C64]], %[[C1]]]
// CHECK-NEXT: }
func.func @narrow(%a: tensor<64x32xbf16> {fuse.name = "a"}, %b: tensor<64x32xbf16> {fuse.name = "b"})
    -> (tensor<64x64xbf16> {fuse.name = "c"}) {
  %c = fuse.einsum "ik,jk->ij" %a, %b : (tensor<64x32xbf16>, tensor<64x32xbf16>) -> tensor<64x64xbf16>
  return %c : tensor<64x64xbf16>
}

// A further summed index is a loop around the blocks. What only one operand has
// of a result's axes need not be there: a vector is a matrix of one column.
// CHECK-LABEL: tile.kernel @two_sums(
// CHECK-SAME:    %[[A:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[B:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[C:[^:]*]]: !tile<buffer f32> {{{.*}}})
// CHECK-SAME:    threads 128 grid ["1", "64"] tiles [16, 64]
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C128:.*]] = arith.constant 128
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[START:.*]]:2 = tile.origin : index, index
// CHECK-NEXT: %[[FILL:.*]] = tile.fill 0.000000e+00 : f32 : !tile<64x16xf32, reg>
// CHECK-NEXT: %[[FOR:.*]] = scf.for %[[K:[a-z0-9]*]] = %[[C0]] to %[[C128]] step %[[C32]] iter_args(%[[TOTAL:[a-z0-9]*]] = %[[FILL]]) -> (!tile<64x16xf32, reg>) {
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#1, %[[C128]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[K]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[A]][%[[OFFSET]]] strides[%[[C128]], %[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<64x32xf32, reg>
// CHECK-NEXT: %[[ALLOC:.*]] = tile.alloc : !tile<64x32xf32, smem>
// CHECK-NEXT: tile.write %[[LOAD]], %[[ALLOC]]
// CHECK-NEXT: %[[LOAD1:.*]] = tile.load %[[B]][%[[K]]] strides[%[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32xf32, reg>
// CHECK-NEXT: %[[BROADCAST:.*]] = tile.broadcast %[[LOAD1]] dims [0]{{.*}} -> !tile<16x32xf32, reg>
// CHECK-NEXT: %[[ALLOC1:.*]] = tile.alloc : !tile<16x32xf32, smem>
// CHECK-NEXT: tile.write %[[BROADCAST]], %[[ALLOC1]]
// CHECK-NEXT: %[[CONTRACT:.*]] = tile.contract %[[ALLOC]], %[[ALLOC1]] transposed into %[[TOTAL]]
// CHECK-NEXT: scf.yield %[[CONTRACT]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[C1]], %[[START]]#0
// CHECK-NEXT: tile.store %[[FOR]], %[[C]][%[[START]]#1] strides[%[[C1]], %[[C0]]] limits[%[[C64]], %[[REST]]]
// CHECK-NEXT: }
func.func @two_sums(%a: tensor<64x4x32xf32> {fuse.name = "a"}, %b: tensor<4x32xf32> {fuse.name = "b"})
    -> (tensor<64xf32> {fuse.name = "c"}) {
  %c = fuse.einsum "ihk,hk->i" %a, %b : (tensor<64x4x32xf32>, tensor<4x32xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// Where nothing is summed, a product is elementwise.
// CHECK-LABEL: tile.kernel @outer(
// CHECK-SAME:    %[[A:[^:]*]]: !tile<buffer f64> {{{.*}}}, %[[B:[^:]*]]: !tile<buffer f64> {{{.*}}}, %[[C:[^:]*]]: !tile<buffer f64> {{{.*}}})
// CHECK-SAME:    threads 256 grid ["64", "64"] tiles [32, 64]
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[START:.*]]:2 = tile.origin : index, index
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[A]][%[[START]]#0] strides[%[[C1]]] fill 0.000000e+00 : f64{{.*}} -> !tile<32xf64, reg>
// CHECK-NEXT: %[[ROWS:.*]] = tile.broadcast %[[LOAD]] dims [1]{{.*}} -> !tile<32x64xf64, reg>
// CHECK-NEXT: %[[LOAD1:.*]] = tile.load %[[B]][%[[START]]#1] strides[%[[C1]]] fill 0.000000e+00 : f64{{.*}} -> !tile<64xf64, reg>
// CHECK-NEXT: %[[COLUMNS:.*]] = tile.broadcast %[[LOAD1]] dims [0]{{.*}} -> !tile<32x64xf64, reg>
// CHECK-NEXT: %[[MUL:.*]] = tile.map mul %[[ROWS]], %[[COLUMNS]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#0, %[[C64]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[START]]#1
// CHECK-NEXT: tile.store %[[MUL]], %[[C]][%[[OFFSET]]] strides[%[[C64]], %[[C1]]]
func.func @outer(%a: tensor<64xf64> {fuse.name = "a"}, %b: tensor<64xf64> {fuse.name = "b"})
    -> (tensor<64x64xf64> {fuse.name = "c"}) {
  %c = fuse.einsum "i,j->ij" %a, %b : (tensor<64xf64>, tensor<64xf64>) -> tensor<64x64xf64>
  return %c : tensor<64x64xf64>
}

// Of 16-bit operands the product is formed in f32 and rounded once, if at all.
// CHECK-LABEL: tile.kernel @halves(
// CHECK: %[[X:.*]] = tile.cast %{{.*}} : !tile<{{.*}}xf16, reg> -> !tile<{{.*}}xf32, reg>
// CHECK: %[[Y:.*]] = tile.cast %{{.*}} : !tile<{{.*}}xf16, reg> -> !tile<{{.*}}xf32, reg>
// CHECK: tile.map mul %[[X]], %[[Y]]
func.func @halves(%a: tensor<64xf16>, %b: tensor<64xf16>) -> tensor<64x64xf32> {
  %c = fuse.einsum "i,j->ij" %a, %b : (tensor<64xf16>, tensor<64xf16>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}


// A scalar stays one.
// CHECK-LABEL: tile.kernel @scalar(
// CHECK: %[[A:.*]] = tile.load {{.*}} -> !tile<f16, reg>
// CHECK: %[[WIDE:.*]] = tile.cast %[[A]] : !tile<f16, reg> -> !tile<f32, reg>
// CHECK: tile.map mul %[[WIDE]], %{{.*}} : (!tile<f32, reg>, !tile<64xf32, reg>)
func.func @scalar(%a: tensor<f16>, %b: tensor<64xf16>) -> tensor<64xf32> {
  %c = fuse.einsum ",j->j" %a, %b : (tensor<f16>, tensor<64xf16>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// How a product is computed is for the schedule to say.
// CHECK-LABEL: tile.kernel @marked(
// CHECK: tile.contract
func.func @marked(%a: tensor<64x32xf32>, %b: tensor<64x32xf32>) -> tensor<64x64xf32> {
  %c = fuse.einsum "ik,jk->ij" %a, %b {by_terms} : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

}}
