// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @launches(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x4xf32> {{{.*}}}, %[[K:[^:]*]]: tensor<f32>
func.func @launches(%x: tensor<?x4xf32> {fuse.dims = ["N", 4]}, %k: tensor<f32>) {
  // CHECK-NEXT: fuse.launch @kernels::@exp(%[[X]]) dims {{\[\[}}"N", 4]] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %one = fuse.launch @kernels::@exp(%x) dims [["N", 4]] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: %{{.*}}:2 = fuse.launch @kernels::@two(%[[X]], %[[K]]) dims {{\[\[}}"N*2 + 1"], []] {tag} : (tensor<?x4xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<f32>)
  %two:2 = fuse.launch @kernels::@two(%x, %k) dims [["N*2 + 1"], []] {tag} : (tensor<?x4xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<f32>)
  // CHECK-NEXT: fuse.launch @kernels::@none() dims [] : () -> ()
  fuse.launch @kernels::@none() dims [] : () -> ()
  // What a kernel was lowered to has a signature of its own.
  // CHECK-NEXT: fuse.launch @kernels::@lowered(%[[X]]) dims {{\[\[}}3]] : (tensor<?x4xf32>) -> tensor<3xf32>
  %lowered = fuse.launch @kernels::@lowered(%x) dims [[3]] : (tensor<?x4xf32>) -> tensor<3xf32>
  // A kernel need not stand in a module of its own.
  // CHECK-NEXT: fuse.launch @flat(%[[K]]) dims {{\[\[}}]] : (tensor<f32>) -> tensor<f32>
  %flat = fuse.launch @flat(%k) dims [[]] : (tensor<f32>) -> tensor<f32>
  return
}

func.func private @flat(tensor<f32>) -> tensor<f32>

module @kernels {
  func.func private @exp(tensor<?x4xf32>) -> tensor<?x4xf32>
  func.func private @two(tensor<?x4xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<f32>)
  func.func private @none()
  tile.kernel @lowered(%x: !tile<buffer f32>) threads 32 grid [] tiles [] {
  }
}
