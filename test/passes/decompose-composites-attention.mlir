// RUN: fuse-opt %s \
// RUN:   --pass-pipeline='builtin.module(fuse-decompose-composites{only=fuse.attention})' \
// RUN:   | FileCheck %s

// Nothing but the two contractions and the softmax.
// CHECK-LABEL: func.func @plain(
// CHECK-SAME:    %[[Q:.*]]: tensor<?x8xf32>, %[[K:.*]]: tensor<?x8xf32>, %[[V:.*]]: tensor<?x6xf32>
// CHECK-NEXT:    %[[S:.*]] = fuse.einsum "ab,cb->ac" %[[Q]], %[[K]] : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x?xf32>
// CHECK-NEXT:    %[[P:.*]] = fuse.softmax %[[S]] axis 1 : (tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT:    %[[O:.*]] = fuse.einsum "ab,bc->ac" %[[P]], %[[V]] : (tensor<?x?xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
// CHECK-NEXT:    return %[[O]]
func.func @plain(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %o = fuse.attention %q, %k, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<?x?xf32>):
    fuse.yield %s : tensor<?x?xf32>
  } : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  return %o : tensor<?x6xf32>
}

// Both contractions have the precision, the softmax has the policy for masked
// rows, and the region stands between them with the values that it captures.
// CHECK-LABEL: func.func @clauses(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[MASK:.*]]: tensor<4x4xi1>, %[[SCALE:.*]]: tensor<f32>
// CHECK-NEXT:    %[[S:.*]] = fuse.einsum "ab,cb->ac" %[[X]], %[[X]] precision bf16x3
// CHECK-NEXT:    %[[SCALED:.*]] = fuse.map mul %[[S]], %[[SCALE]]
// CHECK-NEXT:    %[[LOWEST:.*]] = fuse.constant -inf : tensor<f32>
// CHECK-NEXT:    %[[MASKED:.*]] = fuse.select %[[MASK]], %[[SCALED]], %[[LOWEST]]
// CHECK-NEXT:    %[[P:.*]] = fuse.softmax %[[MASKED]] axis 1 masked_rows zero
// CHECK-NEXT:    %[[O:.*]] = fuse.einsum "ab,bc->ac" %[[P]], %[[X]] precision bf16x3
// CHECK-NEXT:    return %[[O]]
func.func @clauses(%x: tensor<4x8xf32>, %mask: tensor<4x4xi1>, %scale: tensor<f32>) -> tensor<4x8xf32> {
  %o = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" masked_rows zero precision bf16x3 {
  ^bb0(%s: tensor<4x4xf32>):
    %scaled = fuse.map mul %s, %scale : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %lowest = fuse.constant -inf : tensor<f32>
    %masked = fuse.select %mask, %scaled, %lowest : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    fuse.yield %masked : tensor<4x4xf32>
  } : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// What is yielded may come from outside altogether.
// CHECK-LABEL: func.func @captured_scores(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[OUTER:.*]]: tensor<4x4xf32>
// CHECK:         %[[P:.*]] = fuse.softmax %[[OUTER]] axis 1
// CHECK-NEXT:    fuse.einsum "ab,bc->ac" %[[P]], %[[X]]
func.func @captured_scores(%x: tensor<4x8xf32>, %outer: tensor<4x4xf32>) -> tensor<4x8xf32> {
  %o = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x4xf32>):
    fuse.yield %outer : tensor<4x4xf32>
  } : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// Scores and weights are f32; the weights are cast once, to the type of the
