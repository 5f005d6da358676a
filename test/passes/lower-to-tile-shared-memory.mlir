// RUN: fuse-opt %s --fuse-pipeline --split-input-file | FileCheck %s

// Queries that stay, and keys that pass by in pieces, of which there are two at
// a time: with the largest tiles they take more shared memory than there is.
// CHECK-LABEL: func.func @sum_of_products(
// CHECK: fuse.launch
func.func @sum_of_products(
    %q0: tensor<?x256xf32> {fuse.dims = ["N", 256]}, %k0: tensor<?x256xf32> {fuse.dims = ["S", 256]},
    %q1: tensor<?x128xf32> {fuse.dims = ["N", 128]}, %k1: tensor<?x128xf32> {fuse.dims = ["S", 128]},
    %q2: tensor<?x16xf32> {fuse.dims = ["N", 16]}, %k2: tensor<?x16xf32> {fuse.dims = ["S", 16]})
    -> tensor<?x?xf32> attributes {fuse.size_hints = {N = 20000, S = 4096}} {
  %a0 = fuse.einsum "nd,sd->ns" %q0, %k0 : (tensor<?x256xf32>, tensor<?x256xf32>) -> tensor<?x?xf32>
  %a1 = fuse.einsum "nd,sd->ns" %q1, %k1 : (tensor<?x128xf32>, tensor<?x128xf32>) -> tensor<?x?xf32>
  %s1 = fuse.map add %a0, %a1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %a2 = fuse.einsum "nd,sd->ns" %q2, %k2 : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x?xf32>
  %s2 = fuse.map add %s1, %a2 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s2 : tensor<?x?xf32>
}

// -----

// Both operands are read, and each head has its own: they come whole, twice.
// CHECK-LABEL: func.func @sum_over_heads(
// CHECK: fuse.launch
func.func @sum_over_heads(
    %q: tensor<?x16x256xf64> {fuse.dims = ["N", 16, 256]}, %k: tensor<?x16x256xf64> {fuse.dims = ["S", 16, 256]})
    -> tensor<?x?xf64> attributes {fuse.size_hints = {N = 4096, S = 4096}} {
  %s = fuse.einsum "nhd,shd->hns" %q, %k : (tensor<?x16x256xf64>, tensor<?x16x256xf64>) -> tensor<16x?x?xf64>
  %a = fuse.map relu %s : (tensor<16x?x?xf64>) -> tensor<16x?x?xf64>
  %y = fuse.reduce sum %a axes [0] : (tensor<16x?x?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}
