// RUN: fuse-opt %s --fuse-specialize | FileCheck %s
// RUN: fuse-opt %s --fuse-specialize='dims=C=96,H=2' | FileCheck %s --check-prefix=GIVEN

// Extents from hints become facts beside those there are; other hints do not.
// CHECK-LABEL: func.func @hints(
// CHECK-SAME: attributes {fuse.facts = ["N >= 2", "C == 64", "H == 4"],
// CHECK-SAME: fuse.size_hints = {C = 64 : i64, H = 4 : i64, N = 100 : i64},
// CHECK-SAME: fuse.specialize = ["C", "H"]}
// An extent that is given counts more.
// GIVEN-LABEL: func.func @hints(
// GIVEN-SAME: attributes {fuse.facts = ["N >= 2", "C == 96", "H == 2"],
func.func @hints(%x: tensor<?x?x?xf32> {fuse.dims = ["N", "C", "H"]})
    attributes {fuse.facts = ["N >= 2"], fuse.specialize = ["C", "H"],
                fuse.size_hints = {C = 64, H = 4, N = 100}} {
  return
}

// What is known already is not said twice.
// CHECK-LABEL: func.func @known(
// CHECK-SAME: attributes {fuse.facts = ["C == 64"],
func.func @known(%x: tensor<?xf32> {fuse.dims = ["C"]})
    attributes {fuse.facts = ["C == 64"], fuse.specialize = ["C"],
                fuse.size_hints = {C = 64}} {
  return
}

// CHECK-LABEL: func.func @nothing_to_fix(
// CHECK-NOT: fuse.facts
// CHECK: return
func.func @nothing_to_fix(%x: tensor<?xf32> {fuse.dims = ["C"]})
    attributes {fuse.size_hints = {C = 64}} {
  return
}

// CHECK-LABEL: func.func private @declared(
// CHECK-SAME: fuse.facts = ["C == 8"]
func.func private @declared(tensor<?xf32> {fuse.dims = ["C"]})
    attributes {fuse.specialize = ["C"], fuse.size_hints = {C = 8}}

// Each further class of sizes has a clone, which says what differs from the
// first. A call is for it if its arguments have more elements than halfway, as
// a geometric mean, from the class before.
// CHECK-LABEL: func.func @classes(
// CHECK-SAME: fuse.size_classes = [{function = @classes_medium, when = "4*N + N*N >= 214"},
// CHECK-SAME: {function = @classes_large, when = "4*N + N*N >= 3505"}],
// CHECK-SAME: fuse.size_hints = {C = 4 : i64, N = 8 : i64}
// CHECK-LABEL: func.func private @classes_medium(
// CHECK-SAME: attributes {fuse.facts = ["C == 4"],
// CHECK-SAME: fuse.size_hints = {C = 4 : i64, N = 20 : i64}
// CHECK-NEXT: fuse.reduce
// CHECK-LABEL: func.func private @classes_large(
// CHECK-SAME: fuse.size_hints = {C = 4 : i64, N = 158 : i64}
func.func @classes(%x: tensor<?x?xf32> {fuse.dims = ["N", "C"]},
                   %y: tensor<?x?xf32> {fuse.dims = ["N", "N"]})
    -> tensor<?xf32>
    attributes {fuse.specialize = ["C"],
                fuse.size_hints = [{C = 4, N = 8}, {N = 20}, {N = 158}]} {
  %s = fuse.reduce sum %x axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}

// Where no dim varies there is one size.
// CHECK-LABEL: func.func @one_size(
// CHECK-NOT: fuse.size_classes
// CHECK-SAME: fuse.size_hints = {C = 4 : i64}
// CHECK-NOT: @one_size_large
func.func @one_size(%x: tensor<?xf32> {fuse.dims = ["C"]})
    attributes {fuse.specialize = ["C"],
                fuse.size_hints = [{C = 4}, {C = 8}]} {
  return
}
