// RUN: fuse-opt %s --split-input-file --verify-diagnostics

tile.kernel @f() threads 32 grid [] tiles [] {
  %z = tile.fill 0.0 : f32 : !tile<16x64xf32, reg>
  %a = tile.alloc : !tile<32xf32, smem>
  %b = tile.alloc : !tile<32x64xf32, smem>
  // expected-error @+1 {{'tile.contract' op expects tiles of rank 2}}
  %t = tile.contract %a, %b into %z : !tile<32xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %z = tile.fill 0.0 : f32 : !tile<64xf32, reg>
  %a = tile.alloc : !tile<16x32xf32, smem>
  %b = tile.alloc : !tile<32x64xf32, smem>
  // expected-error @+1 {{'tile.contract' op expects tiles of rank 2}}
  %t = tile.contract %a, %b into %z : !tile<16x32xf32, smem>, !tile<32x64xf32, smem>, !tile<64xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %z = tile.fill 0.0 : f32 : !tile<16x64xf32, reg>
  %a = tile.alloc : !tile<16x32xf32, smem>
  %b = tile.alloc : !tile<64x32xf32, smem>
  // expected-error @+1 {{'tile.contract' op expects both operands to have 32 terms, but got 64}}
  %t = tile.contract %a, %b into %z : !tile<16x32xf32, smem>, !tile<64x32xf32, smem>, !tile<16x64xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %z = tile.fill 0.0 : f32 : !tile<16x64xf32, reg>
  %a = tile.alloc : !tile<16x32xf32, smem>
  %b = tile.alloc : !tile<32x64xf32, smem>
  // expected-error @+1 {{'tile.contract' op expects both operands to have 16 terms, but got 32}}
  %t = tile.contract %a transposed, %b into %z : !tile<16x32xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %z = tile.fill 0.0 : f32 : !tile<16x64xf32, reg>
  %a = tile.alloc : !tile<32x32xf32, smem>
  %b = tile.alloc : !tile<32x64xf32, smem>
  // expected-error @+1 {{'tile.contract' op expects an accumulator of shape [32, 64], but got '!tile<16x64xf32, reg>'}}
  %t = tile.contract %a, %b into %z : !tile<32x32xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %z = tile.fill 0.0 : f32 : !tile<16x64xf32, reg>
  %a = tile.alloc : !tile<16x32xf32, smem>
  %b = tile.alloc : !tile<64x32xf32, smem>
  // expected-error @+1 {{'tile.contract' op operand #1 must be tile in shared memory, but got '!tile<16x64xf32, reg>'}}
  %t = tile.contract %z, %b into %z : !tile<16x64xf32, reg>, !tile<64x32xf32, smem>, !tile<16x64xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %z = tile.fill 0.0 : f32 : !tile<16x64xf32, reg>
  %a = tile.alloc : !tile<16x32xf32, smem>
  %b = tile.alloc : !tile<32x64xf32, smem>
  // expected-error @+1 {{'tile.contract' op expects 'unroll' to be 1, 2, 4, 8 or 16, but got 12}}
  %t = tile.contract %a, %b into %z unroll 12 : !tile<16x32xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %z = tile.fill 0.0 : f32 : !tile<16x64xf32, reg>
  %a = tile.alloc : !tile<16x32xf32, smem>
  %b = tile.alloc : !tile<32x64xf32, smem>
  // expected-error @+1 {{'tile.contract' op expects 'unroll' to be 1, 2, 4, 8 or 16, but got 32}}
  %t = tile.contract %a, %b into %z unroll 32 : !tile<16x32xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %z = tile.fill 0.0 : f32 : !tile<16x64xf32, reg>
  %a = tile.alloc : !tile<16x32xf32, smem>
  %b = tile.alloc : !tile<32x64xf32, smem>
  // expected-error @+1 {{'tile.contract' op expects 'additions' to be positive, but got 0}}
  %t = tile.contract %a, %b into %z additions 0 : !tile<16x32xf32, smem>, !tile<32x64xf32, smem>, !tile<16x64xf32, reg>
}
