// RUN: fuse-opt %s --pass-pipeline='builtin.module(fuse-decompose-composites{only=fuse.softmax,fuse.rms_norm})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,NAMED
// RUN: fuse-opt %s --pass-pipeline='builtin.module(fuse-decompose-composites)' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,ALL
//
// RUN: not fuse-opt %s --pass-pipeline='builtin.module(fuse-decompose-composites{only=fuse.softmax,fuse.map})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
// WRONG: decompose-composites-only.mlir:{{.*}}error: expects 'only' of fuse-decompose-composites to name composites, but got 'fuse.map'
// WRONG-NOT: {{error|func.func}}

// CHECK-LABEL: func.func @composites(
// NAMED-NEXT:    fuse.linear
// NAMED-NEXT:    fuse.layer_norm
// CHECK-NOT:     fuse.rms_norm
// CHECK-NOT:     fuse.softmax
// ALL-NOT:       fuse.linear
// ALL-NOT:       fuse.layer_norm
// CHECK:         return
func.func @composites(%x: tensor<4x4xf32>) {
  %0 = fuse.linear %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = fuse.layer_norm %0 axis 1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = fuse.rms_norm %1 axis 1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = fuse.softmax %2 axis 1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  fuse.check.equal %3, %3 : tensor<4x4xf32>, tensor<4x4xf32>
  return
}

// A composite in the region of an attention is one like any other; and the
// softmax that an attention becomes is too.
// CHECK-LABEL: func.func @nested(
// NAMED-NEXT:    fuse.attention
// NAMED-NEXT:    ^bb0(%[[S:.*]]: tensor<4x4xf32>):
// NAMED-NEXT:      fuse.reduce max %[[S]] axes [0]
// CHECK-NOT:       fuse.softmax
// NAMED:           fuse.yield
// ALL-NOT:       fuse.attention
// CHECK:         return
func.func @nested(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %o = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x4xf32>):
    %t = fuse.softmax %s axis 0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    fuse.yield %t : tensor<4x4xf32>
  } : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}
