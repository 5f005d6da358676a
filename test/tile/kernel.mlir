// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: tile.kernel @full(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32> {tile.name = "x"}, %[[N:[^:]*]]: index {tile.dim = "N"})
// CHECK-SAME:    threads 128 grid ["N", "2*N + 1", "3"] tiles [16, 1, 2] shared 4096 attributes {tag} {
tile.kernel @full(%x: !tile<buffer f32> {tile.name = "x"}, %n: index {tile.dim = "N"})
    threads 128 grid ["N", "2*N + 1", "3"] tiles [16, 1, 2] shared 4096 attributes {tag} {
  // CHECK-NEXT: %{{.*}}:3 = tile.origin : index, index, index
  %start:3 = tile.origin : index, index, index
  // CHECK-NEXT: }
}

// CHECK-LABEL: tile.kernel @least() threads 32 grid [] tiles [] {
tile.kernel @least() threads 32 grid [] tiles [] {
  // CHECK-NEXT: tile.origin{{$}}
  tile.origin
  tile.return
  // CHECK-NEXT: }
}

// CHECK-LABEL: tile.kernel @most()
// CHECK-SAME:    threads 1024 grid ["1"] tiles [9223372036854775807] shared 0 {
tile.kernel @most() threads 1024 grid ["1"] tiles [9223372036854775807] shared 0 {
}
