// RUN: fuse-opt %s --inline | FileCheck %s
//
// A dim symbol means what the arguments of its own function say, so an op that
// names one stays there.

func.func private @plain(%x: tensor<?x8xf32> {fuse.dims = ["N", "D"]}) -> tensor<?xf32> {
  %0 = fuse.reshape %x "n (2 d) -> n 2 d" : (tensor<?x8xf32>) -> tensor<?x2x4xf32>
  %1 = fuse.slice %0 axis 2 from "$/2" to "$" : (tensor<?x2x4xf32>) -> tensor<?x2x2xf32>
  %2 = fuse.einsum "NaB->N" %1 : (tensor<?x2x2xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// CHECK-LABEL: func.func @call_plain(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8xf32>
// CHECK-NEXT:    %[[R:.*]] = fuse.reshape %[[X]]
// CHECK-NEXT:    %[[S:.*]] = fuse.slice %[[R]]
// CHECK-NEXT:    %[[E:.*]] = fuse.einsum "NaB->N" %[[S]]
// CHECK-NEXT:    return %[[E]]
func.func @call_plain(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %0 = call @plain(%x) : (tensor<?x8xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func private @names_dim(%x: tensor<?xf32> {fuse.dims = ["N"]}) -> tensor<i32> {
  %0 = fuse.dim "2*N" : tensor<i32>
  return %0 : tensor<i32>
}
func.func private @names_iota(%x: tensor<?xf32> {fuse.dims = ["N"]}) -> tensor<?xi32> {
  %0 = fuse.iota axis 0 shape "N" : tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func private @names_start(%x: tensor<?xf32> {fuse.dims = ["N"]}) -> tensor<?xf32> {
  %0 = fuse.slice %x axis 0 from "N-1" to "$" : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @names_stop(%x: tensor<?xf32> {fuse.dims = ["N"]}) -> tensor<?xf32> {
  %0 = fuse.slice %x axis 0 from "0" to "N" : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @names_broadcast(%x: tensor<?xf32> {fuse.dims = ["N"]}) -> tensor<?x?xf32> {
  %0 = fuse.broadcast %x "n -> n N" : (tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func private @names_reshape(%x: tensor<?xf32> {fuse.dims = ["2*N"]}) -> tensor<?x?xf32> {
  %0 = fuse.reshape %x "(a N) -> a N" : (tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func private @names_attention(%x: tensor<?x?xf32> {fuse.dims = ["T", "D"]}) -> tensor<?x?xf32> {
  %0 = fuse.attention %x, %x, %x "t D, s D, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<?x?xf32>):
    fuse.yield %s : tensor<?x?xf32>
  } : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @call_naming(
// CHECK-NEXT:    call @names_dim
// CHECK-NEXT:    call @names_iota
// CHECK-NEXT:    call @names_start
// CHECK-NEXT:    call @names_stop
// CHECK-NEXT:    call @names_broadcast
// CHECK-NEXT:    call @names_reshape
// CHECK-NEXT:    call @names_attention
// CHECK-NEXT:    return
func.func @call_naming(%x: tensor<?xf32>, %y: tensor<?x?xf32>) {
  %0 = call @names_dim(%x) : (tensor<?xf32>) -> tensor<i32>
  %1 = call @names_iota(%x) : (tensor<?xf32>) -> tensor<?xi32>
  %2 = call @names_start(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %3 = call @names_stop(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %4 = call @names_broadcast(%x) : (tensor<?xf32>) -> tensor<?x?xf32>
  %5 = call @names_reshape(%x) : (tensor<?xf32>) -> tensor<?x?xf32>
  %6 = call @names_attention(%y) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

func.func private @cap(%s: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuse.map tanh %s : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Into the region of an attention too.
// CHECK-LABEL: func.func @call_in_region(
// CHECK:         ^bb0(%[[S:.*]]: tensor<?x?xf32>):
// CHECK-NEXT:      %[[T:.*]] = fuse.map tanh %[[S]]
// CHECK-NEXT:      fuse.yield %[[T]]
func.func @call_in_region(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<?x?xf32>):
    %t = func.call @cap(%s) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    fuse.yield %t : tensor<?x?xf32>
  } : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
