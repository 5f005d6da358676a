// REQUIRES: host
//
// Ops of every kind that read through chains of index maps.
//
// DEFINE: %{type} = f32
// DEFINE: %{run} = sed s/TYPE/%{type}/g %s | fuse-opt --run --device=host --check
// RUN: %{run} --dims=N=5,M=19
// RUN: %{run} --dims=N=1,M=2
// REDEFINE: %{type} = f64
// RUN: %{run} --dims=N=5,M=19
// REDEFINE: %{type} = bf16
// RUN: %{run} --dims=N=5,M=19

func.func @main(%x: tensor<?x?x12xTYPE> {fuse.dims = ["N", "M", 12]},
                %y: tensor<?x?xTYPE> {fuse.dims = ["M", "N"]},
                %v: tensor<12xTYPE>)
    -> (tensor<?x?x12xTYPE> {fuse.name = "added"},
        tensor<?x?x12xTYPE> {fuse.name = "symmetric"},
        tensor<?x4xTYPE> {fuse.name = "summed"},
        tensor<?x4x?x3xTYPE> {fuse.name = "softmax"},
        tensor<?x4x?x?xTYPE> {fuse.name = "scores"},
        tensor<?x?x6xTYPE> {fuse.name = "product"},
        tensor<?x?x24xTYPE> {fuse.name = "joined"}) {
  %yt = fuse.transpose %y [1, 0] : (tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %ys = fuse.broadcast %yt "n m -> n m 12" : (tensor<?x?xTYPE>) -> tensor<?x?x12xTYPE>
  %vs = fuse.broadcast %v "d -> n m d" like %x : (tensor<12xTYPE>, tensor<?x?x12xTYPE>) -> tensor<?x?x12xTYPE>
  %added = fuse.map add %ys, %vs : (tensor<?x?x12xTYPE>, tensor<?x?x12xTYPE>) -> tensor<?x?x12xTYPE>
  %square = fuse.slice %x axis 2 from "0" to "12" : (tensor<?x?x12xTYPE>) -> tensor<?x?x12xTYPE>
  %symmetric = fuse.map mul %x, %square : (tensor<?x?x12xTYPE>, tensor<?x?x12xTYPE>) -> tensor<?x?x12xTYPE>
  %heads = fuse.reshape %x "n m (h 3) -> n h m 3" : (tensor<?x?x12xTYPE>) -> tensor<?x4x?x3xTYPE>
  %summed = fuse.reduce sum %heads axes [2, 3] : (tensor<?x4x?x3xTYPE>) -> tensor<?x4xTYPE>
  %softmax = fuse.softmax %heads axis 2 : (tensor<?x4x?x3xTYPE>) -> tensor<?x4x?x3xTYPE>
  %scores = fuse.einsum "nhid,nhjd->nhij" %heads, %heads : (tensor<?x4x?x3xTYPE>, tensor<?x4x?x3xTYPE>) -> tensor<?x4x?x?xTYPE>
  %low = fuse.slice %x axis 2 from "0" to "$/2" : (tensor<?x?x12xTYPE>) -> tensor<?x?x6xTYPE>
  %high = fuse.slice %x axis 2 from "$/2" to "$" : (tensor<?x?x12xTYPE>) -> tensor<?x?x6xTYPE>
  %product = fuse.map mul %low, %high : (tensor<?x?x6xTYPE>, tensor<?x?x6xTYPE>) -> tensor<?x?x6xTYPE>
  %joined = fuse.concat %high, %low, %x axis 2 : (tensor<?x?x6xTYPE>, tensor<?x?x6xTYPE>, tensor<?x?x12xTYPE>) -> tensor<?x?x24xTYPE>
  return %added, %symmetric, %summed, %softmax, %scores, %product, %joined
      : tensor<?x?x12xTYPE>, tensor<?x?x12xTYPE>, tensor<?x4xTYPE>,
        tensor<?x4x?x3xTYPE>, tensor<?x4x?x?xTYPE>, tensor<?x?x6xTYPE>,
        tensor<?x?x24xTYPE>
}
