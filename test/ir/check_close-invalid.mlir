// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: tensor<4xf16>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.check.close' op expects operand #0 of element type 'f32', but got 'f16'}}
  fuse.check.close %a, %b rtol 1.0e-6 atol 0.0 : tensor<4xf16>, tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<4x6xf32>) {
  // expected-error @+1 {{'fuse.check.close' op expects axis 1 of operand #0 to be 6, but got 5}}
  fuse.check.close %a, %b rtol 1.0e-6 atol 0.0 : tensor<4x5xf32>, tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<4x1xf32>) {
  // expected-error @+1 {{'fuse.check.close' op expects operand #0 to have rank 2, but got 1}}
  fuse.check.close %a, %b rtol 1.0e-6 atol 0.0 : tensor<4xf32>, tensor<4x1xf32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'fuse.check.close' op operand #0 must be ranked tensor of f16, bf16, f32 or f64, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xi32>'}}
  fuse.check.close %a, %b rtol 1.0e-6 atol 0.0 : tensor<4xi32>, tensor<4xi32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.check.close' op expects rtol to be finite and at least 0, but got -1}}
  fuse.check.close %a, %b rtol -1.0 atol 0.0 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.check.close' op expects atol to be finite and at least 0, but got -0.5}}
  fuse.check.close %a, %b rtol 0.0 atol -0.5 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.check.close' op expects rtol to be finite and at least 0, but got NaN}}
  fuse.check.close %a, %b rtol 0x7FF8000000000000 atol 0.0 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.check.close' op expects atol to be finite and at least 0, but got +Inf}}
  fuse.check.close %a, %b rtol 0.0 atol 0x7FF0000000000000 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected 'rtol'}}
  fuse.check.close %a, %a atol 0.0 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected floating point literal}}
  fuse.check.close %a, %a rtol low atol 0.0 : tensor<4xf32>, tensor<4xf32>
  return
}
