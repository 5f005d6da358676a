// RUN: fuse-opt %s --split-input-file --verify-diagnostics

tile.kernel @k() threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.part' op expects a tile for each of 1 dims of the grid, but got 0}}
  tile.part "a" grid ["N"] tiles [] {}
}

// -----

tile.kernel @k() threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.part' op expects tiles of at least 1, but got 0}}
  tile.part "a" grid ["N"] tiles [0] {}
}

// -----

tile.kernel @k() threads 32 grid [] tiles [] {
  // expected-error @+1 {{'grid' expects}}
  tile.part "a" grid ["N+"] tiles [1] {}
}

// -----

// expected-error @+1 {{expects no grid beside those of parts, but got ["N"]}}
tile.kernel @k() threads 32 grid ["N"] tiles [1] {
  tile.part "a" grid ["N"] tiles [1] {}
}

// -----

tile.kernel @k() threads 32 grid [] tiles [] {
  tile.part "a" grid ["N"] tiles [1] {}
  // expected-error @+1 {{expects to be in a part, as others are}}
  %i = arith.constant 0 : index
}

// -----

tile.kernel @k() threads 32 grid [] tiles [] {
  tile.part "a" grid ["N"] tiles [1] {
    // expected-error @+1 {{expects a start for each of 1 dims of the grid, but got 0}}
    tile.origin
  }
}

// -----

// expected-error @+1 {{expects parent op 'tile.kernel'}}
tile.part "a" grid ["N"] tiles [1] {}
