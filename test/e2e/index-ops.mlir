// REQUIRES: host
//
// Chains of index maps, as results of their own.
//
// DEFINE: %{type} = f32
// DEFINE: %{function} = maps
// DEFINE: %{run} = sed s/TYPE/%{type}/g %s | fuse-opt --run --device=host --check --function=%{function}
// RUN: %{run} --dims=A=3,B=37,C=5
// RUN: %{run} --dims=A=1,B=1,C=1
// RUN: %{run} --dims=A=2,B=70,C=33
// RUN: %{run} --dims=A=2,B=0,C=3
// REDEFINE: %{type} = i1
// RUN: %{run} --dims=A=3,B=37,C=5
// REDEFINE: %{function} = reshapes
// RUN: %{run} --dims=N=5
// REDEFINE: %{type} = f16
// RUN: %{run} --dims=N=5
// RUN: %{run} --dims=N=0
// REDEFINE: %{function} = slices
// RUN: %{run} --dims=N=5,M=19
// REDEFINE: %{type} = i32
// RUN: %{run} --dims=N=1,M=64
// REDEFINE: %{function} = computed
// RUN: %{run} --dims=N=5,M=67
// RUN: %{run} --dims=N=1,M=1
// REDEFINE: %{function} = concats
// RUN: %{run} --dims=N=5,M=19,L=100
// RUN: %{run} --dims=N=1,M=0,L=1
// RUN: %{run} --dims=N=0,M=2,L=0

