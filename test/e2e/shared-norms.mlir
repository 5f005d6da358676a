// REQUIRES: host
//
// A norm that several contractions need, over rows that stay and over rows that
// do not: there, what the norm multiplies by is applied to the sums.
//
// DEFINE: %{run} = fuse-opt %s --run --device=host --check
// RUN: %{run} --dims=N=1,K=64
// RUN: %{run} --dims=N=37,K=64
// RUN: %{run} --dims=N=1,K=300
// RUN: %{run} --dims=N=37,K=300
// RUN: %{run} --dims=N=70,K=301
// A row of zeros, of infinity and of NaN.
// RUN: %{run} --dims=N=3,K=300 --input=x=splat:0
// RUN: %{run} --dims=N=3,K=300 --input=x=splat:inf
// RUN: %{run} --dims=N=3,K=300 --input=x=splat:nan
// One pass over the rows for both: what is summed is not multiplied by the norm.
// What depends on two sums of the loop is no factor of either.
// RUN: fuse-opt %s --run --device=host --check --function=both --dims=N=3,K=300
// RUN: fuse-opt %s --emit=cuda --dims=K=300 --function=main | FileCheck %s

// CHECK-LABEL: einsum_0_einsum_1(
// CHECK: for (
// CHECK: contract<
// CHECK-NOT: for (
// CHECK: rsqrt(
// CHECK: // einsum_1
// CHECK: for (
// CHECK: contract<
// CHECK-NOT: for (
// CHECK: rsqrt(
func.func @main(%x: tensor<?x?xf32> {fuse.name = "x", fuse.dims = ["N", "K"]},
                %gamma: tensor<?xf32> {fuse.dims = ["K"]},
                %w: tensor<32x?xf32> {fuse.dims = [32, "K"]},
                %v: tensor<150x?xf32> {fuse.dims = [150, "K"]}) -> (tensor<?x32xf32>, tensor<?x150xf32>)
    attributes {fuse.specialize = ["K"], fuse.size_hints = {N = 200}} {
  %n = fuse.rms_norm %x gamma %gamma axis 1 : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %y = fuse.linear %n, %w : (tensor<?x?xf32>, tensor<32x?xf32>) -> tensor<?x32xf32>
  %z = fuse.linear %n, %v : (tensor<?x?xf32>, tensor<150x?xf32>) -> tensor<?x150xf32>
  return %y, %z : tensor<?x32xf32>, tensor<?x150xf32>
}

func.func @both(%x: tensor<?x?xf32> {fuse.name = "x", fuse.dims = ["N", "K"]},
                %w: tensor<32x?xf32> {fuse.dims = [32, "K"]}) -> (tensor<?x32xf32>)
    attributes {fuse.specialize = ["K"], fuse.size_hints = {N = 200}} {
  %xx = fuse.map mul %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %zz = fuse.map abs %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r1 = fuse.reduce sum %xx axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
  %r2 = fuse.reduce sum %zz axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
  %s = fuse.map add %r1, %r2 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %q = fuse.map rsqrt %s : (tensor<?xf32>) -> tensor<?xf32>
  %qb = fuse.broadcast %q "a0 -> a0 a1" like %x : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %n = fuse.map mul %x, %qb : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = fuse.linear %n, %w : (tensor<?x?xf32>, tensor<32x?xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
