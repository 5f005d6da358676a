// RUN: fuse-opt %s --fuse-form-regions=remark -o /dev/null 2>&1 | FileCheck %s

// One remark a pair of kernels that was joined or stayed apart, with the times
// of the cost model.
// CHECK: :[[@LINE+9]]:8: remark: fused with its producer ({{[0-9.]+}} us against {{[0-9.]+}} us)
// CHECK: :[[@LINE+7]]:8: note: this one
// CHECK: :[[@LINE+9]]:8: remark: fused with its producer ({{[0-9.]+}} us against {{[0-9.]+}} us)
// CHECK: :[[@LINE+8]]:8: remark: kept apart from its producer: no common indices
// CHECK: :[[@LINE+5]]:8: note: this one
// CHECK-NOT: remark:
func.func @main(%x: tensor<?x64xf32> {fuse.dims = ["N", 64]}) -> tensor<?xf32>
    attributes {fuse.size_hints = {N = 64}} {
  %e = fuse.map exp %x : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %f = fuse.map neg %e : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = fuse.einsum "ik,jk->ij" %f, %f : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x?xf32>
  %m = fuse.reduce max %y axes [0] : (tensor<?x?xf32>) -> tensor<?xf32>
  return %m : tensor<?xf32>
}

// A product for each channel joins the norm over channels where it is small, and
// not where it would read its operands again and again.
// CHECK: :[[@LINE+9]]:8: remark: fused with its producer ({{[0-9.]+}} us against {{[0-9.]+}} us)
// CHECK: :[[@LINE+8]]:8: remark: fused with its producer
// CHECK: :[[@LINE+15]]:8: remark: fused with its producer
// CHECK: :[[@LINE+14]]:8: remark: kept apart from its producer: slower ({{[0-9.]+}} us against {{[0-9.]+}} us, reading each byte {{[0-9]+}}.{{[0-9]}} times)
func.func @small(%a: tensor<?x?x32xf32> {fuse.dims = ["N", "N", 32]}, %b: tensor<?x?x32xf32> {fuse.dims = ["N", "N", 32]})
    -> tensor<?x?x32xf32> attributes {fuse.size_hints = {N = 32}} {
  %p = fuse.einsum "kic,kjc->ijc" %a, %b : (tensor<?x?x32xf32>, tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  %s = fuse.reduce sum %p axes [2] : (tensor<?x?x32xf32>) -> tensor<?x?xf32>
  %t = fuse.broadcast %s "i j -> i j c" like %p : (tensor<?x?xf32>, tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  %y = fuse.map div %p, %t : (tensor<?x?x32xf32>, tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  return %y : tensor<?x?x32xf32>
}
func.func @large(%a: tensor<?x?x32xf32> {fuse.dims = ["N", "N", 32]}, %b: tensor<?x?x32xf32> {fuse.dims = ["N", "N", 32]})
    -> tensor<?x?x32xf32> attributes {fuse.size_hints = {N = 512}} {
  %p = fuse.einsum "kic,kjc->ijc" %a, %b : (tensor<?x?x32xf32>, tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  %s = fuse.reduce sum %p axes [2] : (tensor<?x?x32xf32>) -> tensor<?x?xf32>
  %t = fuse.broadcast %s "i j -> i j c" like %p : (tensor<?x?xf32>, tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  %y = fuse.map div %p, %t : (tensor<?x?x32xf32>, tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  return %y : tensor<?x?x32xf32>
}
