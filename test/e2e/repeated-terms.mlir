// REQUIRES: host
//
// Operands of a contraction that are one value for all of its terms: those beyond
// the end are none.
//
// RUN: fuse-opt %s --run --device=host --check --function=both --dims=N=3,M=4,K=33
// RUN: fuse-opt %s --run --device=host --check --function=both --dims=N=3,M=4,K=0
// RUN: fuse-opt %s --run --device=host --check --function=one --dims=N=3,M=4,K=33 --input=a=splat:inf --input=b=splat:1

func.func @both(%a: tensor<?xf32> {fuse.name = "a", fuse.dims = ["N"]}, %b: tensor<?xf32> {fuse.name = "b", fuse.dims = ["M"]}, %k: tensor<?xf32> {fuse.dims = ["K"]}) -> tensor<?x?xf32> {
  %ab = fuse.broadcast %a "i -> i K" : (tensor<?xf32>) -> tensor<?x?xf32>
  %bb = fuse.broadcast %b "i -> i K" : (tensor<?xf32>) -> tensor<?x?xf32>
  %p = fuse.einsum "ik,jk->ij" %ab, %bb : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

func.func @one(%a: tensor<?xf32> {fuse.name = "a", fuse.dims = ["N"]}, %b: tensor<?x?xf32> {fuse.name = "b", fuse.dims = ["M", "K"]}) -> tensor<?x?xf32> {
  %ab = fuse.broadcast %a "i -> i K" : (tensor<?xf32>) -> tensor<?x?xf32>
  %p = fuse.einsum "ik,jk->ij" %ab, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
