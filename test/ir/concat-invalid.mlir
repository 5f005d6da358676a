// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'fuse.concat' op expects at least one operand}}
  %r = fuse.concat axis 0 : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<5x8xf32>) {
  // expected-error @+1 {{'fuse.concat' op expects an axis from 0 to 1, but got 2}}
  %r = fuse.concat %a, %b axis 2 : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<9x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<5x8xf32>) {
  // expected-error @+1 {{'fuse.concat' op expects an axis from 0 to 1, but got -1}}
  %r = fuse.concat %a, %b axis -1 : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<9x8xf32>
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error @+1 {{'fuse.concat' op expects a tensor with an axis, but got rank 0}}
  %r = fuse.concat %a axis 0 : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<5x8xf32>) {
  // expected-error @+1 {{'fuse.concat' op expects axis 0 of operand #1 to be 4, but got 5}}
  %r = fuse.concat %a, %b axis 1 : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.concat' op expects operand #2 to have rank 2, but got 1}}
  %r = fuse.concat %a, %a, %b axis 0 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<9x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf16>) {
  // expected-error @+1 {{'fuse.concat' op expects operand #1 of element type 'f32', but got 'f16'}}
  %r = fuse.concat %a, %b axis 0 : (tensor<4x8xf32>, tensor<4x8xf16>) -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<5x8xf32>) {
  // expected-error @+1 {{'fuse.concat' op expects a result of element type 'f32', but got 'f16'}}
  %r = fuse.concat %a, %b axis 0 : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<9x8xf16>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<5x8xf32>) {
  // expected-error @+1 {{'fuse.concat' op expects result type 'tensor<9x8xf32>', but got 'tensor<8x8xf32>'}}
  %r = fuse.concat %a, %b axis 0 : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<1152921504606846976xf32>) {
  // expected-error @+1 {{'fuse.concat' op expects a result of rank at most 8 and below 2^63 bytes, but it would be 'tensor<2305843009213693952xf32>'}}
  %r = fuse.concat %a, %a axis 0 : (tensor<1152921504606846976xf32>, tensor<1152921504606846976xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<4611686018427387904xi1>) {
  // expected-error @+1 {{'fuse.concat' op expects a result with dims below 2^63}}
  %r = fuse.concat %a, %a axis 0 : (tensor<4611686018427387904xi1>, tensor<4611686018427387904xi1>) -> tensor<?xi1>
  return
}
