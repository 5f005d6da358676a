// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects '->' in einsum string 'ij'}}
  %r = fuse.einsum "ij" %a : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects every axis to be named, but got '...' in einsum string '...j->...'}}
  %r = fuse.einsum "...j->..." %a : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects one or two operands, but got 3 in einsum string 'ij,jk,kl->il'}}
  %r = fuse.einsum "ij,jk,kl->il" %a, %b, %c : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects letters only, but got '1' in einsum string 'i1->i'}}
  %r = fuse.einsum "i1->i" %a : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects letters only, but got ' ' in einsum string 'i j->i'}}
  %r = fuse.einsum "i j->i" %a : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects letters only, but got '_' in einsum string 'ij,j_->i'}}
  %r = fuse.einsum "ij,j_->i" %a, %b : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects letters only, but got '-' in einsum string 'ij->i->j'}}
  %r = fuse.einsum "ij->i->j" %a : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects letters only, but got ',' in einsum string 'ij->i,j'}}
  %r = fuse.einsum "ij->i,j" %a : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects each result index once, but 'i' is repeated in einsum string 'ij->ii'}}
  %r = fuse.einsum "ij->ii" %a : (tensor<4x5xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects each result index in an operand, but 'k' is in none in einsum string 'ij->ik'}}
  %r = fuse.einsum "ij->ik" %a : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects 2 operands for 'ij,jk->ik', but got 1}}
  %r = fuse.einsum "ij,jk->ik" %a : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects 1 operand for 'ij->i', but got 2}}
  %r = fuse.einsum "ij->i" %a, %b : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.einsum' op expects 1 operand for '->', but got 0}}
  %r = fuse.einsum "->" : () -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects 'ijk' to name 2 axes of operand #0, but got 3}}
  %r = fuse.einsum "ijk->i" %a : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects '' to name 2 axes of operand #1, but got 0}}
  %r = fuse.einsum "ij,->i" %a, %b : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<6x4xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects index 'j' in operand #1 to be 5, but got 6}}
  %r = fuse.einsum "ij,jk->ik" %a, %b : (tensor<4x5xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// A diagonal needs equal extents.
func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects index 'i' in operand #0 to be 4, but got 5}}
  %r = fuse.einsum "ii->i" %a : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

// An extent that one axis knows holds for the others.
func.func @f(%a: tensor<4x?xf32>, %b: tensor<6x7xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects index 'j' in operand #1 to be 6, but got 7}}
  %r = fuse.einsum "ij,jj->i" %a, %b : (tensor<4x?xf32>, tensor<6x7xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects result type 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  %r = fuse.einsum "ij->i" %a : (tensor<4x5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects result type 'tensor<f32>', but got 'tensor<1xf32>'}}
  %r = fuse.einsum "ij->" %a : (tensor<4x5xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @f(%a: tensor<1x1x1x1x1xf32>, %b: tensor<1x1x1x1x1xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects a result of rank at most 8 and below 2^63 bytes, but it would be 'tensor<1x1x1x1x1x1x1x1x1x1xf32>'}}
  %r = fuse.einsum "abcde,fghij->abcdefghij" %a, %b : (tensor<1x1x1x1x1xf32>, tensor<1x1x1x1x1xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @f(%a: tensor<2147483648xf32>, %b: tensor<2147483648xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects a result of rank at most 8 and below 2^63 bytes, but it would be 'tensor<2147483648x2147483648xf32>'}}
  %r = fuse.einsum "i,j->ij" %a, %b : (tensor<2147483648xf32>, tensor<2147483648xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf16>) {
  // expected-error @+1 {{'fuse.einsum' op expects operand #1 of element type 'f32', but got 'f16'}}
  %r = fuse.einsum "i,i->" %a, %b : (tensor<4xf32>, tensor<4xf16>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'fuse.einsum' op expects a result of element type 'f32', but got 'f16'}}
  %r = fuse.einsum "ij->i" %a : (tensor<4x5xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @f(%a: tensor<4x5xf16>) {
  // expected-error @+1 {{'fuse.einsum' op expects a result of element type 'f16' or f32, but got 'f64'}}
  %r = fuse.einsum "ij->i" %a : (tensor<4x5xf16>) -> tensor<4xf64>
  return
}

// -----

func.func @f(%a: tensor<4x5xbf16>) {
  // expected-error @+1 {{'fuse.einsum' op expects a result of element type 'bf16' or f32, but got 'f16'}}
  %r = fuse.einsum "ij->i" %a : (tensor<4x5xbf16>) -> tensor<4xf16>
  return
}

// -----

func.func @f(%a: tensor<4x5xf64>) {
  // expected-error @+1 {{'fuse.einsum' op expects a result of element type 'f64', but got 'f32'}}
  %r = fuse.einsum "ij->i" %a : (tensor<4x5xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf64>) {
  // expected-error @+1 {{'fuse.einsum' op expects f32 operands for precision tf32, but got 'f64'}}
  %r = fuse.einsum "ij->i" %a precision tf32 : (tensor<4x5xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @f(%a: tensor<4x5xbf16>) {
  // expected-error @+1 {{'fuse.einsum' op expects f32 operands for precision bf16, but got 'bf16'}}
  %r = fuse.einsum "ij->i" %a precision bf16 : (tensor<4x5xbf16>) -> tensor<4xbf16>
  return
}

// -----

func.func @f(%a: tensor<4x5xf16>) {
  // expected-error @+1 {{'fuse.einsum' op expects f32 operands for precision bf16x3, but got 'f16'}}
  %r = fuse.einsum "ij->i" %a precision bf16x3 : (tensor<4x5xf16>) -> tensor<4xf16>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.einsum' 'precision' expects ieee, bf16x6, bf16x3, tf32 or bf16, but got 'fast'}}
  %r = fuse.einsum "i->" %a precision fast : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected valid keyword}}
  %r = fuse.einsum "i->" %a precision : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4xi32>) {
  // expected-error @+1 {{'fuse.einsum' op operand #0 must be variadic of ranked tensor of f16, bf16, f32 or f64, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xi32>'}}
  %r = fuse.einsum "i->" %a : (tensor<4xi32>) -> tensor<i32>
  return
}
