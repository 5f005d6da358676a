// RUN: fuse-opt %s --split-input-file --verify-diagnostics

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.load' op expects a tile of 'f32', but got 'f16'}}
  %t = tile.load %x[%n] strides[%n] fill 0.0 : f16 : !tile<buffer f32> -> !tile<8xf16, reg>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.load' op expects a stride for each of 2 dims, but got 1}}
  %t = tile.load %x[%n] strides[%n] fill 0.0 : f32 : !tile<buffer f32> -> !tile<8x8xf32, reg>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.load' op expects a stride for each of 0 dims, but got 1}}
  %t = tile.load %x[%n] strides[%n] fill 0.0 : f32 : !tile<buffer f32> -> !tile<f32, reg>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.load' op expects a limit for each of 2 dims or none, but got 1}}
  %t = tile.load %x[%n] strides[%n, %n] limits[%n] fill 0.0 : f32 : !tile<buffer f32> -> !tile<8x8xf32, reg>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.load' op expects a fill of 'f32', but got 'f64'}}
  %t = tile.load %x[%n] strides[%n] fill 0.0 : f64 : !tile<buffer f32> -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c = tile.fill 0 : i32 : !tile<8xi32, reg>
  // expected-error @+1 {{'tile.load' op expects a condition of 'i1', but got 'i32'}}
  %t = tile.load %x[%n] strides[%n] if %c : !tile<8xi32, reg> fill 0.0 : f32 : !tile<buffer f32> -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c = tile.fill true : !tile<4xi1, reg>
  // expected-error @+1 {{'tile.load' op expects operand #0 of shape [8], but got '!tile<4xi1, reg>'}}
  %t = tile.load %x[%n] strides[%n] if %c : !tile<4xi1, reg> fill 0.0 : f32 : !tile<buffer f32> -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.load' op result #0 must be tile in registers, but got '!tile<8xf32, smem>'}}
  %t = tile.load %x[%n] strides[%n] fill 0.0 : f32 : !tile<buffer f32> -> !tile<8xf32, smem>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %t = tile.fill 0 : i32 : !tile<8xi32, reg>
  // expected-error @+1 {{'tile.store' op expects a tile of 'f32', but got 'i32'}}
  tile.store %t, %x[%n] strides[%n] : !tile<8xi32, reg>, !tile<buffer f32>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %t = tile.fill 0.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.store' op expects a stride for each of 1 dims, but got 0}}
  tile.store %t, %x[%n] strides[] : !tile<8xf32, reg>, !tile<buffer f32>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %t = tile.fill 0.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.store' op expects a limit for each of 1 dims or none, but got 2}}
  tile.store %t, %x[%n] strides[%n] limits[%n, %n] : !tile<8xf32, reg>, !tile<buffer f32>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.alloc' op result #0 must be tile in shared memory, but got '!tile<8xf32, reg>'}}
  %a = tile.alloc : !tile<8xf32, reg>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %a = tile.alloc : !tile<8xf32, smem>
  %t = tile.fill 0.0 : f64 : !tile<8xf64, reg>
  // expected-error @+1 {{'tile.write' op expects a tile of 'f32', but got 'f64'}}
  tile.write %t, %a : !tile<8xf64, reg>, !tile<8xf32, smem>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %a = tile.alloc : !tile<8x4xf32, smem>
  %t = tile.fill 0.0 : f32 : !tile<4x8xf32, reg>
  // expected-error @+1 {{'tile.write' op expects a tile of shape [8, 4], but got '!tile<4x8xf32, reg>'}}
  tile.write %t, %a : !tile<4x8xf32, reg>, !tile<8x4xf32, smem>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %a = tile.alloc : !tile<8xf32, smem>
  // expected-error @+1 {{'tile.read' op expects a tile of 'f32', but got 'f16'}}
  %t = tile.read %a : !tile<8xf32, smem> -> !tile<8xf16, reg>
}

// -----

tile.kernel @f(%x: !tile<buffer f32>, %n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %a = tile.alloc : !tile<8xf32, smem>
  // expected-error @+1 {{'tile.read' op expects a tile of shape [8], but got '!tile<f32, reg>'}}
  %t = tile.read %a : !tile<8xf32, smem> -> !tile<f32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %a = tile.alloc : !tile<8x4xf32, smem>
  %t = tile.fill 0.0 : f32 : !tile<8x4xf32, reg>
  // expected-error @+1 {{'tile.write' op expects a tile of shape [4, 8], but got '!tile<8x4xf32, reg>'}}
  tile.write %t transposed, %a : !tile<8x4xf32, reg>, !tile<8x4xf32, smem>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %a = tile.alloc : !tile<8xf32, smem>
  %t = tile.fill 0.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.write' op expects a tile of rank 2 to transpose, but got '!tile<8xf32, smem>'}}
  tile.write %t transposed, %a : !tile<8xf32, reg>, !tile<8xf32, smem>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.alloc' op expects one slot at least, but got 0}}
  %a = tile.alloc slots 0 : !tile<8xf32, smem>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.alloc' op expects a tile with slots to be used by tile.slot only}}
  %a = tile.alloc slots 2 : !tile<8xf32, smem>
  %t = tile.read %a : !tile<8xf32, smem> -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %a = tile.alloc : !tile<8xf32, smem>
  // expected-error @+1 {{'tile.slot' op expects a tile.alloc with slots}}
  %s = tile.slot %a[%n] : !tile<8xf32, smem>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %a = tile.alloc slots 2 : !tile<64x8xf32, smem>
  %s = tile.slot %a[%n] : !tile<64x8xf32, smem>
  // expected-error @+1 {{'tile.rows' op expects a tile.alloc}}
  %r = tile.rows %s[%n] : !tile<64x8xf32, smem> -> !tile<32x8xf32, smem>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %a = tile.alloc : !tile<64x8xf32, smem>
  // expected-error @+1 {{'tile.rows' op expects rows of '!tile<64x8xf32, smem>', but got '!tile<32x4xf32, smem>'}}
  %r = tile.rows %a[%n] : !tile<64x8xf32, smem> -> !tile<32x4xf32, smem>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %a = tile.alloc : !tile<64x8xf32, smem>
  // expected-error @+1 {{'tile.rows' op expects a number of rows that divides 64, but got 24}}
  %r = tile.rows %a[%n] : !tile<64x8xf32, smem> -> !tile<24x8xf32, smem>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %a = tile.alloc swizzle 4 : !tile<64x8xf32, smem>
  // expected-error @+1 {{'tile.rows' op expects a multiple of 32 rows of a tile with this swizzle, but got 16}}
  %r = tile.rows %a[%n] : !tile<64x8xf32, smem> -> !tile<16x8xf32, smem>
}
