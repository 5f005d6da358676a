// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-insert-barriers))' | FileCheck %s

// A read after a write, then a write after the read.
// CHECK-LABEL: tile.kernel @read_write()
// CHECK: tile.write
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.read
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.write
// CHECK-NEXT: }
tile.kernel @read_write() threads 64 grid [] tiles [] {
  %x = tile.fill 0.0 : f32 : !tile<64xf32, reg>
  %a = tile.alloc at 0 : !tile<64xf32, smem>
  tile.write %x, %a : !tile<64xf32, reg>, !tile<64xf32, smem>
  %0 = tile.read %a : !tile<64xf32, smem> -> !tile<64xf32, reg>
  tile.write %0, %a : !tile<64xf32, reg>, !tile<64xf32, smem>
}

// A write after a write.
// CHECK-LABEL: tile.kernel @write_write()
// CHECK: tile.write
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.write
// CHECK-NEXT: }
tile.kernel @write_write() threads 64 grid [] tiles [] {
  %x = tile.fill 0.0 : f32 : !tile<64xf32, reg>
  %a = tile.alloc at 0 : !tile<64xf32, smem>
  tile.write %x, %a : !tile<64xf32, reg>, !tile<64xf32, smem>
  tile.write %x, %a : !tile<64xf32, reg>, !tile<64xf32, smem>
}

// Reads do not disturb each other, nor accesses to other bytes, nor to global
// memory. One barrier is enough for several accesses behind it.
// CHECK-LABEL: tile.kernel @few(
// CHECK-NOT: tile.barrier
// CHECK: tile.write
// CHECK-NEXT: tile.write
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.read
// CHECK-NEXT: tile.read
// CHECK-NEXT: tile.read
// CHECK-NEXT: tile.store
// CHECK-NEXT: }
tile.kernel @few(%y: !tile<buffer f32>) threads 64 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %x = tile.fill 0.0 : f32 : !tile<64xf32, reg>
  %a = tile.alloc at 0 : !tile<64xf32, smem>
  %b = tile.alloc at 256 : !tile<64xf32, smem>
  tile.write %x, %a : !tile<64xf32, reg>, !tile<64xf32, smem>
  tile.write %x, %b : !tile<64xf32, reg>, !tile<64xf32, smem>
  tile.store %x, %y[%c0] strides[%c0] : !tile<64xf32, reg>, !tile<buffer f32>
  %0 = tile.read %a : !tile<64xf32, smem> -> !tile<64xf32, reg>
  %1 = tile.read %b : !tile<64xf32, smem> -> !tile<64xf32, reg>
  %2 = tile.read %a : !tile<64xf32, smem> -> !tile<64xf32, reg>
  tile.store %x, %y[%c0] strides[%c0] : !tile<64xf32, reg>, !tile<buffer f32>
}

// Two tiles may share bytes: here the last byte of one is the first of another.
// CHECK-LABEL: tile.kernel @overlap()
// CHECK: tile.read
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.write
// CHECK-NEXT: }
tile.kernel @overlap() threads 64 grid [] tiles [] {
  %x = tile.fill true : !tile<64xi1, reg>
  %a = tile.alloc at 0 : !tile<64xi1, smem>
  %b = tile.alloc at 63 : !tile<64xi1, smem>
  %0 = tile.read %a : !tile<64xi1, smem> -> !tile<64xi1, reg>
  tile.write %x, %b : !tile<64xi1, reg>, !tile<64xi1, smem>
}

// CHECK-LABEL: tile.kernel @neighbours()
// CHECK-NOT: tile.barrier
// CHECK: }
tile.kernel @neighbours() threads 64 grid [] tiles [] {
  %x = tile.fill true : !tile<64xi1, reg>
  %a = tile.alloc at 0 : !tile<64xi1, smem>
  %b = tile.alloc at 64 : !tile<64xi1, smem>
  %0 = tile.read %a : !tile<64xi1, smem> -> !tile<64xi1, reg>
  tile.write %x, %b : !tile<64xi1, reg>, !tile<64xi1, smem>
}

