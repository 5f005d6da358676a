// RUN: fuse-opt %s --split-input-file --verify-diagnostics \
// RUN:   --allow-unregistered-dialect

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

// -----

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

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects a region with one argument of type 'tensor<4x5xf32>', but got ()}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// Scores are f32 whatever the operands are.
func.func @f(%q: tensor<4x8xf16>, %k: tensor<5x8xf16>, %v: tensor<5x6xf16>) {
  // expected-error @+1 {{'fuse.attention' op expects a region with one argument of type 'tensor<4x5xf32>', but got ('tensor<4x5xf16>')}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf16>):
    fuse.yield %s : tensor<4x5xf16>
  } : (tensor<4x8xf16>, tensor<5x8xf16>, tensor<5x6xf16>) -> tensor<4x6xf16>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects a region with one argument of type 'tensor<4x5xf32>', but got ('tensor<5x4xf32>')}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<5x4xf32>):
    fuse.yield %s : tensor<5x4xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf64>, %k: tensor<5x8xf64>, %v: tensor<5x6xf64>) {
  // expected-error @+1 {{'fuse.attention' op expects a region with one argument of type 'tensor<4x5xf64>', but got ('tensor<4x5xf32>')}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf64>, tensor<5x8xf64>, tensor<5x6xf64>) -> tensor<4x6xf64>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects a region with one argument of type 'tensor<4x5xf32>', but got ('f32')}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: f32):
    fuse.yield
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects a region with one argument of type 'tensor<4x5xf32>', but got ('tensor<4x5xf32>', 'tensor<4x5xf32>')}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>, %t: tensor<4x5xf32>):
    fuse.yield %s : tensor<4x5xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+3 {{'fuse.yield' op expects to yield scores of type 'tensor<4x5xf32>', but got 'none'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>) {
  // expected-error @+4 {{'fuse.yield' op expects to yield scores of type 'tensor<4x5xf32>', but got 'tensor<4x5xf16>'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    %t = fuse.cast %s : tensor<4x5xf32> -> tensor<4x5xf16>
    fuse.yield %t : tensor<4x5xf16>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %t: tensor<4x6xf32>) {
  // expected-error @+3 {{'fuse.yield' op expects to yield scores of type 'tensor<4x5xf32>', but got 'tensor<4x6xf32>'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %t : tensor<4x6xf32>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %t: tensor<4x5xi1>) {
  // expected-error @+3 {{'fuse.yield' op operand #0 must be ranked tensor of f16, bf16, f32 or f64, of rank at most 8 and below 2^63 bytes, but got 'tensor<4x5xi1>'}}
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x5xf32>):
    fuse.yield %t : tensor<4x5xi1>
  } : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%q: tensor<4x4xf32>) {
  // expected-error @+1 {{'fuse.attention' op expects region #0 to have 0 or 1 blocks}}
  %o = "fuse.attention"(%q, %q, %q) <{pattern = "t d, s d, s e -> t e", scores = "t s"}> ({
  ^bb0(%s: tensor<4x4xf32>):
    fuse.yield %s : tensor<4x4xf32>
  ^bb1:
    fuse.yield
  }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%q: tensor<4x4xf32>) {
  // expected-error @+1 {{'fuse.attention' op region #0 ('score') failed to verify constraint: region with 1 blocks}}
  %o = "fuse.attention"(%q, %q, %q) <{pattern = "t d, s d, s e -> t e", scores = "t s"}> ({
  }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%q: tensor<4x4xf32>) {
  // expected-note @+2 {{in custom textual format, the absence of terminator implies 'fuse.yield'}}
  // expected-error @+1 {{'fuse.attention' op expects regions to end with 'fuse.yield', found 'test.end'}}
  %o = "fuse.attention"(%q, %q, %q) <{pattern = "t d, s d, s e -> t e", scores = "t s"}> ({
  ^bb0(%s: tensor<4x4xf32>):
    "test.end"() : () -> ()
  }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'fuse.yield' op expects parent op 'fuse.attention'}}
  fuse.yield %x : tensor<4x4xf32>
}
