// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.iota' op expects either 'like' and a tensor or 'shape' and a list of dims}}
  %i = fuse.iota axis 0 like %x shape "4" : tensor<4xf32> -> tensor<4xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.iota' op expects either 'like' and a tensor or 'shape' and a list of dims}}
  %i = fuse.iota axis 0 : tensor<4xi32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.iota' op expects an axis from 0 to 0, but got 1}}
  %i = fuse.iota axis 1 like %x : tensor<4xf32> -> tensor<4xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.iota' op expects an axis from 0 to 1, but got -1}}
  %i = fuse.iota axis -1 shape "4 N" : tensor<4x?xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.iota' op expects a tensor with an axis, but got rank 0}}
  %i = fuse.iota axis 0 shape "" : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.iota' op expects a number or a name in dim expression '-', but got '-'}}
  %i = fuse.iota axis 0 shape "N - 1" : tensor<?xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.iota' op expects symbols with an upper-case initial in dim expression 'n', but got 'n'}}
  %i = fuse.iota axis 0 shape "4 n" : tensor<4x?xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.iota' op expects the dividend in '9/2' to be a multiple of 2, but got 9}}
  %i = fuse.iota axis 0 shape "9/2" : tensor<?xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.iota' op expects the dim '1-3' to be at least 0, but got -2}}
  %i = fuse.iota axis 0 shape "1-3" : tensor<?xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.iota' op expects a result of a float type or i32, but got 'i1'}}
  %i = fuse.iota axis 0 shape "4" : tensor<4xi1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.iota' op expects result type 'tensor<4xi32>', but got 'tensor<5xi32>'}}
  %i = fuse.iota axis 0 shape "4" : tensor<5xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.iota' op expects result type 'tensor<4x?xi32>', but got 'tensor<4xi32>'}}
  %i = fuse.iota axis 0 shape "4 N" : tensor<4xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.iota' op expects a result of rank at most 8 and below 2^63 bytes, but it would be 'tensor<1x1x1x1x1x1x1x1x1xi32>'}}
  %i = fuse.iota axis 0 shape "1 1 1 1 1 1 1 1 1" : tensor<1xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.iota' op expects a result of rank at most 8 and below 2^63 bytes, but it would be 'tensor<2305843009213693952xi32>'}}
  %i = fuse.iota axis 0 shape "2305843009213693952" : tensor<?xi32>
  return
}
