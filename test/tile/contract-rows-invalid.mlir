// RUN: fuse-opt %s --split-input-file --verify-diagnostics

tile.kernel @f() threads 32 grid [] tiles [] {
  %rows = tile.fill 1.0 : f32 : !tile<32xf32, reg>
  %z = tile.fill 0.0 : f32 : !tile<16x8xf32, reg>
  %b = tile.alloc : !tile<32x8xf32, smem>
  // expected-error @+1 {{'tile.contract_rows' op expects tiles of rank 2}}
  %t = tile.contract_rows %rows, %b into %z : !tile<32xf32, reg>, !tile<32x8xf32, smem>, !tile<16x8xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %rows = tile.fill 1.0 : f32 : !tile<16x32xf32, reg>
  %z = tile.fill 0.0 : f32 : !tile<16x8xf32, reg>
  %b = tile.alloc : !tile<32x8xf32, smem>
  // expected-error @+1 {{'tile.contract_rows' op expects both operands to have 32 terms, but got 8}}
  %t = tile.contract_rows %rows, %b transposed into %z : !tile<16x32xf32, reg>, !tile<32x8xf32, smem>, !tile<16x8xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %rows = tile.fill 1.0 : f32 : !tile<16x32xf32, reg>
  %z = tile.fill 0.0 : f32 : !tile<16x12xf32, reg>
  %b = tile.alloc : !tile<32x12xf32, smem>
  // expected-error @+1 {{'tile.contract_rows' op expects a power of 2 of columns, but got 12}}
  %t = tile.contract_rows %rows, %b into %z : !tile<16x32xf32, reg>, !tile<32x12xf32, smem>, !tile<16x12xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %rows = tile.fill 1.0 : f16 : !tile<16x32xf16, reg>
  %z = tile.fill 0.0 : f32 : !tile<16x8xf32, reg>
  %b = tile.alloc : !tile<32x8xf32, smem>
  // expected-error @+1 {{'tile.contract_rows' op expects rows of 'f32', but got 'f16'}}
  %t = tile.contract_rows %rows, %b into %z : !tile<16x32xf16, reg>, !tile<32x8xf32, smem>, !tile<16x8xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %rows = tile.fill 1.0 : f32 : !tile<16x32xf32, reg>
  %z = tile.fill 0.0 : f32 : !tile<16x8xf32, reg>
  %b = tile.alloc : !tile<32x8xf32, smem>
  // expected-error @+1 {{'tile.contract_rows' op expects an accumulator of shape [8, 16], but got '!tile<16x8xf32, reg>'}}
  %t = tile.contract_rows %rows, %b into %z transposed : !tile<16x32xf32, reg>, !tile<32x8xf32, smem>, !tile<16x8xf32, reg>
}
