// RUN: fuse-opt %s --fuse-lower-to-tile --cse | FileCheck %s

module { module @kernels {

// Elementwise ops see one long axis, cut into tiles of what a thread likes.
// CHECK-LABEL: tile.kernel @elementwise(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[K:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[N:[^:]*]]: index {{{.*}}})
// CHECK-SAME:    threads 128 grid ["7*N"] tiles [1024]
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C7:.*]] = arith.constant 7
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[N]], %[[C7]]
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0
// CHECK-NEXT: %[[START:.*]] = tile.origin : index
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[PRODUCT]], %[[START]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[START]]] strides[%[[C1]]] limits[%[[REST]]] fill 0.000000e+00 : f32{{.*}} -> !tile<1024xf32, reg>
// CHECK-NEXT: %[[LOAD1:.*]] = tile.load %[[K]][%[[C0]]] strides[] fill 0.000000e+00 : f32{{.*}} -> !tile<f32, reg>
// CHECK-NEXT: %[[MUL:.*]] = tile.map mul %[[LOAD]], %[[LOAD1]]
// CHECK-NEXT: %[[EXP:.*]] = tile.map exp %[[MUL]]
// CHECK-NEXT: tile.store %[[EXP]], %[[Y]][%[[START]]] strides[%[[C1]]] limits[%[[REST]]]
// CHECK-NEXT: }
func.func @elementwise(%x: tensor<?x7xf32> {fuse.name = "x", fuse.dims = ["N", 7]},
                       %k: tensor<f32> {fuse.name = "k"})
    -> (tensor<?x7xf32> {fuse.name = "y", fuse.dims = ["N", 7]}) {
  %0 = fuse.map mul %x, %k : (tensor<?x7xf32>, tensor<f32>) -> tensor<?x7xf32>
  %1 = fuse.map exp %0 : (tensor<?x7xf32>) -> tensor<?x7xf32>
  return %1 : tensor<?x7xf32>
}

// A static row stays in registers: it is loaded once for both uses. What is
// beyond its end is masked with the identity of the reduction.
// CHECK-LABEL: tile.kernel @resident(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[N:[^:]*]]: index {{{.*}}})
// CHECK-SAME:    threads 256 grid ["N"] tiles [16]
// CHECK-NEXT: %[[C100:.*]] = arith.constant 100
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[ROWS:.*]] = arith.constant 16 : index
// CHECK-NEXT: %[[START:.*]] = tile.origin : index
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[N]], %[[START]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]], %[[C100]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[PRODUCT]]] strides[%[[C100]], %[[C1]]] limits[%[[REST]], %[[C100]]] fill 0.000000e+00 : f32{{.*}} -> !tile<16x128xf32, reg>
// CHECK-NEXT: %[[MASK:.*]] = tile.mask %[[LOAD]] limits[%[[ROWS]], %[[C100]]] identity 0xFF800000 : f32
// CHECK-NEXT: %[[MAX:.*]] = tile.reduce max %[[MASK]] dim 1{{.*}} -> !tile<16xf32, reg>
// CHECK-NEXT: %[[BROADCAST:.*]] = tile.broadcast %[[MAX]] dims [1]{{.*}} -> !tile<16x128xf32, reg>
// CHECK-NEXT: %[[SUB:.*]] = tile.map sub %[[LOAD]], %[[BROADCAST]]
// CHECK-NEXT: tile.store %[[SUB]], %[[Y]][%[[PRODUCT]]] strides[%[[C100]], %[[C1]]] limits[%[[REST]], %[[C100]]]
// CHECK-NEXT: }
func.func @resident(%x: tensor<?x100xf32> {fuse.name = "x", fuse.dims = ["N", 100]})
    -> (tensor<?x100xf32> {fuse.name = "y", fuse.dims = ["N", 100]}) {
  %m = fuse.reduce max %x axes [1] : (tensor<?x100xf32>) -> tensor<?xf32>
  %b = fuse.broadcast %m "n -> n c" like %x : (tensor<?xf32>, tensor<?x100xf32>) -> tensor<?x100xf32>
  %y = fuse.map sub %x, %b : (tensor<?x100xf32>, tensor<?x100xf32>) -> tensor<?x100xf32>
  return %y : tensor<?x100xf32>
}

