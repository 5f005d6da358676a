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

// Paths through chains that are copied are as many as 2^180; their ops are 180,
// too many for one group.
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
  %y61 = fuse.map mul %y60, %y60 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y62 = fuse.map mul %y61, %y61 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y63 = fuse.map mul %y62, %y62 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y64 = fuse.map mul %y63, %y63 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y65 = fuse.map mul %y64, %y64 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y66 = fuse.map mul %y65, %y65 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y67 = fuse.map mul %y66, %y66 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y68 = fuse.map mul %y67, %y67 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y69 = fuse.map mul %y68, %y68 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y70 = fuse.map mul %y69, %y69 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y71 = fuse.map mul %y70, %y70 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y72 = fuse.map mul %y71, %y71 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y73 = fuse.map mul %y72, %y72 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y74 = fuse.map mul %y73, %y73 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y75 = fuse.map mul %y74, %y74 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y76 = fuse.map mul %y75, %y75 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y77 = fuse.map mul %y76, %y76 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y78 = fuse.map mul %y77, %y77 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y79 = fuse.map mul %y78, %y78 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y80 = fuse.map mul %y79, %y79 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y81 = fuse.map mul %y80, %y80 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y82 = fuse.map mul %y81, %y81 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y83 = fuse.map mul %y82, %y82 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y84 = fuse.map mul %y83, %y83 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y85 = fuse.map mul %y84, %y84 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y86 = fuse.map mul %y85, %y85 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y87 = fuse.map mul %y86, %y86 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y88 = fuse.map mul %y87, %y87 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y89 = fuse.map mul %y88, %y88 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y90 = fuse.map mul %y89, %y89 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y91 = fuse.map mul %y90, %y90 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y92 = fuse.map mul %y91, %y91 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y93 = fuse.map mul %y92, %y92 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y94 = fuse.map mul %y93, %y93 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y95 = fuse.map mul %y94, %y94 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y96 = fuse.map mul %y95, %y95 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y97 = fuse.map mul %y96, %y96 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y98 = fuse.map mul %y97, %y97 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y99 = fuse.map mul %y98, %y98 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y100 = fuse.map mul %y99, %y99 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y101 = fuse.map mul %y100, %y100 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y102 = fuse.map mul %y101, %y101 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y103 = fuse.map mul %y102, %y102 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y104 = fuse.map mul %y103, %y103 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y105 = fuse.map mul %y104, %y104 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y106 = fuse.map mul %y105, %y105 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y107 = fuse.map mul %y106, %y106 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y108 = fuse.map mul %y107, %y107 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y109 = fuse.map mul %y108, %y108 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y110 = fuse.map mul %y109, %y109 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y111 = fuse.map mul %y110, %y110 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y112 = fuse.map mul %y111, %y111 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y113 = fuse.map mul %y112, %y112 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y114 = fuse.map mul %y113, %y113 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y115 = fuse.map mul %y114, %y114 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y116 = fuse.map mul %y115, %y115 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y117 = fuse.map mul %y116, %y116 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y118 = fuse.map mul %y117, %y117 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y119 = fuse.map mul %y118, %y118 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y120 = fuse.map mul %y119, %y119 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y121 = fuse.map mul %y120, %y120 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y122 = fuse.map mul %y121, %y121 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y123 = fuse.map mul %y122, %y122 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y124 = fuse.map mul %y123, %y123 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y125 = fuse.map mul %y124, %y124 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y126 = fuse.map mul %y125, %y125 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y127 = fuse.map mul %y126, %y126 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y128 = fuse.map mul %y127, %y127 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y129 = fuse.map mul %y128, %y128 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y130 = fuse.map mul %y129, %y129 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y131 = fuse.map mul %y130, %y130 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y132 = fuse.map mul %y131, %y131 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y133 = fuse.map mul %y132, %y132 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y134 = fuse.map mul %y133, %y133 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y135 = fuse.map mul %y134, %y134 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y136 = fuse.map mul %y135, %y135 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y137 = fuse.map mul %y136, %y136 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y138 = fuse.map mul %y137, %y137 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y139 = fuse.map mul %y138, %y138 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y140 = fuse.map mul %y139, %y139 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y141 = fuse.map mul %y140, %y140 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y142 = fuse.map mul %y141, %y141 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y143 = fuse.map mul %y142, %y142 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y144 = fuse.map mul %y143, %y143 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y145 = fuse.map mul %y144, %y144 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y146 = fuse.map mul %y145, %y145 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y147 = fuse.map mul %y146, %y146 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y148 = fuse.map mul %y147, %y147 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y149 = fuse.map mul %y148, %y148 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y150 = fuse.map mul %y149, %y149 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y151 = fuse.map mul %y150, %y150 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y152 = fuse.map mul %y151, %y151 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y153 = fuse.map mul %y152, %y152 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y154 = fuse.map mul %y153, %y153 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y155 = fuse.map mul %y154, %y154 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y156 = fuse.map mul %y155, %y155 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y157 = fuse.map mul %y156, %y156 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y158 = fuse.map mul %y157, %y157 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y159 = fuse.map mul %y158, %y158 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y160 = fuse.map mul %y159, %y159 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y161 = fuse.map mul %y160, %y160 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y162 = fuse.map mul %y161, %y161 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y163 = fuse.map mul %y162, %y162 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y164 = fuse.map mul %y163, %y163 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y165 = fuse.map mul %y164, %y164 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y166 = fuse.map mul %y165, %y165 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y167 = fuse.map mul %y166, %y166 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y168 = fuse.map mul %y167, %y167 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y169 = fuse.map mul %y168, %y168 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y170 = fuse.map mul %y169, %y169 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y171 = fuse.map mul %y170, %y170 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y172 = fuse.map mul %y171, %y171 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y173 = fuse.map mul %y172, %y172 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y174 = fuse.map mul %y173, %y173 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y175 = fuse.map mul %y174, %y174 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y176 = fuse.map mul %y175, %y175 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y177 = fuse.map mul %y176, %y176 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y178 = fuse.map mul %y177, %y177 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y179 = fuse.map mul %y178, %y178 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %y180 = fuse.map mul %y179, %y179 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %v = fuse.linear %y180, %w : (tensor<?x64xf32>, tensor<32x64xf32>) -> tensor<?x32xf32>
  %l = fuse.linear %y180, %g : (tensor<?x64xf32>, tensor<300x64xf32>) -> tensor<?x300xf32>
  return %v, %l : tensor<?x32xf32>, tensor<?x300xf32>
}
