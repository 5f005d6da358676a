// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-allocate-shared))' \
// RUN:   --split-input-file --verify-diagnostics

// expected-error @+1 {{'tile.kernel' op expects at most 232448 bytes of shared memory, but needs 232576}}
tile.kernel @one_too_many() threads 32 grid [] tiles [] {
  %x = tile.fill 0.0 : f32 : !tile<58113xf32, reg>
  %a = tile.alloc : !tile<58113xf32, smem>
  tile.write %x, %a : !tile<58113xf32, reg>, !tile<58113xf32, smem>
}

// -----

// expected-error @+1 {{'tile.kernel' op expects at most 232448 bytes of shared memory, but needs 262144}}
tile.kernel @together() threads 32 grid [] tiles [] {
  %x = tile.fill 0.0 : f32 : !tile<32768xf32, reg>
  %a = tile.alloc : !tile<32768xf32, smem>
  %b = tile.alloc : !tile<32768xf32, smem>
  tile.write %x, %a : !tile<32768xf32, reg>, !tile<32768xf32, smem>
  tile.write %x, %b : !tile<32768xf32, reg>, !tile<32768xf32, smem>
  %0 = tile.read %a : !tile<32768xf32, smem> -> !tile<32768xf32, reg>
}