// Nothing is beyond the end of tiles that divide all extents.
// CHECK-LABEL: tile.kernel @whole(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer i32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer i32> {{{.*}}})
// CHECK-SAME:    threads 256 grid ["32"] tiles [32]
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[START:.*]] = tile.origin : index
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]], %[[C64]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[PRODUCT]]] strides[%[[C64]], %[[C1]]] fill 0 : i32{{.*}} -> !tile<32x64xi32, reg>
// CHECK-NEXT: %[[MAX:.*]] = tile.reduce max %[[LOAD]] dim 1{{.*}} -> !tile<32xi32, reg>
// CHECK-NEXT: tile.store %[[MAX]], %[[Y]][%[[START]]] strides[%[[C1]]]
// CHECK-NEXT: }
func.func @whole(%x: tensor<32x64xi32> {fuse.name = "x"}) -> (tensor<32xi32> {fuse.name = "y"}) {
  %y = fuse.reduce max %x axes [1] : (tensor<32x64xi32>) -> tensor<32xi32>
  return %y : tensor<32xi32>
}

// A row of unknown length is read once a pass, in pieces. What does not depend
// on the piece is computed before the loop.
// CHECK-LABEL: tile.kernel @dynamic(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[M:[^:]*]]: index {{{.*}}}, %[[N:[^:]*]]: index {{{.*}}})
// CHECK-SAME:    threads 64 grid ["N"] tiles [2]
// CHECK-NEXT: %[[C1024:.*]] = arith.constant 1024
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[ROWS:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[START:.*]] = tile.origin : index
// CHECK-NEXT: %[[FILL:.*]] = tile.fill 0.000000e+00 : f32 : !tile<2x1024xf32, reg>
// CHECK-NEXT: %[[FOR:.*]] = scf.for %[[K:[a-z0-9]*]] = %[[C0]] to %[[M]] step %[[C1024]] iter_args(%[[TOTAL:[a-z0-9]*]] = %[[FILL]]) -> (!tile<2x1024xf32, reg>) {
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[N]], %[[START]]
// CHECK-NEXT: %[[REST1:.*]] = arith.subi %[[M]], %[[K]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]], %[[M]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[K]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[OFFSET]]] strides[%[[M]], %[[C1]]] limits[%[[REST]], %[[REST1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<2x1024xf32, reg>
// CHECK-NEXT: %[[MASK:.*]] = tile.mask %[[LOAD]] limits[%[[ROWS]], %[[REST1]]] identity 0.000000e+00 : f32
// CHECK-NEXT: %[[ADD:.*]] = tile.map add %[[TOTAL]], %[[MASK]]
// CHECK-NEXT: scf.yield %[[ADD]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:.*]] = tile.reduce sum %[[FOR]] dim 1{{.*}} -> !tile<2xf32, reg>
// CHECK-NEXT: %[[EXP:.*]] = tile.map exp %[[SUM]]
// CHECK-NEXT: scf.for %[[K]] = %[[C0]] to %[[M]] step %[[C1024]] {
// CHECK-NEXT: %[[REST2:.*]] = arith.subi %[[N]], %[[START]]
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[M]], %[[K]]
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[START]], %[[M]]
// CHECK-NEXT: %[[OFFSET1:.*]] = arith.addi %[[PRODUCT1]], %[[K]]
// CHECK-NEXT: %[[LOAD1:.*]] = tile.load %[[X]][%[[OFFSET1]]] strides[%[[M]], %[[C1]]] limits[%[[REST2]], %[[REST]]] fill 0.000000e+00 : f32{{.*}} -> !tile<2x1024xf32, reg>
// CHECK-NEXT: %[[BROADCAST:.*]] = tile.broadcast %[[EXP]] dims [1]{{.*}} -> !tile<2x1024xf32, reg>
// CHECK-NEXT: %[[MUL:.*]] = tile.map mul %[[LOAD1]], %[[BROADCAST]]
// CHECK-NEXT: tile.store %[[MUL]], %[[Y]][%[[OFFSET1]]] strides[%[[M]], %[[C1]]] limits[%[[REST2]], %[[REST]]]
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @dynamic(%x: tensor<?x?xf32> {fuse.name = "x", fuse.dims = ["N", "M"]})
    -> (tensor<?x?xf32> {fuse.name = "y", fuse.dims = ["N", "M"]}) {
  %s = fuse.reduce sum %x axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
  %e = fuse.map exp %s : (tensor<?xf32>) -> tensor<?xf32>
  %b = fuse.broadcast %e "n -> n c" like %x : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = fuse.map mul %x, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// Reductions that loop alike share a pass, those that need another's result do
// not. A hint says how large the pieces are.
// CHECK-LABEL: tile.kernel @shared_pass(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[HIGH:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[LOW:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[M:[^:]*]]: index {{{.*}}}, %[[N:[^:]*]]: index {{{.*}}})
// CHECK-SAME:    threads 32 grid ["N"] tiles [2]
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[ROWS:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[START:.*]] = tile.origin : index
// CHECK-NEXT: %[[FILL:.*]] = tile.fill 0xFF800000 : f32 : !tile<2x64xf32, reg>
// CHECK-NEXT: %[[FILL1:.*]] = tile.fill 0x7F800000 : f32 : !tile<2x64xf32, reg>
// CHECK-NEXT: %[[FOR:.*]]:2 = scf.for %[[K:[a-z0-9]*]] = %[[C0]] to %[[M]] step %[[C64]] iter_args(%[[TOTAL:[a-z0-9]*]] = %[[FILL]], %[[TOTAL1:[a-z0-9]*]] = %[[FILL1]]) -> (!tile<2x64xf32, reg>, !tile<2x64xf32, reg>) {
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[N]], %[[START]]
// CHECK-NEXT: %[[REST1:.*]] = arith.subi %[[M]], %[[K]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]], %[[M]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[K]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[OFFSET]]] strides[%[[M]], %[[C1]]] limits[%[[REST]], %[[REST1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<2x64xf32, reg>
// CHECK-NEXT: %[[MASK:.*]] = tile.mask %[[LOAD]] limits[%[[ROWS]], %[[REST1]]] identity 0xFF800000 : f32
// CHECK-NEXT: %[[MAX:.*]] = tile.map max %[[TOTAL]], %[[MASK]]
// CHECK-NEXT: %[[MASK1:.*]] = tile.mask %[[LOAD]] limits[%[[ROWS]], %[[REST1]]] identity 0x7F800000 : f32
// CHECK-NEXT: %[[MIN:.*]] = tile.map min %[[TOTAL1]], %[[MASK1]]
// CHECK-NEXT: scf.yield %[[MAX]], %[[MIN]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAX1:.*]] = tile.reduce max %[[FOR]]#0 dim 1{{.*}} -> !tile<2xf32, reg>
// CHECK-NEXT: %[[MIN1:.*]] = tile.reduce min %[[FOR]]#1 dim 1{{.*}} -> !tile<2xf32, reg>
// CHECK-NEXT: %[[REST2:.*]] = arith.subi %[[N]], %[[START]]
// CHECK-NEXT: tile.store %[[MAX1]], %[[HIGH]][%[[START]]] strides[%[[C1]]] limits[%[[REST2]]]
// CHECK-NEXT: tile.store %[[MIN1]], %[[LOW]][%[[START]]] strides[%[[C1]]] limits[%[[REST2]]]
// CHECK-NEXT: }
func.func @shared_pass(%x: tensor<?x?xf32> {fuse.name = "x", fuse.dims = ["N", "M"]})
    -> (tensor<?xf32> {fuse.name = "high", fuse.dims = ["N"]},
        tensor<?xf32> {fuse.name = "low", fuse.dims = ["N"]})
    attributes {fuse.size_hints = {M = 60, N = 2}} {
  %high = fuse.reduce max %x axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
  %low = fuse.reduce min %x axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
  return %high, %low : tensor<?xf32>, tensor<?xf32>
}

