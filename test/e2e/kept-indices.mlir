// REQUIRES: host
//
// A contraction that keeps an index of both operands, in one kernel with what
// reduces that index: its terms come one by one, in chains of 32.
//
// DEFINE: %{type} = f32
// DEFINE: %{function} = norm
// DEFINE: %{run} = sed s/TYPE/%{type}/g %s | fuse-opt --run --device=host --check --function=%{function}
// RUN: %{run} --dims=N=3,K=0
// RUN: %{run} --dims=N=1,K=1
// RUN: %{run} --dims=N=17,K=31
// RUN: %{run} --dims=N=19,K=32
// RUN: %{run} --dims=N=5,K=97
// REDEFINE: %{function} = projected
// RUN: %{run} --dims=N=3,K=0
// RUN: %{run} --dims=N=1,K=1
// RUN: %{run} --dims=N=19,K=33
// REDEFINE: %{type} = f64
// RUN: %{run} --dims=N=19,K=33
// REDEFINE: %{type} = f16
// RUN: %{run} --dims=N=19,K=33
// Operands that are one value for all terms end with these, too.
// REDEFINE: %{type} = f32
// REDEFINE: %{function} = repeated
// RUN: %{run} --dims=N=3,K=33
// RUN: %{run} --dims=N=3,K=1
// RUN: sed s/TYPE/f32/g %s | fuse-opt --emit=cuda --function=projected | FileCheck %s

// CHECK: for (
// CHECK: for (
// CHECK: accumulate<
// CHECK: contract_chain<
// CHECK: FUSE_KERNEL_ENTRY
// CHECK-NOT: FUSE_KERNEL_ENTRY
func.func @norm(%a: tensor<?x?x20xTYPE> {fuse.dims = ["K", "N", 20]}, %b: tensor<?x?x20xTYPE> {fuse.dims = ["K", "N", 20]})
    -> tensor<?x?x20xTYPE> attributes {fuse.size_hints = {N = 24, K = 24}} {
  %p = fuse.einsum "kic,kjc->ijc" %a, %b : (tensor<?x?x20xTYPE>, tensor<?x?x20xTYPE>) -> tensor<?x?x20xTYPE>
  %y = fuse.layer_norm %p axis 2 : (tensor<?x?x20xTYPE>) -> tensor<?x?x20xTYPE>
  return %y : tensor<?x?x20xTYPE>
}

func.func @projected(%a: tensor<?x?x20xTYPE> {fuse.dims = ["K", "N", 20]}, %b: tensor<?x?x20xTYPE> {fuse.dims = ["K", "N", 20]},
                     %w: tensor<24x20xTYPE>)
    -> tensor<?x?x24xTYPE> attributes {fuse.size_hints = {N = 24, K = 24}} {
  %p = fuse.einsum "kic,kjc->ijc" %a, %b : (tensor<?x?x20xTYPE>, tensor<?x?x20xTYPE>) -> tensor<?x?x20xTYPE>
  %s = fuse.map sigmoid %p : (tensor<?x?x20xTYPE>) -> tensor<?x?x20xTYPE>
  %y = fuse.linear %s, %w : (tensor<?x?x20xTYPE>, tensor<24x20xTYPE>) -> tensor<?x?x24xTYPE>
  return %y : tensor<?x?x24xTYPE>
}

func.func @repeated(%a: tensor<?x20xf32> {fuse.name = "a", fuse.dims = ["N", 20]}, %b: tensor<?x20xf32> {fuse.name = "b", fuse.dims = ["N", 20]}, %k: tensor<?xf32> {fuse.dims=["K"]})
    -> tensor<?x?x20xf32> attributes {fuse.size_hints = {N = 24, K = 24}} {
  %ab = fuse.broadcast %a "i c -> K i c" : (tensor<?x20xf32>) -> tensor<?x?x20xf32>
  %bb = fuse.broadcast %b "i c -> K i c" : (tensor<?x20xf32>) -> tensor<?x?x20xf32>
  %p = fuse.einsum "kic,kjc->ijc" %ab, %bb : (tensor<?x?x20xf32>, tensor<?x?x20xf32>) -> tensor<?x?x20xf32>
  %y = fuse.layer_norm %p axis 2 : (tensor<?x?x20xf32>) -> tensor<?x?x20xf32>
  %s = fuse.reduce sum %p axes [2] : (tensor<?x?x20xf32>) -> tensor<?x?xf32>
  %sb = fuse.broadcast %s "i j -> i j c" like %p : (tensor<?x?xf32>, tensor<?x?x20xf32>) -> tensor<?x?x20xf32>
  %z = fuse.map add %y, %sb : (tensor<?x?x20xf32>, tensor<?x?x20xf32>) -> tensor<?x?x20xf32>
  return %z : tensor<?x?x20xf32>
}
