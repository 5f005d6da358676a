// RUN: fuse-opt %s --fuse-form-regions --split-input-file | FileCheck %s

// Elementwise ops join the kernel whose result they are applied to, over
// transposes and reshapes, and bring along elementwise ops that only they need.
// CHECK-LABEL: func.func @epilogue(
// CHECK-NEXT: %[[Y:.*]] = fuse.launch @kernels::@einsum_0(
// CHECK-NEXT: return %[[Y]]
// CHECK: func.func @einsum_0(
// CHECK: fuse.map exp
// CHECK: fuse.einsum
// CHECK-NEXT: fuse.transpose
// CHECK-NEXT: fuse.map mul
func.func @epilogue(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %e = fuse.map exp %c : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %d = fuse.einsum "ik,kj->ij" %a, %b : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %t = fuse.transpose %d [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %y = fuse.map mul %t, %e : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// A row kernel takes elementwise ops on both sides.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT: fuse.launch @kernels::@softmax_0(
// CHECK-NEXT: return
// CHECK: func.func @softmax_0(
// CHECK: fuse.map neg
// CHECK: fuse.softmax
// CHECK: fuse.map exp
func.func @rows(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %n = fuse.map neg %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = fuse.softmax %n axis 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = fuse.map exp %p : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// The operand of a contraction is not computed for each of its tiles, and what
// two kernels need is written once.
// CHECK-LABEL: func.func @apart(
// CHECK-NEXT: %[[E:.*]] = fuse.launch @kernels::@map_0(
// CHECK-NEXT: %[[D:.*]] = fuse.launch @kernels::@einsum_0(%[[E]],
// CHECK-NEXT: %[[Y:.*]] = fuse.launch @kernels::@map_1(%[[D]])
// CHECK-NEXT: %[[Z:.*]] = fuse.launch @kernels::@map_2(%[[D]])
// CHECK-NEXT: return %[[Y]], %[[Z]]
func.func @apart(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %e = fuse.map exp %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %d = fuse.einsum "ik,kj->ij" %e, %b : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %y = fuse.map tanh %d : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = fuse.map neg %d : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y, %z : tensor<4x6xf32>, tensor<4x6xf32>
}

// -----

// Of two contractions the later one takes what needs both.
// CHECK-LABEL: func.func @gate(
// CHECK-NEXT: %[[V:.*]] = fuse.launch @kernels::@linear_0(
// CHECK-NEXT: %[[Y:.*]] = fuse.launch @kernels::@linear_1({{.*}}%[[V]]
// CHECK-NEXT: return %[[Y]]
func.func @gate(%x: tensor<4x8xf32>, %w: tensor<6x8xf32>, %g: tensor<6x8xf32>) -> tensor<4x6xf32> {
  %v = fuse.linear %x, %w : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %l = fuse.linear %x, %g : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
  %s = fuse.map sigmoid %l : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = fuse.map mul %v, %s : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// A broadcast has indices that the kernel behind it has not.
// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT: fuse.launch @kernels::@reduce_0(
// CHECK-NEXT: fuse.launch @kernels::@map_0(
func.func @broadcast(%x: tensor<4x8xf32>, %z: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = fuse.reduce sum %x axes [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  %b = fuse.broadcast %r "a -> a 3" : (tensor<4xf32>) -> tensor<4x3xf32>
  %y = fuse.map add %b, %z : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}
