// RUN: fuse-opt %s --fuse-form-regions --split-input-file | FileCheck %s

// How intermediates lie in memory: dims that tiles span are the innermost ones.

// A product for each channel spans rows and columns, so both operands have
// their channels outermost; and so has the product, which is read along rows.
// CHECK-LABEL: func.func @channels(
// CHECK: %[[AB:.*]]:2 = fuse.launch @kernels::@einsum_0(%{{.*}}) dims {{\[}}["H", "K", "N"], ["H", "K", "N"]]
// CHECK: %[[P:.*]] = fuse.launch @kernels::@einsum_1(%[[AB]]#0, %[[AB]]#1) dims {{\[}}["H", "N", "N"]]
// CHECK: fuse.launch @kernels::@reduce_0(%[[P]]) dims {{\[}}["N", "N"]]
// CHECK-NOT: fuse.transpose
// CHECK: return
// What a kernel computes is turned over where it is stored, and again where it
// is read.
// CHECK: func.func @einsum_0(
// CHECK: fuse.transpose %{{.*}} [2, 0, 1]
// CHECK-NEXT: fuse.transpose %{{.*}} [2, 0, 1]
// CHECK-NEXT: return
// CHECK: func.func @einsum_1(
// CHECK: fuse.transpose %{{.*}} [1, 2, 0]
// CHECK: fuse.einsum
func.func @channels(%x: tensor<?x?x?xf32> {fuse.dims = ["K", "N", "C"]},
                    %v: tensor<?x?xf32> {fuse.dims = ["H", "C"]},
                    %w: tensor<?x?xf32> {fuse.dims = ["H", "C"]}) -> tensor<?x?xf32>
    attributes {fuse.size_hints = {K = 512, N = 512, C = 512, H = 512}} {
  %a = fuse.einsum "kic,hc->kih" %x, %v : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %b = fuse.einsum "kic,hc->kih" %x, %w : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %p = fuse.einsum "kih,kjh->ijh" %a, %b : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %m = fuse.reduce max %p axes [2] : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  return %m : tensor<?x?xf32>
}

// -----

// What callers see keeps its order.
// CHECK-LABEL: func.func @result(
// CHECK: fuse.launch @kernels::@einsum_0(%{{.*}}) dims {{\[}}["N", "N", "H"]]
// CHECK-NEXT: return
func.func @result(%a: tensor<?x?x?xf32> {fuse.dims = ["K", "N", "H"]},
                  %b: tensor<?x?x?xf32> {fuse.dims = ["K", "N", "H"]}) -> tensor<?x?x?xf32> {
  %p = fuse.einsum "kih,kjh->ijh" %a, %b : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %p : tensor<?x?x?xf32>
}

// -----

// Rows that are read as they were written stay as they are.
// CHECK-LABEL: func.func @rows(
// CHECK: fuse.launch @kernels::@einsum_0(%{{.*}}) dims {{\[}}["N", "M"]]
// CHECK: fuse.launch @kernels::@reduce_0(%{{.*}}) dims {{\[}}["N", "M"]]
// CHECK-NEXT: return
// CHECK-NOT: fuse.transpose
func.func @rows(%x: tensor<?x?xf32> {fuse.dims = ["N", "K"]},
                %w: tensor<?x?xf32> {fuse.dims = ["M", "K"]}) -> tensor<?x?xf32>
    attributes {fuse.size_hints = {N = 4096, M = 16384, K = 1024}} {
  %y = fuse.einsum "nk,mk->nm" %x, %w : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = fuse.reduce max %y axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
  %b = fuse.broadcast %m "n -> n m" like %y : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = fuse.map sub %y, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}
