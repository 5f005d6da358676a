// RUN: fuse-opt %s --fuse-normalize-concats | FileCheck %s

!half = tensor<?x32xf32>
!whole = tensor<?x64xf32>

// A function of the first piece is computed of the whole, and chosen before the
// second one begins.
// CHECK-LABEL: func.func @first(
// CHECK-SAME: %[[X:.*]]: tensor<?x32xf32>, %[[Y:.*]]: tensor<?x32xf32>
// CHECK-NEXT: %[[W:.*]] = fuse.concat %[[X]], %[[Y]] axis 1
// CHECK-NEXT: %[[NEG:.*]] = fuse.map neg %[[W]]
// CHECK-NEXT: %[[AT:.*]] = fuse.iota axis 1 like %[[W]]
// CHECK-NEXT: %[[END:.*]] = fuse.dim %[[X]] axis 1
// CHECK-NEXT: %[[IN:.*]] = fuse.compare lt %[[AT]], %[[END]]
// CHECK-NEXT: %[[C:.*]] = fuse.select %[[IN]], %[[NEG]], %[[W]]
// CHECK-NEXT: return %[[C]]
func.func @first(%x: !half, %y: !half) -> !whole {
  %n = fuse.map neg %x : (!half) -> !half
  %c = fuse.concat %n, %y axis 1 : (!half, !half) -> !whole
  return %c : !whole
}

// Of the middle piece: between two positions. A scalar beside it stays beside it.
// CHECK-LABEL: func.func @middle(
// CHECK: %[[W:.*]] = fuse.concat %[[X:.*]], %[[Y:.*]], %[[Z:.*]] axis 0
// CHECK-NEXT: %[[MUL:.*]] = fuse.map mul %[[W]], %{{.*}} : (tensor<12xf32>, tensor<f32>)
// CHECK-NEXT: %[[AT:.*]] = fuse.iota axis 0
// CHECK-NEXT: %[[BEGIN:.*]] = fuse.dim %[[X]] axis 0
// CHECK-NEXT: %[[GE:.*]] = fuse.compare ge %[[AT]], %[[BEGIN]]
// CHECK-NEXT: %[[LENGTH:.*]] = fuse.dim %[[Y]] axis 0
// CHECK-NEXT: %[[END:.*]] = fuse.map add %[[BEGIN]], %[[LENGTH]]
// CHECK-NEXT: %[[LT:.*]] = fuse.compare lt %[[AT]], %[[END]]
// CHECK-NEXT: %[[IN:.*]] = fuse.map and %[[GE]], %[[LT]]
// CHECK-NEXT: fuse.select %[[IN]], %[[MUL]], %[[W]]
func.func @middle(%x: tensor<3xf32>, %y: tensor<4xf32>, %z: tensor<5xf32>, %s: tensor<f32>) -> tensor<12xf32> {
  %m = fuse.map mul %y, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %c = fuse.concat %x, %m, %z axis 0 : (tensor<3xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<12xf32>
  return %c : tensor<12xf32>
}

// One function after the other, of each piece.
// CHECK-LABEL: func.func @all(
// CHECK-NEXT: fuse.concat %{{.*}}, %{{.*}} axis 0
// CHECK-NEXT: fuse.map abs
// CHECK: fuse.select
// CHECK-NEXT: fuse.map exp
// CHECK-NEXT: fuse.map neg
// CHECK: fuse.select
// CHECK-NOT: fuse.concat
func.func @all(%x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<7xf32> {
  %e = fuse.map exp %x : (tensor<3xf32>) -> tensor<3xf32>
  %n = fuse.map neg %e : (tensor<3xf32>) -> tensor<3xf32>
  %a = fuse.map abs %y : (tensor<4xf32>) -> tensor<4xf32>
  %c = fuse.concat %n, %a axis 0 : (tensor<3xf32>, tensor<4xf32>) -> tensor<7xf32>
  return %c : tensor<7xf32>
}

// Stays: a function that others need, one of two tensors, one of integers, and a
// concatenation of one piece.
// CHECK-LABEL: func.func @stays(
// CHECK-NOT: fuse.select
func.func @stays(%x: tensor<3xf32>, %y: tensor<3xf32>, %i: tensor<3xi32>, %s: tensor<i32>) -> (tensor<6xf32>, tensor<3xf32>, tensor<6xi32>, tensor<3xf32>) {
  %shared = fuse.map neg %x : (tensor<3xf32>) -> tensor<3xf32>
  %sum = fuse.map add %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %c = fuse.concat %shared, %sum axis 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
  %d = fuse.map floordiv %i, %s : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  %e = fuse.concat %d, %i axis 0 : (tensor<3xi32>, tensor<3xi32>) -> tensor<6xi32>
  %n = fuse.map neg %y : (tensor<3xf32>) -> tensor<3xf32>
  %one = fuse.concat %n axis 0 : (tensor<3xf32>) -> tensor<3xf32>
  return %c, %shared, %e, %one : tensor<6xf32>, tensor<3xf32>, tensor<6xi32>, tensor<3xf32>
}

// One value several times is repeated along an axis of its own, if what needs it
// is elementwise.
// CHECK-LABEL: func.func @repeated(
// CHECK-SAME: %[[X:.*]]: tensor<?x32xf32>
// CHECK-NEXT: %[[R:.*]] = fuse.broadcast %[[X]] "a0 a1 -> a0 3 a1" : (tensor<?x32xf32>) -> tensor<?x3x32xf32>
// CHECK-NEXT: %[[W:.*]] = fuse.reshape %[[R]] "a0 3 a1 -> a0 (3 a1)" : (tensor<?x3x32xf32>) -> tensor<?x96xf32>
// CHECK-NEXT: %[[Y:.*]] = fuse.map exp %[[W]]
// CHECK-NEXT: %[[C:.*]] = fuse.concat %[[X]], %[[X]] axis 1
// CHECK-NEXT: return %[[Y]], %[[C]]
func.func @repeated(%x: !half) -> (tensor<?x96xf32>, !whole) {
  %c = fuse.concat %x, %x, %x axis 1 : (!half, !half, !half) -> tensor<?x96xf32>
  %y = fuse.map exp %c : (tensor<?x96xf32>) -> tensor<?x96xf32>
  %z = fuse.concat %x, %x axis 1 : (!half, !half) -> !whole
  return %y, %z : tensor<?x96xf32>, !whole
}

// Nothing several times has no axis to split.
// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT: fuse.concat
func.func @nothing(%x: tensor<?x0xf32>) -> tensor<?x0xf32> {
  %c = fuse.concat %x, %x axis 1 : (tensor<?x0xf32>, tensor<?x0xf32>) -> tensor<?x0xf32>
  %y = fuse.map exp %c : (tensor<?x0xf32>) -> tensor<?x0xf32>
  return %y : tensor<?x0xf32>
}
