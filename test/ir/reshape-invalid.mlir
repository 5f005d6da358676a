// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects '->' in pattern 'n d'}}
  %r = fuse.reshape %x "n d" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects groups that do not nest in pattern 'n (4 (d e))'}}
  %r = fuse.reshape %x "n (4 (d e)) -> n 4 d e" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects '(' before ')' in pattern 'n d)'}}
  %r = fuse.reshape %x "n d) -> n d" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects a factor inside '()'; write 1 for an axis of extent one in pattern 'n d ()'}}
  %r = fuse.reshape %x "n d -> n d ()" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects ')' in pattern '(n d'}}
  %r = fuse.reshape %x "n d -> (n d" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects a name or a number, but got '*' in pattern 'n (4 * d)'}}
  %r = fuse.reshape %x "n (4 * d) -> n 4 d" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects a pattern of 1 operand, but got 2 in 'n (h d), h p -> n h d'}}
  %r = fuse.reshape %x "n (h d), h p -> n h d" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>, %y: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects a pattern of 2 operands, but got 1 in 'n (h d) -> n h d'}}
  %r = fuse.reshape %x like %y "n (h d) -> n h d" : (tensor<?x96xf32>, tensor<4x8xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects each index once in pattern 'n (n 4)', but 'n' is repeated}}
  %r = fuse.reshape %x "n (n 4) -> n n 4" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects each index once in pattern 'n 4 d d', but 'd' is repeated}}
  %r = fuse.reshape %x "n (4 d) -> n 4 d d" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects the same factors on both sides of 'n (4 d) -> n d'}}
  %r = fuse.reshape %x "n (4 d) -> n d" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects the same factors on both sides of 'n (4 d) -> n 2 d'}}
  %r = fuse.reshape %x "n (4 d) -> n 2 d" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

// Two factors of the same number could not be told apart.
func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects each index once in pattern 'n (4 4 d)', but '4' is repeated}}
  %r = fuse.reshape %x "n (4 4 d) -> n 4 d 4" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects pattern 'n' to name 2 axes of the source, but got 1}}
  %r = fuse.reshape %x "n -> n" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>, %y: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects pattern 'h' to name 2 axes of the tensor after 'like', but got 1}}
  %r = fuse.reshape %x like %y "n (h d), h -> n h d" : (tensor<?x96xf32>, tensor<4x8xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects at most one factor of (h d) without a known extent, but got 'h' and 'd'}}
  %r = fuse.reshape %x "n (h d) -> n h d" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects axis 1 of the source to be a multiple of 5, but got 96}}
  %r = fuse.reshape %x "n (5 d) -> n 5 d" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects axis 1 of the source to be a multiple of 0, but got 96}}
  %r = fuse.reshape %x "n (0 d) -> n 0 d" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects axis 1 of the source to be 80, but got 96}}
  %r = fuse.reshape %x "n (5 16) -> n 5 16" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects axis 1 of the source to be 1, but got 96}}
  %r = fuse.reshape %x "n 1 -> n" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>, %y: tensor<7x8xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects axis 1 of the source to be a multiple of 7, but got 96}}
  %r = fuse.reshape %x like %y "n (h d), h p -> n h d" : (tensor<?x96xf32>, tensor<7x8xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>, %y: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects axis 1 of the source to be 32, but got 96}}
  %r = fuse.reshape %x like %y "n (h d), h d -> n h d" : (tensor<?x96xf32>, tensor<4x8xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

// Nothing follows from an extent of 0.
func.func @f(%x: tensor<5x0xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects axis 1 of the source to be divisible by 0, but got 0}}
  %r = fuse.reshape %x "n (0 d) -> n 0 d" : (tensor<5x0xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects a result of element type 'f32', but got 'f16'}}
  %r = fuse.reshape %x "n (4 d) -> n 4 d" : (tensor<?x96xf32>) -> tensor<?x4x24xf16>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects result type 'tensor<?x4x24xf32>', but got 'tensor<?x4x25xf32>'}}
  %r = fuse.reshape %x "n (4 d) -> n 4 d" : (tensor<?x96xf32>) -> tensor<?x4x25xf32>
  return
}

// -----

func.func @f(%x: tensor<?x96xf32>) {
  // expected-error @+1 {{'fuse.reshape' op expects a result of rank at most 8 and below 2^63 bytes, but it would be 'tensor<?x96x1x1x1x1x1x1x1xf32>'}}
  %r = fuse.reshape %x "n d -> n d 1 1 1 1 1 1 1" : (tensor<?x96xf32>) -> tensor<?x?x?xf32>
  return
}
