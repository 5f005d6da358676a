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
