// REQUIRES: host
//
// Extents that are expressions: differences, and quotients of sums, which are
// exact as a whole only.
//
// RUN: fuse-opt %s --run --device=host --check --dims=N=5,M=3
// RUN: fuse-opt %s --run --device=host --check --dims=N=1,M=1
// RUN: fuse-opt %s --run --device=host --check --dims=N=7,M=1

func.func @main(%x: tensor<?xf32> {fuse.dims = ["N + M"]},
                %y: tensor<8x?xf32> {fuse.dims = [8, "M"]},
                %z: tensor<?xf32> {fuse.dims = ["N"]})
    -> (tensor<?xf32> {fuse.name = "half"}, tensor<?x2xf32> {fuse.name = "pairs"},
        tensor<?x?xf32> {fuse.name = "tail"}, tensor<f32> {fuse.name = "sum"},
        tensor<?xf32> {fuse.name = "joined"}) {
  %low = fuse.slice %x axis 0 from "0" to "$/2" : (tensor<?xf32>) -> tensor<?xf32>
  %half = fuse.map exp %low : (tensor<?xf32>) -> tensor<?xf32>
  %pairs = fuse.reshape %x "(n 2) -> n 2" : (tensor<?xf32>) -> tensor<?x2xf32>
  %tail = fuse.slice %y axis 0 from "N" to "8" : (tensor<8x?xf32>) -> tensor<?x?xf32>
  %high = fuse.slice %x axis 0 from "$/2" to "$" : (tensor<?xf32>) -> tensor<?xf32>
  %sum = fuse.reduce sum %high axes [0] : (tensor<?xf32>) -> tensor<f32>
  %joined = fuse.concat %low, %z, %high axis 0 : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %half, %pairs, %tail, %sum, %joined
      : tensor<?xf32>, tensor<?x2xf32>, tensor<?x?xf32>, tensor<f32>, tensor<?xf32>
}
