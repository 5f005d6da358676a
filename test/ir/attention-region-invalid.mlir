// The score region: its argument, what it yields, and its form.
//
// RUN: fuse-opt %s --split-input-file --verify-diagnostics \
// RUN:   --allow-unregistered-dialect

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
