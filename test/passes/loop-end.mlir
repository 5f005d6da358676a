// RUN: fuse-opt %s --fuse-lower-to-tile --cse | FileCheck %s

!scalar = tensor<f32>
!rows = tensor<?x64xf32>
!scores = tensor<?x?xf32>
!indices = tensor<?x?xi32>
!choice = tensor<?x?xi1>
!row = tensor<?xf32>
module { module @kernels {

// A loop over positions ends where a mask leaves nothing to any row of the tile:
// behind the tile's last row, for keys that are no later than the query. The
// first block has the last rows, whose loops are the longest.
// CHECK-LABEL: tile.kernel @causal(
// CHECK-SAME: %[[T:[^:]*]]: index {tile.dim = "T"}
// CHECK: %[[ORIGIN:.*]]:2 = tile.origin
// CHECK: %[[BEFORE:.*]] = arith.subi %[[T]], %{{.*}} : index
// CHECK: %[[TILES:.*]] = arith.divsi %[[BEFORE]], %[[ROWS:.*]] : index
// CHECK: %[[FIRST:.*]] = arith.muli %[[TILES]], %[[ROWS]] : index
// CHECK: %[[START:.*]] = arith.subi %[[FIRST]], %[[ORIGIN]]#0 : index
// CHECK: %[[LAST:.*]] = arith.addi %[[START]], %[[ROWS]] : index
// CHECK: %[[END:.*]] = arith.minsi %[[T]], %[[LAST]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]]
func.func @causal(%q: !rows {fuse.dims = ["T", 64], fuse.name = "q"}, %k: !rows {fuse.dims = ["T", 64], fuse.name = "k"},
                  %v: !rows {fuse.dims = ["T", 64], fuse.name = "v"}) -> (!rows {fuse.dims = ["T", 64]})
    attributes {fuse.size_hints = {T = 4096}} {
  %lowest = fuse.constant -inf : !scalar
  %s = fuse.einsum "td,sd->ts" %q, %k : (!rows, !rows) -> !scores
  %t = fuse.iota axis 0 like %s : !scores -> !indices
  %at = fuse.iota axis 1 like %s : !scores -> !indices
  %future = fuse.compare gt %at, %t : (!indices, !indices) -> !choice
  %m = fuse.select %future, %lowest, %s : (!choice, !scalar, !scores) -> !scores
  %max = fuse.reduce max %m axes [1] : (!scores) -> !row
  %b = fuse.broadcast %max "t -> t s" like %m : (!row, !scores) -> !scores
  %d = fuse.map sub %m, %b : (!scores, !scores) -> !scores
  %e = fuse.map exp %d : (!scores) -> !scores
  %sum = fuse.reduce sum %e axes [1] : (!scores) -> !row
  %c = fuse.broadcast %sum "t -> t s" like %m : (!row, !scores) -> !scores
  %p = fuse.map div %e, %c : (!scores, !scores) -> !scores
  %o = fuse.einsum "ts,sd->td" %p, %v : (!scores, !rows) -> !rows
  return %o : !rows
}

// The other way round: what is kept, and a strict comparison.
// CHECK-LABEL: tile.kernel @kept(
// CHECK: arith.minsi
func.func @kept(%q: !rows {fuse.dims = ["T", 64], fuse.name = "q"}, %k: !rows {fuse.dims = ["T", 64], fuse.name = "k"})
    -> (!row {fuse.dims = ["T"]})
    attributes {fuse.size_hints = {T = 4096}} {
  %lowest = fuse.constant -inf : !scalar
  %s = fuse.einsum "td,sd->ts" %q, %k : (!rows, !rows) -> !scores
  %t = fuse.iota axis 0 like %s : !scores -> !indices
  %at = fuse.iota axis 1 like %s : !scores -> !indices
  %past = fuse.compare gt %t, %at : (!indices, !indices) -> !choice
  %m = fuse.select %past, %s, %lowest : (!choice, !scores, !scalar) -> !scores
  %max = fuse.reduce max %m axes [1] : (!scores) -> !row
  return %max : !row
}

// Stays: terms behind the mask count, if one is added to them.
// CHECK-LABEL: tile.kernel @counts(
// CHECK-NOT: arith.minsi
// CHECK-LABEL: tile.kernel @earlier(
func.func @counts(%q: !rows {fuse.dims = ["T", 64], fuse.name = "q"}, %k: !rows {fuse.dims = ["T", 64], fuse.name = "k"})
    -> (!row {fuse.dims = ["T"]})
    attributes {fuse.size_hints = {T = 4096}} {
  %zero = fuse.constant 0.0 : !scalar
  %one = fuse.constant 1.0 : !scalar
  %s = fuse.einsum "td,sd->ts" %q, %k : (!rows, !rows) -> !scores
  %t = fuse.iota axis 0 like %s : !scores -> !indices
  %at = fuse.iota axis 1 like %s : !scores -> !indices
  %future = fuse.compare gt %at, %t : (!indices, !indices) -> !choice
  %m = fuse.select %future, %zero, %s : (!choice, !scalar, !scores) -> !scores
  %more = fuse.map add %m, %one : (!scores, !scalar) -> !scores
  %sum = fuse.reduce sum %more axes [1] : (!scores) -> !row
  return %sum : !row
}

// Stays: the mask leaves out the first positions, not the last ones.
// CHECK-NOT: arith.minsi
func.func @earlier(%q: !rows {fuse.dims = ["T", 64], fuse.name = "q"}, %k: !rows {fuse.dims = ["T", 64], fuse.name = "k"})
    -> (!row {fuse.dims = ["T"]})
    attributes {fuse.size_hints = {T = 4096}} {
  %lowest = fuse.constant -inf : !scalar
  %s = fuse.einsum "td,sd->ts" %q, %k : (!rows, !rows) -> !scores
  %t = fuse.iota axis 0 like %s : !scores -> !indices
  %at = fuse.iota axis 1 like %s : !scores -> !indices
  %past = fuse.compare lt %at, %t : (!indices, !indices) -> !choice
  %m = fuse.select %past, %lowest, %s : (!choice, !scalar, !scores) -> !scores
  %max = fuse.reduce max %m axes [1] : (!scores) -> !row
  return %max : !row
}
}}
