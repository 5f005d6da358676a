// REQUIRES: host
//
// Sums that are carried against a result so far: chains in one loop, whose rows
// are longer than a step, or empty, or start with tiles of which nothing counts.
//
// RUN: fuse-opt %s --fuse-pipeline | FileCheck %s
// RUN: fuse-opt %s --run --device=host --check --dims=N=3,M=2500
// RUN: fuse-opt %s --run --device=host --check --dims=N=5,M=1
// RUN: fuse-opt %s --run --device=host --check --dims=N=2,M=1025 --input=x=splat:-inf
// RUN: fuse-opt %s --run --device=host --check --dims=N=2,M=3 --input=x=-inf,0,-inf,-inf,-inf,-inf
// RUN: fuse-opt %s --run --device=host --check --dims=N=2,M=3 --input=x=nan,0,-inf,inf,1,2
//
// CHECK: tile.kernel
// CHECK: scf.for
// CHECK: tile.reduce max
// CHECK: tile.reduce sum
// CHECK: scf.yield

!matrix = tensor<?x?xf32>
!vector = tensor<?xf32>

func.func @main(%x: !matrix {fuse.name = "x", fuse.dims = ["N", "M"]},
                %v: !matrix {fuse.name = "v", fuse.dims = ["N", "M"]},
                %heat: !vector {fuse.name = "heat", fuse.dims = ["N"]})
    -> (!vector {fuse.name = "log_sum_exp"}, !vector {fuse.name = "mean_of_softmax"},
        !vector {fuse.name = "gated_mean"}, !vector {fuse.name = "heated"}) {
  %m = fuse.reduce max %x axes [1] : (!matrix) -> !vector
  %all = fuse.broadcast %m "n -> n m" like %x : (!vector, !matrix) -> !matrix
  %d = fuse.map sub %x, %all : (!matrix, !matrix) -> !matrix
  %e = fuse.map exp %d : (!matrix) -> !matrix
  %s = fuse.reduce sum %e axes [1] : (!matrix) -> !vector
  %log = fuse.map log %s : (!vector) -> !vector
  %lse = fuse.map add %log, %m : (!vector, !vector) -> !vector

  %sums = fuse.broadcast %s "n -> n m" like %x : (!vector, !matrix) -> !matrix
  %p = fuse.map div %e, %sums : (!matrix, !matrix) -> !matrix
  %pv = fuse.map mul %p, %v : (!matrix, !matrix) -> !matrix
  %mean = fuse.reduce sum %pv axes [1] : (!matrix) -> !vector

  %g = fuse.map sigmoid %v : (!matrix) -> !matrix
  %gs = fuse.reduce sum %g axes [1] : (!matrix) -> !vector
  %gall = fuse.broadcast %gs "n -> n m" like %x : (!vector, !matrix) -> !matrix
  %w = fuse.map div %g, %gall : (!matrix, !matrix) -> !matrix
  %wv = fuse.map mul %w, %v : (!matrix, !matrix) -> !matrix
  %gated = fuse.reduce sum %wv axes [1] : (!matrix) -> !vector

  %warm = fuse.map exp %heat : (!vector) -> !vector
  %t = fuse.broadcast %warm "n -> n m" like %x : (!vector, !matrix) -> !matrix
  %h = fuse.map mul %d, %t : (!matrix, !matrix) -> !matrix
  %e2 = fuse.map exp2 %h : (!matrix) -> !matrix
  %heated = fuse.reduce sum %e2 axes [1] : (!matrix) -> !vector
  return %lse, %mean, %gated, %heated : !vector, !vector, !vector, !vector
}
