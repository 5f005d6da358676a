// RUN: fuse-opt %s --emit=cuda | FileCheck %s --match-full-lines
//
// A contraction with a bias: operands go through shared memory, by two tiles each
// that take turns, so that there is one barrier a step; the sum is a variable of
// the loop, and so is what the next step needs.

// CHECK: extern "C" __global__ void __launch_bounds__(256)
// CHECK-NEXT: einsum_0(const float *x, const float *w, const float *b, float *result0, int64_t N) {
// CHECK-NEXT:   using Tile64x32 = FragmentMap<8, Dim<Reg<2, 4>, Warp<8>, Lane<4, 8>>, Dim<Lane<8>, Reg<4>>>;
// CHECK-NEXT:   using Tile32x32 = FragmentMap<8, Dim<Warp<8>, Lane<4, 8>>, Dim<Lane<8>, Reg<4>>>;
// CHECK-NEXT:   using Tile32 = FragmentMap<8, Dim<Warp<2>, Lane<2, 4>, Lane<2>, Reg<4>>>;
// CHECK-NEXT:   using Tile64x32_1 = FragmentMap<8, Dim<Warp<4, 2>, Lane<4, 8>, Lane<2, 2>, Reg<2, 4>>, Dim<Warp<2>, Lane<2, 4>, Lane<2>, Reg<4>>>;
// CHECK-EMPTY:
// CHECK-NEXT:   int64_t tile = block_index();
// CHECK-NEXT:   const int64_t i1 = 0;
// CHECK-NEXT:   const int64_t i0 = tile * 64;
// CHECK-NEXT:   const auto x_tile = load<Tile64x32, 4>(x + i0 * 100, strides(100, 1), limits(N - i0, 100), 0.0f);
// CHECK-NEXT:   const auto w_tile = load<Tile32x32, 4>(w + i1 * 100, strides(100, 1), limits(17 - i1, 100), 0.0f);
// CHECK-NEXT:   const int64_t rest = 17 - i1;
// CHECK-NEXT:   const auto b_tile = load<Tile32, 4, AnyStride>(b + i1, strides(1), limits(rest), 0.0f);
// CHECK-NEXT:   const auto value = fill<Tile64x32_1>(0.0f);
// CHECK-NEXT:   const auto shared = alloc<Slots<SwizzledTile<float, 2, 64, 32>, 2>>(0);
// CHECK-NEXT:   const auto shared_1 = alloc<Slots<SwizzledTile<float, 4, 32, 32>, 2>>(16384);
// CHECK-NEXT:   auto total = value;
// CHECK-NEXT:   auto x_next = x_tile;
// CHECK-NEXT:   auto w_next = w_tile;
// CHECK-NEXT:   for (int64_t k = 0; k < 100; k += 32) {
// CHECK-NEXT:     const int64_t turn = k / 32;
// CHECK-NEXT:     const auto shared_now = slot(shared, turn);
// CHECK-NEXT:     write(x_next, shared_now);
// CHECK-NEXT:     const auto shared_1_now = slot(shared_1, turn);
// CHECK-NEXT:     write(w_next, shared_1_now);
// CHECK-NEXT:     const int64_t next = k + 32;
// CHECK-NEXT:     const int64_t rest_1 = 100 - next;
// CHECK-NEXT:     x_next = load<Tile64x32, 4>(x + i0 * 100 + next, strides(100, 1), limits(N - i0, rest_1), 0.0f);
// CHECK-NEXT:     w_next = load<Tile32x32, 4>(w + i1 * 100 + next, strides(100, 1), limits(17 - i1, rest_1), 0.0f);
// CHECK-NEXT:     barrier();
// CHECK-NEXT:     total = contract_chain<MK, NK>(total, shared_now, shared_1_now);
// CHECK-NEXT:   }
// CHECK-NEXT:   const auto b_tile_all = broadcast<Tile64x32_1, 0>(b_tile);
// CHECK-NEXT:   const auto add_1 = add(total, b_tile_all);
// CHECK-NEXT:   store(add_1, result0 + i0 * 17 + i1, strides(17, 1), limits(N - i0, rest));
// CHECK-NEXT: }
// CHECK-NEXT: FUSE_KERNEL_ENTRY(einsum_0)
func.func @main(%x: tensor<?x100xf32> {fuse.name = "x", fuse.dims = ["N", 100]},
                %w: tensor<17x100xf32> {fuse.name = "w"}, %b: tensor<17xf32> {fuse.name = "b"})
    -> (tensor<?x17xf32> {fuse.name = "y"}) {
  %y = fuse.linear %x, %w bias %b : (tensor<?x100xf32>, tensor<17x100xf32>, tensor<17xf32>) -> tensor<?x17xf32>
  return %y : tensor<?x17xf32>
}
