// RUN: fuse-opt %s --fuse-lower-to-tile --cse | FileCheck %s
//
// Index maps leave nothing behind but the strides and offsets of what is read
// and written.

module { module @kernels {

// CHECK-LABEL: tile.kernel @transpose(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}})
// CHECK-SAME:    threads 128 grid ["64", "16"] tiles [64, 16]
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[C16:.*]] = arith.constant 16
// CHECK-NEXT: %[[START:.*]]:2 = tile.origin : index, index
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#1, %[[C64]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[START]]#0
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[OFFSET]]] strides[%[[C1]], %[[C64]]] fill 0.000000e+00 : f32{{.*}} -> !tile<64x16xf32, reg>
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[START]]#0, %[[C16]]
// CHECK-NEXT: %[[OFFSET1:.*]] = arith.addi %[[PRODUCT1]], %[[START]]#1
// CHECK-NEXT: tile.store %[[LOAD]], %[[Y]][%[[OFFSET1]]] strides[%[[C16]], %[[C1]]]
// CHECK-NEXT: }
func.func @transpose(%x: tensor<16x64xf32> {fuse.name = "x"}) -> (tensor<64x16xf32> {fuse.name = "y"}) {
  %y = fuse.transpose %x [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// An axis that is split on one side and whole on the other is two indices.
// CHECK-LABEL: tile.kernel @split_heads(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}})
// CHECK-SAME:    threads 128 grid ["4", "32", "32"] tiles [1, 32, 32]
// CHECK-NEXT: %[[C128:.*]] = arith.constant 128
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C1024:.*]] = arith.constant 1024
// CHECK-NEXT: %[[START:.*]]:3 = tile.origin : index, index, index
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#1, %[[C128]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[START]]#2
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[START]]#0, %[[C32]]
// CHECK-NEXT: %[[OFFSET1:.*]] = arith.addi %[[OFFSET]], %[[PRODUCT1]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[OFFSET1]]] strides[%[[C128]], %[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[PRODUCT2:.*]] = arith.muli %[[START]]#0, %[[C1024]]
// CHECK-NEXT: %[[PRODUCT3:.*]] = arith.muli %[[START]]#1, %[[C32]]
// CHECK-NEXT: %[[OFFSET2:.*]] = arith.addi %[[PRODUCT2]], %[[PRODUCT3]]
// CHECK-NEXT: %[[OFFSET3:.*]] = arith.addi %[[OFFSET2]], %[[START]]#2
// CHECK-NEXT: tile.store %[[LOAD]], %[[Y]][%[[OFFSET3]]] strides[%[[C32]], %[[C1]]]
// CHECK-NEXT: }
func.func @split_heads(%x: tensor<32x128xf32> {fuse.name = "x"}) -> (tensor<4x32x32xf32> {fuse.name = "y"}) {
  %y = fuse.reshape %x "n (4 d) -> 4 n d" : (tensor<32x128xf32>) -> tensor<4x32x32xf32>
  return %y : tensor<4x32x32xf32>
}

