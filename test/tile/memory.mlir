// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: tile.kernel @load(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32>, %[[N:[^:]*]]: index
tile.kernel @load(%x: !tile<buffer f32>, %n: index {tile.dim = "N"})
    threads 32 grid ["N"] tiles [16] {
  %i = tile.origin : index
  // CHECK: %[[TRUE:.*]] = tile.fill true : !tile<16x32xi1, reg>
  %true = tile.fill true : !tile<16x32xi1, reg>
  // CHECK-NEXT: tile.load %[[X]][%[[I:.*]]] strides[%[[N]], %[[I]]] fill 0.000000e+00 : f32 : !tile<buffer f32> -> !tile<16x32xf32, reg>
  %whole = tile.load %x[%i] strides[%n, %i] fill 0.0 : f32 : !tile<buffer f32> -> !tile<16x32xf32, reg>
  // CHECK-NEXT: tile.load %[[X]][%[[I]]] strides[%[[N]], %[[I]]] limits[%[[I]], %[[N]]] fill 0xFF800000 : f32 {vector = 4 : i64} : !tile<buffer f32> -> !tile<16x32xf32, reg>
  %cut = tile.load %x[%i] strides[%n, %i] limits[%i, %n] fill 0xFF800000 : f32 {vector = 4 : i64} : !tile<buffer f32> -> !tile<16x32xf32, reg>
  // CHECK-NEXT: tile.load %[[X]][%[[I]]] strides[%[[N]], %[[I]]] if %[[TRUE]] : !tile<16x32xi1, reg> fill 1.000000e+00 : f32 {tag} : !tile<buffer f32> -> !tile<16x32xf32, reg>
  %some = tile.load %x[%i] strides[%n, %i] if %true : !tile<16x32xi1, reg> fill 1.0 : f32 {tag} : !tile<buffer f32> -> !tile<16x32xf32, reg>
  // CHECK-NEXT: tile.load %[[X]][%[[I]]] strides[%[[N]], %[[I]]] limits[%[[I]], %[[I]]] if %[[TRUE]] : !tile<16x32xi1, reg> fill 1.000000e+00 : f32 : !tile<buffer f32> -> !tile<16x32xf32, reg>
  %both = tile.load %x[%i] strides[%n, %i] limits[%i, %i] if %true : !tile<16x32xi1, reg> fill 1.0 : f32 : !tile<buffer f32> -> !tile<16x32xf32, reg>
  // CHECK-NEXT: tile.load %[[X]][%[[I]]] strides[] fill 0.000000e+00 : f32 : !tile<buffer f32> -> !tile<f32, reg>
  %scalar = tile.load %x[%i] strides[] fill 0.0 : f32 : !tile<buffer f32> -> !tile<f32, reg>
}

// CHECK-LABEL: tile.kernel @store(
// CHECK-SAME:    %[[Y:[^:]*]]: !tile<buffer i32>
tile.kernel @store(%y: !tile<buffer i32>, %n: index {tile.dim = "N"})
    threads 32 grid [] tiles [] {
  // CHECK-NEXT: %[[TILE:.*]] = tile.fill 7 : i32
  %tile = tile.fill 7 : i32 : !tile<8xi32, reg>
  %scalar = tile.fill 7 : i32 : !tile<i32, reg>
  // CHECK: tile.store %[[TILE]], %[[Y]][%[[N:.*]]] strides[%[[N]]] : !tile<8xi32, reg>, !tile<buffer i32>
  tile.store %tile, %y[%n] strides[%n] : !tile<8xi32, reg>, !tile<buffer i32>
  // CHECK-NEXT: tile.store %[[TILE]], %[[Y]][%[[N]]] strides[%[[N]]] limits[%[[N]]] {vector = 2 : i64} : !tile<8xi32, reg>, !tile<buffer i32>
  tile.store %tile, %y[%n] strides[%n] limits[%n] {vector = 2 : i64} : !tile<8xi32, reg>, !tile<buffer i32>
  // CHECK-NEXT: tile.store %{{.*}}, %[[Y]][%[[N]]] strides[] : !tile<i32, reg>, !tile<buffer i32>
  tile.store %scalar, %y[%n] strides[] : !tile<i32, reg>, !tile<buffer i32>
}

// CHECK-LABEL: tile.kernel @shared()
tile.kernel @shared() threads 32 grid [] tiles [] {
  // CHECK-NEXT: %[[A:.*]] = tile.alloc : !tile<4x32xf32, smem>
  %a = tile.alloc : !tile<4x32xf32, smem>
  // CHECK-NEXT: tile.alloc at 512 : !tile<4x32xf32, smem>
  %b = tile.alloc at 512 : !tile<4x32xf32, smem>
  // CHECK-NEXT: tile.alloc swizzle 4 : !tile<4x32xf32, smem>
  %c = tile.alloc swizzle 4 : !tile<4x32xf32, smem>
  // CHECK-NEXT: tile.alloc at 128 swizzle 1 {tag} : !tile<4x32xf32, smem>
  %d = tile.alloc at 128 swizzle 1 {tag} : !tile<4x32xf32, smem>
  // CHECK-NEXT: %[[TILE:.*]] = tile.read %[[A]] : !tile<4x32xf32, smem> -> !tile<4x32xf32, reg>
  %tile = tile.read %a : !tile<4x32xf32, smem> -> !tile<4x32xf32, reg>
  // CHECK-NEXT: tile.barrier{{$}}
  tile.barrier
  // CHECK-NEXT: tile.await{{$}}
  tile.await
  // CHECK-NEXT: tile.write %[[TILE]], %[[A]] {tag} : !tile<4x32xf32, reg>, !tile<4x32xf32, smem>
  tile.write %tile, %a {tag} : !tile<4x32xf32, reg>, !tile<4x32xf32, smem>
  // CHECK-NEXT: %[[SLOTS:.*]] = tile.alloc at 1024 swizzle 4 slots 2 : !tile<32x4xf32, smem>
  %slots = tile.alloc at 1024 swizzle 4 slots 2 : !tile<32x4xf32, smem>
  // CHECK-NEXT: %[[TURN:.*]] = arith.constant 3
  %turn = arith.constant 3 : index
  // CHECK-NEXT: %[[SLOT:.*]] = tile.slot %[[SLOTS]][%[[TURN]]] : !tile<32x4xf32, smem>
  %slot = tile.slot %slots[%turn] : !tile<32x4xf32, smem>
  // CHECK-NEXT: tile.write %[[TILE]] transposed, %[[SLOT]] : !tile<4x32xf32, reg>, !tile<32x4xf32, smem>
  tile.write %tile transposed, %slot : !tile<4x32xf32, reg>, !tile<32x4xf32, smem>
  // CHECK: %[[ALL:.*]] = tile.alloc at 2048 swizzle 4 : !tile<64x8xf32, smem>
  %all = tile.alloc at 2048 swizzle 4 : !tile<64x8xf32, smem>
  // CHECK: %[[FIRST:.*]] = arith.constant 32
  %first = arith.constant 32 : index
  // CHECK-NEXT: tile.rows %[[ALL]][%[[FIRST]]] : !tile<64x8xf32, smem> -> !tile<32x8xf32, smem>
  %some = tile.rows %all[%first] : !tile<64x8xf32, smem> -> !tile<32x8xf32, smem>
}
