// REQUIRES: host
// RUN: fuse-opt %s --run --device=host --check --function=weights --dims=N=3,M=2100 2>&1 | FileCheck %s
// RUN: fuse-opt %s --run --device=host --check --function=again --dims=N=3,M=2100 2>&1 | FileCheck %s
// RUN: fuse-opt %s --run --device=host --check --function=attention --dims=T=150 2>&1 | FileCheck %s

// A loop that ends where a mask leaves nothing is followed by others over the
// same positions, which do not end there.
// CHECK: passed
// CHECK: passed

!scalar = tensor<f32>
!row = tensor<?xf32>
!rows = tensor<?x?xf32>
!indices = tensor<?x?xi32>
!choice = tensor<?x?xi1>
!vectors = tensor<?x64xf32>

// A softmax's weights, behind the mask as well.
func.func @weights(%x: !rows {fuse.dims = ["N", "M"]}) -> (!rows, !row)
    attributes {fuse.size_hints = {N = 4096, M = 40000}} {
  %lowest = fuse.constant -inf : !scalar
  %k = fuse.iota axis 1 like %x : !rows -> !indices
  %q = fuse.iota axis 0 like %x : !rows -> !indices
  %future = fuse.compare gt %k, %q : (!indices, !indices) -> !choice
  %s = fuse.select %future, %lowest, %x : (!choice, !scalar, !rows) -> !rows
  %m = fuse.reduce max %s axes [1] : (!rows) -> !row
  %b = fuse.broadcast %m "n -> n m" like %x : (!row, !rows) -> !rows
  %d = fuse.map sub %s, %b : (!rows, !rows) -> !rows
  %e = fuse.map exp %d : (!rows) -> !rows
  %sum = fuse.reduce sum %e axes [1] : (!rows) -> !row
  %c = fuse.broadcast %sum "n -> n m" like %x : (!row, !rows) -> !rows
  %p = fuse.map div %e, %c : (!rows, !rows) -> !rows
  return %p, %m : !rows, !row
}

// A reduction without the mask that needs one with it.
func.func @again(%x: !rows {fuse.dims = ["N", "M"]}) -> (!row, !row)
    attributes {fuse.size_hints = {N = 4096, M = 40000}} {
  %lowest = fuse.constant -inf : !scalar
  %k = fuse.iota axis 1 like %x : !rows -> !indices
  %q = fuse.iota axis 0 like %x : !rows -> !indices
  %future = fuse.compare gt %k, %q : (!indices, !indices) -> !choice
  %s = fuse.select %future, %lowest, %x : (!choice, !scalar, !rows) -> !rows
  %m = fuse.reduce max %s axes [1] : (!rows) -> !row
  %b = fuse.broadcast %m "n -> n m" like %x : (!row, !rows) -> !rows
  %h = fuse.map max %x, %b : (!rows, !rows) -> !rows
  %u = fuse.reduce sum %h axes [1] : (!rows) -> !row
  return %m, %u : !row, !row
}

// Causal attention that gives its weights, too.
func.func @attention(%q: !vectors {fuse.dims = ["T", 64]}, %k: !vectors {fuse.dims = ["T", 64]},
                     %v: !vectors {fuse.dims = ["T", 64]}) -> (!vectors, !rows)
    attributes {fuse.size_hints = {T = 4096}} {
  %lowest = fuse.constant -inf : !scalar
  %x = fuse.einsum "td,sd->ts" %q, %k : (!vectors, !vectors) -> !rows
  %t = fuse.iota axis 0 like %x : !rows -> !indices
  %at = fuse.iota axis 1 like %x : !rows -> !indices
  %future = fuse.compare gt %at, %t : (!indices, !indices) -> !choice
  %s = fuse.select %future, %lowest, %x : (!choice, !scalar, !rows) -> !rows
  %p = fuse.softmax %s axis 1 : (!rows) -> !rows
  %o = fuse.einsum "ts,sd->td" %p, %v : (!rows, !vectors) -> !vectors
  return %o, %p : !vectors, !rows
}
