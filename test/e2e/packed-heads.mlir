// REQUIRES: host
//
// Query heads that share keys are rows of one tile: with a bias for each head,
// one for each position, and one for both; for few positions, and heads that are
// no power of two.
//
// RUN: fuse-opt %s --emit=tile | FileCheck %s
// RUN: fuse-opt %s --run --device=host --check --dims=T=1,S=1
// RUN: fuse-opt %s --run --device=host --check --dims=T=2,S=130
// RUN: fuse-opt %s --run --device=host --check --dims=T=45,S=70
// RUN: fuse-opt %s --run --device=host --check --dims=T=0,S=3
//
// CHECK: tile.reshape {{.*}} : !tile<{{[0-9]+}}x8x32xf32, reg,

!heads  = tensor<2x?x7x24xf32>
!keys   = tensor<2x?x24xf32>
!scores = tensor<2x7x?x?xf32>

func.func @main(
    %q: !heads {fuse.name = "q", fuse.dims = [2, "T", 7, 24]},
    %k: !keys {fuse.name = "k", fuse.dims = [2, "S", 24]},
    %v: !keys {fuse.name = "v", fuse.dims = [2, "S", 24]},
    %of_head: tensor<7xf32> {fuse.name = "of_head", fuse.dims = [7]},
    %of_position: tensor<?xf32> {fuse.name = "of_position", fuse.dims = ["T"]},
    %of_both: tensor<?x7xf32> {fuse.name = "of_both", fuse.dims = ["T", 7]},
    %of_pair: tensor<7x?x?xf32> {fuse.name = "of_pair", fuse.dims = [7, "T", "S"]})
    -> (!heads {fuse.name = "out"}, !heads {fuse.name = "gated"})
    attributes {fuse.size_hints = {T = 600, S = 3000}} {
  %out = fuse.attention %q, %k, %v "b t r d, b s d, b s d -> b t r d" scores "b r t s" {
  ^bb0(%dots: !scores):
    %0 = fuse.broadcast %of_head "r -> b r t s" like %dots : (tensor<7xf32>, !scores) -> !scores
    %1 = fuse.broadcast %of_position "t -> b r t s" like %dots : (tensor<?xf32>, !scores) -> !scores
    %2 = fuse.broadcast %of_both "t r -> b r t s" like %dots : (tensor<?x7xf32>, !scores) -> !scores
    %3 = fuse.broadcast %of_pair "r t s -> b r t s" like %dots : (tensor<7x?x?xf32>, !scores) -> !scores
    %4 = fuse.map mul %0, %1 : (!scores, !scores) -> !scores
    %5 = fuse.map add %4, %2 : (!scores, !scores) -> !scores
    %6 = fuse.map add %5, %3 : (!scores, !scores) -> !scores
    %7 = fuse.map add %6, %dots : (!scores, !scores) -> !scores
    fuse.yield %7 : !scores
  } : (!heads, !keys, !keys) -> !heads
  %gate = fuse.map sigmoid %of_position : (tensor<?xf32>) -> tensor<?xf32>
  %gates = fuse.broadcast %gate "t -> b t r d" like %out : (tensor<?xf32>, !heads) -> !heads
  %gated = fuse.map mul %gates, %out : (!heads, !heads) -> !heads
  return %out, %gated : !heads, !heads
}
