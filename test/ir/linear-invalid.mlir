// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<f32>, %w: tensor<3x8xf32>) {
  // expected-error @+1 {{'fuse.linear' op expects x with at least one axis, but got rank 0}}
  %r = fuse.linear %x, %w : (tensor<f32>, tensor<3x8xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.linear' op expects the weight to have rank 2, but got 1}}
  %r = fuse.linear %x, %w : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<1x3x8xf32>) {
  // expected-error @+1 {{'fuse.linear' op expects the weight to have rank 2, but got 3}}
  %r = fuse.linear %x, %w : (tensor<4x8xf32>, tensor<1x3x8xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x3xf32>) {
  // expected-error @+1 {{'fuse.linear' op expects axis 1 of the weight to be 8, but got 3}}
  %r = fuse.linear %x, %w : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<3x8xf32>, %b: tensor<1x3xf32>) {
  // expected-error @+1 {{'fuse.linear' op expects the bias to have rank 1, but got 2}}
  %r = fuse.linear %x, %w bias %b : (tensor<4x8xf32>, tensor<3x8xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<3x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.linear' op expects axis 0 of the bias to be 3, but got 8}}
  %r = fuse.linear %x, %w bias %b : (tensor<4x8xf32>, tensor<3x8xf32>, tensor<8xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<3x8xf16>) {
  // expected-error @+1 {{'fuse.linear' op expects operand #1 of element type 'f32', but got 'f16'}}
  %r = fuse.linear %x, %w : (tensor<4x8xf32>, tensor<3x8xf16>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xbf16>, %w: tensor<3x8xbf16>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'fuse.linear' op expects operand #2 of element type 'bf16', but got 'f32'}}
  %r = fuse.linear %x, %w bias %b : (tensor<4x8xbf16>, tensor<3x8xbf16>, tensor<3xf32>) -> tensor<4x3xbf16>
  return
}

// -----

func.func @f(%x: tensor<4x8xbf16>, %w: tensor<3x8xbf16>) {
  // expected-error @+1 {{'fuse.linear' op expects a result of element type 'bf16', but got 'f32'}}
  %r = fuse.linear %x, %w : (tensor<4x8xbf16>, tensor<3x8xbf16>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf64>, %w: tensor<3x8xf64>) {
  // expected-error @+1 {{'fuse.linear' op expects f32 operands for precision bf16x6, but got 'f64'}}
  %r = fuse.linear %x, %w precision bf16x6 : (tensor<4x8xf64>, tensor<3x8xf64>) -> tensor<4x3xf64>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<3x8xf32>) {
  // expected-error @+1 {{'fuse.linear' op expects result type 'tensor<4x3xf32>', but got 'tensor<4x8xf32>'}}
  %r = fuse.linear %x, %w : (tensor<4x8xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4294967296x1xf32>, %w: tensor<2147483648x1xf32>) {
  // expected-error @+1 {{'fuse.linear' op expects a result of rank at most 8 and below 2^63 bytes, but it would be 'tensor<4294967296x2147483648xf32>'}}
  %r = fuse.linear %x, %w : (tensor<4294967296x1xf32>, tensor<2147483648x1xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'fuse.linear' 'precision' expects ieee, bf16x6, bf16x3, tf32 or bf16, but got 'fp8'}}
  %r = fuse.linear %x, %x precision fp8 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x4xi32>) {
  // expected-error @+1 {{'fuse.linear' op operand #0 must be ranked tensor of f16, bf16, f32 or f64, of rank at most 8 and below 2^63 bytes, but got 'tensor<4x4xi32>'}}
  %r = fuse.linear %x, %x : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
  return
}
