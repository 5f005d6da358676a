// REQUIRES: host
//
// A product that is used along an index which it does not have.
//
// RUN: fuse-opt %s --run --device=host --check --dims=T=7,D=8,E=5
// RUN: fuse-opt %s --run --device=host --check --dims=T=1,D=1,E=1
// RUN: fuse-opt %s --run --device=host --check --dims=T=130,D=64,E=70

func.func @main(%q: tensor<?x?xf32> {fuse.dims = ["T", "D"]}, %w: tensor<?xf32> {fuse.dims = ["D"]},
                %r: tensor<?x?xf32> {fuse.dims = ["T", "E"]}) -> tensor<?x?xf32>
    attributes {fuse.specialize = ["D", "E"], fuse.size_hints = {T = 4096, D = 64, E = 64}} {
  %n = fuse.einsum "td,d->t" %q, %w : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %d = fuse.broadcast %n "t -> t e" like %r : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %o = fuse.map mul %r, %d : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %o : tensor<?x?xf32>
}
