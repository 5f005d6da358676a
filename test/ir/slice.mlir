// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @bounds(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x64xf32>
func.func @bounds(%x: tensor<?x64xf32> {fuse.dims = ["N", "D"]}) {
  // CHECK-NEXT: fuse.slice %[[X]] axis 1 from "16" to "48" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  %numbers = fuse.slice %x axis 1 from "16" to "48" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  // `$` is the extent of the axis.
  // CHECK-NEXT: fuse.slice %[[X]] axis 1 from "$/2" to "$" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  %half = fuse.slice %x axis 1 from "$/2" to "$" : (tensor<?x64xf32>) -> tensor<?x32xf32>
  // CHECK-NEXT: fuse.slice %[[X]] axis 0 from "1" to "$ - 1" : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %inner = fuse.slice %x axis 0 from "1" to "$ - 1" : (tensor<?x64xf32>) -> tensor<?x64xf32>
  // CHECK-NEXT: fuse.slice %[[X]] axis 0 from "N - 4" to "N" : (tensor<?x64xf32>) -> tensor<4x64xf32>
  %last = fuse.slice %x axis 0 from "N - 4" to "N" : (tensor<?x64xf32>) -> tensor<4x64xf32>
  // CHECK-NEXT: fuse.slice %[[X]] axis 1 from "64" to "64" : (tensor<?x64xf32>) -> tensor<?x0xf32>
  %empty = fuse.slice %x axis 1 from "64" to "64" : (tensor<?x64xf32>) -> tensor<?x0xf32>
  // CHECK-NEXT: fuse.slice %[[X]] axis 1 from "0" to "$" : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %all = fuse.slice %x axis 1 from "0" to "$" : (tensor<?x64xf32>) -> tensor<?x64xf32>
  return
}

// CHECK-LABEL: func.func @steps(
// CHECK-SAME:    %[[X:.*]]: tensor<?x7xi1>
func.func @steps(%x: tensor<?x7xi1>) {
  // A step of 1 is not printed.
  // CHECK-NEXT: fuse.slice %[[X]] axis 1 from "0" to "7" : (tensor<?x7xi1>) -> tensor<?x7xi1>
  %one = fuse.slice %x axis 1 from "0" to "7" step 1 : (tensor<?x7xi1>) -> tensor<?x7xi1>
  // Between constants the step need not divide the length.
  // CHECK-NEXT: fuse.slice %[[X]] axis 1 from "0" to "7" step 2 : (tensor<?x7xi1>) -> tensor<?x4xi1>
  %two = fuse.slice %x axis 1 from "0" to "7" step 2 : (tensor<?x7xi1>) -> tensor<?x4xi1>
  // CHECK-NEXT: fuse.slice %[[X]] axis 1 from "1" to "7" step 100 {tag} : (tensor<?x7xi1>) -> tensor<?x1xi1>
  %far = fuse.slice %x axis 1 from "1" to "7" step 100 {tag} : (tensor<?x7xi1>) -> tensor<?x1xi1>
  // CHECK-NEXT: fuse.slice %[[X]] axis 0 from "1" to "$" step 2 : (tensor<?x7xi1>) -> tensor<?x7xi1>
  %odd = fuse.slice %x axis 0 from "1" to "$" step 2 : (tensor<?x7xi1>) -> tensor<?x7xi1>
  return
}
