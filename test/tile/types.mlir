// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func private @registers(
// CHECK-SAME: !tile<f32, reg>, !tile<64x128xf16, reg>, !tile<1x2x3x4xbf16, reg>,
// CHECK-SAME: !tile<7xf64, reg>, !tile<7xi32, reg>, !tile<7xi1, reg>)
func.func private @registers(!tile<f32, reg>, !tile<64x128xf16, reg>,
    !tile<1x2x3x4xbf16, reg>, !tile<7xf64, reg>, !tile<7xi32, reg>,
    !tile<7xi1, reg>)

// CHECK-LABEL: func.func private @shared(
// CHECK-SAME: !tile<32x64xf32, smem>, !tile<f64, smem>)
func.func private @shared(!tile<32x64xf32, smem>, !tile<f64, smem>)

// CHECK-LABEL: func.func private @buffers(
// CHECK-SAME: !tile<buffer f32>, !tile<buffer i1>)
func.func private @buffers(!tile<buffer f32>, !tile<buffer i1>)

// Layouts print in normal form: digits of extent 1 are gone, neighbours joined.
// CHECK-LABEL: func.func private @layouts(
// CHECK-SAME: !tile<32x32xf32, reg, #tile.map<"warps 4, [warp 4@1, lane 8@4], [reg 2@4, lane 4@1, reg 4@1]">>,
// CHECK-SAME: !tile<f32, reg, #tile.map<"warps 8">>,
// CHECK-SAME: !tile<1x32xi1, reg, #tile.map<"warps 1, [], [lane 32@1]">>,
// CHECK-SAME: !tile<6xf32, reg, #tile.map<"warps 3, [warp 3@1, reg 2@1]">>)
func.func private @layouts(
    !tile<32x32xf32, reg, #tile.map<"warps 4, [warp 4@1, lane 8@4], [reg 2@4, lane 4@1, reg 4@1]">>,
    !tile<f32, reg, #tile.map<"warps 8">>,
    !tile<1x32xi1, reg, #tile.map<"warps 1,[reg 1@1],[lane 4@8,lane 8@1]">>,
    !tile<6xf32, reg, #tile.map<"warps 3, [warp 3@1, reg 2@1]">>)

// CHECK-LABEL: func.func private @attribute() attributes {map = #tile.map<"warps 2, [lane 4@8]">}
func.func private @attribute() attributes {map = #tile.map<"warps 2, [lane 4@8]">}
