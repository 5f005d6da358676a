// REQUIRES: host
//
// Softmax over each axis: short rows, rows longer than a tile, rows longer than
// what registers hold, and rows without any finite element.
//
// DEFINE: %{type} = f32
// DEFINE: %{run} = sed s/TYPE/%{type}/g %s | fuse-opt --run --device=host --check
// RUN: %{run} --dims=A=3,B=37,C=70
// RUN: %{run} --dims=A=1,B=1,C=1
// RUN: %{run} --dims=A=1,B=2,C=4100
// RUN: %{run} --dims=A=0,B=2,C=3
// RUN: %{run} --dims=A=2,B=3,C=2 --input=x=-inf,0,-inf,1,-inf,2,-inf,-inf,-inf,inf,nan,0
//
// REDEFINE: %{type} = f16
// RUN: %{run} --dims=A=3,B=37,C=70
// REDEFINE: %{type} = bf16
// RUN: %{run} --dims=A=3,B=37,C=70
// REDEFINE: %{type} = f64
// RUN: %{run} --dims=A=3,B=37,C=70

func.func @main(%x: tensor<?x?x?xTYPE> {fuse.name = "x", fuse.dims = ["A", "B", "C"]})
    -> (tensor<?x?x?xTYPE> {fuse.name = "first"},
        tensor<?x?x?xTYPE> {fuse.name = "middle"},
        tensor<?x?x?xTYPE> {fuse.name = "last"},
        tensor<?x?x?xTYPE> {fuse.name = "masked"}) {
  %first = fuse.softmax %x axis 0 : (tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %middle = fuse.softmax %x axis 1 masked_rows zero : (tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %last = fuse.softmax %x axis 2 : (tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %masked = fuse.softmax %x axis 2 masked_rows zero : (tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  return %first, %middle, %last, %masked
      : tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>,
        tensor<?x?x?xTYPE>
}
