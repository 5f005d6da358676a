// RUN: fuse-opt %s --fuse-pipeline | FileCheck %s

// At most 128 terms are one chain, over all tiles of them.
// CHECK: tile.kernel @einsum_0
// CHECK: scf.for
// CHECK: tile.contract {{.*}} one_chain
func.func @few(%a: tensor<?x128xf32>, %b: tensor<64x128xf32>) -> tensor<?x64xf32> {
  %y = fuse.einsum "mk,nk->mn" %a, %b : (tensor<?x128xf32>, tensor<64x128xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// More are not, nor a number that only a call knows, nor several indices with
// more of them together.
// CHECK: tile.kernel @einsum_0_0
// CHECK-NOT: one_chain
func.func @many(%a: tensor<?x129xf32>, %b: tensor<64x129xf32>) -> tensor<?x64xf32> {
  %y = fuse.einsum "mk,nk->mn" %a, %b : (tensor<?x129xf32>, tensor<64x129xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

func.func @unknown(%a: tensor<?x?xf32> {fuse.dims = ["M", "K"]}, %b: tensor<64x?xf32> {fuse.dims = [64, "K"]}) -> tensor<?x64xf32> {
  %y = fuse.einsum "mk,nk->mn" %a, %b : (tensor<?x?xf32>, tensor<64x?xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

func.func @together(%a: tensor<?x16x16xf32>, %b: tensor<64x16x16xf32>) -> tensor<?x64xf32> {
  %y = fuse.einsum "mjk,njk->mn" %a, %b : (tensor<?x16x16xf32>, tensor<64x16x16xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

func.func @alone(%a: tensor<?x1000xf32>, %b: tensor<64xf32>) -> tensor<?x64xf32> {
  %y = fuse.einsum "mk,n->mn" %a, %b : (tensor<?x1000xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
