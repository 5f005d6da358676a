// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a number after '-'}}
  %c = fuse.constant --5 : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a number after '-'}}
  %c = fuse.constant -true : tensor<i1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected floating point literal}}
  %c = fuse.constant "x" : tensor<f32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects lists nested 1 deep}}
  %c = fuse.constant [1, [2]] : tensor<2xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects lists nested 2 deep}}
  %c = fuse.constant [[1], 2] : tensor<2x1xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects lists nested at most 8 deep}}
  %c = fuse.constant [[[[[[[[[1]]]]]]]]] : tensor<1xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a list of 2 elements, but got 1}}
  %c = fuse.constant [[1, 2], [3]] : tensor<2x2xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a list of 0 elements, but got 1}}
  %c = fuse.constant [[], [3]] : tensor<2x0xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected ']'}}
  %c = fuse.constant [1, 2 : tensor<2xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a static tensor of f16, bf16, f32, f64, i32 or i1, but got 'f32'}}
  %c = fuse.constant 1.0 : f32
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a static tensor of f16, bf16, f32, f64, i32 or i1, but got 'tensor<?xf32>'}}
  %c = fuse.constant 1.0 : tensor<?xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a static tensor of f16, bf16, f32, f64, i32 or i1, but got 'tensor<*xf32>'}}
  %c = fuse.constant 1.0 : tensor<*xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a static tensor of f16, bf16, f32, f64, i32 or i1, but got 'tensor<2xi64>'}}
  %c = fuse.constant 1 : tensor<2xi64>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a static tensor of f16, bf16, f32, f64, i32 or i1, but got 'tensor<1x1x1x1x1x1x1x1x1xf32>'}}
  %c = fuse.constant 1.0 : tensor<1x1x1x1x1x1x1x1x1xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a list of shape [3], but got one of shape [2]}}
  %c = fuse.constant [1, 2] : tensor<3xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a list of shape [4], but got one of shape [2, 2]}}
  %c = fuse.constant [[1, 2], [3, 4]] : tensor<4xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a list of shape [], but got one of shape [1]}}
  %c = fuse.constant [1] : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects a list of shape [1, 0], but got one of shape [0]}}
  %c = fuse.constant [] : tensor<1x0xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects elements of 'i32'}}
  %c = fuse.constant 2147483648 : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects elements of 'i32'}}
  %c = fuse.constant -2147483649 : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects elements of 'i32'}}
  %c = fuse.constant 1.0 : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects elements of 'i32'}}
  %c = fuse.constant nan : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects elements of 'i1'}}
  %c = fuse.constant 2 : tensor<i1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' expects elements of 'i1'}}
  %c = fuse.constant -1 : tensor<i1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{integer value too large}}
  %c = fuse.constant 99999999999999999999 : tensor<f32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' op expects a dense list of elements, but got sparse<0, 1.000000e+00> : tensor<2xf32>}}
  %c = "fuse.constant"() {value = sparse<[[0]], [1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' op expects a value of type 'tensor<2xf32>', but got 'tensor<3xf32>'}}
  %c = "fuse.constant"() {value = dense<1.0> : tensor<3xf32>} : () -> tensor<2xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' op expects a value of type 'tensor<?xf32>', but got 'tensor<2xf32>'}}
  %c = "fuse.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<?xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' op expects a value of type 'tensor<2xf32>', but got 'vector<2xf32>'}}
  %c = "fuse.constant"() {value = dense<1.0> : vector<2xf32>} : () -> tensor<2xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected ':'}}
  %c = fuse.constant 1.0
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.constant' op requires attribute 'value'}}
  %c = "fuse.constant"() : () -> tensor<2xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expects elements of 'f16'}}
  %c = fuse.constant 0x3FC00000 : tensor<f16>
  return
}
