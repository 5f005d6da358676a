// RUN: fuse-opt %s --fuse-decompose-composites --cse --fuse-form-regions --fuse-lower-to-tile --split-input-file | FileCheck %s

// A linear layer alone has 64 sums a thread.
// CHECK-LABEL: tile.kernel @einsum_0(
// CHECK-SAME: threads 256
// CHECK: tile.contract {{.*}}!tile<128x128xf32, reg>
func.func @main(%x: tensor<?x2048xf32> {fuse.dims = ["N", 2048]}, %w: tensor<8192x2048xf32>)
    -> tensor<?x8192xf32> attributes {fuse.size_hints = [{N = 4096}]} {
  %y = fuse.linear %x, %w : (tensor<?x2048xf32>, tensor<8192x2048xf32>) -> tensor<?x8192xf32>
  return %y : tensor<?x8192xf32>
}

// -----

// Two of 64, and the chain that the next terms of one are added up in, would
// not stay in registers: the gate has 32 sums of each.
// CHECK-LABEL: tile.kernel @einsum_0(
// CHECK-SAME: threads 128
// CHECK-NOT: !tile<128x128xf32, reg>
// CHECK-COUNT-2: tile.contract {{.*}}!tile<64x64xf32, reg>
// CHECK-NOT: !tile<128x128xf32, reg>
// CHECK: tile.store
func.func @main(%x: tensor<?x2048xf32> {fuse.dims = ["N", 2048]}, %w_gate: tensor<8192x2048xf32>, %w_up: tensor<8192x2048xf32>)
    -> tensor<?x8192xf32> attributes {fuse.size_hints = [{N = 4096}]} {
  %gate = fuse.linear %x, %w_gate : (tensor<?x2048xf32>, tensor<8192x2048xf32>) -> tensor<?x8192xf32>
  %up = fuse.linear %x, %w_up : (tensor<?x2048xf32>, tensor<8192x2048xf32>) -> tensor<?x8192xf32>
  %active = fuse.map silu %gate : (tensor<?x8192xf32>) -> tensor<?x8192xf32>
  %y = fuse.map mul %active, %up : (tensor<?x8192xf32>, tensor<?x8192xf32>) -> tensor<?x8192xf32>
  return %y : tensor<?x8192xf32>
}

// -----

// With one chain of 128 terms there is nothing beside the sums: 64 of each fit.
// CHECK-LABEL: tile.kernel @einsum_0(
// CHECK-SAME: threads 128
// CHECK-COUNT-2: tile.contract {{.*}} one_chain {{.*}}!tile<128x64xf32, reg>
// CHECK: tile.store
func.func @main(%x: tensor<?x128xf32> {fuse.dims = ["N", 128]}, %w_gate: tensor<8192x128xf32>, %w_up: tensor<8192x128xf32>)
    -> tensor<?x8192xf32> attributes {fuse.size_hints = [{N = 4096}]} {
  %gate = fuse.linear %x, %w_gate : (tensor<?x128xf32>, tensor<8192x128xf32>) -> tensor<?x8192xf32>
  %up = fuse.linear %x, %w_up : (tensor<?x128xf32>, tensor<8192x128xf32>) -> tensor<?x8192xf32>
  %active = fuse.map silu %gate : (tensor<?x8192xf32>) -> tensor<?x8192xf32>
  %y = fuse.map mul %active, %up : (tensor<?x8192xf32>, tensor<?x8192xf32>) -> tensor<?x8192xf32>
  return %y : tensor<?x8192xf32>
}

// -----

// A multiprocessor holds twelve warps with 64 sums of one chain, which its tiles
// in shared memory leave room for: they are enough, and read less a term.
// CHECK-LABEL: tile.kernel @einsum_0(
// CHECK-SAME: threads 128 grid ["N", "8"] tiles [128, 8]
// CHECK: tile.contract {{.*}} one_chain {{.*}}!tile<128x64xf32, reg>
func.func @main(%x: tensor<?x64xf32> {fuse.dims = ["N", 64]}, %w: tensor<64x64xf32>, %v: tensor<8x64xf32>)
    -> tensor<?x8xf32> attributes {fuse.size_hints = [{N = 2097152}]} {
  %h = fuse.linear %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %a = fuse.map silu %h : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = fuse.linear %a, %v : (tensor<?x64xf32>, tensor<8x64xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
