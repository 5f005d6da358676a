// REQUIRES: host
//
// Products with what a result so far scales, in one loop with that result: two
// chains that are no softmax as such.
//
// DEFINE: %{function} = scaled
// DEFINE: %{run} = fuse-opt %s --run --device=host --check --function=%{function}
// RUN: %{run} --dims=N=37,M=150
// RUN: %{run} --dims=N=1,M=1
// RUN: %{run} --dims=N=2,M=0
// Rows of zeros are divided by zero; infinity by infinity.
// RUN: %{run} --dims=N=2,M=70 --input=x=splat:0
// RUN: %{run} --dims=N=2,M=70 --input=x=splat:-inf
// REDEFINE: %{function} = biased
// RUN: %{run} --dims=N=37,M=150
// RUN: %{run} --dims=N=1,M=1
// RUN: %{run} --dims=N=2,M=70 --input=b=splat:-inf --input=a=splat:1
// RUN: fuse-opt %s --emit=tile | FileCheck %s

!matrix = tensor<?x?xf32>
!vector = tensor<?xf32>

// x / max|x| along a row, and a product with what is divided.
// CHECK-LABEL: func.func @scaled(
// CHECK-COUNT-1: fuse.launch
// CHECK-NOT: fuse.launch
func.func @scaled(%x: !matrix {fuse.name = "x", fuse.dims = ["N", "M"]},
                  %w: tensor<?x32xf32> {fuse.dims = ["M", 32]}) -> tensor<?x32xf32>
    attributes {fuse.size_hints = {N = 4096, M = 4096}} {
  %abs = fuse.map abs %x : (!matrix) -> !matrix
  %m = fuse.reduce max %abs axes [1] : (!matrix) -> !vector
  %all = fuse.broadcast %m "n -> n m" like %x : (!vector, !matrix) -> !matrix
  %s = fuse.map div %x, %all : (!matrix, !matrix) -> !matrix
  %y = fuse.einsum "nm,mo->no" %s, %w : (!matrix, tensor<?x32xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// The softmax of a product with a bias of rank 1, and a product with it.
// CHECK-LABEL: func.func @biased(
// CHECK-COUNT-1: fuse.launch
// CHECK-NOT: fuse.launch
// CHECK: tile.kernel @einsum_0(
// CHECK: scf.for
// CHECK: tile.reduce max
// CHECK: tile.contract
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK: tile.kernel @einsum_0_0(
// CHECK: scf.for
// CHECK: tile.contract
// CHECK: tile.reduce max
// CHECK: tile.reduce sum
// CHECK: tile.contract
// CHECK: scf.yield
// CHECK-NOT: scf.for
func.func @biased(%q: tensor<?x32xf32> {fuse.dims = ["N", 32]}, %k: tensor<?x32xf32> {fuse.dims = ["M", 32]},
                  %v: tensor<?x32xf32> {fuse.dims = ["M", 32]}, %a: !vector {fuse.name = "a", fuse.dims = ["N"]},
                  %b: !vector {fuse.name = "b", fuse.dims = ["M"]}) -> tensor<?x32xf32>
    attributes {fuse.size_hints = {N = 4096, M = 4096}} {
  %d = fuse.einsum "nc,mc->nm" %q, %k : (tensor<?x32xf32>, tensor<?x32xf32>) -> !matrix
  %bias = fuse.einsum "n,m->nm" %a, %b : (!vector, !vector) -> !matrix
  %l = fuse.map add %d, %bias : (!matrix, !matrix) -> !matrix
  %p = fuse.softmax %l axis 1 : (!matrix) -> !matrix
  %y = fuse.einsum "nm,mo->no" %p, %v : (!matrix, tensor<?x32xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
