// REQUIRES: host
//
// Norms over each axis. A static row of up to 4096 elements stays in registers;
// longer ones, and rows of unknown length, are read once a pass.
//
// DEFINE: %{type} = f32
// DEFINE: %{function} = dynamic
// DEFINE: %{run} = sed s/TYPE/%{type}/g %s | fuse-opt --run --device=host --check --function=%{function}
// RUN: %{run} --dims=A=3,B=37,C=70
// RUN: %{run} --dims=A=1,B=1,C=1
// RUN: %{run} --dims=A=2,B=3,C=1500
// RUN: %{run} --dims=A=1,B=3,C=4099
// REDEFINE: %{type} = f64
// RUN: %{run} --dims=A=3,B=37,C=70
// REDEFINE: %{type} = f16
// RUN: %{run} --dims=A=3,B=37,C=70
// REDEFINE: %{type} = bf16
// RUN: %{run} --dims=A=3,B=37,C=70
// REDEFINE: %{function} = static
// RUN: %{run} --dims=N=5
// REDEFINE: %{type} = f32
// RUN: %{run} --dims=N=5

func.func @dynamic(%x: tensor<?x?x?xTYPE> {fuse.dims = ["A", "B", "C"]},
                   %gamma: tensor<?xTYPE> {fuse.dims = ["C"]},
                   %beta: tensor<?xTYPE> {fuse.dims = ["C"]},
                   %scale: tensor<?xTYPE> {fuse.dims = ["A"]})
    -> (tensor<?x?x?xTYPE> {fuse.name = "first"},
        tensor<?x?x?xTYPE> {fuse.name = "middle"},
        tensor<?x?x?xTYPE> {fuse.name = "last"},
        tensor<?x?x?xTYPE> {fuse.name = "rms_first"},
        tensor<?x?x?xTYPE> {fuse.name = "rms_last"}) {
  %first = fuse.layer_norm %x gamma %scale axis 0 : (tensor<?x?x?xTYPE>, tensor<?xTYPE>) -> tensor<?x?x?xTYPE>
  %middle = fuse.layer_norm %x axis 1 eps 0.5 : (tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %last = fuse.layer_norm %x gamma %gamma beta %beta axis 2 : (tensor<?x?x?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>) -> tensor<?x?x?xTYPE>
  %rms_first = fuse.rms_norm %x axis 0 : (tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %rms_last = fuse.rms_norm %x gamma %gamma axis 2 : (tensor<?x?x?xTYPE>, tensor<?xTYPE>) -> tensor<?x?x?xTYPE>
  return %first, %middle, %last, %rms_first, %rms_last
      : tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>,
        tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>
}

func.func @static(%small: tensor<?x20xTYPE> {fuse.dims = ["N", 20]},
                  %odd: tensor<?x100xTYPE> {fuse.dims = ["N", 100]},
                  %resident: tensor<?x2048xTYPE> {fuse.dims = ["N", 2048]},
                  %long: tensor<?x4100xTYPE> {fuse.dims = ["N", 4100]},
                  %gamma: tensor<4100xTYPE>)
    -> (tensor<?x20xTYPE> {fuse.name = "small"},
        tensor<?x100xTYPE> {fuse.name = "odd"},
        tensor<?x2048xTYPE> {fuse.name = "resident"},
        tensor<?x4100xTYPE> {fuse.name = "long"}) {
  %0 = fuse.layer_norm %small axis 1 : (tensor<?x20xTYPE>) -> tensor<?x20xTYPE>
  %1 = fuse.rms_norm %odd axis 1 : (tensor<?x100xTYPE>) -> tensor<?x100xTYPE>
  %2 = fuse.layer_norm %resident axis 1 : (tensor<?x2048xTYPE>) -> tensor<?x2048xTYPE>
  %3 = fuse.layer_norm %long gamma %gamma axis 1 : (tensor<?x4100xTYPE>, tensor<4100xTYPE>) -> tensor<?x4100xTYPE>
  return %0, %1, %2, %3 : tensor<?x20xTYPE>, tensor<?x100xTYPE>, tensor<?x2048xTYPE>, tensor<?x4100xTYPE>
}
