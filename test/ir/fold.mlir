// RUN: fuse-opt %s --canonicalize | FileCheck %s
//
// A fold keeps every bit of the result. Beside each one stands what looks like
// it and must stay.

//===----------------------------------------------------------------------===//
// dim
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @dim_of_constants(
// CHECK-DAG:     %[[I:.*]] = fuse.constant 24 : tensor<i32>
// CHECK-DAG:     %[[F:.*]] = fuse.constant 2.400000e+01 : tensor<f32>
// CHECK-DAG:     %[[MINUS:.*]] = fuse.constant -2 : tensor<i32>
// CHECK-DAG:     %[[SEVEN:.*]] = fuse.constant 7.000000e+00 : tensor<bf16>
// CHECK:         return %[[I]], %[[F]], %[[MINUS]], %[[SEVEN]] :
func.func @dim_of_constants(%x: tensor<?x24xf32>) -> (tensor<i32>, tensor<f32>, tensor<i32>, tensor<bf16>) {
  %0 = fuse.dim %x axis 1 : tensor<?x24xf32> -> tensor<i32>
  %1 = fuse.dim %x axis 1 : tensor<?x24xf32> -> tensor<f32>
  %2 = fuse.dim "1 - 3" : tensor<i32>
  %3 = fuse.dim "N/N + 6" : tensor<bf16>
  return %0, %1, %2, %3 : tensor<i32>, tensor<f32>, tensor<i32>, tensor<bf16>
}

// CHECK-LABEL: func.func @dim_unknown(
// CHECK-SAME:    %[[X:.*]]: tensor<?x24xf32>
// CHECK-NEXT:    %[[N:.*]] = fuse.dim %[[X]] axis 0 : tensor<?x24xf32> -> tensor<i32>
// CHECK-NEXT:    %[[M:.*]] = fuse.dim "M" : tensor<i32>
// CHECK-NEXT:    return %[[N]], %[[M]]
func.func @dim_unknown(%x: tensor<?x24xf32>) -> (tensor<i32>, tensor<i32>) {
  %0 = fuse.dim %x axis 0 : tensor<?x24xf32> -> tensor<i32>
  %1 = fuse.dim "M" : tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// Numbers that the element type cannot hold are left to be rounded.
// CHECK-LABEL: func.func @dim_inexact(
// CHECK-NEXT:    fuse.dim "16777217" : tensor<f32>
// CHECK-NEXT:    fuse.dim "257" : tensor<bf16>
// CHECK-NEXT:    fuse.dim "65536" : tensor<f16>
// CHECK-NEXT:    fuse.dim "2147483648" : tensor<i32>
func.func @dim_inexact() -> (tensor<f32>, tensor<bf16>, tensor<f16>, tensor<i32>) {
  %0 = fuse.dim "16777217" : tensor<f32>
  %1 = fuse.dim "257" : tensor<bf16>
  %2 = fuse.dim "65536" : tensor<f16>
  %3 = fuse.dim "2147483648" : tensor<i32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<bf16>, tensor<f16>, tensor<i32>
}

//===----------------------------------------------------------------------===//
// map
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @map_identities(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>
// CHECK-NEXT:    return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @map_identities(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %one = fuse.constant 1.0 : tensor<f32>
  %zero = fuse.constant 0.0 : tensor<f32>
  %minus_zero = fuse.constant -0.0 : tensor<f32>
  %0 = fuse.map mul %x, %one : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = fuse.map mul %one, %x : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  %2 = fuse.map div %x, %one : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %3 = fuse.map add %x, %minus_zero : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %4 = fuse.map add %minus_zero, %x : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  %5 = fuse.map sub %x, %zero : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -0.0 + 0.0 is 0.0, and so is -0.0 - -0.0; the rest is plain arithmetic.
// CHECK-LABEL: func.func @map_no_identities(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>
// CHECK-DAG:     %[[ONE:.*]] = fuse.constant 1.000000e+00
// CHECK-DAG:     %[[ZERO:.*]] = fuse.constant 0.000000e+00
// CHECK-DAG:     %[[MINUS_ZERO:.*]] = fuse.constant -0.000000e+00
// CHECK:         fuse.map add %[[X]], %[[ZERO]]
// CHECK-NEXT:    fuse.map add %[[ZERO]], %[[X]]
// CHECK-NEXT:    fuse.map sub %[[X]], %[[MINUS_ZERO]]
// CHECK-NEXT:    fuse.map sub %[[ZERO]], %[[X]]
// CHECK-NEXT:    fuse.map div %[[ONE]], %[[X]]
// CHECK-NEXT:    fuse.map mul %[[X]], %[[ZERO]]
// CHECK-NEXT:    fuse.map pow %[[X]], %[[ONE]]
func.func @map_no_identities(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %one = fuse.constant 1.0 : tensor<f32>
  %zero = fuse.constant 0.0 : tensor<f32>
  %minus_zero = fuse.constant -0.0 : tensor<f32>
  %0 = fuse.map add %x, %zero : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = fuse.map add %zero, %x : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  %2 = fuse.map sub %x, %minus_zero : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %3 = fuse.map sub %zero, %x : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  %4 = fuse.map div %one, %x : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  %5 = fuse.map mul %x, %zero : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %6 = fuse.map pow %x, %one : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @map_integer_identities(
// CHECK-SAME:    %[[X:.*]]: tensor<4xi32>
// CHECK-NEXT:    return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @map_integer_identities(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %one = fuse.constant 1 : tensor<i32>
  %zero = fuse.constant 0 : tensor<4xi32>
  %0 = fuse.map mul %x, %one : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %1 = fuse.map floordiv %x, %one : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %2 = fuse.map add %x, %zero : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %3 = fuse.map add %zero, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %4 = fuse.map sub %x, %zero : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0, %1, %2, %3, %4 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// CHECK-LABEL: func.func @map_no_integer_identities(
// CHECK-SAME:    %[[X:.*]]: tensor<4xi32>
// CHECK-DAG:     %[[ONE:.*]] = fuse.constant 1 :
// CHECK-DAG:     %[[ZERO:.*]] = fuse.constant 0 :
// CHECK:         fuse.map mod %[[X]], %[[ONE]]
// CHECK-NEXT:    fuse.map floordiv %[[ONE]], %[[X]]
// CHECK-NEXT:    fuse.map sub %[[ZERO]], %[[X]]
func.func @map_no_integer_identities(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %one = fuse.constant 1 : tensor<i32>
  %zero = fuse.constant 0 : tensor<i32>
  %0 = fuse.map mod %x, %one : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %1 = fuse.map floordiv %one, %x : (tensor<i32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = fuse.map sub %zero, %x : (tensor<i32>, tensor<4xi32>) -> tensor<4xi32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// A constant must be the same in every element, and the kept operand have the
// result's type.
// CHECK-LABEL: func.func @map_other_shapes(
// CHECK-SAME:    %[[S:.*]]: tensor<f32>, %[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK-DAG:     %[[ONES:.*]] = fuse.constant 1.000000e+00 : tensor<2xf32>
// CHECK-DAG:     %[[MIXED:.*]] = fuse.constant [1.000000e+00, 2.000000e+00]
// CHECK:         fuse.map mul %[[S]], %[[ONES]]
// CHECK-NEXT:    fuse.map mul %[[X]], %[[MIXED]]
// CHECK-NEXT:    fuse.map mul %[[Y]], %[[ONES]] : {{.*}} -> tensor<2xf32>
func.func @map_other_shapes(%s: tensor<f32>, %x: tensor<2xf32>, %y: tensor<?xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %ones = fuse.constant [1.0, 1.0] : tensor<2xf32>
  %mixed = fuse.constant [1.0, 2.0] : tensor<2xf32>
  %0 = fuse.map mul %s, %ones : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = fuse.map mul %x, %mixed : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = fuse.map mul %y, %ones : (tensor<?xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @map_involutions(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[C:.*]]: tensor<4xi1>, %[[I:.*]]: tensor<4xi32>
// CHECK-NEXT:    return %[[X]], %[[C]], %[[I]], %[[I]]
func.func @map_involutions(%x: tensor<?xf32>, %c: tensor<4xi1>, %i: tensor<4xi32>) -> (tensor<?xf32>, tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) {
  %0 = fuse.map neg %x : (tensor<?xf32>) -> tensor<?xf32>
  %1 = fuse.map neg %0 : (tensor<?xf32>) -> tensor<?xf32>
  %2 = fuse.map not %c : (tensor<4xi1>) -> tensor<4xi1>
  %3 = fuse.map not %2 : (tensor<4xi1>) -> tensor<4xi1>
  %4 = fuse.map neg %i : (tensor<4xi32>) -> tensor<4xi32>
  %5 = fuse.map neg %4 : (tensor<4xi32>) -> tensor<4xi32>
  %6 = fuse.map not %i : (tensor<4xi32>) -> tensor<4xi32>
  %7 = fuse.map not %6 : (tensor<4xi32>) -> tensor<4xi32>
  return %1, %3, %5, %7 : tensor<?xf32>, tensor<4xi1>, tensor<4xi32>, tensor<4xi32>
}

// CHECK-LABEL: func.func @map_idempotents(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>
// CHECK-NEXT:    %[[ABS:.*]] = fuse.map abs %[[X]]
// CHECK-NEXT:    %[[RELU:.*]] = fuse.map relu %[[X]]
// CHECK-NEXT:    %[[FLOOR:.*]] = fuse.map floor %[[X]]
// CHECK-NEXT:    %[[CEIL:.*]] = fuse.map ceil %[[X]]
// CHECK-NEXT:    %[[ROUND:.*]] = fuse.map round %[[X]]
// CHECK-NEXT:    return %[[ABS]], %[[RELU]], %[[FLOOR]], %[[CEIL]], %[[ROUND]]
func.func @map_idempotents(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = fuse.map abs %x : (tensor<?xf32>) -> tensor<?xf32>
  %1 = fuse.map abs %0 : (tensor<?xf32>) -> tensor<?xf32>
  %2 = fuse.map relu %x : (tensor<?xf32>) -> tensor<?xf32>
  %3 = fuse.map relu %2 : (tensor<?xf32>) -> tensor<?xf32>
  %4 = fuse.map floor %x : (tensor<?xf32>) -> tensor<?xf32>
  %5 = fuse.map floor %4 : (tensor<?xf32>) -> tensor<?xf32>
  %6 = fuse.map ceil %x : (tensor<?xf32>) -> tensor<?xf32>
  %7 = fuse.map ceil %6 : (tensor<?xf32>) -> tensor<?xf32>
  %8 = fuse.map round %x : (tensor<?xf32>) -> tensor<?xf32>
  %9 = fuse.map round %8 : (tensor<?xf32>) -> tensor<?xf32>
  return %1, %3, %5, %7, %9 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// Two of a kind that is neither, and two of different kinds.
// CHECK-LABEL: func.func @map_chains(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>
// CHECK-NEXT:    %[[SIN:.*]] = fuse.map sin %[[X]]
// CHECK-NEXT:    %[[SINSIN:.*]] = fuse.map sin %[[SIN]]
// CHECK-NEXT:    %[[FLOOR:.*]] = fuse.map floor %[[X]]
// CHECK-NEXT:    %[[CEILFLOOR:.*]] = fuse.map ceil %[[FLOOR]]
// CHECK-NEXT:    %[[CLAMP:.*]] = fuse.map clamp %[[X]], %[[X]], %[[X]]
// CHECK-NEXT:    return %[[SINSIN]], %[[CEILFLOOR]], %[[CLAMP]]
func.func @map_chains(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = fuse.map sin %x : (tensor<?xf32>) -> tensor<?xf32>
  %1 = fuse.map sin %0 : (tensor<?xf32>) -> tensor<?xf32>
  %2 = fuse.map floor %x : (tensor<?xf32>) -> tensor<?xf32>
  %3 = fuse.map ceil %2 : (tensor<?xf32>) -> tensor<?xf32>
  %4 = fuse.map clamp %x, %x, %x : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1, %3, %4 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @map_refined_types(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>
// CHECK-NEXT:    %[[NEG:.*]] = fuse.map neg %[[X]] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:    fuse.map neg %[[NEG]] : (tensor<?xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[ABS:.*]] = fuse.map abs %[[X]] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:    fuse.map abs %[[ABS]] : (tensor<?xf32>) -> tensor<4xf32>
func.func @map_refined_types(%x: tensor<?xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = fuse.map neg %x : (tensor<?xf32>) -> tensor<?xf32>
  %1 = fuse.map neg %0 : (tensor<?xf32>) -> tensor<4xf32>
  %2 = fuse.map abs %x : (tensor<?xf32>) -> tensor<?xf32>
  %3 = fuse.map abs %2 : (tensor<?xf32>) -> tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

//===----------------------------------------------------------------------===//
// select
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @select(
// CHECK-SAME:    %[[C:.*]]: tensor<?xi1>, %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK-NEXT:    return %[[X]], %[[X]], %[[Y]]
func.func @select(%c: tensor<?xi1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %true = fuse.constant true : tensor<i1>
  %false = fuse.constant false : tensor<i1>
  %0 = fuse.select %c, %x, %x : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = fuse.select %true, %x, %y : (tensor<i1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %2 = fuse.select %false, %x, %y : (tensor<i1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// A chosen scalar would still have to be repeated.
// CHECK-LABEL: func.func @select_stays(
// CHECK-SAME:    %[[C:.*]]: tensor<2xi1>, %[[X:.*]]: tensor<2xf32>, %[[S:.*]]: tensor<f32>
// CHECK-DAG:     %[[TRUE:.*]] = fuse.constant true : tensor<i1>
// CHECK-DAG:     %[[MIXED:.*]] = fuse.constant [true, false]
// CHECK:         fuse.select %[[C]], %[[S]], %[[S]]
// CHECK-NEXT:    fuse.select %[[TRUE]], %[[S]], %[[X]]
// CHECK-NEXT:    fuse.select %[[MIXED]], %[[X]], %[[S]]
func.func @select_stays(%c: tensor<2xi1>, %x: tensor<2xf32>, %s: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %true = fuse.constant true : tensor<i1>
  %mixed = fuse.constant [true, false] : tensor<2xi1>
  %0 = fuse.select %c, %s, %s : (tensor<2xi1>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %1 = fuse.select %true, %s, %x : (tensor<i1>, tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = fuse.select %mixed, %x, %s : (tensor<2xi1>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @cast(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[H:.*]]: tensor<?xf16>, %[[B:.*]]: tensor<?xbf16>
// CHECK-NEXT:    return %[[X]], %[[X]], %[[H]], %[[B]], %[[B]]
func.func @cast(%x: tensor<?xf32>, %h: tensor<?xf16>, %b: tensor<?xbf16>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf16>, tensor<?xbf16>, tensor<?xbf16>) {
  %0 = fuse.cast %x : tensor<?xf32> -> tensor<?xf32>
  %1 = fuse.cast %x : tensor<?xf32> -> tensor<?xf64>
  %2 = fuse.cast %1 : tensor<?xf64> -> tensor<?xf32>
  %3 = fuse.cast %h : tensor<?xf16> -> tensor<?xf32>
  %4 = fuse.cast %3 : tensor<?xf32> -> tensor<?xf16>
  %5 = fuse.cast %b : tensor<?xbf16> -> tensor<?xf32>
  %6 = fuse.cast %5 : tensor<?xf32> -> tensor<?xbf16>
  %7 = fuse.cast %b : tensor<?xbf16> -> tensor<?xf64>
  %8 = fuse.cast %7 : tensor<?xf64> -> tensor<?xbf16>
  return %0, %2, %4, %6, %8 : tensor<?xf32>, tensor<?xf32>, tensor<?xf16>, tensor<?xbf16>, tensor<?xbf16>
}

// The middle type rounds, or the way goes on to a third type.
// CHECK-LABEL: func.func @cast_rounds(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[H:.*]]: tensor<4xf16>, %[[B:.*]]: tensor<4xbf16>, %[[I:.*]]: tensor<4xi32>
// CHECK-NEXT:    %[[XB:.*]] = fuse.cast %[[X]] : tensor<4xf32> -> tensor<4xbf16>
// CHECK-NEXT:    fuse.cast %[[XB]] : tensor<4xbf16> -> tensor<4xf32>
// CHECK-NEXT:    %[[HB:.*]] = fuse.cast %[[H]] : tensor<4xf16> -> tensor<4xbf16>
// CHECK-NEXT:    fuse.cast %[[HB]] : tensor<4xbf16> -> tensor<4xf16>
// CHECK-NEXT:    %[[BH:.*]] = fuse.cast %[[B]] : tensor<4xbf16> -> tensor<4xf16>
// CHECK-NEXT:    fuse.cast %[[BH]] : tensor<4xf16> -> tensor<4xbf16>
// CHECK-NEXT:    %[[IF:.*]] = fuse.cast %[[I]] : tensor<4xi32> -> tensor<4xf32>
// CHECK-NEXT:    fuse.cast %[[IF]] : tensor<4xf32> -> tensor<4xi32>
// CHECK-NEXT:    %[[XD:.*]] = fuse.cast %[[X]] : tensor<4xf32> -> tensor<4xf64>
// CHECK-NEXT:    fuse.cast %[[XD]] : tensor<4xf64> -> tensor<4xf16>
func.func @cast_rounds(%x: tensor<4xf32>, %h: tensor<4xf16>, %b: tensor<4xbf16>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf16>, tensor<4xbf16>, tensor<4xi32>, tensor<4xf16>) {
  %0 = fuse.cast %x : tensor<4xf32> -> tensor<4xbf16>
  %1 = fuse.cast %0 : tensor<4xbf16> -> tensor<4xf32>
  %2 = fuse.cast %h : tensor<4xf16> -> tensor<4xbf16>
  %3 = fuse.cast %2 : tensor<4xbf16> -> tensor<4xf16>
  %4 = fuse.cast %b : tensor<4xbf16> -> tensor<4xf16>
  %5 = fuse.cast %4 : tensor<4xf16> -> tensor<4xbf16>
  %6 = fuse.cast %i : tensor<4xi32> -> tensor<4xf32>
  %7 = fuse.cast %6 : tensor<4xf32> -> tensor<4xi32>
  %8 = fuse.cast %x : tensor<4xf32> -> tensor<4xf64>
  %9 = fuse.cast %8 : tensor<4xf64> -> tensor<4xf16>
  return %1, %3, %5, %7, %9 : tensor<4xf32>, tensor<4xf16>, tensor<4xbf16>, tensor<4xi32>, tensor<4xf16>
}

// CHECK-LABEL: func.func @cast_refines(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>
// CHECK-NEXT:    fuse.cast %[[X]] : tensor<?xf32> -> tensor<4xf32>
func.func @cast_refines(%x: tensor<?xf32>) -> tensor<4xf32> {
  %0 = fuse.cast %x : tensor<?xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//===----------------------------------------------------------------------===//
// reduce, broadcast, reshape, slice, concat: nothing to do
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @nothing_to_do(
// CHECK-SAME:    %[[X:.*]]: tensor<?x1xf32>
// CHECK-NEXT:    return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @nothing_to_do(%x: tensor<?x1xf32>) -> (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>) {
  %0 = fuse.reduce max %x axes [] : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %1 = fuse.broadcast %x "a b -> a b" : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %2 = fuse.reshape %x "n 1 -> n 1" : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %3 = fuse.slice %x axis 0 from "0" to "$" : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %4 = fuse.concat %x axis 1 : (tensor<?x1xf32>) -> tensor<?x1xf32>
  return %0, %1, %2, %3, %4 : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>
}

// CHECK-LABEL: func.func @something_to_do(
// CHECK-SAME:    %[[X:.*]]: tensor<4x4xf32>, %[[Y:.*]]: tensor<?x?xf32>
// CHECK-NEXT:    fuse.reduce sum %[[X]] axes [0]
// CHECK-NEXT:    fuse.broadcast %[[X]] "a b -> b a"
// CHECK-NEXT:    fuse.reshape %[[X]] "a b -> b a"
// CHECK-NEXT:    fuse.slice %[[Y]] axis 0 from "0" to "$" step 2
// CHECK-NEXT:    fuse.slice %[[Y]] axis 0 from "1" to "$"
// CHECK-NEXT:    fuse.slice %[[Y]] axis 0 from "0" to "$ - 1"
// CHECK-NEXT:    fuse.concat %[[Y]], %[[Y]] axis 1
func.func @something_to_do(%x: tensor<4x4xf32>, %y: tensor<?x?xf32>) -> (tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuse.reduce sum %x axes [0] : (tensor<4x4xf32>) -> tensor<4xf32>
  %1 = fuse.broadcast %x "a b -> b a" : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = fuse.reshape %x "a b -> b a" : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = fuse.slice %y axis 0 from "0" to "$" step 2 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = fuse.slice %y axis 0 from "1" to "$" : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %5 = fuse.slice %y axis 0 from "0" to "$ - 1" : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %6 = fuse.concat %y, %y axis 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// A type that says more is a statement about the program, and stays.
// CHECK-LABEL: func.func @refined_types(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>
// CHECK-NEXT:    fuse.reduce max %[[X]]
// CHECK-NEXT:    fuse.broadcast %[[X]]
// CHECK-NEXT:    fuse.reshape %[[X]]
// CHECK-NEXT:    fuse.slice %[[X]]
// CHECK-NEXT:    fuse.concat %[[X]]
// CHECK-NEXT:    fuse.transpose %[[X]]
func.func @refined_types(%x: tensor<?xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = fuse.reduce max %x axes [] : (tensor<?xf32>) -> tensor<4xf32>
  %1 = fuse.broadcast %x "a -> a" : (tensor<?xf32>) -> tensor<4xf32>
  %2 = fuse.reshape %x "a -> a" : (tensor<?xf32>) -> tensor<4xf32>
  %3 = fuse.slice %x axis 0 from "0" to "$" : (tensor<?xf32>) -> tensor<4xf32>
  %4 = fuse.concat %x axis 0 : (tensor<?xf32>) -> tensor<4xf32>
  %5 = fuse.transpose %x [0] : (tensor<?xf32>) -> tensor<4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

//===----------------------------------------------------------------------===//
// transpose
//===----------------------------------------------------------------------===//

// Axis i of the result is axis first[second[i]] of the source.
// CHECK-LABEL: func.func @transposes_compose(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4x5xf32>
// CHECK-NEXT:    %[[T:.*]] = fuse.transpose %[[X]] [2, 1, 3, 0] : (tensor<2x3x4x5xf32>) -> tensor<4x3x5x2xf32>
// CHECK-NEXT:    return %[[T]]
func.func @transposes_compose(%x: tensor<2x3x4x5xf32>) -> tensor<4x3x5x2xf32> {
  %0 = fuse.transpose %x [1, 2, 0, 3] : (tensor<2x3x4x5xf32>) -> tensor<3x4x2x5xf32>
  %1 = fuse.transpose %0 [1, 0, 3, 2] : (tensor<3x4x2x5xf32>) -> tensor<4x3x5x2xf32>
  return %1 : tensor<4x3x5x2xf32>
}

// CHECK-LABEL: func.func @transposes_cancel(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3x4xf32>
// CHECK-NEXT:    return %[[X]], %[[X]], %[[X]]
func.func @transposes_cancel(%x: tensor<?x3x4xf32>) -> (tensor<?x3x4xf32>, tensor<?x3x4xf32>, tensor<?x3x4xf32>) {
  %0 = fuse.transpose %x [0, 1, 2] : (tensor<?x3x4xf32>) -> tensor<?x3x4xf32>
  %1 = fuse.transpose %x [1, 2, 0] : (tensor<?x3x4xf32>) -> tensor<3x4x?xf32>
  %2 = fuse.transpose %1 [2, 0, 1] : (tensor<3x4x?xf32>) -> tensor<?x3x4xf32>
  %3 = fuse.transpose %1 [1, 2, 0] : (tensor<3x4x?xf32>) -> tensor<4x?x3xf32>
  %4 = fuse.transpose %3 [1, 2, 0] : (tensor<4x?x3xf32>) -> tensor<?x3x4xf32>
  return %0, %2, %4 : tensor<?x3x4xf32>, tensor<?x3x4xf32>, tensor<?x3x4xf32>
}

// The inner one stays where it has other users.
// CHECK-LABEL: func.func @transpose_shared(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4xf32>
// CHECK-NEXT:    %[[A:.*]] = fuse.transpose %[[X]] [1, 0, 2]
// CHECK-NEXT:    %[[B:.*]] = fuse.transpose %[[X]] [2, 0, 1]
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @transpose_shared(%x: tensor<2x3x4xf32>) -> (tensor<3x2x4xf32>, tensor<4x2x3xf32>) {
  %0 = fuse.transpose %x [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = fuse.transpose %0 [2, 1, 0] : (tensor<3x2x4xf32>) -> tensor<4x2x3xf32>
  return %0, %1 : tensor<3x2x4xf32>, tensor<4x2x3xf32>
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

// Unused values go, checks stay.
// CHECK-LABEL: func.func @effects(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NOT:     fuse.map
// CHECK-NOT:     fuse.attention
// CHECK:         fuse.check.equal %[[X]], %[[X]]
// CHECK-NEXT:    fuse.check.close %[[X]], %[[X]]
// CHECK-NEXT:    fuse.check.bound %[[X]], %[[X]]
// CHECK-NEXT:    return
func.func @effects(%x: tensor<4xf32>, %y: tensor<4x4xf32>) {
  %0 = fuse.map exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = fuse.attention %y, %y, %y "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x4xf32>):
    fuse.yield %s : tensor<4x4xf32>
  } : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  fuse.check.equal %x, %x : tensor<4xf32>, tensor<4xf32>
  fuse.check.close %x, %x rtol 0.0 atol 0.0 : tensor<4xf32>, tensor<4xf32>
  fuse.check.bound %x, %x : tensor<4xf32>, tensor<4xf32>
  return
}
