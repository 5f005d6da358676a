// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-pipeline-loops))' --split-input-file | FileCheck %s

!operand = !tile<16x16xf32, reg, #tile.map<"warps 1, [reg 8@1, lane 2@16], [lane 16@1]">>
!sum = !tile<16x16xf32, reg, #tile.map<"warps 1, [lane 8@4, reg 2@4], [lane 4@1, reg 4@1]">>
!shared = !tile<16x16xf32, smem>

// The loads of the next step stand before this step's contraction; what is
// computed from them stays in its step. A limit that ends with the loop says
// that a step does not exist, also where there is none at all. Written shared
// tiles are two that take turns.
// CHECK-LABEL: tile.kernel @linear(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32>, %[[W:[^:]*]]: !tile<buffer f32>, %[[Y:[^:]*]]: !tile<buffer f32>, %[[M:[^:]*]]: index {{.*}}, %[[K:[^:]*]]: index
// CHECK: %[[ZERO:.*]] = tile.fill
// CHECK: %[[FIRST_X:.*]] = tile.load %[[X]][%c0{{[_0-9]*}}] strides[%[[K]], %c1] limits[%[[M]], %[[K]]] fill
// CHECK: %[[FIRST_W:.*]] = tile.load %[[W]][%c0{{[_0-9]*}}] strides[%[[K]], %c1] limits[%c16{{[_0-9]*}}, %[[K]]] fill {{.*}} {vector = 4 : i64}
// CHECK: %[[A:.*]] = tile.alloc swizzle 2 slots 2 : !tile<16x16xf32, smem>
// CHECK: %[[B:.*]] = tile.alloc slots 2 : !tile<16x16xf32, smem>
// CHECK-NEXT: scf.for %[[I:.*]] = %c0 to %[[K]] step %c16 iter_args(%[[TOTAL:.*]] = %[[ZERO]], %[[NOW_X:.*]] = %[[FIRST_X]], %[[NOW_W:.*]] = %[[FIRST_W]])
// CHECK-NEXT: %[[TURN:.*]] = arith.divsi %[[I]], %c16
// CHECK-NOT: tile.load
// CHECK: %[[NEGATED:.*]] = tile.map neg %[[NOW_X]]
// CHECK: %[[SLOT_A:.*]] = tile.slot %[[A]][%[[TURN]]]
// CHECK-NEXT: tile.write %[[NEGATED]], %[[SLOT_A]]
// CHECK: %[[SLOT_B:.*]] = tile.slot %[[B]][%[[TURN]]]
// CHECK-NEXT: tile.write %[[NOW_W]] transposed, %[[SLOT_B]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[I]], %c16
// CHECK: %[[REST:.*]] = arith.subi %[[K]], %[[NEXT]]
// CHECK-NEXT: %[[NEXT_X:.*]] = tile.load %[[X]][%[[NEXT]]] strides[%[[K]], %c1] limits[%[[M]], %[[REST]]]
// CHECK: %[[NEXT_W:.*]] = tile.load %[[W]][%[[NEXT]]]
// CHECK-NEXT: %[[SUM:.*]] = tile.contract %[[SLOT_A]], %[[SLOT_B]] into %[[TOTAL]]
// CHECK-NEXT: scf.yield %[[SUM]], %[[NEXT_X]], %[[NEXT_W]]
tile.kernel @linear(%x: !tile<buffer f32>, %w: !tile<buffer f32>, %y: !tile<buffer f32>, %m: index {tile.dim = "M"}, %k: index {tile.dim = "K"}) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill 0.0 : f32 : !sum
  %sum = scf.for %i = %c0 to %k step %c16 iter_args(%total = %zero) -> (!sum) {
    %rest = arith.subi %k, %i : index
    %0 = tile.load %x[%i] strides[%k, %c1] limits[%m, %rest] fill 0.0 : f32 : !tile<buffer f32> -> !operand
    %1 = tile.map neg %0 : (!operand) -> !operand
    %a = tile.alloc swizzle 2 : !shared
    tile.write %1, %a : !operand, !shared
    %2 = tile.load %w[%i] strides[%k, %c1] limits[%c16, %rest] fill 0.0 : f32 {vector = 4} : !tile<buffer f32> -> !operand
    %b = tile.alloc : !shared
    tile.write %2 transposed, %b : !operand, !shared
    %3 = tile.contract %a, %b into %total : !shared, !shared, !sum
    scf.yield %3 : !sum
  }
  tile.store %sum, %y[%c0] strides[%c16, %c1] : !sum, !tile<buffer f32>
}