// Lanes go along the axis whose elements are neighbours in memory, reduced or
// not: then each has rows of its own.
// CHECK-LABEL: tile.kernel @outer_axes(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[N:[^:]*]]: index {{{.*}}})
// CHECK-SAME:    threads 64 grid ["64"] tiles [64]
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C8:.*]] = arith.constant 8
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[N]], %[[C8]]
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[START:.*]] = tile.origin : index
// CHECK-NEXT: %[[FILL:.*]] = tile.fill 0.000000e+00 : f32 : !tile<32x64xf32, reg>
// CHECK-NEXT: %[[FOR:.*]] = scf.for %[[K:[a-z0-9]*]] = %[[C0]] to %[[PRODUCT]] step %[[C32]] iter_args(%[[TOTAL:[a-z0-9]*]] = %[[FILL]]) -> (!tile<32x64xf32, reg>) {
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[PRODUCT]], %[[K]]
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[K]], %[[C64]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT1]], %[[START]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[OFFSET]]] strides[%[[C64]], %[[C1]]] limits[%[[REST]], %[[C64]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x64xf32, reg>
// CHECK-NEXT: %[[MASK:.*]] = tile.mask %[[LOAD]] limits[%[[REST]], %[[C64]]] identity 0.000000e+00 : f32
// CHECK-NEXT: %[[ADD:.*]] = tile.map add %[[TOTAL]], %[[MASK]]
// CHECK-NEXT: scf.yield %[[ADD]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:.*]] = tile.reduce sum %[[FOR]] dim 0{{.*}} -> !tile<64xf32, reg>
// CHECK-NEXT: tile.store %[[SUM]], %[[Y]][%[[START]]] strides[%[[C1]]]
// CHECK-NEXT: }
func.func @outer_axes(%x: tensor<?x8x64xf32> {fuse.name = "x", fuse.dims = ["N", 8, 64]})
    -> (tensor<64xf32> {fuse.name = "y"}) {
  %y = fuse.reduce sum %x axes [0, 1] : (tensor<?x8x64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}

// Sums of 16-bit elements are formed in f32 and rounded once; maxima are not.
// CHECK-LABEL: tile.kernel @narrow(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer bf16> {{{.*}}}, %[[SUM:[^:]*]]: !tile<buffer bf16> {{{.*}}}, %[[MAX:[^:]*]]: !tile<buffer bf16> {{{.*}}})
// CHECK-SAME:    threads 64 grid ["16"] tiles [16]
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[START:.*]] = tile.origin : index
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]], %[[C32]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[PRODUCT]]] strides[%[[C32]], %[[C1]]] fill 0.000000e+00 : bf16{{.*}} -> !tile<16x32xbf16, reg>
// CHECK-NEXT: %[[CAST:.*]] = tile.cast %[[LOAD]]{{.*}} -> !tile<16x32xf32, reg>
// CHECK-NEXT: %[[SUM1:.*]] = tile.reduce sum %[[CAST]] dim 1{{.*}} -> !tile<16xf32, reg>
// CHECK-NEXT: %[[CAST1:.*]] = tile.cast %[[SUM1]]{{.*}} -> !tile<16xbf16, reg>
// CHECK-NEXT: tile.store %[[CAST1]], %[[SUM]][%[[START]]] strides[%[[C1]]]
// CHECK-NEXT: %[[MAX1:.*]] = tile.reduce max %[[LOAD]] dim 1{{.*}} -> !tile<16xbf16, reg>
// CHECK-NEXT: tile.store %[[MAX1]], %[[MAX]][%[[START]]] strides[%[[C1]]]
// CHECK-NEXT: }
func.func @narrow(%x: tensor<16x32xbf16> {fuse.name = "x"})
    -> (tensor<16xbf16> {fuse.name = "sum"}, tensor<16xbf16> {fuse.name = "max"}) {
  %sum = fuse.reduce sum %x axes [1] : (tensor<16x32xbf16>) -> tensor<16xbf16>
  %max = fuse.reduce max %x axes [1] : (tensor<16x32xbf16>) -> tensor<16xbf16>
  return %sum, %max : tensor<16xbf16>, tensor<16xbf16>
}

// Without axes there is one block, and one element.
// CHECK-LABEL: tile.kernel @scalar(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}})
// CHECK-SAME:    threads 32 grid [] tiles []
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[C0]]] strides[] fill 0.000000e+00 : f32{{.*}} -> !tile<f32, reg>
// CHECK-NEXT: %[[EXP:.*]] = tile.map exp %[[LOAD]]
// CHECK-NEXT: tile.store %[[EXP]], %[[Y]][%[[C0]]] strides[]
// CHECK-NEXT: }
func.func @scalar(%x: tensor<f32> {fuse.name = "x"}) -> (tensor<f32> {fuse.name = "y"}) {
  %y = fuse.map exp %x : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

}}
