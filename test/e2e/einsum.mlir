// REQUIRES: host
//
// Contractions of all kinds, with sizes that no tile divides.
//
// DEFINE: %{type} = f32
// DEFINE: %{function} = two
// DEFINE: %{run} = sed s/TYPE/%{type}/g %s | fuse-opt --run --device=host --check --function=%{function}
// RUN: %{run} --dims=B=3,I=19,J=21,K=35
// RUN: %{run} --dims=B=1,I=1,J=1,K=1
// RUN: %{run} --dims=B=2,I=3,J=66,K=2
// RUN: %{run} --dims=B=2,I=3,J=2,K=0
// REDEFINE: %{function} = one
// RUN: %{run} --dims=B=3,I=19,J=21
// RUN: %{run} --dims=B=1,I=1,J=1
// REDEFINE: %{type} = f64
// RUN: %{run} --dims=B=3,I=19,J=21
// REDEFINE: %{function} = two
// RUN: %{run} --dims=B=3,I=19,J=21,K=35
// REDEFINE: %{type} = f16
// RUN: %{run} --dims=B=3,I=19,J=21,K=35
// REDEFINE: %{type} = bf16
// RUN: %{run} --dims=B=3,I=19,J=21,K=35
// REDEFINE: %{function} = one
// RUN: %{run} --dims=B=3,I=19,J=21

