// REQUIRES: host
//
// Rows of one tile that are positions and heads, where queries are computed from
// a concatenation, heads are neighbours in memory, and a mask ends the loops: its
// first row is masked as a whole.
//
// RUN: fuse-opt %s --emit=cuda | FileCheck %s
// RUN: fuse-opt %s --run --device=host --check --dims=T=0,U=1
// RUN: fuse-opt %s --run --device=host --check --dims=T=3,U=0
// RUN: fuse-opt %s --run --device=host --check --dims=T=31,U=40
//
// CHECK: const int64_t start = (
// CHECK: load_if<
// CHECK: reshape<
// CHECK: least({{.*}}, start

!q  = tensor<?x24x5xf32>
!keys   = tensor<?x24xf32>
!scores = tensor<5x?x?xf32>
!i = tensor<5x?x?xi32>
!c = tensor<5x?x?xi1>
func.func @main(
    %q: !q {fuse.name = "q", fuse.dims = ["T", 24, 5]},
    %q2: !q {fuse.name = "q2", fuse.dims = ["U", 24, 5]},
    %k: !keys {fuse.name = "k", fuse.dims = ["T + U", 24]},
    %v: !keys {fuse.name = "v", fuse.dims = ["T + U", 24]},
    %s1: tensor<5xf32> {fuse.name = "s1", fuse.dims = [5]},
    %s2: tensor<?xf32> {fuse.name = "s2", fuse.dims = ["T + U"]})
    -> (!q {fuse.name = "out"})
    attributes {fuse.size_hints = {T = 900, U = 1000}} {
  %lowest = fuse.constant -inf : tensor<f32>
  %qq = fuse.concat %q, %q2 axis 0 : (!q, !q) -> !q
  %sb = fuse.broadcast %s1 "r -> t d r" like %qq : (tensor<5xf32>, !q) -> !q
  %qs = fuse.map mul %qq, %sb : (!q, !q) -> !q
  %out = fuse.attention %qs, %k, %v "t d r, s d, s d -> t d r" scores "r t s" {
  ^bb0(%dots: !scores):
    %t = fuse.iota axis 1 like %dots : !scores -> !i
    %s = fuse.iota axis 2 like %dots : !scores -> !i
    %b = fuse.broadcast %s2 "t -> r t s" like %dots : (tensor<?xf32>, !scores) -> !scores
    %d = fuse.map add %dots, %b : (!scores, !scores) -> !scores
    %f = fuse.compare ge %s, %t : (!i, !i) -> !c
    %m = fuse.select %f, %lowest, %d : (!c, tensor<f32>, !scores) -> !scores
    fuse.yield %m : !scores
  } : (!q, !keys, !keys) -> !q
  return %out : !q
}