// -----

!operand = !tile<16x32xf32, reg, #tile.map<"warps 1, [reg 16@1], [lane 32@1]">>
!sum = !tile<16x16xf32, reg, #tile.map<"warps 1, [lane 8@4, reg 2@4], [lane 4@1, reg 4@1]">>
!shared = !tile<16x32xf32, smem>

// Where no limit does, one is added: of the dim that is as long as a step, the
// rest of the loop. A dim that is longer may be cut by no more than a whole step:
// the rest, times its extent. A loop need not begin at 0.
// CHECK-LABEL: tile.kernel @limits(
// CHECK-SAME:    %[[X:[^:]*]]: !tile<buffer f32>, %[[N:[^:]*]]: index
// CHECK: tile.load %[[X]][%c32{{[_0-9]*}}] strides[%[[N]], %c1] limits[%c16{{[_0-9]*}}, %c64{{[_0-9]*}}] fill
// CHECK: scf.for %[[I:.*]] = %c32{{[_0-9]*}} to %c96{{[_0-9]*}} step %c32
// CHECK-NEXT: %[[DISTANCE:.*]] = arith.subi %[[I]], %c32
// CHECK-NEXT: arith.divsi %[[DISTANCE]], %c32
// CHECK: %[[REST:.*]] = arith.subi %c96{{[_0-9]*}}, %{{.*}}
// CHECK: tile.load %[[X]][%{{.*}}] strides[%[[N]], %c1] limits[%c16{{[_0-9]*}}, %[[REST]]] fill
// CHECK: scf.for %[[I:.*]] = %c0{{[_0-9]*}} to %[[N]] step %c1
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1
// CHECK: %[[REST:.*]] = arith.subi %[[N]], %[[NEXT]]
// CHECK: %[[LIMIT:.*]] = arith.muli %[[REST]], %c16
// CHECK: tile.load %[[X]][%{{.*}}] strides[%[[N]], %c1] limits[%[[LIMIT]], %[[N]]] fill
tile.kernel @limits(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %zero = tile.fill 0.0 : f32 : !sum
  %sum = scf.for %i = %c32 to %c96 step %c32 iter_args(%total = %zero) -> (!sum) {
    %0 = tile.load %x[%i] strides[%n, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !operand
    %a = tile.alloc : !shared
    tile.write %0, %a : !operand, !shared
    %1 = tile.contract %a, %a transposed into %total : !shared, !shared, !sum
    scf.yield %1 : !sum
  }
  %more = scf.for %i = %c0 to %n step %c1 iter_args(%total = %sum) -> (!sum) {
    %0 = tile.load %x[%i] strides[%n, %c1] limits[%c16, %n] fill 0.0 : f32 : !tile<buffer f32> -> !operand
    %a = tile.alloc : !shared
    tile.write %0, %a : !operand, !shared
    %1 = tile.contract %a, %a transposed into %total : !shared, !shared, !sum
    scf.yield %1 : !sum
  }
}

// -----

!operand = !tile<16x16xf32, reg, #tile.map<"warps 1, [reg 8@1, lane 2@16], [lane 16@1]">>
!sum = !tile<16x16xf32, reg, #tile.map<"warps 1, [lane 8@4, reg 2@4], [lane 4@1, reg 4@1]">>
!shared = !tile<16x16xf32, smem>

// Loads move, but shared tiles do not take turns where one is read, written
// twice, or made outside of the loop.
// CHECK-LABEL: tile.kernel @no_turns(
// CHECK-NOT: slots
// CHECK: iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (!tile<16x16xf32{{.*}}, !tile<16x16xf32
// CHECK-NOT: tile.slot
tile.kernel @no_turns(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = tile.fill 0.0 : f32 : !sum
  %b = tile.alloc : !shared
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero) -> (!sum) {
    %rest = arith.subi %n, %i : index
    %0 = tile.load %x[%i] strides[%n, %c1] limits[%n, %rest] fill 0.0 : f32 : !tile<buffer f32> -> !operand
    tile.write %0, %b : !operand, !shared
    %1 = tile.contract %b, %b into %total : !shared, !shared, !sum
    scf.yield %1 : !sum
  }
}

