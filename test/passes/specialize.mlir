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
