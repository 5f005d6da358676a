// RUN: fuse-opt %s --emit=cuda | FileCheck %s --match-full-lines
//
// Rows that stay in registers; what is beyond the end of the tensor is neither
// read nor written, and masked in between.

// CHECK: extern "C" __global__ void __launch_bounds__(256)
// CHECK-NEXT: reduce_0(const float *x, const float *norm_weight, float *result0, int64_t N) {
// CHECK-NEXT:   using Tile16x128 = FragmentMap<8, Dim<Reg<2, 4>, Warp<8>>, Dim<Lane<32>, Reg<4>>>;
// CHECK-NEXT:   using Tile128 = FragmentMap<8, Dim<Lane<32>, Reg<4>>>;
// CHECK-NEXT:   using Tile16 = FragmentMap<8, Dim<Reg<2>, Warp<8>>>;
// CHECK-NEXT:   using Scalar = FragmentMap<8>;
// CHECK-EMPTY:
// CHECK-NEXT:   const int64_t i0 = block_index() * 16;
// CHECK-NEXT:   const int64_t offset = i0 * 100;
// CHECK-NEXT:   const int64_t rest = N - i0;
// CHECK-NEXT:   const auto x_tile = load<Tile16x128, 4>(x + offset, strides(100, 1), limits(rest, 100), 0.0f);
// CHECK-NEXT:   const auto norm_weight_tile = load<Tile128, 4>(norm_weight, strides(1), limits(100), 0.0f);
// CHECK-NEXT:   const auto mul_1 = mul(x_tile, x_tile);
// CHECK-NEXT:   const auto masked = mask(mul_1, limits(16, 100), 0.0f);
// CHECK-NEXT:   const auto sum = reduce<Sum, 1, Tile16>(masked);
// CHECK-NEXT:   const auto extent = fill<Scalar>(splat<float>(100));
// CHECK-NEXT:   const auto div_1 = div(sum, extent);
// CHECK-NEXT:   const auto value = fill<Scalar>(1e-05f);
// CHECK-NEXT:   const auto add_1 = add(div_1, value);
// CHECK-NEXT:   const auto rsqrt_1 = rsqrt(add_1);
// CHECK-NEXT:   const auto rsqrt_1_all = broadcast<Tile16x128, 1>(rsqrt_1);
// CHECK-NEXT:   const auto mul_2 = mul(x_tile, rsqrt_1_all);
// CHECK-NEXT:   const auto norm_weight_tile_all = broadcast<Tile16x128, 0>(norm_weight_tile);
// CHECK-NEXT:   const auto mul_3 = mul(mul_2, norm_weight_tile_all);
// CHECK-NEXT:   store<4>(mul_3, result0 + offset, strides(100, 1), limits(rest, 100));
// CHECK-NEXT: }
// CHECK-NEXT: FUSE_KERNEL_ENTRY(reduce_0)
func.func @main(%x: tensor<?x100xf32> {fuse.name = "x", fuse.dims = ["N", 100]},
                %gamma: tensor<100xf32> {fuse.name = "norm.weight"})
    -> (tensor<?x100xf32> {fuse.name = "y"}) {
  %y = fuse.rms_norm %x gamma %gamma axis 1 : (tensor<?x100xf32>, tensor<100xf32>) -> tensor<?x100xf32>
  return %y : tensor<?x100xf32>
}
