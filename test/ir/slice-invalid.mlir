// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects an axis from 0 to 1, but got 2}}
  %r = fuse.slice %x axis 2 from "0" to "$" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects an axis from 0 to 1, but got -1}}
  %r = fuse.slice %x axis -1 from "0" to "$" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'fuse.slice' op expects a tensor with an axis, but got rank 0}}
  %r = fuse.slice %x axis 0 from "0" to "$" : (tensor<f32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects a step of at least 1, but got 0}}
  %r = fuse.slice %x axis 1 from "0" to "$" step 0 : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects a step of at least 1, but got -2}}
  %r = fuse.slice %x axis 1 from "0" to "$" step -2 : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects a number or a name in dim expression '', but got its end}}
  %r = fuse.slice %x axis 1 from "" to "$" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects an operator in dim expression '$$ $', but got '$'}}
  %r = fuse.slice %x axis 1 from "0" to "$$ $" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects symbols with an upper-case initial or '$' in dim expression 'n', but got 'n'}}
  %r = fuse.slice %x axis 1 from "n" to "$" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects symbols with an upper-case initial or '$' in dim expression '$x', but got '$x'}}
  %r = fuse.slice %x axis 1 from "0" to "$x" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects the start to be at least 0, but got -1}}
  %r = fuse.slice %x axis 1 from "63-$" to "$" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects the start to be at most 16, but got 17}}
  %r = fuse.slice %x axis 1 from "17" to "16" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects the stop to be at most 64, but got 65}}
  %r = fuse.slice %x axis 1 from "0" to "$+1" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects the stop to be at most ?0.0, but got ?0.0 + 1}}
  %r = fuse.slice %x axis 0 from "0" to "$+1" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects the dividend in '$/3' to be a multiple of 3, but got 64}}
  %r = fuse.slice %x axis 1 from "0" to "$/3" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects a nonzero product as divisor in dim expression '8/(N + 1)', but got its end}}
  %r = fuse.slice %x axis 1 from "0" to "8/(N + 1)" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<0xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects the dividend in '8/$' to be a multiple of 0, but got 8}}
  %r = fuse.slice %x axis 0 from "0" to "8/$" : (tensor<0xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects numbers below 2^63 in dim expression '9223372036854775808', but got '9223372036854775808'}}
  %r = fuse.slice %x axis 0 from "0" to "9223372036854775808" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects numbers below 2^63 in dim expression '$*9223372036854775807'}}
  %r = fuse.slice %x axis 1 from "0" to "$*9223372036854775807" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects a range of fewer than 2^63 elements from '0-N*9223372036854775807' to 'N*9223372036854775807'}}
  %r = fuse.slice %x axis 0 from "0-N*9223372036854775807" to "N*9223372036854775807" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects a result of element type 'f32', but got 'f16'}}
  %r = fuse.slice %x axis 1 from "0" to "32" : (tensor<?x64xf32>) -> tensor<?x32xf16>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects result type 'tensor<?x16xf32>', but got 'tensor<?x32xf32>'}}
  %r = fuse.slice %x axis 1 from "0" to "32" step 2 : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}

// -----

func.func @f(%x: tensor<?x64xf32>) {
  // expected-error @+1 {{'fuse.slice' op expects result type 'tensor<?x11xf32>', but got 'tensor<?x32xf32>'}}
  %r = fuse.slice %x axis 1 from "0" to "32" step 3 : (tensor<?x64xf32>) -> tensor<?x32xf32>
  return
}