// Operands of a contraction are written before, and overwritten after it: by the
// next iteration as well.
// CHECK-LABEL: tile.kernel @contraction(
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.write
// CHECK-NEXT: tile.write
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.contract
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: }
tile.kernel @contraction(%n: index {tile.dim = "N"}) threads 64 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tile.fill 0.0 : f32 : !tile<16x16xf32, reg>
  %a = tile.alloc at 0 : !tile<16x16xf32, smem>
  %b = tile.alloc at 1024 : !tile<16x16xf32, smem>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%total = %x) -> (!tile<16x16xf32, reg>) {
    tile.write %x, %a : !tile<16x16xf32, reg>, !tile<16x16xf32, smem>
    tile.write %x, %b : !tile<16x16xf32, reg>, !tile<16x16xf32, smem>
    %0 = tile.contract %a, %b into %total : !tile<16x16xf32, smem>, !tile<16x16xf32, smem>, !tile<16x16xf32, reg>
    scf.yield %0 : !tile<16x16xf32, reg>
  }
}

// What a loop left behind conflicts with what comes after it, and what was
// before it too, since the loop may not run at all.
// CHECK-LABEL: tile.kernel @after_loop(
// CHECK: tile.write
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.read
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.write
// CHECK-NEXT: }
tile.kernel @after_loop(%n: index {tile.dim = "N"}) threads 64 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tile.fill 0.0 : f32 : !tile<64xf32, reg>
  %a = tile.alloc at 0 : !tile<64xf32, smem>
  tile.write %x, %a : !tile<64xf32, reg>, !tile<64xf32, smem>
  scf.for %i = %c0 to %n step %c1 {
    %0 = tile.read %a : !tile<64xf32, smem> -> !tile<64xf32, reg>
  }
  tile.write %x, %a : !tile<64xf32, reg>, !tile<64xf32, smem>
}

// A loop whose iterations only read needs no barrier of its own.
// CHECK-LABEL: tile.kernel @reading_loop(
// CHECK-NOT: tile.barrier
// CHECK: tile.store
tile.kernel @reading_loop(%y: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 64 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.alloc at 0 : !tile<64xf32, smem>
  scf.for %i = %c0 to %n step %c1 {
    %0 = tile.read %a : !tile<64xf32, smem> -> !tile<64xf32, reg>
    tile.store %0, %y[%c0] strides[%c0] : !tile<64xf32, reg>, !tile<buffer f32>
  }
}

// Barriers that are there already count.
// CHECK-LABEL: tile.kernel @given()
// CHECK: tile.write
// CHECK-NEXT: tile.fill
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.read
// CHECK-NEXT: }
tile.kernel @given() threads 64 grid [] tiles [] {
  %x = tile.fill 0.0 : f32 : !tile<64xf32, reg>
  %a = tile.alloc at 0 : !tile<64xf32, smem>
  tile.write %x, %a : !tile<64xf32, reg>, !tile<64xf32, smem>
  %y = tile.fill 1.0 : f32 : !tile<64xf32, reg>
  tile.barrier
  %0 = tile.read %a : !tile<64xf32, smem> -> !tile<64xf32, reg>
}

// Iterations of a nest of loops: the inner loop's write comes after the outer
// one's read of the iteration before.
// CHECK-LABEL: tile.kernel @nest(
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.write
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.read
// CHECK-NEXT: }
tile.kernel @nest(%n: index {tile.dim = "N"}) threads 64 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tile.fill 0.0 : f32 : !tile<64xf32, reg>
  %a = tile.alloc at 0 : !tile<64xf32, smem>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      tile.write %x, %a : !tile<64xf32, reg>, !tile<64xf32, smem>
    }
    %0 = tile.read %a : !tile<64xf32, smem> -> !tile<64xf32, reg>
  }
}

// A slot whose turn it is comes again two steps later, when a barrier of the step
// between has been passed: one a step is enough.
// CHECK-LABEL: tile.kernel @turns(
// CHECK: scf.for
// CHECK-NEXT: arith.divsi
// CHECK-NEXT: tile.slot
// CHECK-NEXT: tile.write
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.contract
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: }
tile.kernel @turns(%n: index {tile.dim = "N"}) threads 64 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %x = tile.fill 0.0 : f32 : !tile<16x16xf32, reg>
  %a = tile.alloc at 0 slots 2 : !tile<16x16xf32, smem>
  %sum = scf.for %i = %c0 to %n step %c4 iter_args(%total = %x) -> (!tile<16x16xf32, reg>) {
    %turn = arith.divsi %i, %c4 : index
    %now = tile.slot %a[%turn] : !tile<16x16xf32, smem>
    tile.write %x, %now : !tile<16x16xf32, reg>, !tile<16x16xf32, smem>
    %0 = tile.contract %now, %now into %total : !tile<16x16xf32, smem>, !tile<16x16xf32, smem>, !tile<16x16xf32, reg>
    scf.yield %0 : !tile<16x16xf32, reg>
  }
}

