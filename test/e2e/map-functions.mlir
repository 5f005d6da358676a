// REQUIRES: host
//
// Every scalar function of floats, on its whole domain and beyond.
//
// DEFINE: %{type} = f32
// DEFINE: %{run} = sed s/TYPE/%{type}/g %s | fuse-opt --run --device=host --check
// DEFINE: %{special} = --input=x=0,-0,1,-1,0.5,-2.5,1e-5,-80,10,-0.75,9,inf,-50,nan \
// DEFINE:              --input=y=1,-1,0,2,-0.5,3,0,-inf,inf,nan,0.25,-3,1,1
// RUN: %{run} --dims=N=301
// RUN: %{run} --dims=N=1025 --input=x=rand:uniform:lo=-20,hi=20 --input=y=rand:uniform:lo=-3,hi=3,seed=1
// RUN: %{run} %{special}
//
// REDEFINE: %{type} = f64
// RUN: %{run} --dims=N=301
// RUN: %{run} %{special}
//
// REDEFINE: %{type} = f16
// RUN: %{run} --dims=N=301
// RUN: %{run} %{special}
//
// REDEFINE: %{type} = bf16
// RUN: %{run} --dims=N=301
// RUN: %{run} %{special}

func.func @main(%x: tensor<?xTYPE> {fuse.name = "x", fuse.dims = ["N"]},
                %y: tensor<?xTYPE> {fuse.name = "y", fuse.dims = ["N"]})
    -> (tensor<?xTYPE> {fuse.name = "neg"}, tensor<?xTYPE> {fuse.name = "abs"},
        tensor<?xTYPE> {fuse.name = "add"}, tensor<?xTYPE> {fuse.name = "sub"},
        tensor<?xTYPE> {fuse.name = "mul"}, tensor<?xTYPE> {fuse.name = "div"},
        tensor<?xTYPE> {fuse.name = "min"}, tensor<?xTYPE> {fuse.name = "max"},
        tensor<?xTYPE> {fuse.name = "clamp"}, tensor<?xTYPE> {fuse.name = "pow"},
        tensor<?xTYPE> {fuse.name = "sqrt"}, tensor<?xTYPE> {fuse.name = "rsqrt"},
        tensor<?xTYPE> {fuse.name = "exp"}, tensor<?xTYPE> {fuse.name = "exp2"},
        tensor<?xTYPE> {fuse.name = "expm1"}, tensor<?xTYPE> {fuse.name = "log"},
        tensor<?xTYPE> {fuse.name = "log2"}, tensor<?xTYPE> {fuse.name = "log1p"},
        tensor<?xTYPE> {fuse.name = "sin"}, tensor<?xTYPE> {fuse.name = "cos"},
        tensor<?xTYPE> {fuse.name = "tanh"}, tensor<?xTYPE> {fuse.name = "erf"},
        tensor<?xTYPE> {fuse.name = "sigmoid"}, tensor<?xTYPE> {fuse.name = "silu"},
        tensor<?xTYPE> {fuse.name = "gelu"}, tensor<?xTYPE> {fuse.name = "gelu_tanh"},
        tensor<?xTYPE> {fuse.name = "softplus"}, tensor<?xTYPE> {fuse.name = "relu"},
        tensor<?xTYPE> {fuse.name = "leaky_relu"}, tensor<?xTYPE> {fuse.name = "elu"},
        tensor<?xTYPE> {fuse.name = "floor"}, tensor<?xTYPE> {fuse.name = "ceil"},
        tensor<?xTYPE> {fuse.name = "round"}) {
  %low = fuse.constant -1.0 : tensor<TYPE>
  %high = fuse.constant 1.5 : tensor<TYPE>
  %slope = fuse.constant 0.1 : tensor<TYPE>
  %neg = fuse.map neg %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %abs = fuse.map abs %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %add = fuse.map add %x, %y : (tensor<?xTYPE>, tensor<?xTYPE>) -> tensor<?xTYPE>
  %sub = fuse.map sub %x, %y : (tensor<?xTYPE>, tensor<?xTYPE>) -> tensor<?xTYPE>
  %mul = fuse.map mul %x, %y : (tensor<?xTYPE>, tensor<?xTYPE>) -> tensor<?xTYPE>
  %div = fuse.map div %x, %y : (tensor<?xTYPE>, tensor<?xTYPE>) -> tensor<?xTYPE>
  %min = fuse.map min %x, %y : (tensor<?xTYPE>, tensor<?xTYPE>) -> tensor<?xTYPE>
  %max = fuse.map max %x, %y : (tensor<?xTYPE>, tensor<?xTYPE>) -> tensor<?xTYPE>
  %clamp = fuse.map clamp %x, %low, %high : (tensor<?xTYPE>, tensor<TYPE>, tensor<TYPE>) -> tensor<?xTYPE>
  %pow = fuse.map pow %x, %y : (tensor<?xTYPE>, tensor<?xTYPE>) -> tensor<?xTYPE>
  %sqrt = fuse.map sqrt %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %rsqrt = fuse.map rsqrt %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %exp = fuse.map exp %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %exp2 = fuse.map exp2 %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %expm1 = fuse.map expm1 %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %log = fuse.map log %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %log2 = fuse.map log2 %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %log1p = fuse.map log1p %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %sin = fuse.map sin %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %cos = fuse.map cos %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %tanh = fuse.map tanh %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %erf = fuse.map erf %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %sigmoid = fuse.map sigmoid %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %silu = fuse.map silu %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %gelu = fuse.map gelu %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %gelu_tanh = fuse.map gelu_tanh %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %softplus = fuse.map softplus %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %relu = fuse.map relu %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %leaky_relu = fuse.map leaky_relu %x, %slope : (tensor<?xTYPE>, tensor<TYPE>) -> tensor<?xTYPE>
  %elu = fuse.map elu %x, %slope : (tensor<?xTYPE>, tensor<TYPE>) -> tensor<?xTYPE>
  %floor = fuse.map floor %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %ceil = fuse.map ceil %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  %round = fuse.map round %x : (tensor<?xTYPE>) -> tensor<?xTYPE>
  return %neg, %abs, %add, %sub, %mul, %div, %min, %max, %clamp, %pow, %sqrt,
         %rsqrt, %exp, %exp2, %expm1, %log, %log2, %log1p, %sin, %cos, %tanh,
         %erf, %sigmoid, %silu, %gelu, %gelu_tanh, %softplus, %relu,
         %leaky_relu, %elu, %floor, %ceil, %round
      : tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>,
        tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>,
        tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>,
        tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>,
        tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>,
        tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>,
        tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>,
        tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>,
        tensor<?xTYPE>
}
