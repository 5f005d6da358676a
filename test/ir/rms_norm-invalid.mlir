// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op expects an axis from 0 to 1, but got 2}}
  %r = fuse.rms_norm %x axis 2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op expects an axis from 0 to 1, but got -1}}
  %r = fuse.rms_norm %x axis -1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'fuse.rms_norm' op expects a tensor with an axis, but got rank 0}}
  %r = fuse.rms_norm %x axis 0 : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %g: tensor<1x8xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op expects gamma to have rank 1, but got 2}}
  %r = fuse.rms_norm %x gamma %g axis 1 : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %g: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op expects axis 0 of gamma to be 8, but got 4}}
  %r = fuse.rms_norm %x gamma %g axis 1 : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %g: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op expects axis 0 of gamma to be 4, but got 8}}
  %r = fuse.rms_norm %x gamma %g axis 0 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf16>, %g: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op expects operand #1 of element type 'f16', but got 'f32'}}
  %r = fuse.rms_norm %x gamma %g axis 1 : (tensor<4x8xf16>, tensor<8xf32>) -> tensor<4x8xf16>
  return
}

// -----

func.func @f(%x: tensor<4x8xf16>) {
  // expected-error @+1 {{'fuse.rms_norm' op expects a result of element type 'f16', but got 'f32'}}
  %r = fuse.rms_norm %x axis 1 : (tensor<4x8xf16>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op expects result type 'tensor<4x8xf32>', but got 'tensor<4xf32>'}}
  %r = fuse.rms_norm %x axis 1 : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op expects eps to be finite and at least 0, but got -0.5}}
  %r = fuse.rms_norm %x axis 1 eps -0.5 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op expects eps to be finite and at least 0, but got +Inf}}
  %r = fuse.rms_norm %x axis 1 eps 0x7FF0000000000000 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op expects eps to be finite and at least 0, but got NaN}}
  %r = fuse.rms_norm %x axis 1 eps 0x7FF8000000000000 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected floating point literal}}
  %r = fuse.rms_norm %x axis 0 eps "small" : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xi32>) {
  // expected-error @+1 {{'fuse.rms_norm' op operand #0 must be ranked tensor of f16, bf16, f32 or f64, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xi32>'}}
  %r = fuse.rms_norm %x axis 0 : (tensor<4xi32>) -> tensor<4xi32>
  return
}
