// RUN: fuse-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expects elements of f16, bf16, f32, f64, i32 or i1, but got 'i64'}}
func.func private @element(!tile<4xi64, reg>)

// -----

// expected-error @+1 {{expects elements of f16, bf16, f32, f64, i32 or i1, but got 'si32'}}
func.func private @signed(!tile<4xsi32, reg>)

// -----

// expected-error @+1 {{expects tile dims of at least 1, but got 0}}
func.func private @empty(!tile<4x0xf32, reg>)

// -----

// expected-error @+1 {{expects reg or smem, but got 'gmem'}}
func.func private @space(!tile<4xf32, gmem>)

// -----

// expected-error @+1 {{expected ','}}
func.func private @no_space(!tile<4xf32>)

// -----

// expected-error @+1 {{expected static shape}}
func.func private @dynamic(!tile<?xf32, reg>)

// -----

// expected-error @+1 {{expects no layout for a tile in shared memory}}
func.func private @shared_layout(!tile<32xf32, smem, #tile.map<"warps 1, [lane 32@1]">>)

// -----

// expected-error @+1 {{expects a layout of the tile's shape, but got #tile.map<"warps 1, [lane 16@1]">}}
func.func private @shape(!tile<32xf32, reg, #tile.map<"warps 1, [lane 16@1]">>)

// -----

// expected-error @+1 {{expects a layout of the tile's shape, but got #tile.map<"warps 1">}}
func.func private @rank(!tile<32xf32, reg, #tile.map<"warps 1">>)

// -----

// expected-error @+1 {{invalid kind of attribute specified}}
func.func private @other_attribute(!tile<32xf32, reg, 4>)

// -----

// expected-error @+1 {{expects elements of f16, bf16, f32, f64, i32 or i1, but got 'i64'}}
func.func private @buffer(!tile<buffer i64>)
