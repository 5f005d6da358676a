// RUN: fuse-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.launch' op expects @kernels::@exp to name a kernel, but there is no such symbol}}
  %r = fuse.launch @kernels::@exp(%x) dims [[4]] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.launch' op expects @kernels::@log to name a kernel, but there is no such symbol}}
  %r = fuse.launch @kernels::@log(%x) dims [[4]] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
module @kernels {
  func.func private @exp(tensor<4xf32>) -> tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.launch' op expects @kernels::@exp to have type '(tensor<4xf32>) -> tensor<4xf32>', but got '(tensor<4xf32>) -> tensor<4xf64>'}}
  %r = fuse.launch @kernels::@exp(%x) dims [[4]] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
module @kernels {
  func.func private @exp(tensor<4xf32>) -> tensor<4xf64>
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.launch' op expects @kernels::@exp to have type '(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>', but got '(tensor<4xf32>) -> tensor<4xf32>'}}
  %r = fuse.launch @kernels::@exp(%x, %x) dims [[4]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
module @kernels {
  func.func private @exp(tensor<4xf32>) -> tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.launch' op expects an array of dims a result}}
  %r = fuse.launch @exp(%x) dims [4] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @exp(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.launch' op expects dims that are strings and numbers, but got one of another kind}}
  %r = fuse.launch @exp(%x) dims [[4.0]] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @exp(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @f(%x: tensor<?xf32>) {
  // expected-error @+1 {{'fuse.launch' op expects an operator in dim expression 'N M', but got 'M'}}
  %r = fuse.launch @exp(%x) dims [["N M"]] : (tensor<?xf32>) -> tensor<?xf32>
  return
}
func.func private @exp(tensor<?xf32>) -> tensor<?xf32>

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.launch' op expects dims for 1 results, but got 0}}
  %r = fuse.launch @exp(%x) dims [] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @exp(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.launch' op expects result type 'tensor<4x4xf32>', but got 'tensor<4xf32>'}}
  %r = fuse.launch @exp(%x) dims [[4, 4]] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @exp(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.launch' op expects result type 'tensor<5xf32>', but got 'tensor<4xf32>'}}
  %r = fuse.launch @exp(%x) dims [[5]] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @exp(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @f(%x: i32) {
  // expected-error @+1 {{'fuse.launch' op operand #0 must be variadic of ranked tensor}}
  %r = fuse.launch @exp(%x) dims [[4]] : (i32) -> tensor<4xf32>
  return
}
func.func private @exp(i32) -> tensor<4xf32>
