// RUN: fuse-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'tile.kernel' op expects a multiple of 32 threads, at most 1024, but got 0}}
tile.kernel @none() threads 0 grid [] tiles [] {}

// -----

// expected-error @+1 {{'tile.kernel' op expects a multiple of 32 threads, at most 1024, but got -32}}
tile.kernel @negative() threads -32 grid [] tiles [] {}

// -----

// expected-error @+1 {{'tile.kernel' op expects a multiple of 32 threads, at most 1024, but got 48}}
tile.kernel @half_warp() threads 48 grid [] tiles [] {}

// -----

// expected-error @+1 {{'tile.kernel' op expects a multiple of 32 threads, at most 1024, but got 1056}}
tile.kernel @many() threads 1056 grid [] tiles [] {}

// -----

// expected-error @+1 {{'tile.kernel' op expects a tile for each of 2 dims of the grid, but got 1}}
tile.kernel @tiles() threads 32 grid ["N", "M"] tiles [16] {}

// -----

// expected-error @+1 {{'tile.kernel' op expects tiles of at least 1, but got 0}}
tile.kernel @zero() threads 32 grid ["N", "M"] tiles [16, 0] {}

// -----

// expected-error @+1 {{'tile.kernel' op 'grid' expects a number or a name in dim expression 'N +', but got its end}}
tile.kernel @text() threads 32 grid ["N +"] tiles [16] {}

// -----

// expected-error @+1 {{'tile.kernel' op expects no results: kernels write to buffers}}
tile.kernel @results() -> index threads 32 grid [] tiles [] {}

// -----

// expected-error @+1 {{'tile.kernel' op expects argument #1 to be a buffer, or an index with 'tile.dim', but got 'index'}}
tile.kernel @plain_index(%x: !tile<buffer f32>, %n: index) threads 32 grid [] tiles [] {}

// -----

// expected-error @+1 {{'tile.kernel' op expects argument #0 to be a buffer, or an index with 'tile.dim', but got '!tile<buffer f32>'}}
tile.kernel @dim_of_buffer(%x: !tile<buffer f32> {tile.dim = "N"}) threads 32 grid [] tiles [] {}

// -----

// expected-error @+1 {{'tile.kernel' op expects argument #0 to be a buffer, or an index with 'tile.dim', but got 'tensor<4xf32>'}}
tile.kernel @tensor(%x: tensor<4xf32>) threads 32 grid [] tiles [] {}

// -----

// expected-error @+1 {{'tile.kernel' op attribute 'grid' failed to satisfy constraint: string array attribute}}
tile.kernel @numbers() threads 32 grid [4] tiles [1] {}

// -----

tile.kernel @starts() threads 32 grid ["N", "M"] tiles [1, 1] {
  // expected-error @+1 {{'tile.origin' op expects a start for each of 2 dims of the grid, but got 1}}
  %i = tile.origin : index
}

// -----

func.func @outside() {
  // expected-error @+1 {{'tile.origin' op expects a kernel around it}}
  %i = tile.origin : index
  return
}
