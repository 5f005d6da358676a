// RUN: fuse-opt %s --split-input-file --verify-diagnostics

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.fill' op expects a value of 'f16', but got 'f32'}}
  %t = tile.fill 1.0 : f32 : !tile<8xf16, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.splat' op expects a result of shape [], but got '!tile<8xf32, reg>'}}
  %t = tile.splat %n : !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.iota' op expects a result of 'i32', but got 'f32'}}
  %t = tile.iota dim 0 from %n : !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.iota' op expects a dim of the tile's 1, but got 1}}
  %t = tile.iota dim 1 from %n : !tile<8xi32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.iota' op expects a dim of the tile's 1, but got -1}}
  %t = tile.iota dim -1 from %n : !tile<8xi32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  // expected-error @+1 {{'tile.iota' op expects a dim of the tile's 0, but got 0}}
  %t = tile.iota dim 0 from %n : !tile<i32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.map' op expects 1 operands for 'exp', but got 2}}
  %t = tile.map exp %x, %x : (!tile<8xf32, reg>, !tile<8xf32, reg>) -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.map' op expects 2 operands for 'add', but got 0}}
  %t = tile.map add : () -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.map' op expects operands of 'f16', but got 'f32'}}
  %t = tile.map exp %x : (!tile<8xf32, reg>) -> !tile<8xf16, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  %h = tile.fill 1.0 : f16 : !tile<8xf16, reg>
  // expected-error @+1 {{'tile.map' op expects operands of 'f32', but got 'f16'}}
  %t = tile.map add %x, %h : (!tile<8xf32, reg>, !tile<8xf16, reg>) -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  %y = tile.fill 1.0 : f32 : !tile<4xf32, reg>
  // expected-error @+1 {{'tile.map' op expects operand #1 of shape [8], but got '!tile<4xf32, reg>'}}
  %t = tile.map add %x, %y : (!tile<8xf32, reg>, !tile<4xf32, reg>) -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">>
  // expected-error @+1 {{'tile.map' op expects operand #0 to have the result's layout, but got '!tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">>' for '!tile<8xf32, reg, #tile.map<"warps 1, [reg 8@1]">>'}}
  %t = tile.map exp %x : (!tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">>) -> !tile<8xf32, reg, #tile.map<"warps 1, [reg 8@1]">>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">>
  // expected-error @+1 {{'tile.map' op expects operand #0 to have the result's layout, but got '!tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">>' for '!tile<8xf32, reg>'}}
  %t = tile.map exp %x : (!tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">>) -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.map' expects a scalar function, one of neg, abs, }}
  %t = tile.map tan %x : (!tile<8xf32, reg>) -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.compare' op expects a result of 'i1', but got 'f32'}}
  %t = tile.compare lt %x, %x : (!tile<8xf32, reg>, !tile<8xf32, reg>) -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  %h = tile.fill 1.0 : f16 : !tile<8xf16, reg>
  // expected-error @+1 {{'tile.compare' op expects operands of 'f32', but got 'f16'}}
  %t = tile.compare lt %x, %h : (!tile<8xf32, reg>, !tile<8xf16, reg>) -> !tile<8xi1, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  %y = tile.fill 1.0 : f32 : !tile<4xf32, reg>
  // expected-error @+1 {{'tile.compare' op expects operand #0 of shape [8], but got '!tile<4xf32, reg>'}}
  %t = tile.compare lt %y, %x : (!tile<4xf32, reg>, !tile<8xf32, reg>) -> !tile<8xi1, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.select' op expects a condition of 'i1', but got 'f32'}}
  %t = tile.select %x, %x, %x : (!tile<8xf32, reg>, !tile<8xf32, reg>, !tile<8xf32, reg>) -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c = tile.fill true : !tile<8xi1, reg>
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  %h = tile.fill 1.0 : f16 : !tile<8xf16, reg>
  // expected-error @+1 {{'tile.select' op expects sides of 'f32', but got 'f16'}}
  %t = tile.select %c, %x, %h : (!tile<8xi1, reg>, !tile<8xf32, reg>, !tile<8xf16, reg>) -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %c = tile.fill true : !tile<8xi1, reg>
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  %y = tile.fill 1.0 : f32 : !tile<4xf32, reg>
  // expected-error @+1 {{'tile.select' op expects operand #2 of shape [8], but got '!tile<4xf32, reg>'}}
  %t = tile.select %c, %x, %y : (!tile<8xi1, reg>, !tile<8xf32, reg>, !tile<4xf32, reg>) -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.cast' op expects a source of shape [4], but got '!tile<8xf32, reg>'}}
  %t = tile.cast %x : !tile<8xf32, reg> -> !tile<4xf16, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">>
  // expected-error @+1 {{'tile.cast' op expects operand #0 to have the result's layout, but got '!tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">>' for '!tile<8xf16, reg, #tile.map<"warps 1, [reg 8@1]">>'}}
  %t = tile.cast %x : !tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">> -> !tile<8xf16, reg, #tile.map<"warps 1, [reg 8@1]">>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.mask' op expects a result of '!tile<8xf32, reg>', but got '!tile<8xf16, reg>'}}
  %t = tile.mask %x limits[%n] identity 0.0 : f16 : !tile<8xf32, reg> -> !tile<8xf16, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.mask' op expects a limit for each of 1 dims, but got 0}}
  %t = tile.mask %x limits[] identity 0.0 : f32 : !tile<8xf32, reg> -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.mask' op expects an identity of 'f32', but got 'f64'}}
  %t = tile.mask %x limits[%n] identity 0.0 : f64 : !tile<8xf32, reg> -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.broadcast' op expects a dim of the tile's 2, but got 2}}
  %t = tile.broadcast %x dims [2] : !tile<8xf32, reg> -> !tile<8x4xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.broadcast' op expects a source of 'f16', but got 'f32'}}
  %t = tile.broadcast %x dims [1] : !tile<8xf32, reg> -> !tile<8x4xf16, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.broadcast' op expects a source of shape [4], but got '!tile<8xf32, reg>'}}
  %t = tile.broadcast %x dims [0] : !tile<8xf32, reg> -> !tile<8x4xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.reduce' op expects a dim of the tile's 1, but got 1}}
  %t = tile.reduce sum %x dim 1 : !tile<8xf32, reg> -> !tile<f32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.reduce' op expects a result of 'f32', but got 'f64'}}
  %t = tile.reduce sum %x dim 0 : !tile<8xf32, reg> -> !tile<f64, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.reduce' op expects a result of shape [], but got '!tile<8xf32, reg>'}}
  %t = tile.reduce sum %x dim 0 : !tile<8xf32, reg> -> !tile<8xf32, reg>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">>
  // expected-error @+1 {{'tile.reduce' op expects layout "warps 1, []", but got '!tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">>'}}
  %t = tile.reduce sum %x dim 0 : !tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">> -> !tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">>
}

