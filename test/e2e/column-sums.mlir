// REQUIRES: host
//
// Sums of columns, and products along the rows of what they scale: no loop over
// rows may contain the loop of a sum over rows.
//
// DEFINE: %{function} = scaled
// DEFINE: %{run} = fuse-opt %s --run --device=host --check --function=%{function}
// RUN: %{run} --dims=N=37,M=1
// RUN: %{run} --dims=N=5,M=3
// RUN: %{run} --dims=N=33,M=70
// REDEFINE: %{function} = both
// RUN: %{run} --dims=N=5,M=70
// RUN: %{run} --dims=N=37,M=9

func.func @scaled(%x: tensor<?x?xf32> {fuse.dims = ["N", "M"]}, %w: tensor<40x?xf32> {fuse.dims = [40, "M"]})
    -> tensor<?x40xf32> attributes {fuse.size_hints = {N = 16, M = 300}} {
  %s = fuse.reduce sum %x axes [0] : (tensor<?x?xf32>) -> tensor<?xf32>
  %all = fuse.broadcast %s "m -> n m" like %x : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = fuse.map mul %x, %all : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = fuse.linear %p, %w : (tensor<?x?xf32>, tensor<40x?xf32>) -> tensor<?x40xf32>
  return %y : tensor<?x40xf32>
}

func.func @both(%y: tensor<?x?xf32> {fuse.dims = ["N", "M"]}, %w2: tensor<40x?xf32> {fuse.dims = [40, "M"]})
  -> (tensor<?x40xf32>, tensor<?x?xf32>, tensor<?xf32>) attributes {fuse.size_hints = {N = 16, M = 16}} {
  %g = fuse.map sigmoid %y : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y5 = fuse.linear %g, %w2 : (tensor<?x?xf32>, tensor<40x?xf32>) -> tensor<?x40xf32>
  %s = fuse.reduce sum %g axes [0] : (tensor<?x?xf32>) -> tensor<?xf32>
  %all = fuse.broadcast %s "m -> n m" like %g : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = fuse.map mul %g, %all : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = fuse.reduce sum %g axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
  return %y5, %p, %r : tensor<?x40xf32>, tensor<?x?xf32>, tensor<?xf32>
}
