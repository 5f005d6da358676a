// RUN: fuse-opt %s --fuse-lower-to-tile --split-input-file --verify-diagnostics

module { module @kernels {
  func.func @table(%x: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error @+1 {{'fuse.constant' op expects one value for all elements in a kernel; pass a table as an argument}}
    %0 = fuse.constant [1.0, 2.0] : tensor<2xf32>
    %1 = fuse.map add %x, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}}

// -----

module { module @kernels {
  func.func @composite(%x: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error @+1 {{'fuse.softmax' op cannot be part of a kernel}}
    %0 = fuse.softmax %x axis 0 : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}}

// -----

module { module @kernels {
  func.func @slice_of_computed(%x: tensor<8xf32>) -> tensor<4xf32> {
    %0 = fuse.map exp %x : (tensor<8xf32>) -> tensor<8xf32>
    // expected-error @+1 {{'fuse.slice' op expects a slice of a kernel's input, but got one of a value computed in it}}
    %1 = fuse.slice %0 axis 0 from "0" to "4" : (tensor<8xf32>) -> tensor<4xf32>
    %2 = fuse.map exp %1 : (tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}}

// -----

module { module @kernels {
  func.func @concat_of_computed(%x: tensor<8xf32>) -> tensor<16xf32> {
    %0 = fuse.map exp %x : (tensor<8xf32>) -> tensor<8xf32>
    // expected-error @+1 {{'fuse.concat' op expects inputs of a kernel, but got a value that is computed in it}}
    %1 = fuse.concat %x, %0 axis 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}}

// -----

module { module @kernels {
  // expected-error @+1 {{expects a sliced axis that is not split}}
  func.func @split_slice(%x: tensor<8x4xf32>) -> tensor<3x4xf32> {
    %0 = fuse.reshape %x "(a 2) b -> a (2 b)" : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %1 = fuse.slice %0 axis 1 from "0" to "4" : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %2 = fuse.slice %1 axis 0 from "0" to "3" : (tensor<4x4xf32>) -> tensor<3x4xf32>
    return %2 : tensor<3x4xf32>
  }
}}

// -----

module { module @kernels {
  func.func @apart(%x: tensor<6xf32>, %y: tensor<2x3xf32>, %z: tensor<3x2xf32>) -> tensor<6xf32> {
    %0 = fuse.reshape %y "a b -> (a b)" : (tensor<2x3xf32>) -> tensor<6xf32>
    %1 = fuse.reshape %z "a b -> (a b)" : (tensor<3x2xf32>) -> tensor<6xf32>
    // expected-error @+1 {{'fuse.map' op has no indices in common with its operands}}
    %2 = fuse.map add %0, %1 : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    return %2 : tensor<6xf32>
  }
}}
