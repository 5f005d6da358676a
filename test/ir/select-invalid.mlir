// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%c: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.select' op operand #0 must be ranked tensor of i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xf32>'}}
  %y = fuse.select %c, %c, %c : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error @+1 {{'fuse.select' op expects operand #2 of element type 'f32', but got 'f16'}}
  %z = fuse.select %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%c: tensor<4xi1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.select' op expects a result of element type 'f32', but got 'f16'}}
  %z = fuse.select %c, %x, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @f(%c: tensor<4xi1>, %x: tensor<5xf32>) {
  // expected-error @+1 {{'fuse.select' op expects axis 0 of operand #1 to be 4, but got 5}}
  %z = fuse.select %c, %x, %x : (tensor<4xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%c: tensor<4xi1>, %x: tensor<1x4xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.select' op expects operand #1 to have rank 1, but got 2}}
  %z = fuse.select %c, %x, %y : (tensor<4xi1>, tensor<1x4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%c: tensor<i1>, %x: tensor<?xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.select' op expects result type 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  %z = fuse.select %c, %x, %y : (tensor<i1>, tensor<?xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}