// A split that nothing tells from the whole is none.
// CHECK-LABEL: tile.kernel @no_split(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}})
// CHECK-SAME:    threads 128 grid ["4096"] tiles [1024]
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[START:.*]] = tile.origin : index
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[START]]] strides[%[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<1024xf32, reg>
// CHECK-NEXT: tile.store %[[LOAD]], %[[Y]][%[[START]]] strides[%[[C1]]]
// CHECK-NEXT: }
func.func @no_split(%x: tensor<32x128xf32> {fuse.name = "x"}) -> (tensor<32x4x32xf32> {fuse.name = "y"}) {
  %y = fuse.reshape %x "n (4 d) -> n 4 d" : (tensor<32x128xf32>) -> tensor<32x4x32xf32>
  return %y : tensor<32x4x32xf32>
}

// CHECK-LABEL: tile.kernel @slice(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[N:[^:]*]]: index {{{.*}}})
// CHECK-SAME:    threads 256 grid ["N - 3", "16"] tiles [128, 16]
// CHECK-NEXT: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[C2:.*]] = arith.constant 2
// CHECK-NEXT: %c-3 = arith.constant -3
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %c-3, %[[N]]
// CHECK-NEXT: %[[C16:.*]] = arith.constant 16
// CHECK-NEXT: %[[C200:.*]] = arith.constant 200
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[START:.*]]:2 = tile.origin : index, index
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[OFFSET]], %[[START]]#0
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#0, %[[C64]]
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[START]]#1, %[[C2]]
// CHECK-NEXT: %[[OFFSET1:.*]] = arith.addi %[[PRODUCT]], %[[PRODUCT1]]
// CHECK-NEXT: %[[OFFSET2:.*]] = arith.addi %[[OFFSET1]], %[[C200]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[OFFSET2]]] strides[%[[C64]], %[[C2]]] limits[%[[REST]], %[[C16]]] fill 0.000000e+00 : f32{{.*}} -> !tile<128x16xf32, reg>
// CHECK-NEXT: %[[PRODUCT2:.*]] = arith.muli %[[START]]#0, %[[C16]]
// CHECK-NEXT: %[[OFFSET3:.*]] = arith.addi %[[PRODUCT2]], %[[START]]#1
// CHECK-NEXT: tile.store %[[LOAD]], %[[Y]][%[[OFFSET3]]] strides[%[[C16]], %[[C1]]] limits[%[[REST]], %[[C16]]]
// CHECK-NEXT: }
func.func @slice(%x: tensor<?x64xf32> {fuse.name = "x", fuse.dims = ["N", 64]})
    -> (tensor<?x16xf32> {fuse.name = "y", fuse.dims = ["N - 3", 16]}) {
  %0 = fuse.slice %x axis 0 from "3" to "$" : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %1 = fuse.slice %0 axis 1 from "8" to "$" step 2 : (tensor<?x64xf32>) -> tensor<?x28xf32>
  %2 = fuse.slice %1 axis 1 from "0" to "16" : (tensor<?x28xf32>) -> tensor<?x16xf32>
  return %2 : tensor<?x16xf32>
}

