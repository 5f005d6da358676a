// REQUIRES: host
// RUN: fuse-opt %s --run --device=host --check --dims=T=1 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: fuse-opt %s --run --device=host --check --dims=T=97 2>&1 | FileCheck %s
// RUN: fuse-opt %s --run --device=host --check --dims=T=160 2>&1 | FileCheck %s
// RUN: fuse-opt %s --emit=cuda | FileCheck %s --check-prefix=CUDA

// Tiles of keys that come after all queries of a tile are not read: an infinity
// in the last value may reach earlier rows, by a zero weight, or not.
// CUDA: const int64_t start = (T - 1) / 16 * 16 - i0;
// CUDA: k_1 < least(T, start + 16)
// ONE: check 'out' (bound): passed
// ONE: undecided: 0
// CHECK: check 'out' (bound): passed
// CHECK-SAME: {{[1-9][0-9]*}} undecided

!scalar = tensor<f32>
!rows = tensor<?x128xf32>
!scores = tensor<?x?xf32>
!indices = tensor<?x?xi32>
!choice = tensor<?x?xi1>
func.func @main(%q: !rows {fuse.dims = ["T", 128], fuse.name = "q"}, %k: !rows {fuse.dims = ["T", 128], fuse.name = "k"},
                %v: !rows {fuse.dims = ["T", 128], fuse.name = "v"}) -> (!rows {fuse.name = "out"})
    attributes {fuse.size_hints = {T = 300}} {
  %infinity = fuse.constant inf : !scalar
  %row = fuse.iota axis 0 like %v : !rows -> tensor<?x128xi32>
  %column = fuse.iota axis 1 like %v : !rows -> tensor<?x128xi32>
  %count = fuse.dim "T" : tensor<i32>
  %one = fuse.constant 1 : tensor<i32>
  %zero = fuse.constant 0 : tensor<i32>
  %last = fuse.map sub %count, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %in_last = fuse.compare eq %row, %last : (tensor<?x128xi32>, tensor<i32>) -> tensor<?x128xi1>
  %in_first = fuse.compare eq %column, %zero : (tensor<?x128xi32>, tensor<i32>) -> tensor<?x128xi1>
  %there = fuse.map and %in_last, %in_first : (tensor<?x128xi1>, tensor<?x128xi1>) -> tensor<?x128xi1>
  %value = fuse.select %there, %infinity, %v : (tensor<?x128xi1>, !scalar, !rows) -> !rows
  %lowest = fuse.constant -inf : !scalar
  %out = fuse.attention %q, %k, %value "t d, s d, s d -> t d" scores "t s" {
  ^bb0(%s: !scores):
    %t = fuse.iota axis 0 like %s : !scores -> !indices
    %at = fuse.iota axis 1 like %s : !scores -> !indices
    %future = fuse.compare gt %at, %t : (!indices, !indices) -> !choice
    %m = fuse.select %future, %lowest, %s : (!choice, !scalar, !scores) -> !scores
    fuse.yield %m : !scores
  } : (!rows, !rows, !rows) -> !rows
  return %out : !rows
}
