func.func @rows(%x: tensor<?x64xf32> {fuse.dims = ["N", 64]}) -> tensor<?xf32>
    attributes {fuse.size_hints = {N = 64}} {
  // Line 4, rows and columns of one value: with the sum it is a kernel apart.
  %e = fuse.map exp %x : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = fuse.einsum "ik,jk->ij" %e, %e : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x?xf32>
  %m = fuse.reduce max %y axes [0] : (tensor<?x?xf32>) -> tensor<?xf32>
  return %m : tensor<?xf32>
}

func.func @one_head(%q: tensor<?x64xf32> {fuse.dims = ["T", 64]}, %k: tensor<?x64xf32> {fuse.dims = ["S", 64]}) -> tensor<?xf32>
    attributes {fuse.size_hints = {T = 64, S = 4096}} {
  // Line 13, which as one kernel fills few multiprocessors.
  %s = fuse.einsum "td,sd->ts" %q, %k : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x?xf32>
  %m = fuse.reduce max %s axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
  return %m : tensor<?xf32>
}

// Both sides of a decision, by the lines of ops.
// RUN: fuse-opt %s --fuse-form-regions | FileCheck %s --check-prefix=FREE
// FREE-LABEL: func.func @rows(
// FREE-NEXT: fuse.launch @kernels::@map_0(
// FREE-NEXT: fuse.launch @kernels::@einsum_0(
// FREE-NEXT: return
// FREE-LABEL: func.func @one_head(
// FREE-COUNT-2: fuse.launch
// FREE-NEXT: return

// RUN: fuse-opt %s --fuse-form-regions=forbid-fuse=5-6 | FileCheck %s --check-prefix=FORBID
// RUN: fuse-opt %s --fuse-pipeline=forbid-fuse=6-5 | FileCheck %s --check-prefix=FORBID
// FORBID-LABEL: func.func @rows(
// FORBID-NEXT: fuse.launch @kernels::@map_0(
// FORBID-NEXT: fuse.launch @kernels::@einsum_0(
// FORBID-NEXT: fuse.launch @kernels::@reduce_0(
// FORBID-NEXT: return
// RUN: fuse-opt %s --fuse-form-regions='forbid-fuse=5-6 remark' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: :6:8: remark: kept apart from its producer: forbidden

// RUN: fuse-opt %s --fuse-form-regions=force-fuse=13-14 | FileCheck %s --check-prefix=FORCE
// FORCE-LABEL: func.func @one_head(
// FORCE-NEXT: fuse.launch @kernels::@einsum_
// FORCE-NEXT: return

// RUN: not fuse-opt %s --fuse-form-regions=force-fuse=4-6 2>&1 | FileCheck %s --check-prefix=CANNOT
// CANNOT: :1:1: error: 'force-fuse' expects the ops of lines 4 and 6 to be one kernel, but they cannot be; remarks say why
// RUN: not fuse-opt %s --fuse-form-regions=forbid-fuse=4 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: 'forbid-fuse' expects the lines of two ops, such as 43-45, but got '4'
