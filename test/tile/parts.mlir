// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s

// A kernel of parts: each has a grid, the kernel has none.
// CHECK-LABEL: tile.kernel @both(
// CHECK-SAME: threads 32 grid [] tiles []
// CHECK-NEXT: tile.part "rows" grid ["N"] tiles [16] {
// CHECK-NEXT: tile.origin : index
// CHECK: tile.part "tiles" grid ["N", "N*N"] tiles [16, 8] {
// CHECK-NEXT: tile.origin : index, index
tile.kernel @both(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  tile.part "rows" grid ["N"] tiles [16] {
    %i = tile.origin : index
  }
  tile.part "tiles" grid ["N", "N*N"] tiles [16, 8] {
    %i, %j = tile.origin : index, index
  }
}
