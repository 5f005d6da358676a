// RUN: fuse-opt %s --emit=cuda | FileCheck %s --match-full-lines
//
// Pieces are read where they are, which a tile of booleans says.

// CHECK: extern "C" __global__ void __launch_bounds__(256)
// CHECK-NEXT: concat_0(const float *x, const float *y, float *result0, int64_t M, int64_t N) {
// CHECK-NEXT:   using Tile2x1024 = FragmentMap<8, Dim<Warp<2, 4>>, Dim<Reg<8>, Warp<4>, Lane<32>>>;
// CHECK-NEXT:   using Scalar = FragmentMap<8>;
// CHECK-EMPTY:
// CHECK-NEXT:   const int64_t offset = 8 + M;
// CHECK-NEXT:   int64_t tile = block_index();
// CHECK-NEXT:   const int64_t i1 = take_coordinate(tile, (8 + M + 1023) / 1024) * 1024;
// CHECK-NEXT:   const int64_t i0 = tile * 2;
// CHECK-NEXT:   const auto index = iota<Tile2x1024, 1>(i1);
// CHECK-NEXT:   const auto extent = fill<Scalar>(splat<int>(0));
// CHECK-NEXT:   const auto holds = compare_ge(index, extent);
// CHECK-NEXT:   const auto extent_1 = fill<Scalar>(splat<int>(M));
// CHECK-NEXT:   const auto holds_1 = compare_lt(index, extent_1);
// CHECK-NEXT:   const auto logical_and_1 = logical_and(holds, holds_1);
// CHECK-NEXT:   const int64_t rest = N - i0;
// CHECK-NEXT:   const int64_t rest_1 = offset - i1;
// CHECK-NEXT:   const auto x_tile = load_if<Tile2x1024>(x + i0 * M + i1, strides(M, 1), limits(rest, rest_1), logical_and_1, 0.0f);
// CHECK-NEXT:   const auto holds_2 = compare_ge(index, extent_1);
// CHECK-NEXT:   const auto extent_2 = fill<Scalar>(splat<int>(offset));
// CHECK-NEXT:   const auto holds_3 = compare_lt(index, extent_2);
// CHECK-NEXT:   const auto logical_and_2 = logical_and(holds_2, holds_3);
// CHECK-NEXT:   const auto y_tile = load_if<Tile2x1024>(y + i0 * 8 + i1 + M * -1, strides(8, 1), limits(rest, rest_1), logical_and_2, 0.0f);
// CHECK-NEXT:   const auto chosen = select(logical_and_2, y_tile, x_tile);
// CHECK-NEXT:   store(chosen, result0 + i0 * offset + i1, strides(offset, 1), limits(rest, rest_1));
// CHECK-NEXT: }
// CHECK-NEXT: FUSE_KERNEL_ENTRY(concat_0)
func.func @main(%x: tensor<?x?xf32> {fuse.name = "x", fuse.dims = ["N", "M"]}, %y: tensor<?x8xf32> {fuse.name = "y", fuse.dims = ["N", 8]})
    -> (tensor<?x?xf32> {fuse.name = "z"}) {
  %z = fuse.concat %x, %y axis 1 : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x?xf32>
  return %z : tensor<?x?xf32>
}
