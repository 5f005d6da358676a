// Stock mlir-opt checks and rewrites our programs, with the plugin alone. (It
// knows the passes of a plugin only in --pass-pipeline.)
//
// REQUIRES: plugins
//
// DEFINE: %{opt} = %stock_mlir_opt %s --split-input-file
// DEFINE: %{dialect} = --load-dialect-plugin=%fuse_plugin
// DEFINE: %{passes} = --load-pass-plugin=%fuse_plugin
// DEFINE: %{pipeline} = --pass-pipeline="builtin.module(func.func(fuse-check-dims),fuse-decompose-composites)"
//
// RUN: %{opt} %{dialect} %{passes} --verify-diagnostics %{pipeline} \
// RUN:   | FileCheck %s
//
// The dialect comes without the passes, and passes of MLIR know it.
// RUN: %{opt} %{dialect} --verify-diagnostics --inline \
// RUN:   | FileCheck %s --check-prefix=INLINED
// RUN: not %{opt} %{dialect} %{pipeline} 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-PASSES
//
// The passes come without the dialect: a program may do without it.
// RUN: not %{opt} %{passes} %{pipeline} 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-DIALECT
// RUN: echo 'func.func @foreign() { return }' \
// RUN:   | %stock_mlir_opt %{passes} %{pipeline} \
// RUN:   | FileCheck %s --check-prefix=FOREIGN
//
// The plugin shows its two entry points and nothing of ours.
// RUN: llvm-nm --dynamic --defined-only --format=just-symbols %fuse_plugin \
// RUN:   | FileCheck %s --check-prefix=SYMBOLS
//
// NO-PASSES: 'fuse-check-dims' does not refer to a registered pass
// NO-DIALECT: error: Dialect `fuse' not found for custom op 'fuse.softmax'
// FOREIGN: func.func @foreign
//
// SYMBOLS-NOT: 4fuse
// SYMBOLS: mlirGetDialectPluginInfo
// SYMBOLS-NOT: 4fuse
// SYMBOLS: mlirGetPassPluginInfo
// SYMBOLS-NOT: 4fuse

func.func private @softmax(%s: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %p = fuse.softmax %s axis 1 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %p : tensor<4x?xf32>
}

// CHECK-LABEL: func private @softmax
// CHECK-NOT:   fuse.softmax
// CHECK:       fuse.reduce max
// CHECK:       fuse.map div
// CHECK-LABEL: func @main
//
// INLINED-LABEL: func @main
// INLINED-NOT:   call
// INLINED:       %[[P:.*]] = fuse.softmax
// INLINED-NEXT:  arith.addf %[[P]], %[[P]]
func.func @main(%s: tensor<4x?xf32> {fuse.dims = [4, "N"]}) -> tensor<4x?xf32> {
  %p = func.call @softmax(%s) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %q = arith.addf %p, %p : tensor<4x?xf32>
  return %q : tensor<4x?xf32>
}

// -----

func.func @rejected(%s: tensor<4x?xf32>) -> tensor<4x?xf32> {
  // expected-error @below {{expects an axis from 0 to 1, but got 2}}
  %p = fuse.softmax %s axis 2 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %p : tensor<4x?xf32>
}
