// RUN: fuse-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected '<'}}
func.func private @text() attributes {map = #tile.map}

// -----

// expected-error @+1 {{expected string}}
func.func private @text() attributes {map = #tile.map<4>}

// -----

// expected-error @+1 {{expects 'warps' at offset 0, but got 'warp'}}
func.func private @text() attributes {map = #tile.map<"warp 4">}

// -----

// expected-error @+1 {{expects a whole number at offset 5, but got the end}}
func.func private @text() attributes {map = #tile.map<"warps">}

// -----

// expected-error @+1 {{expects a whole number at offset 6, but got '-1'}}
func.func private @text() attributes {map = #tile.map<"warps -1">}

// -----

// expected-error @+1 {{expects a whole number at offset 6, but got '99999999999999999999'}}
func.func private @text() attributes {map = #tile.map<"warps 99999999999999999999">}

// -----

// expected-error @+1 {{expects ',' or the end at offset 8, but got '[lane'}}
func.func private @text() attributes {map = #tile.map<"warps 1 [lane 4@1]">}

// -----

// expected-error @+1 {{expects '[' at offset 9, but got 'lane'}}
func.func private @text() attributes {map = #tile.map<"warps 1, lane 4@1">}

// -----

// expected-error @+1 {{expects 'reg', 'lane' or 'warp' at offset 10, but got 'thread'}}
func.func private @text() attributes {map = #tile.map<"warps 1, [thread 4@1]">}

// -----

// expected-error @+1 {{expects '@' at offset 16, but got ']'}}
func.func private @text() attributes {map = #tile.map<"warps 1, [lane 4]">}

// -----

// expected-error @+1 {{expects ']' at offset 19, but got 'reg'}}
func.func private @text() attributes {map = #tile.map<"warps 1, [lane 4@1 reg 2@1]">}

// -----

// expected-error @+1 {{expects 1 to 32 warps, but got 0}}
func.func private @warps() attributes {map = #tile.map<"warps 0">}

// -----

// expected-error @+1 {{expects 1 to 32 warps, but got 33}}
func.func private @warps() attributes {map = #tile.map<"warps 33">}

// -----

// expected-error @+1 {{expects extents and strides of at least 1, but got lane 0@1}}
func.func private @extent() attributes {map = #tile.map<"warps 1, [lane 0@1]">}

// -----

// expected-error @+1 {{expects extents and strides of at least 1, but got reg 4@0}}
func.func private @stride() attributes {map = #tile.map<"warps 1, [reg 4@0]">}

// -----

// expected-error @+1 {{expects register digits without gap or overlap, but got reg 4@2 where stride 1 is next}}
func.func private @gap() attributes {map = #tile.map<"warps 1, [reg 4@2]">}

// -----

// expected-error @+1 {{expects register digits without gap or overlap, but got reg 2@2 where stride 4 is next}}
func.func private @overlap() attributes {map = #tile.map<"warps 1, [reg 4@1], [reg 2@2]">}

// -----

// expected-error @+1 {{expects lane digits that are apart, but got lane 4@1 and lane 4@2}}
func.func private @apart() attributes {map = #tile.map<"warps 1, [lane 4@1], [lane 4@2]">}

// -----

// expected-error @+1 {{expects lane digits that divide 32, but got lane 64@1}}
func.func private @lanes() attributes {map = #tile.map<"warps 1, [lane 64@1]">}

// -----

// expected-error @+1 {{expects lane digits that divide 32, but got lane 3@1}}
func.func private @lanes() attributes {map = #tile.map<"warps 1, [lane 3@1]">}

// -----

// expected-error @+1 {{expects warp digits that divide 6, but got warp 4@1}}
func.func private @warp_digits() attributes {map = #tile.map<"warps 6, [warp 4@1]">}

// -----

// expected-error @+1 {{expects warp digits that are apart, but got warp 2@1 and warp 2@3}}
func.func private @warp_digits() attributes {map = #tile.map<"warps 12, [warp 2@1], [warp 2@3]">}

// -----

// expected-error @+1 {{expects at most 65536 registers, but got reg 65537@1}}
func.func private @registers() attributes {map = #tile.map<"warps 1, [reg 65537@1]">}

// -----

// expected-error @+1 {{expects at most 65536 registers, but got reg 2@65536}}
func.func private @registers() attributes {map = #tile.map<"warps 1, [reg 65536@1], [reg 2@65536]">}
