// RUN: fuse-opt %s --fuse-pipeline=fuse=false --emit=cuda | FileCheck %s --match-full-lines
//
// One kernel an op; numbers, types and functions as C++ spells them.

// CHECK: extern "C" __global__ void __launch_bounds__(256)
// CHECK-NEXT: compare_0(const int *and_1, bool *result0, int64_t M, int64_t N) {
// CHECK-NEXT:   using Scalar = FragmentMap<8>;
// CHECK-NEXT:   using Tile2x1024 = FragmentMap<8, Dim<Warp<2, 4>>, Dim<Reg<8>, Warp<4>, Lane<32>>>;
// CHECK-EMPTY:
// CHECK-NEXT:   const auto and_1_tile = load<Scalar>(and_1, strides());
// CHECK-NEXT:   int64_t tile = block_index();
// CHECK-NEXT:   const int64_t i1 = take_coordinate(tile, (M + 1023) / 1024) * 1024;
// CHECK-NEXT:   const int64_t i0 = tile * 2;
// CHECK-NEXT:   const auto index = iota<Tile2x1024, 0>(i0);
// CHECK-NEXT:   const auto holds = compare_lt(index, and_1_tile);
// CHECK-NEXT:   store(holds, result0 + i0 * M + i1, strides(M, 1), limits(N - i0, M - i1));
// CHECK-NEXT: }
// CHECK-NEXT: FUSE_KERNEL_ENTRY(compare_0)

// CHECK: extern "C" __global__ void __launch_bounds__(128)
// CHECK-NEXT: select_0(const bool *arg0, const float *x, float *result0, int64_t M, int64_t N) {
// CHECK-NEXT:   using Tile1024 = FragmentMap<4, Dim<Reg<8>, Warp<4>, Lane<32>>>;
// CHECK-NEXT:   using Scalar = FragmentMap<4>;
// CHECK-EMPTY:
// CHECK-NEXT:   const int64_t i0 = block_index() * 1024;
// CHECK-NEXT:   const int64_t rest = M * N - i0;
// CHECK-NEXT:   const auto arg0_tile = load<Tile1024>(arg0 + i0, strides(1), limits(rest), false);
// CHECK-NEXT:   const auto x_tile = load<Tile1024>(x + i0, strides(1), limits(rest), 0.0f);
// CHECK-NEXT:   const auto value = fill<Scalar>(-infinity_of<float>());
// CHECK-NEXT:   const auto chosen = select(arg0_tile, x_tile, value);
// CHECK-NEXT:   store(chosen, result0 + i0, strides(1), limits(rest));
// CHECK-NEXT: }
// CHECK-NEXT: FUSE_KERNEL_ENTRY(select_0)

// CHECK: extern "C" __global__ void __launch_bounds__(128)
// CHECK-NEXT: map_0(const bool *arg0, bool *result0, int64_t M, int64_t N) {
// CHECK-NEXT:   using Tile1024 = FragmentMap<4, Dim<Reg<8>, Warp<4>, Lane<32>>>;
// CHECK-EMPTY:
// CHECK-NEXT:   const int64_t i0 = block_index() * 1024;
// CHECK-NEXT:   const int64_t rest = M * N - i0;
// CHECK-NEXT:   const auto arg0_tile = load<Tile1024>(arg0 + i0, strides(1), limits(rest), false);
// CHECK-NEXT:   const auto logical_and_1 = logical_and(arg0_tile, arg0_tile);
// CHECK-NEXT:   store(logical_and_1, result0 + i0, strides(1), limits(rest));
// CHECK-NEXT: }
// CHECK-NEXT: FUSE_KERNEL_ENTRY(map_0)

// CHECK: extern "C" __global__ void __launch_bounds__(128)
// CHECK-NEXT: cast_0(const float *arg0, Half *result0, int64_t M, int64_t N) {
// CHECK-NEXT:   using Tile1024 = FragmentMap<4, Dim<Reg<8>, Warp<4>, Lane<32>>>;
// CHECK-EMPTY:
// CHECK-NEXT:   const int64_t i0 = block_index() * 1024;
// CHECK-NEXT:   const int64_t rest = M * N - i0;
// CHECK-NEXT:   const auto arg0_tile = load<Tile1024>(arg0 + i0, strides(1), limits(rest), 0.0f);
// CHECK-NEXT:   const auto arg0_tile_half = cast<Half>(arg0_tile);
// CHECK-NEXT:   store(arg0_tile_half, result0 + i0, strides(1), limits(rest));
// CHECK-NEXT: }
// CHECK-NEXT: FUSE_KERNEL_ENTRY(cast_0)

// CHECK: extern "C" __global__ void __launch_bounds__(256)
// CHECK-NEXT: copy(int *result0, int64_t M, int64_t N) {
// CHECK-NEXT:   using Tile2x1024 = FragmentMap<8, Dim<Warp<2, 4>>, Dim<Reg<8>, Warp<4>, Lane<32>>>;
// CHECK-EMPTY:
// CHECK-NEXT:   int64_t tile = block_index();
// CHECK-NEXT:   const int64_t i1 = take_coordinate(tile, (M + 1023) / 1024) * 1024;
// CHECK-NEXT:   const int64_t i0 = tile * 2;
// CHECK-NEXT:   const auto index = iota<Tile2x1024, 0>(i0);
// CHECK-NEXT:   store(index, result0 + i1 + i0 * M, strides(M, 1), limits(N - i0, M - i1));
// CHECK-NEXT: }
// CHECK-NEXT: FUSE_KERNEL_ENTRY(copy)
func.func @main(%x: tensor<?x?xf32> {fuse.name = "x", fuse.dims = ["N", "M"]}, %k: tensor<i32> {fuse.name = "and"}) -> (tensor<?x?xf32> {fuse.name = "y"}, tensor<?x?xi1> {fuse.name = "mask"}, tensor<?x?xf16>, tensor<?xi32>) {
  %zero = fuse.constant -inf : tensor<f32>
  %rows = fuse.iota axis 0 like %x : tensor<?x?xf32> -> tensor<?x?xi32>
  %mask = fuse.compare lt %rows, %k : (tensor<?x?xi32>, tensor<i32>) -> tensor<?x?xi1>
  %y = fuse.select %mask, %x, %zero : (tensor<?x?xi1>, tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %both = fuse.map and %mask, %mask : (tensor<?x?xi1>, tensor<?x?xi1>) -> tensor<?x?xi1>
  %h = fuse.cast %y : tensor<?x?xf32> -> tensor<?x?xf16>
  %flat = fuse.reshape %rows "n m -> (n m)" : (tensor<?x?xi32>) -> tensor<?xi32>
  return %y, %both, %h, %flat : tensor<?x?xf32>, tensor<?x?xi1>, tensor<?x?xf16>, tensor<?xi32>
}
