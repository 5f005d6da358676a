// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.softmax' op expects an axis from 0 to 1, but got 2}}
  %r = fuse.softmax %x axis 2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.softmax' op expects an axis from 0 to 1, but got -1}}
  %r = fuse.softmax %x axis -1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'fuse.softmax' op expects a tensor with an axis, but got rank 0}}
  %r = fuse.softmax %x axis 0 : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'fuse.softmax' op expects a result of element type 'bf16', but got 'f32'}}
  %r = fuse.softmax %x axis 1 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.softmax' op expects result type 'tensor<4x8xf32>', but got 'tensor<8x4xf32>'}}
  %r = fuse.softmax %x axis 1 : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.softmax' 'masked_rows' expects nan or zero, but got 'one'}}
  %r = fuse.softmax %x axis 1 masked_rows one : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected valid keyword}}
  %r = fuse.softmax %x axis 1 masked_rows 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xi1>) {
  // expected-error @+1 {{'fuse.softmax' op operand #0 must be ranked tensor of f16, bf16, f32 or f64, of rank at most 8 and below 2^63 bytes, but got 'tensor<4x8xi1>'}}
  %r = fuse.softmax %x axis 1 : (tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
