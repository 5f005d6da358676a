// Patterns that do not fit the operands, and types and attributes.
//
// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects pattern 't h d' to name 2 axes of the query, but got 3}}
  %o = fuse.attention %q, %k, %v "t h d, s h d, s e -> t h e" scores "h t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects pattern 's d' to name 1 axes of the key, but got 2}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects pattern 's e f' to name 2 axes of the value, but got 3}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e f -> t e f" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x7xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects axis 1 of the key to be 8, but got 7}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x7xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<6x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects axis 0 of the value to be 5, but got 6}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects at most one factor of (c d) without a known extent, but got 'c' and 'd'}}
  %o = fuse.attention %q, %k, %v "t (c d), s (c d), s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// The number of query heads is a multiple of that of key heads.
func.func @f(%q: tensor<4x8x2xf32>, %k: tensor<5x3x2xf32>, %v: tensor<5x3x2xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects axis 1 of the query to be a multiple of 3, but got 8}}
  %o = fuse.attention %q, %k, %v "t (g r) d, s g d, s g e -> t (g r) e" scores "(g r) t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8x2xf32>, tensor<5x3x2xf32>, tensor<5x3x2xf32>) -> tensor<4x8x2xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf16>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects operand #1 of element type 'f32', but got 'f16'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf16>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf16>, %k: tensor<5x8xf16>, %v: tensor<5x6xf16>) {
  // expected-error @+1 {{'fuse.attention' op expects a result of element type 'f16', but got 'f32'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf16>, tensor<5x8xf16>, tensor<5x6xf16>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf64>, %k: tensor<5x8xf64>, %v: tensor<5x6xf64>) {
  // expected-error @+1 {{'fuse.attention' op expects f32 operands for precision tf32, but got 'f64'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" precision tf32 {
  ^bb0(%s: tensor<4x5xf64>):
    fuse.yield %s : tensor<4x5xf64>
  } : (tensor<4x8xf64>, tensor<5x8xf64>, tensor<5x6xf64>) -> tensor<4x6xf64>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects result type 'tensor<4x6xf32>', but got 'tensor<4x8xf32>'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' 'masked_rows' expects nan or zero, but got 'none'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" masked_rows none {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' 'precision' expects ieee, bf16x6, bf16x3, tf32 or bf16, but got 'half'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" precision half {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}
