// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.dim' op expects either a tensor and an axis or a dim expression}}
  %d = fuse.dim %x axis 0 "N" : tensor<4xf32> -> tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.dim' op expects either a tensor and an axis or a dim expression}}
  %d = fuse.dim : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.dim' op expects either a tensor and an axis or a dim expression}}
  %d = "fuse.dim"() {axis = 0 : i64} : () -> tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.dim' op expects either a tensor and an axis or a dim expression}}
  %d = "fuse.dim"() {axis = 0 : i64, expr = "N"} : () -> tensor<i32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.dim' op expects either a tensor and an axis or a dim expression}}
  %d = "fuse.dim"(%x) : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

func.func @f(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{'fuse.dim' op expects an axis from 0 to 1, but got 2}}
  %d = fuse.dim %x axis 2 : tensor<4x?xf32> -> tensor<i32>
  return
}

// -----

func.func @f(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{'fuse.dim' op expects an axis from 0 to 1, but got -1}}
  %d = fuse.dim %x axis -1 : tensor<4x?xf32> -> tensor<i32>
  return
}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'fuse.dim' op expects a tensor with an axis, but got rank 0}}
  %d = fuse.dim %x axis 0 : tensor<f32> -> tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.dim' op expects a number or a name in dim expression 'N *', but got its end}}
  %d = fuse.dim "N *" : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.dim' op expects a number or a name in dim expression '', but got its end}}
  %d = fuse.dim "" : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.dim' op expects an operator in dim expression '2 N', but got 'N'}}
  %d = fuse.dim "2 N" : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.dim' op expects symbols with an upper-case initial in dim expression 'N + t', but got 't'}}
  %d = fuse.dim "N + t" : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.dim' op expects symbols with an upper-case initial in dim expression '$', but got '$'}}
  %d = fuse.dim "$" : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.dim' op expects the dividend in '7/2' to be a multiple of 2, but got 7}}
  %d = fuse.dim "7/2" : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.dim' op expects a nonzero product as divisor in dim expression 'N/0', but got its end}}
  %d = fuse.dim "N/0" : tensor<i32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected '->'}}
  %d = fuse.dim %x axis 0 : tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.dim' op expects a result of a float type or i32, but got 'i1'}}
  %d = fuse.dim "N" : tensor<i1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'fuse.dim' op expects result type 'tensor<i32>', but got 'tensor<1xi32>'}}
  %d = fuse.dim "N" : tensor<1xi32>
  return
}
