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

// -----

// Paths through a chain that is copied are as many as 2^60; its ops are 60.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: fuse.launch
func.func @chain(%y0: tensor<?x64xf32> {fuse.dims = ["N", 64]}, %w: tensor<32x64xf32>, %g: tensor<300x64xf32>)
    -> (tensor<?x32xf32>, tensor<?x300xf32>) attributes {fuse.size_hints = {N = 512}} {
  %y1 = fuse.map mul %y0, %y0 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y2 = fuse.map mul %y1, %y1 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y3 = fuse.map mul %y2, %y2 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y4 = fuse.map mul %y3, %y3 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y5 = fuse.map mul %y4, %y4 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y6 = fuse.map mul %y5, %y5 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y7 = fuse.map mul %y6, %y6 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y8 = fuse.map mul %y7, %y7 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y9 = fuse.map mul %y8, %y8 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y10 = fuse.map mul %y9, %y9 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y11 = fuse.map mul %y10, %y10 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y12 = fuse.map mul %y11, %y11 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y13 = fuse.map mul %y12, %y12 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y14 = fuse.map mul %y13, %y13 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y15 = fuse.map mul %y14, %y14 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y16 = fuse.map mul %y15, %y15 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y17 = fuse.map mul %y16, %y16 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y18 = fuse.map mul %y17, %y17 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y19 = fuse.map mul %y18, %y18 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y20 = fuse.map mul %y19, %y19 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y21 = fuse.map mul %y20, %y20 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y22 = fuse.map mul %y21, %y21 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y23 = fuse.map mul %y22, %y22 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y24 = fuse.map mul %y23, %y23 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y25 = fuse.map mul %y24, %y24 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y26 = fuse.map mul %y25, %y25 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y27 = fuse.map mul %y26, %y26 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y28 = fuse.map mul %y27, %y27 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y29 = fuse.map mul %y28, %y28 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y30 = fuse.map mul %y29, %y29 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y31 = fuse.map mul %y30, %y30 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y32 = fuse.map mul %y31, %y31 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y33 = fuse.map mul %y32, %y32 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y34 = fuse.map mul %y33, %y33 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y35 = fuse.map mul %y34, %y34 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y36 = fuse.map mul %y35, %y35 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y37 = fuse.map mul %y36, %y36 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y38 = fuse.map mul %y37, %y37 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y39 = fuse.map mul %y38, %y38 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y40 = fuse.map mul %y39, %y39 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y41 = fuse.map mul %y40, %y40 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y42 = fuse.map mul %y41, %y41 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y43 = fuse.map mul %y42, %y42 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y44 = fuse.map mul %y43, %y43 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y45 = fuse.map mul %y44, %y44 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y46 = fuse.map mul %y45, %y45 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y47 = fuse.map mul %y46, %y46 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y48 = fuse.map mul %y47, %y47 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y49 = fuse.map mul %y48, %y48 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y50 = fuse.map mul %y49, %y49 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y51 = fuse.map mul %y50, %y50 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y52 = fuse.map mul %y51, %y51 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y53 = fuse.map mul %y52, %y52 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y54 = fuse.map mul %y53, %y53 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y55 = fuse.map mul %y54, %y54 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y56 = fuse.map mul %y55, %y55 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y57 = fuse.map mul %y56, %y56 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y58 = fuse.map mul %y57, %y57 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y59 = fuse.map mul %y58, %y58 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y60 = fuse.map mul %y59, %y59 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %v = fuse.linear %y60, %w : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32>
  %l = fuse.linear %y60, %g : (tensor<?x64xf32>, tensor<300x64xf32>) -> tensor<?x300xf32>
  return %v, %l : tensor<?x32xf32>, tensor<?x300xf32>
}