// One slot is no turn, and steps that are not counted one by one may meet.
// CHECK-LABEL: tile.kernel @no_turns(
// CHECK: scf.for
// CHECK-NEXT: arith.divsi
// CHECK-NEXT: tile.slot
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.write
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.contract
// CHECK: scf.for
// CHECK-NEXT: tile.slot
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.write
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.contract
tile.kernel @no_turns(%n: index {tile.dim = "N"}) threads 64 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %x = tile.fill 0.0 : f32 : !tile<16x16xf32, reg>
  %a = tile.alloc at 0 slots 1 : !tile<16x16xf32, smem>
  %b = tile.alloc at 1024 slots 2 : !tile<16x16xf32, smem>
  %sum = scf.for %i = %c0 to %n step %c4 iter_args(%total = %x) -> (!tile<16x16xf32, reg>) {
    %turn = arith.divsi %i, %c4 : index
    %now = tile.slot %a[%turn] : !tile<16x16xf32, smem>
    tile.write %x, %now : !tile<16x16xf32, reg>, !tile<16x16xf32, smem>
    %0 = tile.contract %now, %now into %total : !tile<16x16xf32, smem>, !tile<16x16xf32, smem>, !tile<16x16xf32, reg>
    scf.yield %0 : !tile<16x16xf32, reg>
  }
  %more = scf.for %i = %c0 to %n step %c4 iter_args(%total = %sum) -> (!tile<16x16xf32, reg>) {
    %now = tile.slot %b[%i] : !tile<16x16xf32, smem>
    tile.write %x, %now : !tile<16x16xf32, reg>, !tile<16x16xf32, smem>
    %0 = tile.contract %now, %now into %total : !tile<16x16xf32, smem>, !tile<16x16xf32, smem>, !tile<16x16xf32, reg>
    scf.yield %0 : !tile<16x16xf32, reg>
  }
}

// In a nest, turns begin anew with each inner loop, in which the last slot of the
// one before may still be read: one barrier before the loop spares one a step.
// CHECK-LABEL: tile.kernel @turns_in_nest(
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: scf.for
// CHECK-NEXT: arith.divsi
// CHECK-NEXT: tile.slot
// CHECK-NEXT: tile.write
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.read
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
tile.kernel @turns_in_nest(%n: index {tile.dim = "N"}) threads 64 grid [] tiles [] {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %x = tile.fill 0.0 : f32 : !tile<64xf32, reg>
  %a = tile.alloc at 0 slots 2 : !tile<64xf32, smem>
  scf.for %j = %c0 to %n step %c4 {
    scf.for %i = %c0 to %n step %c4 {
      %turn = arith.divsi %i, %c4 : index
      %now = tile.slot %a[%turn] : !tile<64xf32, smem>
      tile.write %x, %now : !tile<64xf32, reg>, !tile<64xf32, smem>
      %0 = tile.read %now : !tile<64xf32, smem> -> !tile<64xf32, reg>
    }
  }
}

// Some rows of a tile are read after all of it is written.
// CHECK-LABEL: tile.kernel @rows(
tile.kernel @rows(%n: index {tile.dim = "N"}) threads 64 grid [] tiles [] {
  %x = tile.fill 0.0 : f32 : !tile<32x8xf32, reg>
  %a = tile.alloc at 0 : !tile<32x8xf32, smem>
  // CHECK: tile.write
  tile.write %x, %a : !tile<32x8xf32, reg>, !tile<32x8xf32, smem>
  // CHECK-NEXT: tile.rows
  %some = tile.rows %a[%n] : !tile<32x8xf32, smem> -> !tile<16x8xf32, smem>
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.read
  %y = tile.read %some : !tile<16x8xf32, smem> -> !tile<16x8xf32, reg>
}
