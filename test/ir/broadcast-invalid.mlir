// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects '->' in pattern 'd'}}
  %r = fuse.broadcast %x "d" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects a name or a number, but got '?' in pattern '? d'}}
  %r = fuse.broadcast %x "d -> ? d" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects a name or a number, but got 'd,' in pattern 'd, n'}}
  %r = fuse.broadcast %x "d -> d, n" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects a name or a number, but got '2n' in pattern '2n d'}}
  %r = fuse.broadcast %x "d -> 2n d" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects a name or a number, but got '9223372036854775808' in pattern '9223372036854775808 d'}}
  %r = fuse.broadcast %x "d -> 9223372036854775808 d" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects a name or a number, but got '_n' in pattern '_n d'}}
  %r = fuse.broadcast %x "d -> _n d" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects a pattern of 1 operand, but got 2 in 'd, n -> n d'}}
  %r = fuse.broadcast %x "d, n -> n d" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects no groups in broadcast pattern 'd -> (3 d)'}}
  %r = fuse.broadcast %x "d -> (3 d)" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects no groups in broadcast pattern '(a b) -> 3 a b'}}
  %r = fuse.broadcast %x "(a b) -> 3 a b" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects each index once in pattern 'd d', but 'd' is repeated}}
  %r = fuse.broadcast %x "d d -> 3 d" : (tensor<4x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects each index once in pattern 'd d', but 'd' is repeated}}
  %r = fuse.broadcast %x "d -> d d" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects names for the axes of the source, but got '4'}}
  %r = fuse.broadcast %x "4 -> 3 4" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects each source index in the result, but 'd' is not in 'n 4'}}
  %r = fuse.broadcast %x "d -> n 4" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects pattern 'a b' to name 1 axes of the source, but got 2}}
  %r = fuse.broadcast %x "a b -> 3 a b" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<3x4x5xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects pattern 'n d' to name 3 axes of the tensor after 'like', but got 2}}
  %r = fuse.broadcast %x "d -> n d" like %y : (tensor<4xf32>, tensor<3x4x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects index 'n' to have a known extent: name it in an operand, or use a number or a symbol}}
  %r = fuse.broadcast %x "d -> n d" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<3x5xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects axis 1 of the tensor after 'like' to be 4, but got 5}}
  %r = fuse.broadcast %x "d -> n d" like %y : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<2x4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects axis 0 of the tensor after 'like' to be 3, but got 2}}
  %r = fuse.broadcast %x "d -> 3 d" like %y : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects a result of element type 'f32', but got 'f16'}}
  %r = fuse.broadcast %x "d -> 3 d" : (tensor<4xf32>) -> tensor<3x4xf16>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects result type 'tensor<3x4xf32>', but got 'tensor<4x3xf32>'}}
  %r = fuse.broadcast %x "d -> 3 d" : (tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects a result of rank at most 8 and below 2^63 bytes, but it would be 'tensor<1x1x1x1x1x1x1x1x4xf32>'}}
  %r = fuse.broadcast %x "d -> 1 1 1 1 1 1 1 1 d" : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op expects a result of rank at most 8 and below 2^63 bytes, but it would be 'tensor<9223372036854775807x4xf32>'}}
  %r = fuse.broadcast %x "d -> 9223372036854775807 d" : (tensor<4xf32>) -> tensor<?x4xf32>
  return
}
