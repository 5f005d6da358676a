// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.cast' op expects result type 'tensor<4xf16>', but got 'tensor<5xf16>'}}
  %y = fuse.cast %x : tensor<4xf32> -> tensor<5xf16>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.cast' op expects result type 'tensor<4xf16>', but got 'tensor<4x1xf16>'}}
  %y = fuse.cast %x : tensor<4xf32> -> tensor<4x1xf16>
  return
}

// -----

// A smaller type may have had more elements.
func.func @f(%x: tensor<2305843009213693952xf16>) {
  // expected-error @+1 {{'fuse.cast' op expects a result of rank at most 8 and below 2^63 bytes, but it would be 'tensor<2305843009213693952xf32>'}}
  %y = fuse.cast %x : tensor<2305843009213693952xf16> -> tensor<?xf32>
  return
}

// -----

func.func @f(%x: tensor<4xi64>) {
  // expected-error @+1 {{'fuse.cast' op operand #0 must be ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xi64>'}}
  %y = fuse.cast %x : tensor<4xi64> -> tensor<4xi32>
  return
}
