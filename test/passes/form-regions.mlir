// RUN: fuse-opt %s --fuse-form-regions=fuse=false --allow-unregistered-dialect --split-input-file | FileCheck %s

// Each op is a kernel; index maps, constants and scalars of dims are copied into
// those that use them, with the arguments that these follow from.
// CHECK-LABEL: func.func @copies(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x?xf32>
// CHECK-NEXT: %[[P:.*]] = fuse.launch @kernels::@softmax_0(%[[X]]) dims {{\[\[}}"M", "N"]]
// CHECK-NEXT: %[[Y:.*]] = fuse.launch @kernels::@map_0(%[[P]]) dims {{\[\[}}"M", "N"]]
// CHECK-NEXT: return %[[Y]]
func.func @copies(%x: tensor<?x?xf32> {fuse.name = "x", fuse.dims = ["N", "M"]}) -> tensor<?x?xf32> {
  %half = fuse.constant 0.5 : tensor<f32>
  %n = fuse.dim "N" : tensor<f32>
  %scale = fuse.map mul %half, %n : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %t = fuse.transpose %x [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = fuse.softmax %t axis 1 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = fuse.map mul %p, %scale : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
// CHECK: module @kernels
// CHECK-NEXT: func.func @softmax_0(%[[X:[^:]*]]: tensor<?x?xf32> {fuse.dims = ["N", "M"], fuse.name = "x"})
// CHECK-SAME:    -> (tensor<?x?xf32> {fuse.dims = ["M", "N"]}) {
// CHECK-NEXT: %[[T:.*]] = fuse.transpose %[[X]]
// CHECK-NEXT: %[[P:.*]] = fuse.softmax %[[T]]
// CHECK-NEXT: return %[[P]]
// CHECK: func.func @map_0(%[[P:[^:]*]]: tensor<?x?xf32> {fuse.dims = ["M", "N"]})
// CHECK-SAME:    -> (tensor<?x?xf32> {fuse.dims = ["M", "N"]}) {
// CHECK-NEXT: %[[HALF:.*]] = fuse.constant
// CHECK-NEXT: %[[N:.*]] = fuse.dim "N"
// CHECK-NEXT: %[[SCALE:.*]] = fuse.map mul %[[HALF]], %[[N]]
// CHECK-NEXT: fuse.map mul %[[P]], %[[SCALE]]

// -----

// What the function knows of its dims, and says of roundings, holds in kernels;
// hints only of symbols that occur there.
// CHECK-LABEL: func.func @attributes(
// CHECK: func.func @map_0(
// CHECK-SAME: attributes {fuse.facts = ["N % 4 == 0"], fuse.relax_rounding, fuse.size_hints = {N = 8 : i64}} {
func.func @attributes(%x: tensor<?xf32> {fuse.dims = ["N"]}, %y: tensor<?xf32> {fuse.dims = ["M"]}) -> (tensor<?xf32>, tensor<?xf32>)
    attributes {fuse.facts = ["N % 4 == 0"], fuse.relax_rounding,
                fuse.size_hints = {N = 8, M = 2}} {
  %0 = fuse.map exp %x : (tensor<?xf32>) -> tensor<?xf32>
  return %0, %y : tensor<?xf32>, tensor<?xf32>
}

// -----

// Dims without a name get one that nothing else has.
// CHECK-LABEL: func.func @names(
// CHECK-SAME:    tensor<?x4xf32> {fuse.dims = ["D1", 4]},
// CHECK-SAME:    tensor<?x?xf32> {fuse.dims = ["D0", "D2"]}
// CHECK: fuse.launch @kernels::@map_0(%{{.*}}) dims {{\[\[}}"D1", 4]]
func.func @names(%x: tensor<?x4xf32>, %y: tensor<?x?xf32> {fuse.dims = ["D0", "D2"]}) -> tensor<?x4xf32> {
  %0 = fuse.map exp %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// Results that no kernel would write need one that copies: arguments, index
// maps, constants, and results that are given twice.
// CHECK-LABEL: func.func @results(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x2xf32>
// CHECK-NEXT: %[[E:.*]] = fuse.launch @kernels::@map_0(%[[X]])
// CHECK-NEXT: %[[A:.*]] = fuse.launch @kernels::@copy(%[[X]])
// CHECK-NEXT: %[[T:.*]] = fuse.launch @kernels::@copy_0(%[[E]])
// CHECK-NEXT: %[[C:.*]] = fuse.launch @kernels::@copy_1()
// CHECK-NEXT: %[[F:.*]] = fuse.launch @kernels::@copy_2(%[[E]])
// CHECK-NEXT: return %[[E]], %[[A]], %[[T]], %[[C]], %[[F]]
func.func @results(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<f32>, tensor<4x2xf32>) {
  %0 = fuse.map exp %x : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = fuse.transpose %0 [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %2 = fuse.constant 1.0 : tensor<f32>
  return %0, %x, %1, %2, %0 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<f32>, tensor<4x2xf32>
}

// -----

// Ops whose result nobody needs are gone.
// CHECK-LABEL: func.func @unused(
// CHECK-NEXT: return
// CHECK: module @kernels {
// CHECK-NEXT: }
func.func @unused(%x: tensor<4xf32>) {
  %0 = fuse.map exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Foreign ops stay, and so does what reads dims that only they know.
// CHECK-LABEL: func.func @foreign(
// CHECK-NEXT: %[[A:.*]] = fuse.launch @kernels::@map_0(
// CHECK-NEXT: %[[B:.*]] = "foreign.op"(%[[A]])
// CHECK-NEXT: %[[C:.*]] = fuse.transpose %[[B]]
// CHECK-NEXT: %[[D:.*]] = fuse.map exp %[[C]]
// CHECK-NEXT: %[[E:.*]] = "foreign.op"(%[[D]])
// CHECK-NEXT: %[[F:.*]] = fuse.launch @kernels::@map_2(%[[E]])
// CHECK-NEXT: return %[[C]], %[[F]]
func.func @foreign(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<4xf32>) {
  %0 = fuse.map exp %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = "foreign.op"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = fuse.transpose %1 [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = fuse.map exp %2 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = "foreign.op"(%3) : (tensor<?x?xf32>) -> tensor<4xf32>
  %5 = fuse.map exp %4 : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %5 : tensor<?x?xf32>, tensor<4xf32>
}

// -----

// Functions with several blocks, or none, are not for kernels.
// CHECK-LABEL: func.func private @none(
// CHECK-LABEL: func.func @branches(
// CHECK: fuse.map exp
// CHECK-NOT: fuse.launch
// CHECK-NOT: module @kernels
func.func private @none(tensor<4xf32>)
func.func @branches(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^then, ^else
^then:
  %0 = fuse.map exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
^else:
  return %x : tensor<4xf32>
}

// -----

// Kernels of several functions stand side by side, and each is found again.
// CHECK-LABEL: func.func @first(
// CHECK: fuse.launch @kernels::@map_0(
// CHECK-LABEL: func.func @second(
// CHECK: fuse.launch @kernels::@map_0_0(
// CHECK: module @kernels {
// CHECK-NEXT: func.func @map_0(
// CHECK: fuse.map exp
// CHECK: func.func @map_0_0(
// CHECK: fuse.map log
func.func @first(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuse.map exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @second(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuse.map log %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What the ops demand of a call's dims is a fact of the function once they are
// gone, unless it follows from the others.
// CHECK-LABEL: func.func @demands(
// CHECK-SAME: attributes {fuse.facts = ["M <= 8", "4 <= N", "K % 2 == 0"]} {
// CHECK-NEXT: fuse.launch
func.func @demands(%x: tensor<?x?xf32> {fuse.dims = ["N", "K"]}, %y: tensor<?xf32> {fuse.dims = ["M"]})
    -> (tensor<4xf32>, tensor<?xf32>) attributes {fuse.facts = ["M <= 8"]} {
  %0 = fuse.slice %x axis 0 from "0" to "4" : (tensor<?x?xf32>) -> tensor<4x?xf32>
  %1 = fuse.reshape %0 "n (k 2) -> n k 2" : (tensor<4x?xf32>) -> tensor<4x?x2xf32>
  %2 = fuse.reduce sum %1 axes [1, 2] : (tensor<4x?x2xf32>) -> tensor<4xf32>
  %3 = fuse.slice %y axis 0 from "0" to "M" : (tensor<?xf32>) -> tensor<?xf32>
  %4 = fuse.map exp %3 : (tensor<?xf32>) -> tensor<?xf32>
  return %2, %4 : tensor<4xf32>, tensor<?xf32>
}
