// RUN: fuse-opt %s --emit=cuda | FileCheck %s --match-full-lines
//
// Rows of unknown length: the sum is carried against the maximum so far, in one
// loop with a variable for each, and the results are another.

// CHECK: extern "C" __global__ void __launch_bounds__(64)
// CHECK-NEXT: reduce_0(const BFloat16 *x, BFloat16 *result0, int64_t M, int64_t N) {
// CHECK-NEXT:   using Tile2 = FragmentMap<2, Dim<Warp<2>>>;
// CHECK-NEXT:   using Tile2x1024 = FragmentMap<2, Dim<Warp<2>>, Dim<Reg<32>, Lane<32>>>;
// CHECK-NEXT:   using Scalar = FragmentMap<2>;
// CHECK-EMPTY:
// CHECK-NEXT:   const int64_t i0 = block_index() * 2;
// CHECK-NEXT:   const auto value = fill<Tile2>(-infinity_of<float>());
// CHECK-NEXT:   const auto value_1 = fill<Tile2>(0.0f);
// CHECK-NEXT:   auto total = value;
// CHECK-NEXT:   auto total_1 = value_1;
// CHECK-NEXT:   for (int64_t k = 0; k < M; k += 1024) {
// CHECK-NEXT:     const int64_t rest = M - k;
// CHECK-NEXT:     const auto x_tile = load<Tile2x1024>(x + i0 * M + k, strides(M, 1), limits(N - i0, rest), BFloat16(0.0f));
// CHECK-NEXT:     const auto x_tile_float = cast<float>(x_tile);
// CHECK-NEXT:     const auto masked = mask(x_tile_float, limits(2, rest), -infinity_of<float>());
// CHECK-NEXT:     const auto max_1 = reduce<Max, 1, Tile2>(masked);
// CHECK-NEXT:     const auto max_2 = max(total, max_1);
// CHECK-NEXT:     const auto holds = compare_eq(max_2, value);
// CHECK-NEXT:     const auto chosen = select(holds, value_1, max_2);
// CHECK-NEXT:     const auto sub_1 = sub(max_2, total);
// CHECK-NEXT:     const auto neg_1 = neg(sub_1);
// CHECK-NEXT:     const auto exp_1 = exp(neg_1);
// CHECK-NEXT:     const auto value_2 = fill<Tile2>(1.0f);
// CHECK-NEXT:     const auto holds_1 = compare_eq(total, value);
// CHECK-NEXT:     const auto chosen_1 = select(holds_1, value_2, exp_1);
// CHECK-NEXT:     const auto mul_1 = mul(total_1, chosen_1);
// CHECK-NEXT:     const auto chosen_all = broadcast<Tile2x1024, 1>(chosen);
// CHECK-NEXT:     const auto sub_2 = sub(x_tile_float, chosen_all);
// CHECK-NEXT:     const auto exp_2 = exp(sub_2);
// CHECK-NEXT:     const auto masked_1 = mask(exp_2, limits(2, rest), 0.0f);
// CHECK-NEXT:     const auto sum = reduce<Sum, 1, Tile2>(masked_1);
// CHECK-NEXT:     total_1 = add(mul_1, sum);
// CHECK-NEXT:     total = max_2;
// CHECK-NEXT:   }
// CHECK-NEXT:   const auto holds_2 = compare_eq(total, value);
// CHECK-NEXT:   const auto extent = fill<Scalar>(splat<int>(M));
// CHECK-NEXT:   const auto value_3 = fill<Scalar>(0);
// CHECK-NEXT:   const auto holds_3 = compare_gt(extent, value_3);
// CHECK-NEXT:   const auto logical_and_1 = logical_and(holds_2, holds_3);
// CHECK-NEXT:   const auto value_4 = fill<Tile2>(nan_of<float>());
// CHECK-NEXT:   const auto chosen_2 = select(logical_and_1, value_4, total_1);
// CHECK-NEXT:   for (int64_t k_1 = 0; k_1 < M; k_1 += 1024) {
// CHECK-NEXT:     const int64_t rest_1 = N - i0;
// CHECK-NEXT:     const int64_t rest_2 = M - k_1;
// CHECK-NEXT:     const int64_t offset = i0 * M + k_1;
// CHECK-NEXT:     const auto x_tile_1 = load<Tile2x1024>(x + offset, strides(M, 1), limits(rest_1, rest_2), BFloat16(0.0f));
// CHECK-NEXT:     const auto x_tile_1_float = cast<float>(x_tile_1);
// CHECK-NEXT:     const auto total_all = broadcast<Tile2x1024, 1>(total);
// CHECK-NEXT:     const auto sub_3 = sub(x_tile_1_float, total_all);
// CHECK-NEXT:     const auto exp_3 = exp(sub_3);
// CHECK-NEXT:     const auto chosen_2_all = broadcast<Tile2x1024, 1>(chosen_2);
// CHECK-NEXT:     const auto div_1 = div(exp_3, chosen_2_all);
// CHECK-NEXT:     const auto div_1_bfloat16 = cast<BFloat16>(div_1);
// CHECK-NEXT:     store(div_1_bfloat16, result0 + offset, strides(M, 1), limits(rest_1, rest_2));
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: FUSE_KERNEL_ENTRY(reduce_0)
func.func @main(%x: tensor<?x?xbf16> {fuse.name = "x", fuse.dims = ["N", "M"]})
    -> (tensor<?x?xbf16> {fuse.name = "p"}) {
  %p = fuse.softmax %x axis 1 : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return %p : tensor<?x?xbf16>
}
