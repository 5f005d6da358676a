// REQUIRES: host
//
// Comparisons, selections, casts between all types, positions and constants.
//
// DEFINE: %{function} = compare
// DEFINE: %{run} = fuse-opt %s --run --device=host --check --function=%{function}
// RUN: %{run} --dims=N=67
// RUN: %{run} --dims=N=6 --input=x=nan,nan,-0,inf,1,-inf --input=y=nan,1,0,inf,nan,inf
// REDEFINE: %{function} = casts
// RUN: %{run} --dims=N=131
// RUN: %{run} --dims=N=8 --input=x=0.5,-0.5,1.5,2.5,-2.5,-0,3.75,100 --input=k=-5,0,1,2049,16777217,-16777217,7,257
// REDEFINE: %{function} = positions
// RUN: %{run} --dims=N=67,M=33
// RUN: %{run} --dims=N=1,M=1
// RUN: %{run} --dims=N=0,M=2
// REDEFINE: %{function} = constants
// RUN: %{run} --dims=N=3

func.func @compare(%x: tensor<?xf32> {fuse.name = "x", fuse.dims = ["N"]},
                   %y: tensor<?xf32> {fuse.name = "y", fuse.dims = ["N"]},
                   %p: tensor<?xi1> {fuse.dims = ["N"]})
    -> (tensor<?xi1> {fuse.name = "eq"}, tensor<?xi1> {fuse.name = "ne"},
        tensor<?xi1> {fuse.name = "lt"}, tensor<?xi1> {fuse.name = "le"},
        tensor<?xi1> {fuse.name = "gt"}, tensor<?xi1> {fuse.name = "ge"},
        tensor<?xi1> {fuse.name = "scalar"}, tensor<?xi1> {fuse.name = "bools"},
        tensor<?xf32> {fuse.name = "chosen"},
        tensor<?xf32> {fuse.name = "filled"},
        tensor<?xi1> {fuse.name = "chosen_bools"}) {
  %half = fuse.constant 0.5 : tensor<f32>
  %lowest = fuse.constant -inf : tensor<f32>
  %true = fuse.constant true : tensor<i1>
  %eq = fuse.compare eq %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %ne = fuse.compare ne %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %lt = fuse.compare lt %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %le = fuse.compare le %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %gt = fuse.compare gt %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %ge = fuse.compare ge %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %scalar = fuse.compare lt %half, %x : (tensor<f32>, tensor<?xf32>) -> tensor<?xi1>
  %bools = fuse.compare lt %p, %true : (tensor<?xi1>, tensor<i1>) -> tensor<?xi1>
  %chosen = fuse.select %lt, %x, %y : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %filled = fuse.select %p, %lowest, %x : (tensor<?xi1>, tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  %chosen_bools = fuse.select %p, %eq, %true : (tensor<?xi1>, tensor<?xi1>, tensor<i1>) -> tensor<?xi1>
  return %eq, %ne, %lt, %le, %gt, %ge, %scalar, %bools, %chosen, %filled,
         %chosen_bools
      : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>,
        tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xf32>, tensor<?xf32>,
        tensor<?xi1>
}

func.func @casts(%x: tensor<?xf32> {fuse.name = "x", fuse.dims = ["N"]},
                 %k: tensor<?xi32> {fuse.name = "k", fuse.dims = ["N"]},
                 %p: tensor<?xi1> {fuse.name = "p", fuse.dims = ["N"]})
    -> (tensor<?xf16> {fuse.name = "f32_f16"},
        tensor<?xbf16> {fuse.name = "f32_bf16"},
        tensor<?xf64> {fuse.name = "f32_f64"},
        tensor<?xi32> {fuse.name = "f32_i32"},
        tensor<?xi1> {fuse.name = "f32_i1"},
        tensor<?xf16> {fuse.name = "i32_f16"},
        tensor<?xbf16> {fuse.name = "i32_bf16"},
        tensor<?xf32> {fuse.name = "i32_f32"},
        tensor<?xf64> {fuse.name = "i32_f64"},
        tensor<?xi1> {fuse.name = "i32_i1"},
        tensor<?xf16> {fuse.name = "i1_f16"},
        tensor<?xbf16> {fuse.name = "i1_bf16"},
        tensor<?xf32> {fuse.name = "i1_f32"},
        tensor<?xf64> {fuse.name = "i1_f64"},
        tensor<?xi32> {fuse.name = "i1_i32"},
        tensor<?xbf16> {fuse.name = "f16_bf16"},
        tensor<?xf32> {fuse.name = "f16_f32"},
        tensor<?xf64> {fuse.name = "f16_f64"},
        tensor<?xi32> {fuse.name = "f16_i32"},
        tensor<?xi1> {fuse.name = "f16_i1"},
        tensor<?xf16> {fuse.name = "bf16_f16"},
        tensor<?xf32> {fuse.name = "bf16_f32"},
        tensor<?xf64> {fuse.name = "bf16_f64"},
        tensor<?xi32> {fuse.name = "bf16_i32"},
        tensor<?xi1> {fuse.name = "bf16_i1"},
        tensor<?xf16> {fuse.name = "f64_f16"},
        tensor<?xbf16> {fuse.name = "f64_bf16"},
        tensor<?xf32> {fuse.name = "f64_f32"},
        tensor<?xi32> {fuse.name = "f64_i32"},
        tensor<?xi1> {fuse.name = "f64_i1"}) {
  %f32_f16 = fuse.cast %x : tensor<?xf32> -> tensor<?xf16>
  %f32_bf16 = fuse.cast %x : tensor<?xf32> -> tensor<?xbf16>
  %f32_f64 = fuse.cast %x : tensor<?xf32> -> tensor<?xf64>
  %f32_i32 = fuse.cast %x : tensor<?xf32> -> tensor<?xi32>
  %f32_i1 = fuse.cast %x : tensor<?xf32> -> tensor<?xi1>
  %i32_f16 = fuse.cast %k : tensor<?xi32> -> tensor<?xf16>
  %i32_bf16 = fuse.cast %k : tensor<?xi32> -> tensor<?xbf16>
  %i32_f32 = fuse.cast %k : tensor<?xi32> -> tensor<?xf32>
  %i32_f64 = fuse.cast %k : tensor<?xi32> -> tensor<?xf64>
  %i32_i1 = fuse.cast %k : tensor<?xi32> -> tensor<?xi1>
  %i1_f16 = fuse.cast %p : tensor<?xi1> -> tensor<?xf16>
  %i1_bf16 = fuse.cast %p : tensor<?xi1> -> tensor<?xbf16>
  %i1_f32 = fuse.cast %p : tensor<?xi1> -> tensor<?xf32>
  %i1_f64 = fuse.cast %p : tensor<?xi1> -> tensor<?xf64>
  %i1_i32 = fuse.cast %p : tensor<?xi1> -> tensor<?xi32>
  %f16_bf16 = fuse.cast %f32_f16 : tensor<?xf16> -> tensor<?xbf16>
  %f16_f32 = fuse.cast %f32_f16 : tensor<?xf16> -> tensor<?xf32>
  %f16_f64 = fuse.cast %f32_f16 : tensor<?xf16> -> tensor<?xf64>
  %f16_i32 = fuse.cast %f32_f16 : tensor<?xf16> -> tensor<?xi32>
  %f16_i1 = fuse.cast %f32_f16 : tensor<?xf16> -> tensor<?xi1>
  %bf16_f16 = fuse.cast %f32_bf16 : tensor<?xbf16> -> tensor<?xf16>
  %bf16_f32 = fuse.cast %f32_bf16 : tensor<?xbf16> -> tensor<?xf32>
  %bf16_f64 = fuse.cast %f32_bf16 : tensor<?xbf16> -> tensor<?xf64>
  %bf16_i32 = fuse.cast %f32_bf16 : tensor<?xbf16> -> tensor<?xi32>
  %bf16_i1 = fuse.cast %f32_bf16 : tensor<?xbf16> -> tensor<?xi1>
  %f64_f16 = fuse.cast %f32_f64 : tensor<?xf64> -> tensor<?xf16>
  %f64_bf16 = fuse.cast %f32_f64 : tensor<?xf64> -> tensor<?xbf16>
  %f64_f32 = fuse.cast %f32_f64 : tensor<?xf64> -> tensor<?xf32>
  %f64_i32 = fuse.cast %f32_f64 : tensor<?xf64> -> tensor<?xi32>
  %f64_i1 = fuse.cast %f32_f64 : tensor<?xf64> -> tensor<?xi1>
  return %f32_f16, %f32_bf16, %f32_f64, %f32_i32, %f32_i1, %i32_f16, %i32_bf16,
         %i32_f32, %i32_f64, %i32_i1, %i1_f16, %i1_bf16, %i1_f32, %i1_f64,
         %i1_i32, %f16_bf16, %f16_f32, %f16_f64, %f16_i32, %f16_i1, %bf16_f16,
         %bf16_f32, %bf16_f64, %bf16_i32, %bf16_i1, %f64_f16, %f64_bf16,
         %f64_f32, %f64_i32, %f64_i1
      : tensor<?xf16>, tensor<?xbf16>, tensor<?xf64>, tensor<?xi32>,
        tensor<?xi1>, tensor<?xf16>, tensor<?xbf16>, tensor<?xf32>,
        tensor<?xf64>, tensor<?xi1>, tensor<?xf16>, tensor<?xbf16>,
        tensor<?xf32>, tensor<?xf64>, tensor<?xi32>, tensor<?xbf16>,
        tensor<?xf32>, tensor<?xf64>, tensor<?xi32>, tensor<?xi1>,
        tensor<?xf16>, tensor<?xf32>, tensor<?xf64>, tensor<?xi32>,
        tensor<?xi1>, tensor<?xf16>, tensor<?xbf16>, tensor<?xf32>,
        tensor<?xi32>, tensor<?xi1>
}

func.func @positions(%x: tensor<?x?xf32> {fuse.dims = ["N", "M"]})
    -> (tensor<?x?xi32> {fuse.name = "rows"},
        tensor<?x?xf32> {fuse.name = "columns"},
        tensor<?x?x5xf64> {fuse.name = "last"},
        tensor<?xi32> {fuse.name = "flat"},
        tensor<?x?xi1> {fuse.name = "causal"},
        tensor<i32> {fuse.name = "extent"},
        tensor<f32> {fuse.name = "size"},
        tensor<?x?xf32> {fuse.name = "scaled"}) {
  %rows = fuse.iota axis 0 like %x : tensor<?x?xf32> -> tensor<?x?xi32>
  %columns = fuse.iota axis 1 like %x : tensor<?x?xf32> -> tensor<?x?xf32>
  %last = fuse.iota axis 2 shape "N M 5" : tensor<?x?x5xf64>
  %flat = fuse.reshape %rows "n m -> (n m)" : (tensor<?x?xi32>) -> tensor<?xi32>
  %positions = fuse.iota axis 1 like %x : tensor<?x?xf32> -> tensor<?x?xi32>
  %causal = fuse.compare ge %rows, %positions : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
  %extent = fuse.dim %x axis 1 : tensor<?x?xf32> -> tensor<i32>
  %size = fuse.dim "N*M + 2" : tensor<f32>
  %scaled = fuse.map div %x, %size : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %rows, %columns, %last, %flat, %causal, %extent, %size, %scaled
      : tensor<?x?xi32>, tensor<?x?xf32>, tensor<?x?x5xf64>, tensor<?xi32>,
        tensor<?x?xi1>, tensor<i32>, tensor<f32>, tensor<?x?xf32>
}

// Numbers whose text must read back to the same bits.
func.func @constants(%x: tensor<?xf32> {fuse.dims = ["N"]})
    -> (tensor<2xf32> {fuse.name = "denormal"},
        tensor<f32> {fuse.name = "largest"},
        tensor<f64> {fuse.name = "tenth"},
        tensor<f64> {fuse.name = "small"},
        tensor<f16> {fuse.name = "half"},
        tensor<bf16> {fuse.name = "brain"},
        tensor<2x3xi32> {fuse.name = "lowest"},
        tensor<f32> {fuse.name = "minus_infinity"},
        tensor<f32> {fuse.name = "nan"},
        tensor<f32> {fuse.name = "minus_zero"},
        tensor<i1> {fuse.name = "true"},
        tensor<?xf32> {fuse.name = "added"}) {
  %denormal = fuse.constant 1.0e-45 : tensor<2xf32>
  %largest = fuse.constant 3.40282347e+38 : tensor<f32>
  %tenth = fuse.constant 0.1 : tensor<f64>
  %small = fuse.constant 4.9406564584124654e-324 : tensor<f64>
  %half = fuse.constant 6.0e-8 : tensor<f16>
  %brain = fuse.constant 3.3895314e38 : tensor<bf16>
  %lowest = fuse.constant -2147483648 : tensor<2x3xi32>
  %infinity = fuse.constant -inf : tensor<f32>
  %nan = fuse.constant nan : tensor<f32>
  %zero = fuse.constant -0.0 : tensor<f32>
  %true = fuse.constant true : tensor<i1>
  %third = fuse.constant 0.333333343 : tensor<f32>
  %added = fuse.map add %x, %third : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %denormal, %largest, %tenth, %small, %half, %brain, %lowest, %infinity,
         %nan, %zero, %true, %added
      : tensor<2xf32>, tensor<f32>, tensor<f64>, tensor<f64>, tensor<f16>,
        tensor<bf16>, tensor<2x3xi32>, tensor<f32>, tensor<f32>, tensor<f32>,
        tensor<i1>, tensor<?xf32>
}
