// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.compare' expects a comparison, one of eq, ne, lt, le, gt, ge, but got 'less'}}
  %y = fuse.compare less %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error-re @+1 {{'fuse.compare' expects a comparison, one of eq, ne, lt, le, gt, ge{{$}}}}
  %y = fuse.compare %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects a comparison, one of eq, ne, lt, le, gt, ge, but got 'less'}}
  %y = "fuse.compare"(%x, %x) {comparison = #fuse.comparison<less>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{'fuse.compare' op expects operand #1 of element type 'f32', but got 'i32'}}
  %z = fuse.compare lt %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{'fuse.compare' op expects axis 0 of operand #1 to be 4, but got 5}}
  %z = fuse.compare lt %x, %y : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<4x4xf32>) {
  // expected-error @+1 {{'fuse.compare' op expects operand #1 to have rank 1, but got 2}}
  %z = fuse.compare lt %x, %y : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.compare' op result #0 must be ranked tensor of i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xf32>'}}
  %y = fuse.compare lt %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.compare' op expects result type 'tensor<4xi1>', but got 'tensor<3xi1>'}}
  %y = fuse.compare lt %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<3xi1>
  return
}
