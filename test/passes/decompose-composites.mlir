// RUN: fuse-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(fuse-decompose-composites)' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,MODULE
//
// Below functions the pass does the same.
// RUN: fuse-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(fuse-decompose-composites))' \
// RUN:   | FileCheck %s

//===----------------------------------------------------------------------===//
// linear
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4x8xf32>, %[[W:.*]]: tensor<3x8xf32>, %[[B:.*]]: tensor<3xf32>
// CHECK-NEXT:    %[[XW:.*]] = fuse.einsum "abk,ok->abo" %[[X]], %[[W]] precision tf32 : (tensor<?x4x8xf32>, tensor<3x8xf32>) -> tensor<?x4x3xf32>
// CHECK-NEXT:    %[[ROWS:.*]] = fuse.broadcast %[[B]] "a2 -> a0 a1 a2" like %[[XW]]
// CHECK-NEXT:    %[[Y:.*]] = fuse.map add %[[XW]], %[[ROWS]]
// CHECK-NEXT:    return %[[Y]] : tensor<?x4x3xf32>
func.func @linear(%x: tensor<?x4x8xf32>, %w: tensor<3x8xf32>, %b: tensor<3xf32>) -> tensor<?x4x3xf32> {
  %y = fuse.linear %x, %w bias %b precision tf32 : (tensor<?x4x8xf32>, tensor<3x8xf32>, tensor<3xf32>) -> tensor<?x4x3xf32>
  return %y : tensor<?x4x3xf32>
}

