// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{'fuse.transpose' op expects an axis from 0 to 1, but got 2}}
  %r = fuse.transpose %x [0, 2] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{'fuse.transpose' op expects an axis from 0 to 1, but got -1}}
  %r = fuse.transpose %x [-1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'fuse.transpose' op expects a tensor with an axis, but got rank 0}}
  %r = fuse.transpose %x [0] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{'fuse.transpose' op expects a permutation, but axis 1 is repeated}}
  %r = fuse.transpose %x [1, 1] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{'fuse.transpose' op expects a permutation, but axis 1 is repeated}}
  %r = fuse.transpose %x [1, 0, 1] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{'fuse.transpose' op expects a permutation of 2 axes, but got 1}}
  %r = fuse.transpose %x [0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{'fuse.transpose' op expects a permutation of 2 axes, but got 0}}
  %r = fuse.transpose %x [] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{'fuse.transpose' op expects a result of element type 'f32', but got 'f16'}}
  %r = fuse.transpose %x [1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf16>
  return
}

// -----

func.func @f(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{'fuse.transpose' op expects result type 'tensor<?x4xf32>', but got 'tensor<4x5xf32>'}}
  %r = fuse.transpose %x [1, 0] : (tensor<4x?xf32>) -> tensor<4x5xf32>
  return
}