func.func @two(%a: tensor<?x?x?xTYPE> {fuse.dims = ["B", "I", "K"]},
               %c: tensor<?x?x?xTYPE> {fuse.dims = ["B", "K", "J"]},
               %m: tensor<?x?xTYPE> {fuse.dims = ["I", "K"]},
               %n: tensor<?x?xTYPE> {fuse.dims = ["K", "J"]},
               %nt: tensor<?x?xTYPE> {fuse.dims = ["J", "K"]},
               %mt: tensor<?x?xTYPE> {fuse.dims = ["K", "I"]},
               %v: tensor<?xTYPE> {fuse.dims = ["K"]},
               %w: tensor<?xTYPE> {fuse.dims = ["K"]},
               %u: tensor<?xTYPE> {fuse.dims = ["I"]},
               %p: tensor<?x?x?x?xTYPE> {fuse.dims = ["B", "I", "K", "J"]})
    -> (tensor<?x?xTYPE> {fuse.name = "matmul"},
        tensor<?x?xTYPE> {fuse.name = "transposed_rhs"},
        tensor<?x?xTYPE> {fuse.name = "transposed_lhs"},
        tensor<?x?xTYPE> {fuse.name = "transposed_both"},
        tensor<?x?xTYPE> {fuse.name = "swapped"},
        tensor<?x?x?xTYPE> {fuse.name = "batched"},
        tensor<?x?x?xTYPE> {fuse.name = "batch_last"},
        tensor<?x?x?xTYPE> {fuse.name = "batched_lhs"},
        tensor<?x?x?xTYPE> {fuse.name = "batched_rhs"},
        tensor<?x?xTYPE> {fuse.name = "outer"},
        tensor<TYPE> {fuse.name = "dot"}, tensor<?xTYPE> {fuse.name = "matvec"},
        tensor<?xTYPE> {fuse.name = "vecmat"},
        tensor<?x?xTYPE> {fuse.name = "summed_twice"},
        tensor<?xTYPE> {fuse.name = "four"}, tensor<TYPE> {fuse.name = "all"},
        tensor<?x?xTYPE> {fuse.name = "apart"},
        tensor<?x?xTYPE> {fuse.name = "elementwise"},
        tensor<?x?xTYPE> {fuse.name = "gram"},
        tensor<TYPE> {fuse.name = "rank0"},
        tensor<?x?x?xTYPE> {fuse.name = "scaled"},
        tensor<?x?x?x?xTYPE> {fuse.name = "outer3"}) {
  %matmul = fuse.einsum "ik,kj->ij" %m, %n
      : (tensor<?x?xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %transposed_rhs = fuse.einsum "ik,jk->ij" %m, %nt
      : (tensor<?x?xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %transposed_lhs = fuse.einsum "ki,kj->ij" %mt, %n
      : (tensor<?x?xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %transposed_both = fuse.einsum "ki,jk->ij" %mt, %nt
      : (tensor<?x?xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %swapped = fuse.einsum "ik,kj->ji" %m, %n
      : (tensor<?x?xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %batched = fuse.einsum "bik,bkj->bij" %a, %c
      : (tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %batch_last = fuse.einsum "bik,bkj->ijb" %a, %c
      : (tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %batched_lhs = fuse.einsum "bik,kj->bij" %a, %n
      : (tensor<?x?x?xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %batched_rhs = fuse.einsum "ik,bkj->bij" %m, %c
      : (tensor<?x?xTYPE>, tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %outer = fuse.einsum "i,k->ik" %u, %v
      : (tensor<?xTYPE>, tensor<?xTYPE>) -> tensor<?x?xTYPE>
  %dot = fuse.einsum "k,k->" %v, %w
      : (tensor<?xTYPE>, tensor<?xTYPE>) -> tensor<TYPE>
  %matvec = fuse.einsum "ik,k->i" %m, %v
      : (tensor<?x?xTYPE>, tensor<?xTYPE>) -> tensor<?xTYPE>
  %vecmat = fuse.einsum "k,kj->j" %v, %n
      : (tensor<?xTYPE>, tensor<?x?xTYPE>) -> tensor<?xTYPE>
  %summed_twice = fuse.einsum "bik,bkj->ij" %a, %c
      : (tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %four = fuse.einsum "bik,bikj->j" %a, %p
      : (tensor<?x?x?xTYPE>, tensor<?x?x?x?xTYPE>) -> tensor<?xTYPE>
  %all = fuse.einsum "bik,bkj->" %a, %c
      : (tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>) -> tensor<TYPE>
  %apart = fuse.einsum "ik,bkj->kb" %m, %c
      : (tensor<?x?xTYPE>, tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %elementwise = fuse.einsum "ik,ik->ik" %m, %m
      : (tensor<?x?xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %gram = fuse.einsum "ik,jk->ij" %m, %m
      : (tensor<?x?xTYPE>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  %rank0 = fuse.einsum "k,i->" %v, %u
      : (tensor<?xTYPE>, tensor<?xTYPE>) -> tensor<TYPE>
  %scaled = fuse.einsum "bik,k->bik" %a, %v
      : (tensor<?x?x?xTYPE>, tensor<?xTYPE>) -> tensor<?x?x?xTYPE>
  %outer3 = fuse.einsum "i,bkj->bikj" %u, %c
      : (tensor<?xTYPE>, tensor<?x?x?xTYPE>) -> tensor<?x?x?x?xTYPE>
  return %matmul, %transposed_rhs, %transposed_lhs, %transposed_both, %swapped,
         %batched, %batch_last, %batched_lhs, %batched_rhs, %outer, %dot,
         %matvec, %vecmat, %summed_twice, %four, %all, %apart, %elementwise,
         %gram, %rank0, %scaled, %outer3
      : tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>,
        tensor<?x?xTYPE>, tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>,
        tensor<?x?x?xTYPE>, tensor<?x?x?xTYPE>, tensor<?x?xTYPE>, tensor<TYPE>,
        tensor<?xTYPE>, tensor<?xTYPE>, tensor<?x?xTYPE>, tensor<?xTYPE>,
        tensor<TYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>,
        tensor<TYPE>, tensor<?x?x?xTYPE>, tensor<?x?x?x?xTYPE>
}

func.func @one(%x: tensor<?x?x?xTYPE> {fuse.dims = ["B", "I", "J"]},
               %s: tensor<?x?x?xTYPE> {fuse.dims = ["B", "I", "I"]},
               %t: tensor<?x?xTYPE> {fuse.dims = ["I", "I"]})
    -> (tensor<?x?x?xTYPE> {fuse.name = "transpose"},
        tensor<?x?xTYPE> {fuse.name = "sum_last"},
        tensor<?x?xTYPE> {fuse.name = "sum_middle"},
        tensor<?x?xTYPE> {fuse.name = "sum_outer"},
        tensor<TYPE> {fuse.name = "sum_all"},
        tensor<?x?xTYPE> {fuse.name = "diagonal"},
        tensor<?x?xTYPE> {fuse.name = "diagonal_first"},
        tensor<?xTYPE> {fuse.name = "traces"},
        tensor<TYPE> {fuse.name = "trace"},
        tensor<?xTYPE> {fuse.name = "diagonal_only"},
        tensor<?xTYPE> {fuse.name = "sum_of_diagonals"}) {
  %transpose = fuse.einsum "bij->jbi" %x : (tensor<?x?x?xTYPE>) -> tensor<?x?x?xTYPE>
  %sum_last = fuse.einsum "bij->bi" %x : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %sum_middle = fuse.einsum "bij->bj" %x : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %sum_outer = fuse.einsum "bij->ji" %x : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %sum_all = fuse.einsum "bij->" %x : (tensor<?x?x?xTYPE>) -> tensor<TYPE>
  %diagonal = fuse.einsum "bii->bi" %s : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %diagonal_first = fuse.einsum "bii->ib" %s : (tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE>
  %traces = fuse.einsum "bii->b" %s : (tensor<?x?x?xTYPE>) -> tensor<?xTYPE>
  %trace = fuse.einsum "ii->" %t : (tensor<?x?xTYPE>) -> tensor<TYPE>
  %diagonal_only = fuse.einsum "ii->i" %t : (tensor<?x?xTYPE>) -> tensor<?xTYPE>
  %sum_of_diagonals = fuse.einsum "bii->i" %s : (tensor<?x?x?xTYPE>) -> tensor<?xTYPE>
  return %transpose, %sum_last, %sum_middle, %sum_outer, %sum_all, %diagonal,
         %diagonal_first, %traces, %trace, %diagonal_only, %sum_of_diagonals
      : tensor<?x?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>,
        tensor<?x?xTYPE>, tensor<TYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>,
        tensor<?xTYPE>, tensor<TYPE>, tensor<?xTYPE>, tensor<?xTYPE>
}
