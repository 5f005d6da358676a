// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.reduce' op expects an axis from 0 to 1, but got 2}}
  %r = fuse.reduce sum %x axes [2] : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.reduce' op expects an axis from 0 to 1, but got -1}}
  %r = fuse.reduce sum %x axes [-1] : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'fuse.reduce' op expects a tensor with an axis, but got rank 0}}
  %r = fuse.reduce sum %x axes [0] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.reduce' op expects each axis once, but got 1 twice}}
  %r = fuse.reduce sum %x axes [1, 1] : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x5xi1>) {
  // expected-error @+1 {{'fuse.reduce' op expects floating-point or i32 elements, but got 'i1'}}
  %r = fuse.reduce max %x axes [1] : (tensor<4x5xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%x: tensor<4x5xf16>) {
  // expected-error @+1 {{'fuse.reduce' op expects a result of element type 'f16', but got 'f32'}}
  %r = fuse.reduce sum %x axes [1] : (tensor<4x5xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.reduce' op expects result type 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  %r = fuse.reduce sum %x axes [1] : (tensor<4x5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%x: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.reduce' op expects result type 'tensor<4xf32>', but got 'tensor<4x1xf32>'}}
  %r = fuse.reduce sum %x axes [1] : (tensor<4x5xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected one of [sum, max, min] for the monoid of a reduction, got: mean}}
  %r = fuse.reduce mean %x axes [0] : (tensor<4xf32>) -> tensor<f32>
  return
}
