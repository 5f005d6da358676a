// REQUIRES: host
//
// Kernels with tiles for large sizes, at sizes that fill none of them: operands
// that stay while others pass by in pieces, tiles whose neighbours in memory are
// rows, and an online softmax over tiles of keys.
//
// DEFINE: %{function} = gated
// DEFINE: %{run} = fuse-opt %s --run --device=host --check --function=%{function}
// RUN: %{run} --dims=N=1
// RUN: %{run} --dims=N=131
// RUN: fuse-opt %s --emit=cuda --function=gated | FileCheck %s --check-prefix=GATED
// REDEFINE: %{function} = attention
// RUN: %{run} --dims=B=1,T=1,S=1
// RUN: %{run} --dims=B=2,T=70,S=150
// RUN: fuse-opt %s --emit=cuda --function=attention | FileCheck %s --check-prefix=ATTENTION
// In f64 tiles are smaller: operands take twice the shared memory.
// RUN: sed s/f32/f64/g %s | fuse-opt --run --device=host --check --function=gated --dims=N=37
// RUN: sed s/f32/f64/g %s | fuse-opt --run --device=host --check --function=attention --dims=B=1,T=37,S=70
// REDEFINE: %{function} = mlp
// RUN: %{run} --dims=N=1
// RUN: %{run} --dims=N=600
// RUN: fuse-opt %s --emit=cuda --function=mlp | FileCheck %s --check-prefix=MLP
// REDEFINE: %{function} = channels
// RUN: %{run} --dims=N=3
// RUN: %{run} --dims=N=12

// The norm's rows are computed once for both products.
// GATED: shared_rows = rows<32>(shared, k);
// GATED: contract_chain<KM, KN, 8>
// GATED: shared_rows_1 = rows<32>(shared, k_1);
// GATED: contract_chain<KM, KN, 8>
// GATED: sigmoid(
func.func @gated(%x: tensor<?x128xf32> {fuse.dims = ["N", 128]}, %gamma: tensor<128xf32>,
                 %v: tensor<128x128xf32>, %g: tensor<128x128xf32>) -> tensor<?x128xf32>
    attributes {fuse.size_hints = {N = 100000}} {
  %n = fuse.layer_norm %x gamma %gamma axis 1 : (tensor<?x128xf32>, tensor<128xf32>) -> tensor<?x128xf32>
  %a = fuse.linear %n, %v : (tensor<?x128xf32>, tensor<128x128xf32>) -> tensor<?x128xf32>
  %b = fuse.linear %n, %g : (tensor<?x128xf32>, tensor<128x128xf32>) -> tensor<?x128xf32>
  %s = fuse.map sigmoid %b : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %y = fuse.map mul %a, %s : (tensor<?x128xf32>, tensor<?x128xf32>) -> tensor<?x128xf32>
  return %y : tensor<?x128xf32>
}

// A block computes several tiles, with the weights at hand; the next tile's rows
// are on their way while this one's second product is computed.
// MLP: write_transposed(w_tile, [[W:shared.*]]);
// MLP: auto x_next = x_tile;
// MLP-NEXT: for (int64_t k = i0; k < least(i0 + 512, N); k += 64) {
// MLP: contract_chain<KM, KN>(total, {{.*}}, [[W]]_rows);
// MLP: x_next = load<
// MLP: silu(
// MLP: store
// MLP-NEXT: }
// MLP-NEXT: }
func.func @mlp(%x: tensor<?x64xf32> {fuse.name = "x", fuse.dims = ["N", 64]},
               %w: tensor<128x64xf32> {fuse.name = "w"}, %v: tensor<32x128xf32>) -> tensor<?x32xf32>
    attributes {fuse.size_hints = {N = 2000000}} {
  %h = fuse.linear %x, %w : (tensor<?x64xf32>, tensor<128x64xf32>) -> tensor<?x128xf32>
  %a = fuse.map silu %h : (tensor<?x128xf32>) -> tensor<?x128xf32>
  %y = fuse.linear %a, %v : (tensor<?x128xf32>, tensor<32x128xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// Queries and weights stay, keys and values pass by.
// ATTENTION-COUNT-2: rows<32>(
// ATTENTION-NOT: FUSE_KERNEL_ENTRY(einsum_1)
func.func @attention(%q: tensor<?x?x128xf32> {fuse.dims = ["B", "T", 128]},
                     %k: tensor<?x?x128xf32> {fuse.dims = ["B", "S", 128]},
                     %v: tensor<?x?x128xf32> {fuse.dims = ["B", "S", 128]}) -> tensor<?x?x128xf32>
    attributes {fuse.size_hints = {B = 128, T = 2048, S = 2048}} {
  %s = fuse.einsum "btd,bsd->bts" %q, %k : (tensor<?x?x128xf32>, tensor<?x?x128xf32>) -> tensor<?x?x?xf32>
  %p = fuse.softmax %s axis 2 : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = fuse.einsum "bts,bsd->btd" %p, %v : (tensor<?x?x?xf32>, tensor<?x?x128xf32>) -> tensor<?x?x128xf32>
  return %y : tensor<?x?x128xf32>
}

// Channels outermost in between.
func.func @channels(%x: tensor<?x?x32xf32> {fuse.dims = ["N", "N", 32]}, %a: tensor<64x32xf32>,
                    %b: tensor<64x32xf32>, %w: tensor<32x64xf32>) -> tensor<?x?x32xf32>
    attributes {fuse.size_hints = {N = 512}} {
  %p = fuse.linear %x, %a : (tensor<?x?x32xf32>, tensor<64x32xf32>) -> tensor<?x?x64xf32>
  %q = fuse.linear %x, %b : (tensor<?x?x32xf32>, tensor<64x32xf32>) -> tensor<?x?x64xf32>
  %t = fuse.einsum "kih,kjh->ijh" %p, %q : (tensor<?x?x64xf32>, tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %n = fuse.layer_norm %t axis 2 : (tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %y = fuse.linear %n, %w : (tensor<?x?x64xf32>, tensor<32x64xf32>) -> tensor<?x?x32xf32>
  return %y : tensor<?x?x32xf32>
}
