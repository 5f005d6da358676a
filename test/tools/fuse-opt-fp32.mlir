// --fp32 sets the precision of what leaves it open, and says where.
//
// RUN: fuse-opt %s --run --device=interpreter --fp32=tf32 2>&1 | FileCheck %s --check-prefix=TF32
// RUN: fuse-opt %s --run --device=interpreter --fp32=bf16x3 2>&1 | FileCheck %s --check-prefix=BF16X3
// RUN: fuse-opt %s --run --device=interpreter --fp32=bf16x6 2>&1 | FileCheck %s --check-prefix=BF16X6
// RUN: fuse-opt %s --run --device=interpreter --fp32=ieee 2>&1 | FileCheck %s --check-prefix=IEEE
// RUN: echo "func.func @main() { return }" | fuse-opt --run --device=interpreter --fp32=tf32 2>&1 | FileCheck %s --check-prefix=NONE
// TF32: fuse-opt: --fp32=tf32 for 'fuse.einsum' at {{.*}}fuse-opt-fp32.mlir:27:8, 'fuse.linear' at {{.*}}fuse-opt-fp32.mlir:28:8, 'fuse.attention' at {{.*}}fuse-opt-fp32.mlir:29:8{{$}}
// BF16X3: fuse-opt: --fp32=bf16x3 for 'fuse.einsum' at {{.*}}, 'fuse.linear' at {{.*}}, 'fuse.attention' at
// BF16X6: fuse-opt: --fp32=bf16x6 for 'fuse.einsum' at {{.*}}, 'fuse.linear' at {{.*}}, 'fuse.attention' at
// IEEE: fuse-opt: --fp32=ieee for 'fuse.einsum' at {{.*}}, 'fuse.linear' at {{.*}}, 'fuse.attention' at
// NONE: fuse-opt: --fp32=tf32 for no op{{$}}

// A change that the error bound shows: products of tf32 may be further off.
// RUN: fuse-opt %s --run --device=interpreter --check 2>&1 | FileCheck %s --check-prefix=EXACT-PRODUCTS
// RUN: fuse-opt %s --run --device=interpreter --fp32=tf32 --check 2>&1 | FileCheck %s --check-prefix=ROUNDED-PRODUCTS
// EXACT-PRODUCTS: <1e-4: 0, <1e-3: 0, {{.*}}; undecided: 0
// ROUNDED-PRODUCTS: <1e-4: 16, <1e-3: 0, {{.*}}; undecided: 0

func.func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf64>,
                %q: tensor<1x4x1x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf64>,
        tensor<1x4x1x4xf32>) {
  // Already chosen, and no f32.
  %0 = fuse.einsum "ij,jk->ik" %x, %x precision bf16x6 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = fuse.einsum "ij,jk->ik" %y, %y : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %2 = fuse.einsum "ij,jk->ik" %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = fuse.linear %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = fuse.attention %q, %q, %q "b t h d, b s h d, b s h d -> b t h d" scores "b h t s" {
  ^bb0(%s: tensor<1x1x4x4xf32>):
    fuse.yield %s : tensor<1x1x4x4xf32>
  } : (tensor<1x4x1x4xf32>, tensor<1x4x1x4xf32>, tensor<1x4x1x4xf32>) -> tensor<1x4x1x4xf32>
  return %2, %3, %0, %1, %4
      : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf64>,
        tensor<1x4x1x4xf32>
}
