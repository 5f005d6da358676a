// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: tile.kernel @leaves(
// CHECK-SAME:    %[[N:[^:]*]]: index
tile.kernel @leaves(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // CHECK-NEXT: tile.fill 0x7FC00000 : f32 : !tile<4xf32, reg>
  %nan = tile.fill 0x7FC00000 : f32 : !tile<4xf32, reg>
  // CHECK-NEXT: tile.fill -1.500000e+00 : bf16 {tag} : !tile<bf16, reg>
  %scalar = tile.fill -1.5 : bf16 {tag} : !tile<bf16, reg>
  // CHECK-NEXT: tile.splat %[[N]] : !tile<f16, reg>
  %extent = tile.splat %n : !tile<f16, reg>
  // CHECK-NEXT: tile.iota dim 1 from %[[N]] : !tile<4x8xi32, reg>
  %iota = tile.iota dim 1 from %n : !tile<4x8xi32, reg>
}

// CHECK-LABEL: tile.kernel @elementwise()
tile.kernel @elementwise() threads 32 grid [] tiles [] {
  // CHECK-NEXT: %[[X:.*]] = tile.fill
  %x = tile.fill 1.0 : f32 : !tile<4x8xf32, reg>
  // CHECK-NEXT: %[[K:.*]] = tile.fill
  %k = tile.fill 2.0 : f32 : !tile<f32, reg>
  // CHECK-NEXT: tile.map exp %[[X]] : (!tile<4x8xf32, reg>) -> !tile<4x8xf32, reg>
  %exp = tile.map exp %x : (!tile<4x8xf32, reg>) -> !tile<4x8xf32, reg>
  // Scalars stand for every element, on either side.
  // CHECK-NEXT: tile.map sub %[[K]], %[[X]] : (!tile<f32, reg>, !tile<4x8xf32, reg>) -> !tile<4x8xf32, reg>
  %sub = tile.map sub %k, %x : (!tile<f32, reg>, !tile<4x8xf32, reg>) -> !tile<4x8xf32, reg>
  // CHECK-NEXT: tile.map add %[[K]], %[[K]] : (!tile<f32, reg>, !tile<f32, reg>) -> !tile<4x8xf32, reg>
  %filled = tile.map add %k, %k : (!tile<f32, reg>, !tile<f32, reg>) -> !tile<4x8xf32, reg>
  // CHECK-NEXT: tile.map clamp %[[X]], %[[K]], %[[X]] {tag} : (!tile<4x8xf32, reg>, !tile<f32, reg>, !tile<4x8xf32, reg>) -> !tile<4x8xf32, reg>
  %clamp = tile.map clamp %x, %k, %x {tag} : (!tile<4x8xf32, reg>, !tile<f32, reg>, !tile<4x8xf32, reg>) -> !tile<4x8xf32, reg>
  // CHECK-NEXT: %[[LT:.*]] = tile.compare lt %[[X]], %[[K]] : (!tile<4x8xf32, reg>, !tile<f32, reg>) -> !tile<4x8xi1, reg>
  %lt = tile.compare lt %x, %k : (!tile<4x8xf32, reg>, !tile<f32, reg>) -> !tile<4x8xi1, reg>
  // CHECK-NEXT: tile.select %[[LT]], %[[X]], %[[K]] : (!tile<4x8xi1, reg>, !tile<4x8xf32, reg>, !tile<f32, reg>) -> !tile<4x8xf32, reg>
  %chosen = tile.select %lt, %x, %k : (!tile<4x8xi1, reg>, !tile<4x8xf32, reg>, !tile<f32, reg>) -> !tile<4x8xf32, reg>
  // CHECK-NEXT: tile.cast %[[X]] : !tile<4x8xf32, reg> -> !tile<4x8xf64, reg>
  %cast = tile.cast %x : !tile<4x8xf32, reg> -> !tile<4x8xf64, reg>
}

