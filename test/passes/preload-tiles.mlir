// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-preload-tiles))' | FileCheck %s

!row = !tile<32xf32, reg, #tile.map<"warps 1, [lane 32@1]">>
!large = !tile<32x256xf32, reg, #tile.map<"warps 1, [reg 32@8, lane 1@1], [lane 32@1, reg 8@1]">>
!sum = !tile<32x32xf32, reg, #tile.map<"warps 1, [lane 4@8, reg 8@4], [lane 8@1, reg 4@1]">>
!shared = !tile<32x32xf32, smem>
!buffer = !tile<buffer f32>

// Loads move to the start in their order, with the arithmetic of their places.
// CHECK-LABEL: tile.kernel @moves(
// CHECK-SAME: %[[X:[^:]*]]: !tile<buffer f32>, %[[W:[^:]*]]: !tile<buffer f32>, %{{.*}}: !tile<buffer f32>, %[[N:[^:]*]]: index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1
// CHECK-DAG: %[[C0:.*]] = arith.constant 0
// CHECK: %[[A:.*]] = tile.load %[[X]][%[[C0]]]
// CHECK: %[[PLACE:.*]] = arith.muli %[[N]], %[[N]]
// CHECK-NEXT: %[[B:.*]] = tile.load %[[W]][%[[PLACE]]]
// CHECK: tile.map exp %[[A]]
// CHECK: tile.map mul %{{.*}}, %[[B]]
tile.kernel @moves(%x: !buffer, %w: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] strides[%c1] fill 0.0 : f32 : !buffer -> !row
  %e = tile.map exp %a : (!row) -> !row
  %place = arith.muli %n, %n : index
  %b = tile.load %w[%place] strides[%c1] fill 0.0 : f32 : !buffer -> !row
  %p = tile.map mul %e, %b : (!row, !row) -> !row
  tile.store %p, %y[%c0] strides[%c1] : !row, !buffer
}

// What the kernel writes is read where it was, and so is what registers have no
// room for.
// CHECK-LABEL: tile.kernel @stays(
// CHECK-SAME: %[[X:[^:]*]]: !tile<buffer f32>, %[[W:[^:]*]]: !tile<buffer f32>, %[[Y:[^:]*]]: !tile<buffer f32>
// CHECK: tile.fill
// CHECK: tile.store %{{.*}}, %[[Y]]
// CHECK: tile.load %[[Y]]
// CHECK: tile.load %[[W]]
tile.kernel @stays(%x: !buffer, %w: !buffer, %y: !buffer) threads 32 grid [] tiles [] {
  %zero = tile.fill 0.0 : f32 : !row
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  tile.store %zero, %y[%c0] strides[%c1] : !row, !buffer
  %a = tile.load %y[%c0] strides[%c1] fill 0.0 : f32 : !buffer -> !row
  %b = tile.load %w[%c0] strides[%c1, %c1] fill 0.0 : f32 : !buffer -> !large
  tile.store %a, %x[%c0] strides[%c1] : !row, !buffer
  tile.store %b, %x[%c0] strides[%c1, %c1] : !large, !buffer
}

// Beside many sums only small tiles move.
// CHECK-LABEL: tile.kernel @sums(
// CHECK-SAME: %[[X:[^:]*]]: !tile<buffer f32>, %[[W:[^:]*]]: !tile<buffer f32>
// CHECK: tile.load %[[W]]{{.*}} -> !tile<32xf32, reg,
// CHECK: tile.contract
// CHECK-NEXT: tile.load %[[X]]{{.*}} -> !tile<32x32xf32, reg,
tile.kernel @sums(%x: !buffer, %w: !buffer, %y: !buffer) threads 32 grid [] tiles [] {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %zero = tile.fill 0.0 : f32 : !sum
  %s = tile.alloc : !shared
  tile.write %zero, %s : !sum, !shared
  %p = tile.contract %s, %s into %zero : !shared, !shared, !sum
  %a = tile.load %x[%c0] strides[%c1, %c1] fill 0.0 : f32 : !buffer -> !sum
  %b = tile.load %w[%c0] strides[%c1] fill 0.0 : f32 : !buffer -> !row
  %q = tile.map add %p, %a : (!sum, !sum) -> !sum
  tile.store %q, %y[%c0] strides[%c1, %c1] : !sum, !buffer
  tile.store %b, %y[%c0] strides[%c1] : !row, !buffer
}

