// RUN: fuse-opt %s --fuse-decompose-composites --cse --fuse-form-regions --split-input-file | FileCheck %s

// Elementwise ops join the kernel whose result they are applied to, over
// transposes and reshapes, and bring along elementwise ops that it needs.
// CHECK-LABEL: func.func @epilogue(
// CHECK-NEXT: %[[Y:.*]] = fuse.launch @kernels::@einsum_0(
// CHECK-NEXT: return %[[Y]]
// CHECK: func.func @einsum_0(
// CHECK: fuse.map exp
// CHECK: fuse.einsum
// CHECK: fuse.transpose
// CHECK-NEXT: fuse.map mul
func.func @epilogue(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %e = fuse.map exp %c : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %d = fuse.einsum "ik,kj->ij" %a, %b : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %t = fuse.transpose %d [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %y = fuse.map mul %t, %e : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// Rows, with elementwise ops on both sides.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT: fuse.launch @kernels::@reduce_0(
// CHECK-NEXT: return
func.func @rows(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %n = fuse.map neg %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = fuse.softmax %n axis 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = fuse.map exp %p : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A gate: two contractions of one operand, and the norm before them.
// CHECK-LABEL: func.func @gate(
// CHECK-NEXT: %[[Y:.*]] = fuse.launch @kernels::@einsum_0(
// CHECK-NEXT: return %[[Y]]
func.func @gate(%x: tensor<?x64xf32> {fuse.dims = ["N", 64]}, %w: tensor<32x64xf32>, %g: tensor<32x64xf32>)
    -> tensor<?x32xf32> attributes {fuse.size_hints = {N = 512}} {
  %n = fuse.layer_norm %x axis 1 : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %v = fuse.linear %n, %w : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32>
  %l = fuse.linear %n, %g : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32>
  %s = fuse.map sigmoid %l : (tensor<?x32xf32>) -> tensor<?x32xf32>
  %y = fuse.map mul %v, %s : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// -----

// Siblings whose results have nothing to do with each other.
// CHECK-LABEL: func.func @siblings(
// CHECK-NEXT: %[[Y:.*]]:2 = fuse.launch @kernels::@einsum_0(
// CHECK-NEXT: return %[[Y]]#0, %[[Y]]#1
func.func @siblings(%x: tensor<?x64xf32> {fuse.dims = ["N", 64]}, %w: tensor<32x64xf32>, %g: tensor<32x64xf32>)
    -> (tensor<?x32xf32>, tensor<?x32xf32>) attributes {fuse.size_hints = {N = 512}} {
  %v = fuse.einsum "nk,ok->no" %x, %w : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32>
  %l = fuse.einsum "ok,nk->no" %g, %x : (tensor<32x64xf32>, tensor<?x64xf32>) -> tensor<?x32xf32>
  return %v, %l : tensor<?x32xf32>, tensor<?x32xf32>
}

// -----

// Contraction, softmax and contraction, however the softmax is written.
// CHECK-LABEL: func.func @attention(
// CHECK-NEXT: %[[Y:.*]] = fuse.launch @kernels::@einsum_0(
// CHECK-NEXT: return %[[Y]]
func.func @attention(%q: tensor<?x?x64xf32> {fuse.dims = ["H", "T", 64]}, %k: tensor<?x?x64xf32> {fuse.dims = ["H", "S", 64]},
                     %v: tensor<?x?x64xf32> {fuse.dims = ["H", "S", 64]}) -> tensor<?x?x64xf32>
    attributes {fuse.size_hints = {H = 16, T = 128, S = 128}} {
  %s = fuse.einsum "hsd,htd->hts" %k, %q : (tensor<?x?x64xf32>, tensor<?x?x64xf32>) -> tensor<?x?x?xf32>
  %m = fuse.reduce max %s axes [2] : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  %n = fuse.map neg %m : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = fuse.broadcast %n "h t -> h t s" like %s : (tensor<?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %t = fuse.map add %b, %s : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %e = fuse.map exp %t : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %l = fuse.einsum "hts->ht" %e : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  %c = fuse.broadcast %l "h t -> h t s" like %e : (tensor<?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = fuse.map div %e, %c : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %o = fuse.einsum "hsd,hts->htd" %v, %p : (tensor<?x?x64xf32>, tensor<?x?x?xf32>) -> tensor<?x?x64xf32>
  return %o : tensor<?x?x64xf32>
}

// -----

// A value that is needed at two places of one tensor at once is no part of a
// kernel that reads both.
// CHECK-LABEL: func.func @twice(
// CHECK-NEXT: %[[E:.*]] = fuse.launch @kernels::@map_0(
// CHECK-NEXT: %[[Y:.*]] = fuse.launch @kernels::@einsum_0(%[[E]])
// CHECK-NEXT: return %[[Y]]
func.func @twice(%x: tensor<?x64xf32> {fuse.dims = ["N", 64]}) -> tensor<?x?xf32> {
  %e = fuse.map exp %x : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = fuse.einsum "ik,jk->ij" %e, %e : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// Rows along different axes stay apart.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT: fuse.launch @kernels::@reduce_0(
// CHECK-NEXT: fuse.launch @kernels::@reduce_1(
// CHECK-NEXT: return
func.func @columns(%x: tensor<?x?xf32> {fuse.dims = ["N", "M"]}) -> tensor<?x?xf32>
    attributes {fuse.size_hints = {N = 512, M = 16384}} {
  %p = fuse.softmax %x axis 1 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %q = fuse.softmax %p axis 0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %q : tensor<?x?xf32>
}

// -----

// Attention of one head fills too few multiprocessors to be one kernel.
// CHECK-LABEL: func.func @one_head(
// CHECK-COUNT-2: fuse.launch
// CHECK-NEXT: return
func.func @one_head(%q: tensor<?x64xf32> {fuse.dims = ["T", 64]}, %k: tensor<?x64xf32> {fuse.dims = ["S", 64]},
                    %v: tensor<?x64xf32> {fuse.dims = ["S", 64]}) -> tensor<?x64xf32>
    attributes {fuse.size_hints = {T = 64, S = 4096}} {
  %s = fuse.einsum "td,sd->ts" %q, %k : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x?xf32>
  %p = fuse.softmax %s axis 1 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %o = fuse.einsum "ts,sd->td" %p, %v : (tensor<?x?xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  return %o : tensor<?x64xf32>
}

// -----

// A norm that contractions with different columns need is computed in each of
// them: no kernel hands it to the others.
// CHECK-LABEL: func.func @recomputed(
// CHECK-SAME: %[[X:.*]]: tensor<?x64xf32>
// CHECK-NEXT: fuse.launch @kernels::@einsum_0(%[[X]], %{{.*}})
// CHECK-NEXT: fuse.launch @kernels::@einsum_1(%[[X]], %{{.*}})
// CHECK-NEXT: return
// CHECK-COUNT-2: fuse.map rsqrt
func.func @recomputed(%x: tensor<?x64xf32> {fuse.dims = ["N", 64]}, %w: tensor<32x64xf32>, %g: tensor<300x64xf32>)
    -> (tensor<?x32xf32>, tensor<?x300xf32>) attributes {fuse.size_hints = {N = 512}} {
  %n = fuse.layer_norm %x axis 1 : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %v = fuse.linear %n, %w : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32>
  %l = fuse.linear %n, %g : (tensor<?x64xf32>, tensor<300x64xf32>) -> tensor<?x300xf32>
  return %v, %l : tensor<?x32xf32>, tensor<?x300xf32>
}

// -----

// One that is returned, too, is not.
// CHECK-LABEL: func.func @returned(
// CHECK-COUNT-1: fuse.map rsqrt
// CHECK-NOT: fuse.map rsqrt
func.func @returned(%x: tensor<?x64xf32> {fuse.dims = ["N", 64]}, %w: tensor<32x64xf32>, %g: tensor<300x64xf32>)
    -> (tensor<?x64xf32>, tensor<?x32xf32>, tensor<?x300xf32>) attributes {fuse.size_hints = {N = 512}} {
  %n = fuse.layer_norm %x axis 1 : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %v = fuse.linear %n, %w : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32>
  %l = fuse.linear %n, %g : (tensor<?x64xf32>, tensor<300x64xf32>) -> tensor<?x300xf32>
  return %n, %v, %l : tensor<?x64xf32>, tensor<?x32xf32>, tensor<?x300xf32>
}