// CHECK-LABEL: tile.kernel @shapes(
// CHECK-SAME:    %[[N:[^:]*]]: index
tile.kernel @shapes(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // CHECK-NEXT: %[[X:.*]] = tile.fill
  %x = tile.fill 1.0 : f32 : !tile<4x8xf32, reg>
  // CHECK-NEXT: %[[K:.*]] = tile.fill
  %k = tile.fill 1.0 : f32 : !tile<f32, reg>
  // CHECK-NEXT: tile.mask %[[X]] limits[%[[N]], %[[N]]] identity 0xFF800000 : f32 : !tile<4x8xf32, reg> -> !tile<4x8xf32, reg>
  %mask = tile.mask %x limits[%n, %n] identity 0xFF800000 : f32 : !tile<4x8xf32, reg> -> !tile<4x8xf32, reg>
  // CHECK-NEXT: tile.mask %[[K]] limits[] identity 0.000000e+00 : f32 : !tile<f32, reg> -> !tile<f32, reg>
  %scalar = tile.mask %k limits[] identity 0.0 : f32 : !tile<f32, reg> -> !tile<f32, reg>
  // CHECK-NEXT: tile.broadcast %[[X]] dims [1] : !tile<4x8xf32, reg> -> !tile<4x2x8xf32, reg>
  %middle = tile.broadcast %x dims [1] : !tile<4x8xf32, reg> -> !tile<4x2x8xf32, reg>
  // CHECK-NEXT: tile.broadcast %[[K]] dims [0, 1] {tag} : !tile<f32, reg> -> !tile<4x8xf32, reg>
  %all = tile.broadcast %k dims [0, 1] {tag} : !tile<f32, reg> -> !tile<4x8xf32, reg>
  // CHECK-NEXT: tile.broadcast %[[X]] dims [] : !tile<4x8xf32, reg> -> !tile<4x8xf32, reg>
  %none = tile.broadcast %x dims [] : !tile<4x8xf32, reg> -> !tile<4x8xf32, reg>
  // CHECK-NEXT: %[[FLAT:.*]] = tile.reshape %[[X]] {tag} : !tile<4x8xf32, reg> -> !tile<32xf32, reg>
  %flat = tile.reshape %x {tag} : !tile<4x8xf32, reg> -> !tile<32xf32, reg>
  // CHECK-NEXT: tile.reshape %[[FLAT]] : !tile<32xf32, reg> -> !tile<2x2x8xf32, reg>
  %split = tile.reshape %flat : !tile<32xf32, reg> -> !tile<2x2x8xf32, reg>
  // CHECK-NEXT: tile.reduce sum %[[X]] dim 0 : !tile<4x8xf32, reg> -> !tile<8xf32, reg>
  %sum = tile.reduce sum %x dim 0 : !tile<4x8xf32, reg> -> !tile<8xf32, reg>
  // CHECK-NEXT: tile.accumulate %[[X]], %[[X]] dim 0 into %{{.*}} {tag} : !tile<4x8xf32, reg>, !tile<8xf32, reg>
  %products = tile.accumulate %x, %x dim 0 into %sum {tag} : !tile<4x8xf32, reg>, !tile<8xf32, reg>
  // CHECK-NEXT: %[[MAX:.*]] = tile.reduce max %[[X]] dim 1 {tag} : !tile<4x8xf32, reg> -> !tile<4xf32, reg>
  %max = tile.reduce max %x dim 1 {tag} : !tile<4x8xf32, reg> -> !tile<4xf32, reg>
  // CHECK-NEXT: tile.reduce min %[[MAX]] dim 0 : !tile<4xf32, reg> -> !tile<f32, reg>
  %min = tile.reduce min %max dim 0 : !tile<4xf32, reg> -> !tile<f32, reg>
}

// A dim that several warps hold a part of keeps one element a warp.
// CHECK-LABEL: tile.kernel @partial()
tile.kernel @partial() threads 128 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<4x128xf32, reg, #tile.map<"warps 4, [reg 4@1], [warp 4@1, lane 32@1]">>
  // CHECK: tile.reduce sum %{{.*}} dim 1 : {{.*}} -> !tile<4x4xf32, reg, #tile.map<"warps 4, [reg 4@1], [warp 4@1]">>
  %parts = tile.reduce sum %x dim 1 : !tile<4x128xf32, reg, #tile.map<"warps 4, [reg 4@1], [warp 4@1, lane 32@1]">> -> !tile<4x4xf32, reg, #tile.map<"warps 4, [reg 4@1], [warp 4@1]">>
}
