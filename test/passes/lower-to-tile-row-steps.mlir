// RUN: fuse-opt %s --fuse-decompose-composites --cse --fuse-form-regions --fuse-lower-to-tile --split-input-file | FileCheck %s

// The mean of a row comes before the loop of a contraction. Its steps are of 64,
// of which a thread has 32 elements: it holds the sums of so many, too.
// CHECK-LABEL: tile.kernel @einsum_0(
// CHECK-SAME: threads 256
// CHECK: scf.for {{.*}} -> (!tile<128x64xf32, reg>)
// CHECK: scf.for {{.*}} -> (!tile<128x32xf32, reg>, !tile<128x128xf32, reg>)
func.func @main(%x: tensor<?x512xf32> {fuse.dims = ["N", 512]}, %w: tensor<512x512xf32>)
    -> tensor<?x512xf32> attributes {fuse.size_hints = [{N = 4096}]} {
  %n = fuse.layer_norm %x axis 1 : (tensor<?x512xf32>) -> tensor<?x512xf32>
  %y = fuse.linear %n, %w : (tensor<?x512xf32>, tensor<512x512xf32>) -> tensor<?x512xf32>
  return %y : tensor<?x512xf32>
}

// -----

// With few rows a block, steps are as long as they can be.
// CHECK-LABEL: tile.kernel @einsum_0(
// CHECK-SAME: threads 128
// CHECK: scf.for {{.*}} -> (!tile<16x256xf32, reg>)
func.func @main(%x: tensor<?x512xf32> {fuse.dims = ["N", 512]}, %w: tensor<512x512xf32>)
    -> tensor<?x512xf32> attributes {fuse.size_hints = [{N = 32}]} {
  %n = fuse.layer_norm %x axis 1 : (tensor<?x512xf32>) -> tensor<?x512xf32>
  %y = fuse.linear %n, %w : (tensor<?x512xf32>, tensor<512x512xf32>) -> tensor<?x512xf32>
  return %y : tensor<?x512xf32>
}