// 16-bit operands are multiplied as they are; the sum and the bias are f32, and
// one rounding ends it.
// CHECK-LABEL: func.func @linear_bf16(
// CHECK-SAME:    %[[X:.*]]: tensor<8xbf16>, %[[W:.*]]: tensor<3x8xbf16>, %[[B:.*]]: tensor<3xbf16>
// CHECK-NEXT:    %[[XW:.*]] = fuse.einsum "k,ok->o" %[[X]], %[[W]] : (tensor<8xbf16>, tensor<3x8xbf16>) -> tensor<3xf32>
// CHECK-NEXT:    %[[BIAS:.*]] = fuse.cast %[[B]] : tensor<3xbf16> -> tensor<3xf32>
// CHECK-NEXT:    %[[ROWS:.*]] = fuse.broadcast %[[BIAS]] "a0 -> a0" like %[[XW]]
// CHECK-NEXT:    %[[SUM:.*]] = fuse.map add %[[XW]], %[[ROWS]]
// CHECK-NEXT:    %[[Y:.*]] = fuse.cast %[[SUM]] : tensor<3xf32> -> tensor<3xbf16>
// CHECK-NEXT:    return %[[Y]]
func.func @linear_bf16(%x: tensor<8xbf16>, %w: tensor<3x8xbf16>, %b: tensor<3xbf16>) -> tensor<3xbf16> {
  %y = fuse.linear %x, %w bias %b : (tensor<8xbf16>, tensor<3x8xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  return %y : tensor<3xbf16>
}

// CHECK-LABEL: func.func @linear_f64(
// CHECK-SAME:    %[[X:.*]]: tensor<1x1x1x1x1x1x?x8xf64>, %[[W:.*]]: tensor<3x8xf64>
// CHECK-NEXT:    %[[Y:.*]] = fuse.einsum "abcdefgk,ok->abcdefgo" %[[X]], %[[W]] : {{.*}} -> tensor<1x1x1x1x1x1x?x3xf64>
// CHECK-NEXT:    return %[[Y]]
func.func @linear_f64(%x: tensor<1x1x1x1x1x1x?x8xf64>, %w: tensor<3x8xf64>) -> tensor<1x1x1x1x1x1x?x3xf64> {
  %y = fuse.linear %x, %w : (tensor<1x1x1x1x1x1x?x8xf64>, tensor<3x8xf64>) -> tensor<1x1x1x1x1x1x?x3xf64>
  return %y : tensor<1x1x1x1x1x1x?x3xf64>
}

//===----------------------------------------------------------------------===//
// layer_norm and rms_norm
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @layer_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8xf32>, %[[G:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK-NEXT:    %[[SUM:.*]] = fuse.reduce sum %[[X]] axes [1]
// CHECK-NEXT:    %[[N:.*]] = fuse.dim %[[X]] axis 1 : tensor<?x8xf32> -> tensor<f32>
// CHECK-NEXT:    %[[MEAN:.*]] = fuse.map div %[[SUM]], %[[N]]
// CHECK-NEXT:    %[[MEANS:.*]] = fuse.broadcast %[[MEAN]] "a0 -> a0 a1" like %[[X]]
// CHECK-NEXT:    %[[CENTRED:.*]] = fuse.map sub %[[X]], %[[MEANS]]
// CHECK-NEXT:    %[[SQUARES:.*]] = fuse.map mul %[[CENTRED]], %[[CENTRED]]
// CHECK-NEXT:    %[[SQUARE_SUM:.*]] = fuse.reduce sum %[[SQUARES]] axes [1]
// CHECK-NEXT:    %[[M:.*]] = fuse.dim %[[SQUARES]] axis 1
// CHECK-NEXT:    %[[VAR:.*]] = fuse.map div %[[SQUARE_SUM]], %[[M]]
// CHECK-NEXT:    %[[EPS:.*]] = fuse.constant 2.500000e-01 : tensor<f32>
// CHECK-NEXT:    %[[SHIFTED:.*]] = fuse.map add %[[VAR]], %[[EPS]]
// CHECK-NEXT:    %[[RSTD:.*]] = fuse.map rsqrt %[[SHIFTED]]
// CHECK-NEXT:    %[[RSTDS:.*]] = fuse.broadcast %[[RSTD]] "a0 -> a0 a1" like %[[X]]
// CHECK-NEXT:    %[[NORMAL:.*]] = fuse.map mul %[[CENTRED]], %[[RSTDS]]
// CHECK-NEXT:    %[[GAMMAS:.*]] = fuse.broadcast %[[G]] "a1 -> a0 a1" like %[[X]]
// CHECK-NEXT:    %[[SCALED:.*]] = fuse.map mul %[[NORMAL]], %[[GAMMAS]]
// CHECK-NEXT:    %[[BETAS:.*]] = fuse.broadcast %[[B]] "a1 -> a0 a1" like %[[X]]
// CHECK-NEXT:    %[[Y:.*]] = fuse.map add %[[SCALED]], %[[BETAS]]
// CHECK-NEXT:    return %[[Y]] : tensor<?x8xf32>
func.func @layer_norm(%x: tensor<?x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %y = fuse.layer_norm %x gamma %g beta %b axis 1 eps 0.25 : (tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// Along another axis, with beta alone.
// CHECK-LABEL: func.func @layer_norm_bf16(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xbf16>, %[[B:.*]]: tensor<4xbf16>
// CHECK-NEXT:    %[[WIDE:.*]] = fuse.cast %[[X]] : tensor<4x8xbf16> -> tensor<4x8xf32>
// CHECK-NEXT:    %[[SUM:.*]] = fuse.reduce sum %[[WIDE]] axes [0] : (tensor<4x8xf32>) -> tensor<8xf32>
// CHECK:         %[[MEANS:.*]] = fuse.broadcast %{{.*}} "a1 -> a0 a1" like %[[WIDE]]
// CHECK-NEXT:    %[[CENTRED:.*]] = fuse.map sub %[[WIDE]], %[[MEANS]]
// CHECK:         %[[RSTDS:.*]] = fuse.broadcast %{{.*}} "a1 -> a0 a1" like %[[WIDE]]
// CHECK-NEXT:    %[[NORMAL:.*]] = fuse.map mul %[[CENTRED]], %[[RSTDS]]
// CHECK-NEXT:    %[[BETA:.*]] = fuse.cast %[[B]] : tensor<4xbf16> -> tensor<4xf32>
// CHECK-NEXT:    %[[BETAS:.*]] = fuse.broadcast %[[BETA]] "a0 -> a0 a1" like %[[WIDE]]
// CHECK-NEXT:    %[[SHIFTED:.*]] = fuse.map add %[[NORMAL]], %[[BETAS]]
// CHECK-NEXT:    %[[Y:.*]] = fuse.cast %[[SHIFTED]] : tensor<4x8xf32> -> tensor<4x8xbf16>
// CHECK-NEXT:    return %[[Y]]
func.func @layer_norm_bf16(%x: tensor<4x8xbf16>, %b: tensor<4xbf16>) -> tensor<4x8xbf16> {
  %y = fuse.layer_norm %x beta %b axis 0 : (tensor<4x8xbf16>, tensor<4xbf16>) -> tensor<4x8xbf16>
  return %y : tensor<4x8xbf16>
}

// CHECK-LABEL: func.func @layer_norm_f64(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf64>
// CHECK-NOT:     f32
// CHECK:         fuse.constant 1.000000e-05 : tensor<f64>
// CHECK-NOT:     f32
// CHECK:         fuse.map rsqrt
// CHECK-NOT:     f32
// CHECK:         %[[Y:.*]] = fuse.map mul
// CHECK-NEXT:    return %[[Y]] : tensor<8xf64>
func.func @layer_norm_f64(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = fuse.layer_norm %x axis 0 : (tensor<8xf64>) -> tensor<8xf64>
  return %y : tensor<8xf64>
}

// CHECK-LABEL: func.func @rms_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8xf32>, %[[G:.*]]: tensor<8xf32>
// CHECK-NEXT:    %[[SQUARES:.*]] = fuse.map mul %[[X]], %[[X]]
// CHECK-NEXT:    %[[SUM:.*]] = fuse.reduce sum %[[SQUARES]] axes [1]
// CHECK-NEXT:    %[[N:.*]] = fuse.dim %[[SQUARES]] axis 1 : tensor<?x8xf32> -> tensor<f32>
// CHECK-NEXT:    %[[MEAN:.*]] = fuse.map div %[[SUM]], %[[N]]
// CHECK-NEXT:    %[[EPS:.*]] = fuse.constant 0.000000e+00 : tensor<f32>
// CHECK-NEXT:    %[[SHIFTED:.*]] = fuse.map add %[[MEAN]], %[[EPS]]
// CHECK-NEXT:    %[[RSTD:.*]] = fuse.map rsqrt %[[SHIFTED]]
// CHECK-NEXT:    %[[RSTDS:.*]] = fuse.broadcast %[[RSTD]] "a0 -> a0 a1" like %[[X]]
// CHECK-NEXT:    %[[NORMAL:.*]] = fuse.map mul %[[X]], %[[RSTDS]]
// CHECK-NEXT:    %[[GAMMAS:.*]] = fuse.broadcast %[[G]] "a1 -> a0 a1" like %[[X]]
// CHECK-NEXT:    %[[Y:.*]] = fuse.map mul %[[NORMAL]], %[[GAMMAS]]
// CHECK-NEXT:    return %[[Y]] : tensor<?x8xf32>
func.func @rms_norm(%x: tensor<?x8xf32>, %g: tensor<8xf32>) -> tensor<?x8xf32> {
  %y = fuse.rms_norm %x gamma %g axis 1 eps 0.0 : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @rms_norm_f16(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf16>
// CHECK-NEXT:    %[[WIDE:.*]] = fuse.cast %[[X]] : tensor<8xf16> -> tensor<8xf32>
// CHECK-NEXT:    %[[SQUARES:.*]] = fuse.map mul %[[WIDE]], %[[WIDE]]
// CHECK:         %[[RSTDS:.*]] = fuse.broadcast %{{.*}} " -> a0" like %[[WIDE]]
// CHECK-NEXT:    %[[NORMAL:.*]] = fuse.map mul %[[WIDE]], %[[RSTDS]]
// CHECK-NEXT:    %[[Y:.*]] = fuse.cast %[[NORMAL]] : tensor<8xf32> -> tensor<8xf16>
// CHECK-NEXT:    return %[[Y]]
func.func @rms_norm_f16(%x: tensor<8xf16>) -> tensor<8xf16> {
  %y = fuse.rms_norm %x axis 0 : (tensor<8xf16>) -> tensor<8xf16>
  return %y : tensor<8xf16>
}

// CHECK-LABEL: func.func @rms_norm_f64(
// CHECK-NOT:     f32
// CHECK:         fuse.map rsqrt
// CHECK-NOT:     f32
// CHECK:         %[[Y:.*]] = fuse.map mul
// CHECK-NEXT:    return %[[Y]] : tensor<8xf64>
func.func @rms_norm_f64(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = fuse.rms_norm %x axis 0 : (tensor<8xf64>) -> tensor<8xf64>
  return %y : tensor<8xf64>
}

//===----------------------------------------------------------------------===//
// softmax
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x4xf32>
// CHECK-NEXT:    %[[MAX:.*]] = fuse.reduce max %[[X]] axes [1] : (tensor<?x?x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:    %[[MAXES:.*]] = fuse.broadcast %[[MAX]] "a0 a2 -> a0 a1 a2" like %[[X]]
// CHECK-NEXT:    %[[BELOW:.*]] = fuse.map sub %[[X]], %[[MAXES]]
// CHECK-NEXT:    %[[P:.*]] = fuse.map exp %[[BELOW]]
// CHECK-NEXT:    %[[SUM:.*]] = fuse.reduce sum %[[P]] axes [1]
// CHECK-NEXT:    %[[SUMS:.*]] = fuse.broadcast %[[SUM]] "a0 a2 -> a0 a1 a2" like %[[X]]
// CHECK-NEXT:    %[[Y:.*]] = fuse.map div %[[P]], %[[SUMS]]
// CHECK-NEXT:    return %[[Y]] : tensor<?x?x4xf32>
func.func @softmax(%x: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  %y = fuse.softmax %x axis 1 : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  return %y : tensor<?x?x4xf32>
}

// A row is masked if its maximum is -inf; NaN is not.
// CHECK-LABEL: func.func @softmax_zero_bf16(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xbf16>
// CHECK-NEXT:    %[[WIDE:.*]] = fuse.cast %[[X]] : tensor<?x4xbf16> -> tensor<?x4xf32>
// CHECK-NEXT:    %[[MAX:.*]] = fuse.reduce max %[[WIDE]] axes [1]
// CHECK:         %[[P:.*]] = fuse.map div
// CHECK-NEXT:    %[[LOWEST:.*]] = fuse.constant -inf : tensor<f32>
// CHECK-NEXT:    %[[MASKED:.*]] = fuse.compare eq %[[MAX]], %[[LOWEST]]
// CHECK-NEXT:    %[[ZERO:.*]] = fuse.constant 0.000000e+00 : tensor<f32>
// CHECK-NEXT:    %[[ROWS:.*]] = fuse.broadcast %[[MASKED]] "a0 -> a0 a1" like %[[WIDE]] : (tensor<?xi1>, tensor<?x4xf32>) -> tensor<?x4xi1>
// CHECK-NEXT:    %[[CHOSEN:.*]] = fuse.select %[[ROWS]], %[[ZERO]], %[[P]]
// CHECK-NEXT:    %[[Y:.*]] = fuse.cast %[[CHOSEN]] : tensor<?x4xf32> -> tensor<?x4xbf16>
// CHECK-NEXT:    return %[[Y]]
func.func @softmax_zero_bf16(%x: tensor<?x4xbf16>) -> tensor<?x4xbf16> {
  %y = fuse.softmax %x axis 1 masked_rows zero : (tensor<?x4xbf16>) -> tensor<?x4xbf16>
  return %y : tensor<?x4xbf16>
}

// CHECK-LABEL: func.func @softmax_f64(
// CHECK-NOT:     f32
// CHECK:         fuse.constant -inf : tensor<f64>
// CHECK-NOT:     f32
// CHECK:         %[[Y:.*]] = fuse.select
// CHECK-NEXT:    return %[[Y]] : tensor<4xf64>
func.func @softmax_f64(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = fuse.softmax %x axis 0 masked_rows zero : (tensor<4xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}

//===----------------------------------------------------------------------===//
// Result types, and what must stay
//===----------------------------------------------------------------------===//

// A type that says more than the rule is kept.
// CHECK-LABEL: func.func @refined(
// CHECK:         %[[P:.*]] = fuse.map div {{.*}} -> tensor<?x8xf32>
// CHECK-NEXT:    %[[Y:.*]] = fuse.cast %[[P]] : tensor<?x8xf32> -> tensor<4x8xf32>
// CHECK-NEXT:    return %[[Y]] : tensor<4x8xf32>
func.func @refined(%x: tensor<?x8xf32>) -> tensor<4x8xf32> {
  %y = fuse.softmax %x axis 1 : (tensor<?x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// No op beside the composites is touched, not even to fold or to remove it.
// CHECK-LABEL: func.func @others(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4x4xf32>
// CHECK-NEXT:    fuse.constant 1.000000e+00
// CHECK-NEXT:    fuse.constant 1.000000e+00
// CHECK-NEXT:    fuse.map mul %[[X]]
// CHECK-NEXT:    fuse.transpose %[[Y]] [0, 1]
// CHECK-NEXT:    "test.foreign"(%[[X]]) ({
// CHECK-NEXT:      fuse.map exp %[[X]]
// CHECK-NEXT:    })
// CHECK-NEXT:    fuse.check.equal %[[X]], %[[X]]
// CHECK-NEXT:    return
func.func @others(%x: tensor<4xf32>, %y: tensor<4x4xf32>) {
  %one = fuse.constant 1.0 : tensor<f32>
  %again = fuse.constant 1.0 : tensor<f32>
  %z = fuse.map mul %x, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %t = fuse.transpose %y [0, 1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  "test.foreign"(%x) ({
    %e = fuse.map exp %x : (tensor<4xf32>) -> tensor<4xf32>
  }) : (tensor<4xf32>) -> ()
  fuse.check.equal %x, %x : tensor<4xf32>, tensor<4xf32>
  return
}

// CHECK-LABEL: func.func private @declaration(tensor<4xf32>)
func.func private @declaration(tensor<4xf32>)

// Any op may hold composites, at any depth.
// MODULE-LABEL: "test.function"() ({
// MODULE-NEXT:  ^bb0(%[[X:.*]]: tensor<8xf32>):
// MODULE-NEXT:    %[[R:.*]] = "test.region"() ({
// MODULE-NEXT:      fuse.reduce max %[[X]] axes [0]
// MODULE-NOT:       fuse.softmax
// MODULE:           %[[Y:.*]] = fuse.map div
// MODULE-NEXT:      "test.yield"(%[[Y]])
// MODULE-NEXT:    })
// MODULE-NEXT:    "test.return"(%[[R]])
"test.function"() ({
^bb0(%x: tensor<8xf32>):
  %r = "test.region"() ({
    %y = fuse.softmax %x axis 0 : (tensor<8xf32>) -> tensor<8xf32>
    "test.yield"(%y) : (tensor<8xf32>) -> ()
  }) : () -> tensor<8xf32>
  "test.return"(%r) : (tensor<8xf32>) -> ()
}) {sym_name = "f"} : () -> ()
