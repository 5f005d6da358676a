// REQUIRES: host
//
// Tensors without elements, of one element and without axes; results that are
// given twice, or given in; arguments that nothing reads.
//
// DEFINE: %{function} = scalars
// DEFINE: %{run} = fuse-opt %s --run --device=host --check --function=%{function}
// RUN: %{run}
// REDEFINE: %{function} = empty
// RUN: %{run} --dims=N=0,M=4
// RUN: %{run} --dims=N=4,M=0
// RUN: %{run} --dims=N=0,M=0
// RUN: %{run} --dims=N=1,M=1
// REDEFINE: %{function} = static
// RUN: %{run}
// REDEFINE: %{function} = results
// RUN: %{run} --dims=N=33

func.func @scalars(%x: tensor<f32>, %y: tensor<f64>, %k: tensor<i32>)
    -> (tensor<f32> {fuse.name = "same"}, tensor<f32> {fuse.name = "exp"},
        tensor<f32> {fuse.name = "product"}, tensor<f64> {fuse.name = "double"},
        tensor<f32> {fuse.name = "sum"}, tensor<f32> {fuse.name = "softmax"},
        tensor<1x1xf32> {fuse.name = "unit"},
        tensor<3xi32> {fuse.name = "spread"}) {
  %exp = fuse.map exp %x : (tensor<f32>) -> tensor<f32>
  %product = fuse.einsum ",->" %x, %exp : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %double = fuse.map mul %y, %y : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %unit = fuse.reshape %x " -> 1 1" : (tensor<f32>) -> tensor<1x1xf32>
  %sum = fuse.reduce sum %unit axes [0, 1] : (tensor<1x1xf32>) -> tensor<f32>
  %one = fuse.softmax %unit axis 1 : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %softmax = fuse.reshape %one "1 1 -> " : (tensor<1x1xf32>) -> tensor<f32>
  %spread = fuse.broadcast %k " -> 3" : (tensor<i32>) -> tensor<3xi32>
  return %x, %exp, %product, %double, %sum, %softmax, %unit, %spread
      : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f64>, tensor<f32>,
        tensor<f32>, tensor<1x1xf32>, tensor<3xi32>
}

func.func @empty(%x: tensor<?x?xf32> {fuse.dims = ["N", "M"]},
                 %y: tensor<?x?xf32> {fuse.dims = ["M", "N"]})
    -> (tensor<?x?xf32> {fuse.name = "exp"}, tensor<?xf32> {fuse.name = "sums"},
        tensor<?xf32> {fuse.name = "maxima"},
        tensor<f32> {fuse.name = "minimum"},
        tensor<?x?xf32> {fuse.name = "softmax"},
        tensor<?x?xf32> {fuse.name = "norm"},
        tensor<?x?xf32> {fuse.name = "product"},
        tensor<?x?xf32> {fuse.name = "twice"}) {
  %exp = fuse.map exp %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %sums = fuse.reduce sum %x axes [1] : (tensor<?x?xf32>) -> tensor<?xf32>
  %maxima = fuse.reduce max %x axes [0] : (tensor<?x?xf32>) -> tensor<?xf32>
  %minimum = fuse.reduce min %x axes [0, 1] : (tensor<?x?xf32>) -> tensor<f32>
  %softmax = fuse.softmax %x axis 0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %norm = fuse.layer_norm %x axis 1 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %product = fuse.einsum "nm,mk->nk" %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %twice = fuse.concat %x, %x axis 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %exp, %sums, %maxima, %minimum, %softmax, %norm, %product, %twice
      : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<f32>,
        tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

func.func @static(%x: tensor<0x3xf32>, %y: tensor<1x1x1xf32>, %z: tensor<3x1x5xf32>)
    -> (tensor<0x3xf32> {fuse.name = "none"},
        tensor<3xf32> {fuse.name = "zeros"},
        tensor<1x1x1xf32> {fuse.name = "unit"},
        tensor<3x5xf32> {fuse.name = "squeezed"},
        tensor<3x1x5xf32> {fuse.name = "softmax"},
        tensor<3x1x5xf32> {fuse.name = "ones"}) {
  %none = fuse.map exp %x : (tensor<0x3xf32>) -> tensor<0x3xf32>
  %zeros = fuse.reduce sum %x axes [0] : (tensor<0x3xf32>) -> tensor<3xf32>
  %unit = fuse.layer_norm %y axis 2 : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %squeezed = fuse.reduce max %z axes [1] : (tensor<3x1x5xf32>) -> tensor<3x5xf32>
  %softmax = fuse.softmax %z axis 2 : (tensor<3x1x5xf32>) -> tensor<3x1x5xf32>
  %ones = fuse.softmax %z axis 1 : (tensor<3x1x5xf32>) -> tensor<3x1x5xf32>
  return %none, %zeros, %unit, %squeezed, %softmax, %ones
      : tensor<0x3xf32>, tensor<3xf32>, tensor<1x1x1xf32>, tensor<3x5xf32>,
        tensor<3x1x5xf32>, tensor<3x1x5xf32>
}

func.func @results(%x: tensor<?xf32> {fuse.dims = ["N"]}, %unused: tensor<3xi32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<3xf32>) {
  %exp = fuse.map exp %x : (tensor<?xf32>) -> tensor<?xf32>
  %unread = fuse.map log %x : (tensor<?xf32>) -> tensor<?xf32>
  %three = fuse.constant 3.0 : tensor<3xf32>
  return %exp, %x, %exp, %x, %three
      : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<3xf32>
}