// -----

!operand = !tile<16x16xf32, reg, #tile.map<"warps 1, [reg 8@1, lane 2@16], [lane 16@1]">>
!sum = !tile<16x16xf32, reg, #tile.map<"warps 1, [lane 8@4, reg 2@4], [lane 4@1, reg 4@1]">>
!shared = !tile<16x16xf32, smem>

// Stays: a loop of one step; no contraction; what a condition of the step
// guards; limits that say something else in every dim; a buffer that is stored
// to.
// CHECK-LABEL: tile.kernel @stays(
// CHECK-NOT: iter_args(%{{.*}} = %{{.*}}, %
// CHECK-NOT: slots
tile.kernel @stays(%x: !tile<buffer f32>, %y: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill 0.0 : f32 : !sum
  %one = scf.for %i = %c0 to %c16 step %c16 iter_args(%total = %zero) -> (!sum) {
    %0 = tile.load %x[%i] strides[%n, %c1] fill 0.0 : f32 : !tile<buffer f32> -> !operand
    %a = tile.alloc : !shared
    tile.write %0, %a : !operand, !shared
    %1 = tile.contract %a, %a into %total : !shared, !shared, !sum
    scf.yield %1 : !sum
  }
  %none = tile.fill 0.0 : f32 : !operand
  %max = scf.for %i = %c0 to %n step %c1 iter_args(%total = %none) -> (!operand) {
    %rest = arith.subi %n, %i : index
    %0 = tile.load %x[%i] strides[%n, %c1] limits[%n, %rest] fill 0.0 : f32 : !tile<buffer f32> -> !operand
    %1 = tile.map max %0, %total : (!operand, !operand) -> !operand
    scf.yield %1 : !operand
  }
  %some = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero) -> (!sum) {
    %rest = arith.subi %n, %i : index
    %zeros = tile.fill 0.0 : f32 : !operand
    %is = tile.compare eq %zeros, %max : (!operand, !operand) -> !tile<16x16xi1, reg, #tile.map<"warps 1, [reg 8@1, lane 2@16], [lane 16@1]">>
    %0 = tile.load %x[%i] strides[%n, %c1] limits[%n, %rest] if %is : !tile<16x16xi1, reg, #tile.map<"warps 1, [reg 8@1, lane 2@16], [lane 16@1]">> fill 0.0 : f32 : !tile<buffer f32> -> !operand
    %a = tile.alloc : !shared
    tile.write %0, %a : !operand, !shared
    %1 = tile.contract %a, %a into %total : !shared, !shared, !sum
    scf.yield %1 : !sum
  }
  %cut = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero) -> (!sum) {
    %0 = tile.load %x[%i] strides[%n, %c1] limits[%n, %n] fill 0.0 : f32 : !tile<buffer f32> -> !operand
    %a = tile.alloc : !shared
    tile.write %0, %a : !operand, !shared
    %1 = tile.contract %a, %a into %total : !shared, !shared, !sum
    scf.yield %1 : !sum
  }
  %stored = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero) -> (!sum) {
    %rest = arith.subi %n, %i : index
    %0 = tile.load %y[%i] strides[%n, %c1] limits[%n, %rest] fill 0.0 : f32 : !tile<buffer f32> -> !operand
    %a = tile.alloc : !shared
    tile.write %0, %a : !operand, !shared
    %1 = tile.contract %a, %a into %total : !shared, !shared, !sum
    tile.store %1, %y[%i] strides[%n, %c1] : !sum, !tile<buffer f32>
    scf.yield %1 : !sum
  }
}

