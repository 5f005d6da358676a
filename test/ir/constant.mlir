// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @elements()
func.func @elements() {
  // CHECK-NEXT: fuse.constant 5.000000e-01 : tensor<f16>
  %f16 = fuse.constant 0.5 : tensor<f16>
  // CHECK-NEXT: fuse.constant -1.500000e+00 : tensor<bf16>
  %bf16 = fuse.constant -1.5 : tensor<bf16>
  // CHECK-NEXT: fuse.constant 1.000000e-01 : tensor<f32>
  %f32 = fuse.constant 0.1 : tensor<f32>
  // CHECK-NEXT: fuse.constant 0.33333333333333331 : tensor<f64>
  %f64 = fuse.constant 0.33333333333333331 : tensor<f64>
  // CHECK-NEXT: fuse.constant -2147483648 : tensor<i32>
  %lowest = fuse.constant -2147483648 : tensor<i32>
  // CHECK-NEXT: fuse.constant 2147483647 : tensor<i32>
  %highest = fuse.constant 2147483647 : tensor<i32>
  // CHECK-NEXT: fuse.constant true : tensor<i1>
  %true = fuse.constant true : tensor<i1>
  // CHECK-NEXT: fuse.constant false : tensor<i1>
  %false = fuse.constant false : tensor<i1>
  return
}

// Decimal floats are rounded to the element type; integers and truth values are
// numbers too.
// CHECK-LABEL: func.func @conversions()
func.func @conversions() {
  // CHECK-NEXT: fuse.constant 1.000980e+00 : tensor<f16>
  %rounded = fuse.constant 1.0007 : tensor<f16>
  // CHECK-NEXT: fuse.constant inf : tensor<f16>
  %too_large = fuse.constant 65520.0 : tensor<f16>
  // CHECK-NEXT: fuse.constant 3.000000e+00 : tensor<f32>
  %three = fuse.constant 3 : tensor<f32>
  // CHECK-NEXT: fuse.constant -3.000000e+00 : tensor<f32>
  %minus_three = fuse.constant -3 : tensor<f32>
  // CHECK-NEXT: fuse.constant 1.000000e+00 : tensor<f32>
  %one = fuse.constant true : tensor<f32>
  // CHECK-NEXT: fuse.constant true : tensor<i1>
  %bit = fuse.constant 1 : tensor<i1>
  return
}

// CHECK-LABEL: func.func @special_values()
func.func @special_values() {
  // CHECK-NEXT: fuse.constant inf : tensor<f32>
  %inf = fuse.constant inf : tensor<f32>
  // CHECK-NEXT: fuse.constant -inf : tensor<bf16>
  %minus_inf = fuse.constant -inf : tensor<bf16>
  // CHECK-NEXT: fuse.constant nan : tensor<f64>
  %nan = fuse.constant nan : tensor<f64>
  // CHECK-NEXT: fuse.constant -nan : tensor<f32>
  %minus_nan = fuse.constant -nan : tensor<f32>
  // CHECK-NEXT: fuse.constant [0.000000e+00, -0.000000e+00, 0.000000e+00, -0.000000e+00] : tensor<4xf32>
  %zeros = fuse.constant [0.0, -0.0, 0, -0] : tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @shapes()
func.func @shapes() {
  // One value for all elements, also as a list of the same.
  // CHECK-NEXT: fuse.constant 2.000000e+00 : tensor<3x4xf32>
  %splat = fuse.constant 2.0 : tensor<3x4xf32>
  // CHECK-NEXT: fuse.constant 7 : tensor<2xi32>
  %same = fuse.constant [7, 7] : tensor<2xi32>
  // CHECK-NEXT: fuse.constant [1, 2, 3] : tensor<3xi32>
  %vector = fuse.constant [1, 2, 3] : tensor<3xi32>
  // CHECK-NEXT: fuse.constant {{\[}}[true, false], [false, true]] : tensor<2x2xi1>
  %matrix = fuse.constant [[true, false], [false, true]] : tensor<2x2xi1>
  // CHECK-NEXT: fuse.constant {{\[\[\[\[\[\[\[\[}}1, 2]]]]]]]] : tensor<1x1x1x1x1x1x1x2xi32>
  %rank8 = fuse.constant [[[[[[[[1, 2]]]]]]]] : tensor<1x1x1x1x1x1x1x2xi32>
  return
}

// Hexadecimal is bits of a float, and a number of i32.
// CHECK-LABEL: func.func @bits()
func.func @bits() {
  // CHECK-NEXT: fuse.constant 1.500000e+00 : tensor<f32>
  %f32 = fuse.constant 0x3FC00000 : tensor<f32>
  // CHECK-NEXT: fuse.constant [-2.000000e+00, 0x7E01] : tensor<2xf16>
  %f16 = fuse.constant [0xC000, 0x7E01] : tensor<2xf16>
  // CHECK-NEXT: fuse.constant [nan, -nan, 0x7FC00001, 0xFF800123] : tensor<4xf32>
  %nan = fuse.constant [0x7FC00000, 0xFFC00000, 0x7FC00001, 0xFF800123] : tensor<4xf32>
  // CHECK-NEXT: fuse.constant 0x7FF8000000000001 : tensor<f64>
  %f64 = fuse.constant 0x7FF8000000000001 : tensor<f64>
  // CHECK-NEXT: fuse.constant [255, -16] : tensor<2xi32>
  %i32 = fuse.constant [0xFF, -0x10] : tensor<2xi32>
  return
}

// CHECK-LABEL: func.func @no_elements()
func.func @no_elements() {
  // CHECK-NEXT: fuse.constant [] : tensor<0xf32>
  %vector = fuse.constant [] : tensor<0xf32>
  // CHECK-NEXT: fuse.constant {{\[}}[], []] : tensor<2x0xf32>
  %rows = fuse.constant [[], []] : tensor<2x0xf32>
  // An empty list says nothing about the axes below it.
  // CHECK-NEXT: fuse.constant [] : tensor<0x3xf32>
  %columns = fuse.constant [] : tensor<0x3xf32>
  // CHECK-NEXT: fuse.constant {{\[}}[], []] : tensor<2x0x5xi1>
  %middle = fuse.constant [[], []] : tensor<2x0x5xi1>
  // CHECK-NEXT: fuse.constant 1.000000e+00 : tensor<0x3xf32>
  %splat = fuse.constant 1.0 : tensor<0x3xf32>
  return
}

// CHECK-LABEL: func.func @discardable_attributes()
func.func @discardable_attributes() {
  // CHECK-NEXT: fuse.constant {tag = "x"} 1.000000e+00 : tensor<f32>
  %tagged = fuse.constant {tag = "x"} 1.0 : tensor<f32>
  return
}
