// What indices may be where, whatever the operands are.
//
// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects '->' in pattern 't d, s d, s e'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects ')' in pattern '(t d'}}
  %o = fuse.attention %q, %k, %v "(t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects a name or a number, but got '*' in pattern 't *'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t *" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects a pattern of 3 operands, but got 2 in 't d, s d -> t d'}}
  %o = fuse.attention %q, %k, %v "t d, s d -> t d" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects names only in attention patterns, but got '8'}}
  %o = fuse.attention %q, %k, %v "t 8, s 8, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects names only in attention patterns, but got '1'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "1 t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects each index once in pattern 't t', but 't' is repeated}}
  %o = fuse.attention %q, %k, %v "t t, s t, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects each index once in pattern 't s s', but 's' is repeated}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects at most 8 indices in pattern '(a b c d) (f g h i j)', but got 9}}
  %o = fuse.attention %q, %k, %v "(a b c d) (f g h i j), s a b c d f g h i, s e -> a e" scores "a s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects the last axis of scores '' to be the key position}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects the last axis of scores '(t s)' to be the key position}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "(t s)" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects the key position 't' in key and value, and not in query and result}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "s t" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects the key position 's' in key and value, and not in query and result}}
  %o = fuse.attention %q, %k, %v "t d, s d, u e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects the key position 's' in key and value, and not in query and result}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t s" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects the key position 's' in key and value, and not in query and result}}
  %o = fuse.attention %q, %k, %v "t s d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects the key position 's' in key and value, and not in query and result}}
  %o = fuse.attention %q, %k, %v "t d, d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects each score index in query or key, but 'u' is in neither}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "u t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects each score index but the key position in the result, but 't' is not}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects each query index in key or scores, but 'd' is in neither}}
  %o = fuse.attention %q, %k, %v "t d, s c, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects each key index in query or scores, but 'c' is in neither}}
  %o = fuse.attention %q, %k, %v "t d, s d c, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects each value index but the key position in the result, but 'e' is not}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects each result index in scores or value, but 'u' is in neither}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t u e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}