// -----

!operand = !tile<16x16xf32, reg, #tile.map<"warps 1, [reg 8@1, lane 2@16], [lane 16@1]">>
!sum = !tile<16x16xf32, reg, #tile.map<"warps 1, [lane 8@4, reg 2@4], [lane 4@1, reg 4@1]">>
!shared = !tile<16x16xf32, smem>

// What a loop within starts with is loaded behind that loop, for the next step
// of the one around it.
// CHECK-LABEL: tile.kernel @outer(
// CHECK: %[[FIRST:.*]] = tile.load %[[X:.*]][%c0] strides
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} iter_args(%[[OWN:.*]] = %[[FIRST]])
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[OWN]])
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]]
// CHECK: %[[AHEAD:.*]] = tile.load %[[X]][%[[NEXT]]] strides
// CHECK: tile.store
// CHECK-NEXT: scf.yield %[[AHEAD]]
tile.kernel @outer(%x: !tile<buffer f32>, %y: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = tile.fill 0.0 : f32 : !sum
  scf.for %i = %c0 to %n step %c16 {
    %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%total = %zero) -> (!sum) {
      %place = arith.addi %i, %k : index
      %rows = arith.subi %n, %i : index
      %rest = arith.subi %c64, %k : index
      %0 = tile.load %x[%place] strides[%n, %c1] limits[%rows, %rest] fill 0.0 : f32 : !tile<buffer f32> -> !operand
      %a = tile.alloc : !shared
      tile.write %0, %a : !operand, !shared
      %1 = tile.contract %a, %a into %total : !shared, !shared, !sum
      scf.yield %1 : !sum
    }
    tile.store %sum, %y[%i] strides[%n, %c1] : !sum, !tile<buffer f32>
  }
}

// -----

!split = !tile<4x4x16xf32, reg, #tile.map<"warps 1, [reg 4@2], [reg 2@1, lane 2@16], [lane 16@1]">>
!operand = !tile<16x16xf32, reg, #tile.map<"warps 1, [reg 8@1, lane 2@16], [lane 16@1]">>
!sum = !tile<16x16xf32, reg, #tile.map<"warps 1, [lane 8@4, reg 2@4], [lane 4@1, reg 4@1]">>
!shared = !tile<16x16xf32, smem>

// What is loaded in more dims than the contraction has is on its way, too.
// CHECK-LABEL: tile.kernel @split(
// CHECK: %[[FIRST:.*]] = tile.load
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[NOW:.*]] = %[[FIRST]])
// CHECK: tile.reshape %[[NOW]]
// CHECK: tile.load
// CHECK: tile.contract
tile.kernel @split(%x: !tile<buffer f32>, %y: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %zero = tile.fill 0.0 : f32 : !sum
  %sum = scf.for %k = %c0 to %n step %c16 iter_args(%total = %zero) -> (!sum) {
    %rest = arith.subi %n, %k : index
    %0 = tile.load %x[%k] strides[%c16, %n, %c1] limits[%c4, %c4, %rest] fill 0.0 : f32 : !tile<buffer f32> -> !split
    %1 = tile.reshape %0 : !split -> !operand
    %a = tile.alloc : !shared
    tile.write %1, %a : !operand, !shared
    %2 = tile.contract %a, %a into %total : !shared, !shared, !sum
    scf.yield %2 : !sum
  }
  tile.store %sum, %y[%c0] strides[%n, %c1] : !sum, !tile<buffer f32>
}
