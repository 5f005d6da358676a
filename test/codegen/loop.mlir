// RUN: fuse-opt %s --emit=cuda | FileCheck %s --match-full-lines
//
// Rows of unknown length: a loop a pass, each with a variable of its own.

// CHECK: extern "C" __global__ void __launch_bounds__(64)
// CHECK-NEXT: softmax_0(const BFloat16 *x, BFloat16 *result0, int64_t M, int64_t N) {
// CHECK-NEXT:   using Tile2x1024 = FragmentMap<2, Dim<Warp<2>>, Dim<Reg<32>, Lane<32>>>;
// CHECK-NEXT:   using Tile2 = FragmentMap<2, Dim<Warp<2>>>;
// CHECK-EMPTY:
// CHECK-NEXT:   const int64_t i0 = block_index() * 2;
// CHECK-NEXT:   const auto value = fill<Tile2x1024>(-infinity_of<float>());
// CHECK-NEXT:   auto total = value;
// CHECK-NEXT:   for (int64_t k = 0; k < M; k += 1024) {
// CHECK-NEXT:     const int64_t rest = N - i0;
// CHECK-NEXT:     const int64_t rest_1 = M - k;
// CHECK-NEXT:     const auto x_tile = load<Tile2x1024>(x + i0 * M + k, strides(M, 1), limits(rest, rest_1), BFloat16(0.0f));
// CHECK-NEXT:     const auto x_tile_float = cast<float>(x_tile);
// CHECK-NEXT:     const auto masked = mask(x_tile_float, limits(rest, rest_1), -infinity_of<float>());
// CHECK-NEXT:     total = max(total, masked);
// CHECK-NEXT:   }
// CHECK-NEXT:   const auto max_1 = reduce<Max, 1, Tile2>(total);
// CHECK-NEXT:   const auto value_1 = fill<Tile2x1024>(0.0f);
// CHECK-NEXT:   auto total_1 = value_1;
// CHECK-NEXT:   for (int64_t k_1 = 0; k_1 < M; k_1 += 1024) {
// CHECK-NEXT:     const int64_t rest_2 = N - i0;
// CHECK-NEXT:     const int64_t rest_3 = M - k_1;
// CHECK-NEXT:     const auto x_tile_1 = load<Tile2x1024>(x + i0 * M + k_1, strides(M, 1), limits(rest_2, rest_3), BFloat16(0.0f));
// CHECK-NEXT:     const auto x_tile_1_float = cast<float>(x_tile_1);
// CHECK-NEXT:     const auto max_1_all = broadcast<Tile2x1024, 1>(max_1);
// CHECK-NEXT:     const auto sub_1 = sub(x_tile_1_float, max_1_all);
// CHECK-NEXT:     const auto exp_1 = exp(sub_1);
// CHECK-NEXT:     const auto masked_1 = mask(exp_1, limits(rest_2, rest_3), 0.0f);
// CHECK-NEXT:     total_1 = add(total_1, masked_1);
// CHECK-NEXT:   }
// CHECK-NEXT:   const auto sum = reduce<Sum, 1, Tile2>(total_1);
// CHECK-NEXT:   for (int64_t k_2 = 0; k_2 < M; k_2 += 1024) {
// CHECK-NEXT:     const int64_t rest_4 = N - i0;
// CHECK-NEXT:     const int64_t rest_5 = M - k_2;
// CHECK-NEXT:     const int64_t offset = i0 * M + k_2;
// CHECK-NEXT:     const auto x_tile_2 = load<Tile2x1024>(x + offset, strides(M, 1), limits(rest_4, rest_5), BFloat16(0.0f));
// CHECK-NEXT:     const auto x_tile_2_float = cast<float>(x_tile_2);
// CHECK-NEXT:     const auto max_1_all_1 = broadcast<Tile2x1024, 1>(max_1);
// CHECK-NEXT:     const auto sub_2 = sub(x_tile_2_float, max_1_all_1);
// CHECK-NEXT:     const auto exp_2 = exp(sub_2);
// CHECK-NEXT:     const auto sum_all = broadcast<Tile2x1024, 1>(sum);
// CHECK-NEXT:     const auto div_1 = div(exp_2, sum_all);
// CHECK-NEXT:     const auto div_1_bfloat16 = cast<BFloat16>(div_1);
// CHECK-NEXT:     store(div_1_bfloat16, result0 + offset, strides(M, 1), limits(rest_4, rest_5));
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: FUSE_KERNEL_ENTRY(softmax_0)
func.func @main(%x: tensor<?x?xbf16> {fuse.name = "x", fuse.dims = ["N", "M"]})
    -> (tensor<?x?xbf16> {fuse.name = "p"}) {
  %p = fuse.softmax %x axis 1 : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return %p : tensor<?x?xbf16>
}