// values, and the result is rounded once.
// CHECK-LABEL: func.func @bf16(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xbf16>
// CHECK-NEXT:    %[[S:.*]] = fuse.einsum "ab,cb->ac" %[[X]], %[[X]] : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x4xf32>
// CHECK-NEXT:    %[[P:.*]] = fuse.softmax %[[S]] axis 1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %[[W:.*]] = fuse.cast %[[P]] : tensor<4x4xf32> -> tensor<4x4xbf16>
// CHECK-NEXT:    %[[SUM:.*]] = fuse.einsum "ab,bc->ac" %[[W]], %[[X]] : (tensor<4x4xbf16>, tensor<4x8xbf16>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[O:.*]] = fuse.cast %[[SUM]] : tensor<4x8xf32> -> tensor<4x8xbf16>
// CHECK-NEXT:    return %[[O]]
func.func @bf16(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %o = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x4xf32>):
    fuse.yield %s : tensor<4x4xf32>
  } : (tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %o : tensor<4x8xbf16>
}

// CHECK-LABEL: func.func @f64(
// CHECK-NOT:     f32
// CHECK-NOT:     fuse.cast
// CHECK:         %[[O:.*]] = fuse.einsum "ab,bc->ac" {{.*}} -> tensor<4x8xf64>
// CHECK-NEXT:    return %[[O]] : tensor<4x8xf64>
func.func @f64(%x: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %o = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x4xf64>):
    fuse.yield %s : tensor<4x4xf64>
  } : (tensor<4x8xf64>, tensor<4x8xf64>, tensor<4x8xf64>) -> tensor<4x8xf64>
  return %o : tensor<4x8xf64>
}

// Query heads `g r`: opened with the key's extent of `g`, closed for the
// region, opened and closed again after it.
// CHECK-LABEL: func.func @grouped_heads(
// CHECK-SAME:    %[[Q:.*]]: tensor<?x?x?x32xf32>, %[[K:.*]]: tensor<?x?x?x32xf32>, %[[V:.*]]: tensor<?x?x?x32xf32>
// CHECK-NEXT:    %[[HEADS:.*]] = fuse.reshape %[[Q]] like %[[K]] "b t (g r) d, b s g d -> b t g r d" : {{.*}} -> tensor<?x?x?x?x32xf32>
// CHECK-NEXT:    %[[S:.*]] = fuse.einsum "abcde,afce->acdbf" %[[HEADS]], %[[K]] : {{.*}} -> tensor<?x?x?x?x?xf32>
// CHECK-NEXT:    %[[CLOSED:.*]] = fuse.reshape %[[S]] "b g r t s -> b (g r) t s" : {{.*}} -> tensor<?x?x?x?xf32>
// CHECK-NEXT:    %[[T:.*]] = fuse.map tanh %[[CLOSED]]
// CHECK-NEXT:    %[[P:.*]] = fuse.softmax %[[T]] axis 3
// CHECK-NEXT:    %[[W:.*]] = fuse.reshape %[[P]] like %[[HEADS]] "b (g r) t s, b t g r d -> b g r t s"
// CHECK-NEXT:    %[[O:.*]] = fuse.einsum "abcde,aebf->adbcf" %[[W]], %[[V]]
// CHECK-NEXT:    %[[Y:.*]] = fuse.reshape %[[O]] "b t g r d -> b t (g r) d"
// CHECK-NEXT:    return %[[Y]] : tensor<?x?x?x32xf32>
func.func @grouped_heads(%q: tensor<?x?x?x32xf32>, %k: tensor<?x?x?x32xf32>, %v: tensor<?x?x?x32xf32>) -> tensor<?x?x?x32xf32> {
  %o = fuse.attention %q, %k, %v "b t (g r) d, b s g d, b s g d -> b t (g r) d" scores "b (g r) t s" {
  ^bb0(%s: tensor<?x?x?x?xf32>):
    %t = fuse.map tanh %s : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
    fuse.yield %t : tensor<?x?x?x?xf32>
  } : (tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>) -> tensor<?x?x?x32xf32>
  return %o : tensor<?x?x?x32xf32>
}

