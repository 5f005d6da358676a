// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.map' expects a scalar function, one of neg, abs, add, sub, mul, div, min, max, clamp, floordiv, mod, pow, sqrt, rsqrt, exp, exp2, expm1, log, log2, log1p, sin, cos, tanh, erf, sigmoid, silu, gelu, gelu_tanh, softplus, relu, leaky_relu, elu, floor, ceil, round, and, or, xor, not, but got 'negate'}}
  %y = fuse.map negate %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error-re @+1 {{'fuse.map' expects a scalar function, one of neg, abs, {{.*}}, xor, not{{$}}}}
  %y = fuse.map %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error-re @+1 {{expects a scalar function, one of neg, abs, {{.*}}, xor, not, but got 'negate'}}
  %y = "fuse.map"(%x) {fn = #fuse.scalar_fn<negate>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.map' op expects 1 operand for 'neg', but got 2}}
  %y = fuse.map neg %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.map' op expects 2 operands for 'add', but got 1}}
  %y = fuse.map add %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.map' op expects 3 operands for 'clamp', but got 0}}
  %y = fuse.map clamp : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xi32>) {
  // expected-error @+1 {{'fuse.map' op expects floating-point operands for 'exp', but got 'i32'}}
  %y = fuse.map exp %x : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @f(%x: tensor<4xi1>) {
  // expected-error @+1 {{'fuse.map' op expects floating-point operands for 'exp', but got 'i1'}}
  %y = fuse.map exp %x : (tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%x: tensor<4xi1>) {
  // expected-error @+1 {{'fuse.map' op expects floating-point or i32 operands for 'neg', but got 'i1'}}
  %y = fuse.map neg %x : (tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.map' op expects i32 operands for 'mod', but got 'f32'}}
  %y = fuse.map mod %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xi1>) {
  // expected-error @+1 {{'fuse.map' op expects i32 operands for 'mod', but got 'i1'}}
  %y = fuse.map mod %x, %x : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.map' op expects i1 or i32 operands for 'xor', but got 'f32'}}
  %y = fuse.map xor %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error @+1 {{'fuse.map' op expects operand #1 of element type 'f32', but got 'f16'}}
  %z = fuse.map add %x, %y : (tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.map' op expects a result of element type 'f32', but got 'f16'}}
  %y = fuse.map exp %x : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{'fuse.map' op expects axis 0 of operand #1 to be 4, but got 5}}
  %z = fuse.map add %x, %y : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

// No other broadcast than that of a scalar: not of an axis of extent 1.
func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x1xf32>) {
  // expected-error @+1 {{'fuse.map' op expects axis 1 of operand #1 to be 5, but got 1}}
  %z = fuse.map add %x, %y : (tensor<4x5xf32>, tensor<4x1xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%x: tensor<4x5xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{'fuse.map' op expects operand #1 to have rank 2, but got 1}}
  %z = fuse.map add %x, %y : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  return
}

// -----

// The third operand is compared with what the first two know.
func.func @f(%x: tensor<?xf32>, %y: tensor<4xf32>, %z: tensor<5xf32>) {
  // expected-error @+1 {{'fuse.map' op expects axis 0 of operand #2 to be 4, but got 5}}
  %w = fuse.map clamp %x, %y, %z : (tensor<?xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.map' op expects result type 'tensor<4xf32>', but got 'tensor<f32>'}}
  %y = fuse.map exp %x : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'f32'}}
  %y = fuse.map neg %x : (f32) -> f32
  return
}

// -----

func.func @f(%x: tensor<*xf32>) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<*xf32>'}}
  %y = fuse.map neg %x : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<4xi64>) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xi64>'}}
  %y = fuse.map neg %x : (tensor<4xi64>) -> tensor<4xi64>
  return
}

// -----

func.func @f(%x: tensor<4xui32>) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xui32>'}}
  %y = fuse.map neg %x : (tensor<4xui32>) -> tensor<4xui32>
  return
}

// -----

func.func @f(%x: tensor<4xf8E4M3FN>) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xf8E4M3FN>'}}
  %y = fuse.map neg %x : (tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>
  return
}

// -----

func.func @f(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xcomplex<f32>>'}}
  %y = fuse.map neg %x : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @f(%x: tensor<4xindex>) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xindex>'}}
  %y = fuse.map neg %x : (tensor<4xindex>) -> tensor<4xindex>
  return
}

// -----

func.func @f(%x: memref<4xf32>) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'memref<4xf32>'}}
  %y = fuse.map neg %x : (memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @f(%x: vector<4xf32>) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'vector<4xf32>'}}
  %y = fuse.map neg %x : (vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x1x1x1x1x1x1x1xf32>) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<1x1x1x1x1x1x1x1x1xf32>'}}
  %y = fuse.map neg %x : (tensor<1x1x1x1x1x1x1x1x1xf32>) -> tensor<1x1x1x1x1x1x1x1x1xf32>
  return
}

// -----

func.func @f(%x: tensor<2305843009213693952xf32>) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<2305843009213693952xf32>'}}
  %y = fuse.map neg %x : (tensor<2305843009213693952xf32>) -> tensor<2305843009213693952xf32>
  return
}

// -----

func.func @f(%x: tensor<0x2147483648x4294967296xi1>) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<0x2147483648x4294967296xi1>'}}
  %y = fuse.map neg %x : (tensor<0x2147483648x4294967296xi1>) -> tensor<0x2147483648x4294967296xi1>
  return
}

// -----

func.func @f(%x: tensor<4xf32, "encoding">) {
  // expected-error @+1 {{'fuse.map' op operand #0 must be variadic of ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xf32, "encoding">'}}
  %y = fuse.map neg %x : (tensor<4xf32, "encoding">) -> tensor<4xf32, "encoding">
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.map' op result #0 must be ranked tensor of f16, bf16, f32, f64, i32 or i1, of rank at most 8 and below 2^63 bytes, but got 'tensor<4xi64>'}}
  %y = fuse.map neg %x : (tensor<4xf32>) -> tensor<4xi64>
  return
}