// -----

tile.kernel @f(%n: index {tile.dim = "N"}) threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{expected one of [sum, max, min] for the monoid of a reduction, got: mean}}
  %t = tile.reduce mean %x dim 0 : !tile<8xf32, reg> -> !tile<f32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f16 : !tile<8x4xf16, reg>
  %s = tile.fill 1.0 : f16 : !tile<8xf16, reg>
  // expected-error @+1 {{'tile.accumulate' op expects elements of f32 or f64, but got 'f16'}}
  %t = tile.accumulate %x, %x dim 1 into %s : !tile<8x4xf16, reg>, !tile<8xf16, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8x4xf32, reg>
  %s = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.accumulate' op expects a dim of '!tile<8x4xf32, reg>', but got 2}}
  %t = tile.accumulate %x, %x dim 2 into %s : !tile<8x4xf32, reg>, !tile<8xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8x4xf32, reg>
  %s = tile.fill 1.0 : f32 : !tile<8xf32, reg>
  // expected-error @+1 {{'tile.accumulate' op expects a sum of shape [4], but got '!tile<8xf32, reg>'}}
  %t = tile.accumulate %x, %x dim 0 into %s : !tile<8x4xf32, reg>, !tile<8xf32, reg>
}

// -----

!lanes = !tile<8x4xf32, reg, #tile.map<"warps 1, [lane 8@1], [lane 4@8]">>
!sums = !tile<8xf32, reg, #tile.map<"warps 1, [lane 8@1]">>
tile.kernel @f() threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !lanes
  %s = tile.fill 1.0 : f32 : !sums
  // expected-error @+1 {{'tile.accumulate' op expects dim 1 to lie in registers, but got '!tile<8x4xf32, reg, #tile.map<"warps 1, [lane 8@1], [lane 4@8]">>'}}
  %t = tile.accumulate %x, %x dim 1 into %s : !lanes, !sums
}

// -----

!terms = !tile<8x4xf32, reg, #tile.map<"warps 1, [lane 8@1], [reg 4@1]">>
!sums = !tile<8xf32, reg, #tile.map<"warps 1, [reg 2@1, lane 4@1]">>
tile.kernel @f() threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !terms
  %s = tile.fill 1.0 : f32 : !sums
  // expected-error @+1 {{'tile.accumulate' op expects layout "warps 1, [lane 8@1]", but got '!tile<8xf32, reg, #tile.map<"warps 1, [reg 2@1, lane 4@1]">>'}}
  %t = tile.accumulate %x, %x dim 1 into %s : !terms, !sums
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8x4xf32, reg>
  // expected-error @+1 {{'tile.reshape' op expects a source of 16 elements, but got '!tile<8x4xf32, reg>'}}
  %t = tile.reshape %x : !tile<8x4xf32, reg> -> !tile<4x4xf32, reg>
}

// -----

tile.kernel @f() threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !tile<8x4xf32, reg>
  // expected-error @+1 {{'tile.reshape' op expects a source of 'f64', but got 'f32'}}
  %t = tile.reshape %x : !tile<8x4xf32, reg> -> !tile<32xf64, reg>
}

// -----

!rows = !tile<8x4xf32, reg, #tile.map<"warps 1, [lane 8@4], [lane 4@1]">>
!flat = !tile<32xf32, reg, #tile.map<"warps 1, [lane 4@1, lane 8@4]">>
tile.kernel @f() threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !rows
  // expected-error @+1 {{'tile.reshape' op expects the source's layout in the result's shape, "warps 1, [lane 32@1]", but got '!tile<32xf32, reg, #tile.map<"warps 1, [lane 4@1, lane 8@4]">>' for}}
  %t = tile.reshape %x : !rows -> !flat
}

// -----

!rows = !tile<6x4xf32, reg, #tile.map<"warps 1, [reg 6@1], [lane 4@1]">>
tile.kernel @f() threads 32 grid [] tiles [] {
  %x = tile.fill 1.0 : f32 : !rows
  // expected-error @+1 {{'tile.reshape' op expects the source's layout in the result's shape, but got '!tile<4x6xf32, reg>' for}}
  %t = tile.reshape %x : !rows -> !tile<4x6xf32, reg>
}
