// RUN: fuse-opt %s --fuse-pipeline | FileCheck %s

!scalar  = tensor<f32>
!queries = tensor<?x4x64xf32>
!keys    = tensor<?x64xf32>
!scores  = tensor<4x?x?xf32>
!indices = tensor<4x?x?xi32>
!choice  = tensor<4x?x?xi1>

// The rows of a tile are 8 positions and the 4 heads that share a key head:
// keys are read once for all of them, and no block passes keys that all of its
// positions lie before. What depends on positions alone has no heads.
// CHECK-LABEL: tile.kernel @einsum_0
// CHECK-SAME: grid ["T", "4", "64"] tiles [8, 4, 64]
// CHECK: %[[Q:.*]] = tile.load {{.*}} -> !tile<8x4x64xf32, reg,
// CHECK: tile.reshape %[[Q]] : {{.*}} -> !tile<32x64xf32, reg,
// CHECK: %[[LAST:.*]] = arith.addi %{{.*}}, %c8
// CHECK: %[[END:.*]] = arith.minsi %{{.*}}, %[[LAST]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step
// CHECK: tile.contract {{.*}}, !tile<32x64xf32, reg,
// CHECK: tile.reduce max {{.*}} -> !tile<32xf32, reg,
// CHECK: %[[OUT:.*]] = tile.reshape {{.*}} -> !tile<8x4x64xf32, reg,
// CHECK-NEXT: tile.store %[[OUT]]
func.func @shared_keys(
    %q: !queries {fuse.name = "q", fuse.dims = ["T", 4, 64]},
    %k: !keys {fuse.name = "k", fuse.dims = ["T", 64]},
    %v: !keys {fuse.name = "v", fuse.dims = ["T", 64]}) -> !queries
    attributes {fuse.size_hints = {T = 2000}} {
  %lowest = fuse.constant -inf : !scalar
  %out = fuse.attention %q, %k, %v "t r d, s d, s d -> t r d" scores "r t s" {
  ^bb0(%dots: !scores):
    %t      = fuse.iota axis 1 like %dots : !scores -> !indices
    %s      = fuse.iota axis 2 like %dots : !scores -> !indices
    %future = fuse.compare gt %s, %t : (!indices, !indices) -> !choice
    %masked = fuse.select %future, %lowest, %dots
        : (!choice, !scalar, !scores) -> !scores
    fuse.yield %masked : !scores
  } : (!queries, !keys, !keys) -> !queries
  return %out : !queries
}

// Not where heads have keys of their own.
// CHECK-LABEL: tile.kernel @einsum_0_0
// CHECK-SAME: grid ["T", "4", "64"] tiles [{{[0-9]+}}, 1, 64]
// CHECK-NOT: tile.reshape
func.func @own_keys(
    %q: !queries {fuse.name = "q", fuse.dims = ["T", 4, 64]},
    %k: !queries {fuse.name = "k", fuse.dims = ["T", 4, 64]},
    %v: !queries {fuse.name = "v", fuse.dims = ["T", 4, 64]}) -> !queries
    attributes {fuse.size_hints = {T = 2000}} {
  %out = fuse.attention %q, %k, %v "t r d, s r d, s r d -> t r d" scores "r t s" {
  ^bb0(%dots: !scores):
    fuse.yield %dots : !scores
  } : (!queries, !queries, !queries) -> !queries
  return %out : !queries
}
