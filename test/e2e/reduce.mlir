// REQUIRES: host
//
// Reductions over each axis and over several, of every element type, with sizes
// that no tile divides.
//
// DEFINE: %{type} = f32
// DEFINE: %{run} = sed s/TYPE/%{type}/g %s | fuse-opt --run --device=host --check
// RUN: %{run} --dims=A=3,B=37,C=70
// RUN: %{run} --dims=A=1,B=1,C=1
// RUN: %{run} --dims=A=2,B=5,C=1100
// RUN: %{run} --dims=A=2,B=5,C=4 --input=x=inf,-inf,nan,0,-0,1,-1,inf,inf,2,-0,-0,0,-0,-0,-0,-inf,-1,nan,nan,3,3,3,3,nan,1,2,3,1,-inf,-inf,-inf,-0,0,-0,0,7,8,9,10
//
// REDEFINE: %{type} = f16
// RUN: %{run} --dims=A=3,B=37,C=70
// REDEFINE: %{type} = bf16
// RUN: %{run} --dims=A=3,B=37,C=70
// REDEFINE: %{type} = f64
// RUN: %{run} --dims=A=3,B=37,C=70
// REDEFINE: %{type} = i32
// RUN: %{run} --dims=A=3,B=37,C=70

func.func @main(
                %x: tensor<?x?x?xTYPE> {fuse.name = "x", fuse.dims = ["A", "B", "C"]})
    -> (tensor<?x?xTYPE> {fuse.name = "sum_a"},
        tensor<?x?xTYPE> {fuse.name = "sum_b"},
        tensor<?x?xTYPE> {fuse.name = "sum_c"},
        tensor<?xTYPE> {fuse.name = "sum_ab"},
        tensor<?xTYPE> {fuse.name = "sum_ac"},
        tensor<?xTYPE> {fuse.name = "sum_bc"},
        tensor<TYPE> {fuse.name = "sum_abc"},
        tensor<?x?xTYPE> {fuse.name = "max_a"},
        tensor<?x?xTYPE> {fuse.name = "max_b"},
        tensor<?x?xTYPE> {fuse.name = "max_c"},
        tensor<?xTYPE> {fuse.name = "max_ab"},
        tensor<?xTYPE> {fuse.name = "max_ac"},
        tensor<?xTYPE> {fuse.name = "max_bc"},
        tensor<TYPE> {fuse.name = "max_abc"},
        tensor<?x?xTYPE> {fuse.name = "min_a"},
        tensor<?x?xTYPE> {fuse.name = "min_b"},
        tensor<?x?xTYPE> {fuse.name = "min_c"},
        tensor<?xTYPE> {fuse.name = "min_ab"},
        tensor<?xTYPE> {fuse.name = "min_ac"},
        tensor<?xTYPE> {fuse.name = "min_bc"},
        tensor<TYPE> {fuse.name = "min_abc"}) {
  %sum_a = fuse.reduce sum %x axes [0] : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %sum_b = fuse.reduce sum %x axes [1] : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %sum_c = fuse.reduce sum %x axes [2] : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %sum_ab = fuse.reduce sum %x axes [0, 1] : (tensor<?x?x?xTYPE>) -> tensor<?xTYPE>
  %sum_ac = fuse.reduce sum %x axes [0, 2] : (tensor<?x?x?xTYPE>) -> tensor<?xTYPE>
  %sum_bc = fuse.reduce sum %x axes [1, 2] : (tensor<?x?x?xTYPE>) -> tensor<?xTYPE>
  %sum_abc = fuse.reduce sum %x axes [0, 1, 2] : (tensor<?x?x?xTYPE>) -> tensor<TYPE>
  %max_a = fuse.reduce max %x axes [0] : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %max_b = fuse.reduce max %x axes [1] : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %max_c = fuse.reduce max %x axes [2] : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %max_ab = fuse.reduce max %x axes [0, 1] : (tensor<?x?x?xTYPE>) -> tensor<?xTYPE>
  %max_ac = fuse.reduce max %x axes [0, 2] : (tensor<?x?x?xTYPE>) -> tensor<?xTYPE>
  %max_bc = fuse.reduce max %x axes [1, 2] : (tensor<?x?x?xTYPE>) -> tensor<?xTYPE>
  %max_abc = fuse.reduce max %x axes [0, 1, 2] : (tensor<?x?x?xTYPE>) -> tensor<TYPE>
  %min_a = fuse.reduce min %x axes [0] : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %min_b = fuse.reduce min %x axes [1] : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %min_c = fuse.reduce min %x axes [2] : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %min_ab = fuse.reduce min %x axes [0, 1] : (tensor<?x?x?xTYPE>) -> tensor<?xTYPE>
  %min_ac = fuse.reduce min %x axes [0, 2] : (tensor<?x?x?xTYPE>) -> tensor<?xTYPE>
  %min_bc = fuse.reduce min %x axes [1, 2] : (tensor<?x?x?xTYPE>) -> tensor<?xTYPE>
  %min_abc = fuse.reduce min %x axes [0, 1, 2] : (tensor<?x?x?xTYPE>) -> tensor<TYPE>
  return %sum_a, %sum_b, %sum_c, %sum_ab, %sum_ac, %sum_bc, %sum_abc, %max_a,
         %max_b, %max_c, %max_ab, %max_ac, %max_bc, %max_abc, %min_a, %min_b,
         %min_c, %min_ab, %min_ac, %min_bc, %min_abc
      : tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?xTYPE>,
        tensor<?xTYPE>, tensor<?xTYPE>, tensor<TYPE>, tensor<?x?xTYPE>,
        tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>,
        tensor<?xTYPE>, tensor<TYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>,
        tensor<?x?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>,
        tensor<TYPE>
}
