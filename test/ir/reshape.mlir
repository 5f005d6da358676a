// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @split(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x?x96xf32> {{{.*}}}, %[[W:[^:]*]]: tensor<?x16xf32>
func.func @split(%x: tensor<?x?x96xf32> {fuse.dims = ["B", "N", "D"]},
                 %w: tensor<?x16xf32> {fuse.dims = ["H", "P"]}) {
  // Extents are numbers, symbols of the function, or those of another tensor;
  // one factor a group follows from the others.
  // CHECK-NEXT: fuse.reshape %[[X]] "b n (4 d) -> b n 4 d" : (tensor<?x?x96xf32>) -> tensor<?x?x4x24xf32>
  %number = fuse.reshape %x "b n (4 d) -> b n 4 d" : (tensor<?x?x96xf32>) -> tensor<?x?x4x24xf32>
  // CHECK-NEXT: fuse.reshape %[[X]] "b n (H d) -> b H n d" : (tensor<?x?x96xf32>) -> tensor<?x?x?x?xf32>
  %symbol = fuse.reshape %x "b n (H d) -> b H n d" : (tensor<?x?x96xf32>) -> tensor<?x?x?x?xf32>
  // CHECK-NEXT: fuse.reshape %[[X]] like %[[W]] "b n (h d), h p -> b h n d" : (tensor<?x?x96xf32>, tensor<?x16xf32>) -> tensor<?x?x?x?xf32>
  %like = fuse.reshape %x like %w "b n (h d), h p -> b h n d" : (tensor<?x?x96xf32>, tensor<?x16xf32>) -> tensor<?x?x?x?xf32>
  // CHECK-NEXT: fuse.reshape %[[X]] like %[[W]] "b n (d p), h p -> b n d p" : (tensor<?x?x96xf32>, tensor<?x16xf32>) -> tensor<?x?x6x16xf32>
  %static = fuse.reshape %x like %w "b n (d p), h p -> b n d p" : (tensor<?x?x96xf32>, tensor<?x16xf32>) -> tensor<?x?x6x16xf32>
  return
}

// CHECK-LABEL: func.func @merge(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3x4x5xi32>
func.func @merge(%x: tensor<?x3x4x5xi32>) {
  // CHECK-NEXT: fuse.reshape %[[X]] "a b c d -> a (b c d)" : (tensor<?x3x4x5xi32>) -> tensor<?x60xi32>
  %merged = fuse.reshape %x "a b c d -> a (b c d)" : (tensor<?x3x4x5xi32>) -> tensor<?x60xi32>
  // CHECK-NEXT: fuse.reshape %[[X]] "a b c d -> (d a) (c b)" {tag} : (tensor<?x3x4x5xi32>) -> tensor<?x12xi32>
  %permuted = fuse.reshape %x "a b c d -> (d a) (c b)" {tag} : (tensor<?x3x4x5xi32>) -> tensor<?x12xi32>
  // CHECK-NEXT: fuse.reshape %[[X]] "a b c d -> a b c d" : (tensor<?x3x4x5xi32>) -> tensor<?x3x4x5xi32>
  %same = fuse.reshape %x "a b c d -> a b c d" : (tensor<?x3x4x5xi32>) -> tensor<?x3x4x5xi32>
  return
}

// Axes of extent 1 come and go.
// CHECK-LABEL: func.func @units(
func.func @units(%x: tensor<?x1xf16>, %s: tensor<i1>, %e: tensor<0x6xbf16>) {
  // CHECK-NEXT: fuse.reshape %{{.*}} "n 1 -> n" : (tensor<?x1xf16>) -> tensor<?xf16>
  %dropped = fuse.reshape %x "n 1 -> n" : (tensor<?x1xf16>) -> tensor<?xf16>
  // CHECK-NEXT: fuse.reshape %{{.*}} "n 1 -> 1 (1 n) 1" : (tensor<?x1xf16>) -> tensor<1x?x1xf16>
  %added = fuse.reshape %x "n 1 -> 1 (1 n) 1" : (tensor<?x1xf16>) -> tensor<1x?x1xf16>
  // CHECK-NEXT: fuse.reshape %{{.*}} " -> 1 1" : (tensor<i1>) -> tensor<1x1xi1>
  %scalar = fuse.reshape %s " -> 1 1" : (tensor<i1>) -> tensor<1x1xi1>
  // CHECK-NEXT: fuse.reshape %{{.*}} "a (b 3) -> (a b) 3" : (tensor<0x6xbf16>) -> tensor<0x3xbf16>
  %empty = fuse.reshape %e "a (b 3) -> (a b) 3" : (tensor<0x6xbf16>) -> tensor<0x3xbf16>
  return
}