func.func @maps(%x: tensor<?x?x?xTYPE> {fuse.dims = ["A", "B", "C"]},
                %v: tensor<?xTYPE> {fuse.dims = ["B"]})
    -> (tensor<?x?x?xTYPE> {fuse.name = "same"},
        tensor<?x?x?xTYPE> {fuse.name = "reversed"},
        tensor<?x?x?xTYPE> {fuse.name = "rotated"},
        tensor<?x?x?xTYPE> {fuse.name = "spread"},
        tensor<?x?x4xTYPE> {fuse.name = "columns"},
        tensor<?x?xTYPE> {fuse.name = "merged"},
        tensor<?x?xTYPE> {fuse.name = "mixed"}) {
  %reversed = fuse.transpose %x [2, 1, 0] : (tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %rotated = fuse.transpose %reversed [1, 0, 2] : (tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %spread = fuse.broadcast %v "b -> a b c" like %x : (tensor<?xTYPE>, tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %columns = fuse.broadcast %v "b -> b A 4" : (tensor<?xTYPE>) -> tensor<?x?x4xTYPE>
  %merged = fuse.reshape %x "a b c -> (a b) c" : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %mixed = fuse.reshape %rotated "b c a -> (c a) b" : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  return %x, %reversed, %rotated, %spread, %columns, %merged, %mixed
      : tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>,
        tensor<?x?x?xTYPE>, tensor<?x?x4xTYPE>, tensor<?x?xTYPE>,
        tensor<?x?xTYPE>
}

func.func @reshapes(%x: tensor<?x24xTYPE> {fuse.dims = ["N", 24]},
                    %y: tensor<?x4x6xTYPE> {fuse.dims = ["N", 4, 6]},
                    %one: tensor<1x1xTYPE>)
    -> (tensor<?x4x6xTYPE> {fuse.name = "split"},
        tensor<4x?x6xTYPE> {fuse.name = "heads"},
        tensor<3x?x4x2xTYPE> {fuse.name = "split_twice"},
        tensor<?x24xTYPE> {fuse.name = "merged"},
        tensor<?xTYPE> {fuse.name = "flat"},
        tensor<?x24xTYPE> {fuse.name = "exchanged"},
        tensor<TYPE> {fuse.name = "scalar"},
        tensor<1x?x1x24xTYPE> {fuse.name = "units"}) {
  %split = fuse.reshape %x "n (4 d) -> n 4 d" : (tensor<?x24xTYPE>) -> tensor<?x4x6xTYPE>
  %heads = fuse.reshape %x "n (4 d) -> 4 n d" : (tensor<?x24xTYPE>) -> tensor<4x?x6xTYPE>
  %twice = fuse.reshape %x "n (a 2 4) -> a n 4 2" : (tensor<?x24xTYPE>) -> tensor<3x?x4x2xTYPE>
  %merged = fuse.reshape %y "n h d -> n (h d)" : (tensor<?x4x6xTYPE>) -> tensor<?x24xTYPE>
  %flat = fuse.reshape %y "n h d -> (n h d)" : (tensor<?x4x6xTYPE>) -> tensor<?xTYPE>
  %exchanged = fuse.reshape %y "n h d -> n (d h)" : (tensor<?x4x6xTYPE>) -> tensor<?x24xTYPE>
  %scalar = fuse.reshape %one "1 1 -> " : (tensor<1x1xTYPE>) -> tensor<TYPE>
  %units = fuse.reshape %x "n d -> 1 n 1 d" : (tensor<?x24xTYPE>) -> tensor<1x?x1x24xTYPE>
  return %split, %heads, %twice, %merged, %flat, %exchanged, %scalar, %units
      : tensor<?x4x6xTYPE>, tensor<4x?x6xTYPE>, tensor<3x?x4x2xTYPE>,
        tensor<?x24xTYPE>, tensor<?xTYPE>, tensor<?x24xTYPE>, tensor<TYPE>,
        tensor<1x?x1x24xTYPE>
}

func.func @slices(%x: tensor<?x?x10xTYPE> {fuse.dims = ["N", "M", 10]})
    -> (tensor<?x?x3xTYPE> {fuse.name = "part"},
        tensor<?x?x4xTYPE> {fuse.name = "steps"},
        tensor<?x?x10xTYPE> {fuse.name = "tail"},
        tensor<?x1x10xTYPE> {fuse.name = "last"},
        tensor<?x?x1xTYPE> {fuse.name = "of_slice"},
        tensor<?x?x0xTYPE> {fuse.name = "empty"},
        tensor<?x3x?xTYPE> {fuse.name = "transposed"}) {
  %part = fuse.slice %x axis 2 from "4" to "7" : (tensor<?x?x10xTYPE>) -> tensor<?x?x3xTYPE>
  %steps = fuse.slice %x axis 2 from "0" to "10" step 3 : (tensor<?x?x10xTYPE>) -> tensor<?x?x4xTYPE>
  %tail = fuse.slice %x axis 1 from "1" to "$" : (tensor<?x?x10xTYPE>) -> tensor<?x?x10xTYPE>
  %last = fuse.slice %x axis 1 from "M - 1" to "M" : (tensor<?x?x10xTYPE>) -> tensor<?x1x10xTYPE>
  %even = fuse.slice %x axis 2 from "0" to "10" step 2 : (tensor<?x?x10xTYPE>) -> tensor<?x?x5xTYPE>
  %of_slice = fuse.slice %even axis 2 from "3" to "4" : (tensor<?x?x5xTYPE>) -> tensor<?x?x1xTYPE>
  %empty = fuse.slice %x axis 2 from "10" to "10" : (tensor<?x?x10xTYPE>) -> tensor<?x?x0xTYPE>
  %transposed = fuse.transpose %part [0, 2, 1] : (tensor<?x?x3xTYPE>) -> tensor<?x3x?xTYPE>
  return %part, %steps, %tail, %last, %of_slice, %empty, %transposed
      : tensor<?x?x3xTYPE>, tensor<?x?x4xTYPE>, tensor<?x?x10xTYPE>,
        tensor<?x1x10xTYPE>, tensor<?x?x1xTYPE>, tensor<?x?x0xTYPE>,
        tensor<?x3x?xTYPE>
}

func.func @concats(%x: tensor<?x?xTYPE> {fuse.dims = ["N", "M"]},
                   %y: tensor<?x?xTYPE> {fuse.dims = ["N", "L"]},
                   %z: tensor<?x?xTYPE> {fuse.dims = ["L", "N"]},
                   %w: tensor<?x3xTYPE> {fuse.dims = ["N", 3]},
                   %unit: tensor<?x1xTYPE> {fuse.dims = ["N", 1]},
                   %none: tensor<?x0xTYPE> {fuse.dims = ["N", 0]})
    -> (tensor<?x?xTYPE> {fuse.name = "columns"},
        tensor<?x?xTYPE> {fuse.name = "rows"},
        tensor<?x?xTYPE> {fuse.name = "twice"},
        tensor<?x?xTYPE> {fuse.name = "of_slices"},
        tensor<?x?xTYPE> {fuse.name = "one"},
        tensor<?x6xTYPE> {fuse.name = "static"},
        tensor<?x?xTYPE> {fuse.name = "of_concat"},
        tensor<?x1xTYPE> {fuse.name = "unit"},
        tensor<?x1xTYPE> {fuse.name = "unit_of_two"},
        tensor<?x2xTYPE> {fuse.name = "two"},
        tensor<?x0xTYPE> {fuse.name = "none"}) {
  %columns = fuse.concat %x, %y, %w axis 1 : (tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x3xTYPE>) -> tensor<?x?xTYPE>
  %zt = fuse.transpose %z [1, 0] : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %yt = fuse.transpose %y [1, 0] : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %rows = fuse.concat %z, %yt axis 0 : (tensor<?x?xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %twice = fuse.concat %x, %x axis 0 : (tensor<?x?xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %low = fuse.slice %w axis 1 from "0" to "3" step 2 : (tensor<?x3xTYPE>) -> tensor<?x2xTYPE>
  %of_slices = fuse.concat %low, %zt axis 1 : (tensor<?x2xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %one = fuse.concat %x axis 1 : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %static = fuse.concat %w, %w axis 1 : (tensor<?x3xTYPE>, tensor<?x3xTYPE>) -> tensor<?x6xTYPE>
  %of_concat = fuse.concat %static, %y axis 1 : (tensor<?x6xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %one_unit = fuse.concat %unit axis 1 : (tensor<?x1xTYPE>) -> tensor<?x1xTYPE>
  %unit_of_two = fuse.concat %none, %unit axis 1 : (tensor<?x0xTYPE>, tensor<?x1xTYPE>) -> tensor<?x1xTYPE>
  %two = fuse.concat %unit, %none, %unit axis 1 : (tensor<?x1xTYPE>, tensor<?x0xTYPE>, tensor<?x1xTYPE>) -> tensor<?x2xTYPE>
  %nothing = fuse.concat %none, %none axis 1 : (tensor<?x0xTYPE>, tensor<?x0xTYPE>) -> tensor<?x0xTYPE>
  return %columns, %rows, %twice, %of_slices, %one, %static, %of_concat,
         %one_unit, %unit_of_two, %two, %nothing
      : tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>,
        tensor<?x?xTYPE>, tensor<?x6xTYPE>, tensor<?x?xTYPE>, tensor<?x1xTYPE>,
        tensor<?x1xTYPE>, tensor<?x2xTYPE>, tensor<?x0xTYPE>
}

// Index maps of values that no kernel reads: constants, extents, positions.
func.func @computed(%x: tensor<?x?xTYPE> {fuse.dims = ["N", "M"]})
    -> (tensor<?x?xf32> {fuse.name = "constant"},
        tensor<3x?xi32> {fuse.name = "rows"},
        tensor<?x3xi32> {fuse.name = "columns"},
        tensor<?x?xi32> {fuse.name = "transposed"},
        tensor<?xf32> {fuse.name = "extent"}) {
  %two = fuse.constant 2.0 : tensor<f32>
  %constant = fuse.broadcast %two "-> n m" like %x : (tensor<f32>, tensor<?x?xTYPE>) -> tensor<?x?xf32>
  %positions = fuse.iota axis 0 shape "M" : tensor<?xi32>
  %rows = fuse.broadcast %positions "m -> 3 m" : (tensor<?xi32>) -> tensor<3x?xi32>
  %columns = fuse.broadcast %positions "m -> m 3" : (tensor<?xi32>) -> tensor<?x3xi32>
  %matrix = fuse.iota axis 1 like %x : tensor<?x?xTYPE> -> tensor<?x?xi32>
  %transposed = fuse.transpose %matrix [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %n = fuse.dim "N" : tensor<f32>
  %extent = fuse.broadcast %n "-> M" : (tensor<f32>) -> tensor<?xf32>
  return %constant, %rows, %columns, %transposed, %extent
      : tensor<?x?xf32>, tensor<3x?xi32>, tensor<?x3xi32>, tensor<?x?xi32>, tensor<?xf32>
}
