// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK-SAME:    %[[Q:.*]]: tensor<?x8xf32>, %[[K:.*]]: tensor<?x8xf32>, %[[V:.*]]: tensor<?x16xf32>
func.func @plain(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x16xf32>) {
  // CHECK-NEXT: fuse.attention %[[Q]], %[[K]], %[[V]] "t d, s d, s e -> t e" scores "t s" {
  // CHECK-NEXT: ^bb0(%[[S:.*]]: tensor<?x?xf32>):
  // CHECK-NEXT:   fuse.yield %[[S]] : tensor<?x?xf32>
  // CHECK-NEXT: } : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<?x?xf32>):
    fuse.yield %s : tensor<?x?xf32>
  } : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  return
}

// The default of a clause is not printed.
// CHECK-LABEL: func.func @clauses(
func.func @clauses(%x: tensor<4x8xf32>) {
  // CHECK-NEXT: fuse.attention {{.*}} scores "t s" {
  // CHECK: } : (
  %defaults = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" masked_rows nan precision ieee {
  ^bb0(%s: tensor<4x4xf32>):
    fuse.yield %s : tensor<4x4xf32>
  } : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: fuse.attention {{.*}} scores "t s" masked_rows zero {
  // CHECK: } : (
  %zero = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" masked_rows zero {
  ^bb0(%s: tensor<4x4xf32>):
    fuse.yield %s : tensor<4x4xf32>
  } : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: fuse.attention {{.*}} scores "t s" precision bf16x6 {
  // CHECK: } : (
  %bf16x6 = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" precision bf16x6 {
  ^bb0(%s: tensor<4x4xf32>):
    fuse.yield %s : tensor<4x4xf32>
  } : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: fuse.attention {{.*}} scores "t s" masked_rows zero precision tf32 attributes {tag} {
  // CHECK: } : (
  %all = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" masked_rows zero precision tf32 attributes {tag} {
  ^bb0(%s: tensor<4x4xf32>):
    fuse.yield %s : tensor<4x4xf32>
  } : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// Query heads come in groups, one a key head. Batch axes may stand anywhere,
// and be missing from the scores' order.
// CHECK-LABEL: func.func @grouped_heads(
func.func @grouped_heads(%q: tensor<?x?x?x32xf32>, %k: tensor<?x?x?x32xf32>,
                         %v: tensor<?x?x?x32xf32>) {
  // CHECK-NEXT: fuse.attention {{.*}} "b t (g r) d, b s g d, b s g d -> b t (g r) d" scores "b (g r) t s" {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<?x?x?x?xf32>):
  // CHECK: -> tensor<?x?x?x32xf32>
  %o = fuse.attention %q, %k, %v "b t (g r) d, b s g d, b s g d -> b t (g r) d" scores "b (g r) t s" {
  ^bb0(%s: tensor<?x?x?x?xf32>):
    fuse.yield %s : tensor<?x?x?x?xf32>
  } : (tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>) -> tensor<?x?x?x32xf32>
  return
}

// Scores are f32 whatever the operands are, and f64 for f64. The region may use
// values from outside.
// CHECK-LABEL: func.func @region(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xbf16>, %[[BIAS:.*]]: tensor<4x4xf32>
func.func @region(%x: tensor<4x8xbf16>, %bias: tensor<4x4xf32>) {
  // CHECK-NEXT: fuse.attention
  // CHECK-NEXT: ^bb0(%[[S:.*]]: tensor<4x4xf32>):
  // CHECK-NEXT:   %[[T:.*]] = fuse.map add %[[S]], %[[BIAS]] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT:   fuse.yield {tag} %[[T]] : tensor<4x4xf32>
  %o = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x4xf32>):
    %t = fuse.map add %s, %bias : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    fuse.yield {tag} %t : tensor<4x4xf32>
  } : (tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return
}

// CHECK-LABEL: func.func @double(
func.func @double(%x: tensor<4x8xf64>) {
  // CHECK: ^bb0(%{{.*}}: tensor<4x?xf64>):
  // CHECK-NEXT: fuse.yield %{{.*}} : tensor<4x?xf64>
  %o = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x?xf64>):
    fuse.yield %s : tensor<4x?xf64>
  } : (tensor<4x8xf64>, tensor<4x8xf64>, tensor<4x8xf64>) -> tensor<4x8xf64>
  return
}