// CHECK-LABEL: tile.kernel @broadcast(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}})
// CHECK-SAME:    threads 64 grid ["16", "32"] tiles [16, 32]
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[START:.*]]:2 = tile.origin : index, index
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[START]]#1] strides[%[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32xf32, reg>
// CHECK-NEXT: %[[BROADCAST:.*]] = tile.broadcast %[[LOAD]] dims [0]{{.*}} -> !tile<16x32xf32, reg>
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#0, %[[C32]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[START]]#1
// CHECK-NEXT: tile.store %[[BROADCAST]], %[[Y]][%[[OFFSET]]] strides[%[[C32]], %[[C1]]]
// CHECK-NEXT: }
func.func @broadcast(%x: tensor<32xf32> {fuse.name = "x"}) -> (tensor<16x32xf32> {fuse.name = "y"}) {
  %y = fuse.broadcast %x "j -> 16 j" : (tensor<32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}

// A diagonal has the strides of both its axes.
// CHECK-LABEL: tile.kernel @diagonal(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}})
// CHECK-SAME:    threads 32 grid ["3"] tiles [4]
// CHECK-NEXT: %[[C33:.*]] = arith.constant 33
// CHECK-NEXT: %[[C1024:.*]] = arith.constant 1024
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C3:.*]] = arith.constant 3
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[START:.*]] = tile.origin : index
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[C3]], %[[START]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]], %[[C1024]]
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[PRODUCT]]] strides[%[[C33]], %[[C1024]]] limits[%[[C32]], %[[REST]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x4xf32, reg>
// CHECK-NEXT: %[[SUM:.*]] = tile.reduce sum %[[LOAD]] dim 0{{.*}} -> !tile<4xf32, reg>
// CHECK-NEXT: tile.store %[[SUM]], %[[Y]][%[[START]]] strides[%[[C1]]] limits[%[[REST]]]
// CHECK-NEXT: }
func.func @diagonal(%x: tensor<3x32x32xf32> {fuse.name = "x"}) -> (tensor<3xf32> {fuse.name = "y"}) {
  %y = fuse.einsum "bii->b" %x : (tensor<3x32x32xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// A square is not its diagonal: the two reads of one tensor are apart.
// CHECK-LABEL: tile.kernel @symmetric(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}})
// CHECK-SAME:    threads 128 grid ["32", "32"] tiles [32, 32]
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[START:.*]]:2 = tile.origin : index, index
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#0, %[[C32]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[START]]#1
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[OFFSET]]] strides[%[[C32]], %[[C1]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[START]]#1, %[[C32]]
// CHECK-NEXT: %[[OFFSET1:.*]] = arith.addi %[[PRODUCT1]], %[[START]]#0
// CHECK-NEXT: %[[LOAD1:.*]] = tile.load %[[X]][%[[OFFSET1]]] strides[%[[C1]], %[[C32]]] fill 0.000000e+00 : f32{{.*}} -> !tile<32x32xf32, reg>
// CHECK-NEXT: %[[ADD:.*]] = tile.map add %[[LOAD]], %[[LOAD1]]
// CHECK-NEXT: tile.store %[[ADD]], %[[Y]][%[[OFFSET]]] strides[%[[C32]], %[[C1]]]
// CHECK-NEXT: }
func.func @symmetric(%x: tensor<32x32xf32> {fuse.name = "x"}) -> (tensor<32x32xf32> {fuse.name = "y"}) {
  %t = fuse.transpose %x [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %y = fuse.map add %x, %t : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// Each piece of a concatenation is read where the axis is within it.
// CHECK-LABEL: tile.kernel @concat(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Z:[^:]*]]: !tile<buffer f32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer f32> {{{.*}}})
// CHECK-SAME:    threads 64 grid ["16", "32"] tiles [16, 32]
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0
// CHECK-NEXT: %[[C8:.*]] = arith.constant 8
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C24:.*]] = arith.constant 24
// CHECK-NEXT: %c-8 = arith.constant -8
// CHECK-NEXT: %[[START:.*]]:2 = tile.origin : index, index
// CHECK-NEXT: %[[IOTA:.*]] = tile.iota dim 1 from %[[START]]#1 : !tile<16x32xi32, reg>
// CHECK-NEXT: %[[SPLAT:.*]] = tile.splat %[[C0]] : !tile<i32, reg>
// CHECK-NEXT: %[[GE:.*]] = tile.compare ge %[[IOTA]], %[[SPLAT]]
// CHECK-NEXT: %[[SPLAT1:.*]] = tile.splat %[[C8]] : !tile<i32, reg>
// CHECK-NEXT: %[[LT:.*]] = tile.compare lt %[[IOTA]], %[[SPLAT1]]
// CHECK-NEXT: %[[AND:.*]] = tile.map and %[[GE]], %[[LT]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#0, %[[C8]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[START]]#1
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[OFFSET]]] strides[%[[C8]], %[[C1]]] if %[[AND]] : !tile<16x32xi1, reg> fill 0.000000e+00 : f32{{.*}} -> !tile<16x32xf32, reg>
// CHECK-NEXT: %[[GE1:.*]] = tile.compare ge %[[IOTA]], %[[SPLAT1]]
// CHECK-NEXT: %[[SPLAT2:.*]] = tile.splat %[[C32]] : !tile<i32, reg>
// CHECK-NEXT: %[[LT1:.*]] = tile.compare lt %[[IOTA]], %[[SPLAT2]]
// CHECK-NEXT: %[[AND1:.*]] = tile.map and %[[GE1]], %[[LT1]]
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[START]]#0, %[[C24]]
// CHECK-NEXT: %[[OFFSET1:.*]] = arith.addi %[[PRODUCT1]], %[[START]]#1
// CHECK-NEXT: %[[OFFSET2:.*]] = arith.addi %[[OFFSET1]], %c-8
// CHECK-NEXT: %[[LOAD1:.*]] = tile.load %[[Z]][%[[OFFSET2]]] strides[%[[C24]], %[[C1]]] if %[[AND1]] : !tile<16x32xi1, reg> fill 0.000000e+00 : f32{{.*}} -> !tile<16x32xf32, reg>
// CHECK-NEXT: %[[SELECT:.*]] = tile.select %[[AND1]], %[[LOAD1]], %[[LOAD]]
// CHECK-NEXT: %[[PRODUCT2:.*]] = arith.muli %[[START]]#0, %[[C32]]
// CHECK-NEXT: %[[OFFSET3:.*]] = arith.addi %[[PRODUCT2]], %[[START]]#1
// CHECK-NEXT: tile.store %[[SELECT]], %[[Y]][%[[OFFSET3]]] strides[%[[C32]], %[[C1]]]
// CHECK-NEXT: }
func.func @concat(%x: tensor<16x8xf32> {fuse.name = "x"}, %z: tensor<16x24xf32> {fuse.name = "z"})
    -> (tensor<16x32xf32> {fuse.name = "y"}) {
  %y = fuse.concat %x, %z axis 1 : (tensor<16x8xf32>, tensor<16x24xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}

// Positions along an axis that a reshape splits are counted from its parts.
// CHECK-LABEL: tile.kernel @iota_split(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer i32> {{{.*}}}, %[[Y:[^:]*]]: !tile<buffer i32> {{{.*}}})
// CHECK-SAME:    threads 32 grid ["2", "4", "32"] tiles [1, 4, 32]
// CHECK-NEXT: %[[C32:.*]] = arith.constant 32
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1
// CHECK-NEXT: %[[C128:.*]] = arith.constant 128
// CHECK-NEXT: %[[START:.*]]:3 = tile.origin : index, index, index
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[START]]#0, %[[C128]]
// CHECK-NEXT: %[[PRODUCT1:.*]] = arith.muli %[[START]]#1, %[[C32]]
// CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[PRODUCT]], %[[PRODUCT1]]
// CHECK-NEXT: %[[OFFSET1:.*]] = arith.addi %[[OFFSET]], %[[START]]#2
// CHECK-NEXT: %[[LOAD:.*]] = tile.load %[[X]][%[[OFFSET1]]] strides[%[[C32]], %[[C1]]] fill 0 : i32{{.*}} -> !tile<4x32xi32, reg>
// CHECK-NEXT: %[[IOTA:.*]] = tile.iota dim 1 from %[[START]]#2 : !tile<4x32xi32, reg>
// CHECK-NEXT: %[[IOTA1:.*]] = tile.iota dim 0 from %[[START]]#1 : !tile<4x32xi32, reg>
// CHECK-NEXT: %[[SPLAT:.*]] = tile.splat %[[C32]] : !tile<i32, reg>
// CHECK-NEXT: %[[MUL:.*]] = tile.map mul %[[IOTA1]], %[[SPLAT]]
// CHECK-NEXT: %[[ADD:.*]] = tile.map add %[[MUL]], %[[IOTA]]
// CHECK-NEXT: %[[ADD1:.*]] = tile.map add %[[LOAD]], %[[ADD]]
// CHECK-NEXT: tile.store %[[ADD1]], %[[Y]][%[[OFFSET1]]] strides[%[[C32]], %[[C1]]]
// CHECK-NEXT: }
func.func @iota_split(%x: tensor<2x4x32xi32> {fuse.name = "x"}) -> (tensor<2x4x32xi32> {fuse.name = "y"}) {
  %i = fuse.iota axis 1 shape "2 128" : tensor<2x128xi32>
  %s = fuse.reshape %i "n (4 d) -> n 4 d" : (tensor<2x128xi32>) -> tensor<2x4x32xi32>
  %y = fuse.map add %x, %s : (tensor<2x4x32xi32>, tensor<2x4x32xi32>) -> tensor<2x4x32xi32>
  return %y : tensor<2x4x32xi32>
}

}}