// In a step of a loop that has loops in it, loads move to its start; in a loop
// without they stay.
// CHECK-LABEL: tile.kernel @steps(
// CHECK-SAME: %[[X:[^:]*]]: !tile<buffer f32>, %[[W:[^:]*]]: !tile<buffer f32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NEXT: %[[PLACE:.*]] = arith.muli %[[I]], %[[I]]
// CHECK-NEXT: tile.load %[[W]][%[[PLACE]]]
// CHECK-NEXT: tile.fill
// CHECK-NEXT: scf.for %[[J:.*]] = %{{.*}} to
// CHECK-NEXT: tile.map exp
// CHECK-NEXT: tile.load %[[X]][%[[J]]]
tile.kernel @steps(%x: !buffer, %w: !buffer, %y: !buffer, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %zero = tile.fill 0.0 : f32 : !row
    scf.for %j = %c0 to %n step %c1 {
      %e = tile.map exp %zero : (!row) -> !row
      %a = tile.load %x[%j] strides[%c1] fill 0.0 : f32 : !buffer -> !row
      %p = tile.map mul %e, %a : (!row, !row) -> !row
      tile.store %p, %y[%c0] strides[%c1] : !row, !buffer
    }
    %place = arith.muli %i, %i : index
    %b = tile.load %w[%place] strides[%c1] fill 0.0 : f32 : !buffer -> !row
    tile.store %b, %y[%i] strides[%c1] : !row, !buffer
  }
}

// What is needed behind a loop, and takes many registers, is loaded behind it.
// CHECK-LABEL: tile.kernel @behind(
// CHECK-SAME: %[[X:[^:]*]]: !tile<buffer f32>, %[[W:[^:]*]]: !tile<buffer f32>
// CHECK: tile.load %[[W]]{{.*}} -> !tile<32xf32, reg,
// CHECK: scf.for
// CHECK: }
// CHECK-NEXT: %[[REST:.*]] = tile.load %[[X]]{{.*}} -> !tile<32x32xf32, reg,
// CHECK-NEXT: tile.map add %{{.*}}, %[[REST]]
tile.kernel @behind(%x: !buffer, %w: !buffer, %y: !buffer) threads 32 grid [] tiles [] {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %rest = tile.load %x[%c0] strides[%c32, %c1] fill 0.0 : f32 : !buffer -> !sum
  %row = tile.load %w[%c0] strides[%c1] fill 0.0 : f32 : !buffer -> !row
  %zero = tile.fill 0.0 : f32 : !sum
  %s = tile.alloc : !shared
  tile.write %zero, %s : !sum, !shared
  %total = scf.for %k = %c0 to %c64 step %c32 iter_args(%so_far = %zero) -> (!sum) {
    %next = tile.contract %s, %s into %so_far : !shared, !shared, !sum
    scf.yield %next : !sum
  }
  %result = tile.map add %total, %rest : (!sum, !sum) -> !sum
  tile.store %result, %y[%c0] strides[%c32, %c1] : !sum, !buffer
  tile.store %row, %y[%c0] strides[%c1] : !row, !buffer
}

// But not what a loop's next step needs, which is on its way.
// CHECK-LABEL: tile.kernel @next_step(
// CHECK: tile.load
// CHECK: scf.for
// CHECK: tile.load
// CHECK-NEXT: scf.for
// CHECK: scf.yield
// CHECK: scf.yield
tile.kernel @next_step(%x: !buffer, %y: !buffer) threads 32 grid [] tiles [] {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = tile.fill 0.0 : f32 : !sum
  %s = tile.alloc : !shared
  %first = tile.load %x[%c0] strides[%c32, %c1] fill 0.0 : f32 : !buffer -> !sum
  %both:2 = scf.for %k = %c0 to %c64 step %c32 iter_args(%total = %zero, %now = %first) -> (!sum, !sum) {
    tile.write %now, %s : !sum, !shared
    %next = arith.addi %k, %c32 : index
    %after = tile.load %x[%next] strides[%c32, %c1] fill 0.0 : f32 : !buffer -> !sum
    %inner = scf.for %l = %c0 to %c64 step %c32 iter_args(%so_far = %total) -> (!sum) {
      %more = tile.contract %s, %s into %so_far : !shared, !shared, !sum
      scf.yield %more : !sum
    }
    scf.yield %inner, %after : !sum, !sum
  }
  tile.store %both#0, %y[%c0] strides[%c32, %c1] : !sum, !buffer
}

// In a step of a loop of loops more is loaded at its start, if the sums leave
// room: 32 of them do.
// CHECK-LABEL: tile.kernel @step(
// CHECK: scf.for
// CHECK: %[[BIAS:.*]] = tile.load
// CHECK: scf.for
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: tile.map add %{{.*}}, %[[BIAS]]
tile.kernel @step(%x: !buffer, %y: !buffer) threads 32 grid [] tiles [] {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = tile.fill 0.0 : f32 : !sum
  %s = tile.alloc : !shared
  tile.write %zero, %s : !sum, !shared
  %all = scf.for %k = %c0 to %c64 step %c32 iter_args(%total = %zero) -> (!sum) {
    %inner = scf.for %l = %c0 to %c64 step %c32 iter_args(%so_far = %total) -> (!sum) {
      %more = tile.contract %s, %s into %so_far : !shared, !shared, !sum
      scf.yield %more : !sum
    }
    %bias = tile.load %x[%k] strides[%c32, %c1] fill 0.0 : f32 : !buffer -> !sum
    %next = tile.map add %inner, %bias : (!sum, !sum) -> !sum
    scf.yield %next : !sum
  }
  tile.store %all, %y[%c0] strides[%c32, %c1] : !sum, !buffer
}
