// REQUIRES: host
//
// Functions of i32 and i1, with results that wrap around.
//
// DEFINE: %{run} = fuse-opt %s --run --device=host --check
// RUN: %{run} --dims=N=77 --input=y=rand:uniform:lo=1,hi=9
// RUN: %{run} --input=x=-2147483648,2147483647,-2147483648,7,-7,7,-7,0 \
// RUN:        --input=y=-1,1,2147483647,2,2,-2,-2,3 --dims=N=8

func.func @main(%x: tensor<?xi32> {fuse.name = "x", fuse.dims = ["N"]},
                %y: tensor<?xi32> {fuse.name = "y", fuse.dims = ["N"]},
                %p: tensor<?xi1> {fuse.name = "p", fuse.dims = ["N"]},
                %q: tensor<?xi1> {fuse.name = "q", fuse.dims = ["N"]})
    -> (tensor<?xi32> {fuse.name = "neg"}, tensor<?xi32> {fuse.name = "abs"},
        tensor<?xi32> {fuse.name = "add"}, tensor<?xi32> {fuse.name = "sub"},
        tensor<?xi32> {fuse.name = "mul"}, tensor<?xi32> {fuse.name = "min"},
        tensor<?xi32> {fuse.name = "max"}, tensor<?xi32> {fuse.name = "clamp"},
        tensor<?xi32> {fuse.name = "floordiv"}, tensor<?xi32> {fuse.name = "mod"},
        tensor<?xi32> {fuse.name = "relu"}, tensor<?xi32> {fuse.name = "and"},
        tensor<?xi32> {fuse.name = "or"}, tensor<?xi32> {fuse.name = "xor"},
        tensor<?xi32> {fuse.name = "not"}, tensor<?xi1> {fuse.name = "both"},
        tensor<?xi1> {fuse.name = "either"}, tensor<?xi1> {fuse.name = "one"},
        tensor<?xi1> {fuse.name = "none"}) {
  %low = fuse.constant -3 : tensor<i32>
  %high = fuse.constant 5 : tensor<i32>
  %neg = fuse.map neg %x : (tensor<?xi32>) -> tensor<?xi32>
  %abs = fuse.map abs %x : (tensor<?xi32>) -> tensor<?xi32>
  %add = fuse.map add %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %sub = fuse.map sub %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %mul = fuse.map mul %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %min = fuse.map min %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %max = fuse.map max %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %clamp = fuse.map clamp %x, %low, %high : (tensor<?xi32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %floordiv = fuse.map floordiv %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %mod = fuse.map mod %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %relu = fuse.map relu %x : (tensor<?xi32>) -> tensor<?xi32>
  %and = fuse.map and %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %or = fuse.map or %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %xor = fuse.map xor %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %not = fuse.map not %x : (tensor<?xi32>) -> tensor<?xi32>
  %both = fuse.map and %p, %q : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  %either = fuse.map or %p, %q : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  %one = fuse.map xor %p, %q : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  %none = fuse.map not %p : (tensor<?xi1>) -> tensor<?xi1>
  return %neg, %abs, %add, %sub, %mul, %min, %max, %clamp, %floordiv, %mod,
         %relu, %and, %or, %xor, %not, %both, %either, %one, %none
      : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>,
        tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>,
        tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>,
        tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi1>,
        tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
}
