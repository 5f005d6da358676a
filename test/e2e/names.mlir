// REQUIRES: host
//
// Names of tensors and dims that are words of C++, names of the device header,
// or no identifiers at all.
//
// RUN: fuse-opt %s --run --device=host --check --dims=KM=5,NK=3,Reg=2

func.func @main(%float: tensor<?x?xf32> {fuse.name = "float", fuse.dims = ["KM", "NK"]},
                %exp: tensor<?x?xf32> {fuse.name = "exp", fuse.dims = ["KM", "NK"]},
                %weight: tensor<?xf32> {fuse.name = "norm.0-weight", fuse.dims = ["NK"]},
                %lt: tensor<?x?xf32> {fuse.name = "compare_lt", fuse.dims = ["Reg", "NK"]},
                %map: tensor<?x?xf32> {fuse.name = "FragmentMap", fuse.dims = ["Reg", "NK"]},
                %total: tensor<?x?xf32> {fuse.name = "SwizzledTile", fuse.dims = ["NK", "Reg"]},
                %load: tensor<?x?xf32> {fuse.name = "load_if", fuse.dims = ["NK", "KM"]})
    -> (tensor<?x?xf32> {fuse.name = "__global__"}, tensor<?x?xf32> {fuse.name = "int64_t"},
        tensor<?x?xf32> {fuse.name = "linux"}, tensor<?x?xf32> {fuse.name = "main"},
        tensor<?xi1> {fuse.name = "2nd"}, tensor<?x?xf32> {fuse.name = "char"}) {
  %0 = fuse.map add %float, %exp : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = fuse.layer_norm %0 gamma %weight axis 1 : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %2 = fuse.map max %lt, %map : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = fuse.einsum "ab,bc->ac" %float, %total : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = fuse.compare lt %weight, %weight : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %5 = fuse.concat %load, %total axis 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xi1>, tensor<?x?xf32>
}