// Any operand may lend an extent to any other.
// CHECK-LABEL: func.func @value_heads(
// CHECK-SAME:    %[[Q:.*]]: tensor<?x3x8xf32>, %[[K:.*]]: tensor<?x8xf32>, %[[V:.*]]: tensor<?x12xf32>
// CHECK-NEXT:    %[[HEADS:.*]] = fuse.reshape %[[V]] like %[[Q]] "s (h e), t h d -> s h e" : {{.*}} -> tensor<?x3x4xf32>
// CHECK-NEXT:    %[[S:.*]] = fuse.einsum "abc,dc->bad" %[[Q]], %[[K]]
// CHECK-NEXT:    %[[P:.*]] = fuse.softmax %[[S]] axis 2
// CHECK-NEXT:    %[[O:.*]] = fuse.einsum "abc,cad->bad" %[[P]], %[[HEADS]] : {{.*}} -> tensor<?x3x4xf32>
// CHECK-NEXT:    return %[[O]]
func.func @value_heads(%q: tensor<?x3x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x12xf32>) -> tensor<?x3x4xf32> {
  %o = fuse.attention %q, %k, %v "t h d, s d, s (h e) -> t h e" scores "h t s" {
  ^bb0(%s: tensor<3x?x?xf32>):
    fuse.yield %s : tensor<3x?x?xf32>
  } : (tensor<?x3x8xf32>, tensor<?x8xf32>, tensor<?x12xf32>) -> tensor<?x3x4xf32>
  return %o : tensor<?x3x4xf32>
}

// A group whose extents come from two operands is opened one factor at a time;
// the others go under a name that nothing else has.
// CHECK-LABEL: func.func @two_lenders(
// CHECK-SAME:    %[[Q:.*]]: tensor<?x24xf32>, %[[K:.*]]: tensor<?x2x12xf32>, %[[V:.*]]: tensor<?x3x5xf32>
// CHECK-NEXT:    %[[Q1:.*]] = fuse.reshape %[[Q]] like %[[K]] "t (a rest_0), s a rest_1 -> t a rest_0"
// CHECK-NEXT:    %[[Q2:.*]] = fuse.reshape %[[Q1]] like %[[V]] "t a (rest d), s d e -> t a rest d"
// CHECK-NEXT:    %[[K1:.*]] = fuse.reshape %[[K]] like %[[Q2]] "s a (rest d), t a rest d -> s a rest d"
// CHECK-NEXT:    fuse.einsum "abcd,ebcd->bdae" %[[Q2]], %[[K1]]
func.func @two_lenders(%q: tensor<?x24xf32>, %k: tensor<?x2x12xf32>, %v: tensor<?x3x5xf32>) -> tensor<?x2x3x5xf32> {
  %o = fuse.attention %q, %k, %v "t (a rest d), s a (rest d), s d e -> t a d e" scores "a d t s" {
  ^bb0(%s: tensor<2x3x?x?xf32>):
    fuse.yield %s : tensor<2x3x?x?xf32>
  } : (tensor<?x24xf32>, tensor<?x2x12xf32>, tensor<?x3x5xf32>) -> tensor<?x2x3x5xf32>
  return %o : tensor<?x2x3x5xf32>
}

// Types that say more than the rule are kept, of the scores and of the result.
// CHECK-LABEL: func.func @refined(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8xf32>
// CHECK-NEXT:    %[[S:.*]] = fuse.einsum "ab,cb->ac" %[[X]], %[[X]] : {{.*}} -> tensor<?x?xf32>
// CHECK-NEXT:    %[[KNOWN:.*]] = fuse.cast %[[S]] : tensor<?x?xf32> -> tensor<4x4xf32>
// CHECK-NEXT:    fuse.softmax %[[KNOWN]] axis 1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %[[O:.*]] = fuse.einsum "ab,bc->ac" {{.*}} -> tensor<4x8xf32>
// CHECK-NEXT:    %[[Y:.*]] = fuse.cast %[[O]] : tensor<4x8xf32> -> tensor<?x8xf32>
// CHECK-NEXT:    return %[[Y]] : tensor<?x8xf32>
func.func @refined(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<4x4xf32>):
    fuse.yield %s : tensor<4x4xf32>
  } : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %o : tensor<?x8xf32>
}
