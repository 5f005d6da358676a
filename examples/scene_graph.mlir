// Relation update of a scene graph (GF-VLA): after a layer norm, N objects
// attend to each other in H heads of D/H channels. The score of a pair is
// biased by a small MLP of its P features, and masked where the pair has no
// edge (mask below 1/2). The result is projected and added to the objects. An
// object without any edge becomes NaN, as in the PyTorch original. From nodes
// (B, N, D), pair_feats (B, N, N, P) and edge_mask (B, N, N) to out (B, N, D).

!scalar = tensor<f32>
!vector = tensor<?xf32>
!matrix = tensor<?x?xf32>       // a weight, (out, in)
!nodes  = tensor<?x?x?xf32>     // B N D
!pairs  = tensor<?x?x?x?xf32>   // B N N P, then B N N H
!scores = tensor<?x?x?x?xf32>   // B H N N
!mask   = tensor<?x?x?xf32>     // B N N
!edges  = tensor<?x?x?xi1>      // B N N
!choice = tensor<?x?x?x?xi1>    // B H N N

func.func @main(
    %nodes:   !nodes  {fuse.name = "nodes", fuse.dims = ["B", "N", "D"]},
    %pairs:   !pairs  {fuse.name = "pair_feats", fuse.dims = ["B", "N", "N", "P"]},
    %mask:    !mask   {fuse.name = "edge_mask", fuse.dims = ["B", "N", "N"]},
    %gamma:   !vector {fuse.name = "norm.weight", fuse.dims = ["D"], fuse.param},
    %beta:    !vector {fuse.name = "norm.bias", fuse.dims = ["D"], fuse.param},
    %w_q:     !matrix {fuse.name = "q_proj.weight", fuse.dims = ["D", "D"], fuse.param},
    %w_k:     !matrix {fuse.name = "k_proj.weight", fuse.dims = ["D", "D"], fuse.param},
    %w_v:     !matrix {fuse.name = "v_proj.weight", fuse.dims = ["D", "D"], fuse.param},
    %w_rel_0: !matrix {fuse.name = "rel_mlp.0.weight", fuse.dims = ["P", "P"], fuse.param},
    %b_rel_0: !vector {fuse.name = "rel_mlp.0.bias", fuse.dims = ["P"], fuse.param},
    %w_rel_2: !matrix {fuse.name = "rel_mlp.2.weight", fuse.dims = ["H", "P"], fuse.param},
    %b_rel_2: !vector {fuse.name = "rel_mlp.2.bias", fuse.dims = ["H"], fuse.param},
    %w_out:   !matrix {fuse.name = "out_proj.weight", fuse.dims = ["D", "D"], fuse.param})
    -> (!nodes {fuse.name = "out", fuse.dims = ["B", "N", "D"]})
    attributes {fuse.specialize = ["D", "P", "H"],
                fuse.size_hints = [{B = 4, N = 24, D = 96, P = 16, H = 4},
                                   {B = 8, N = 512}],
                fuse.facts = ["D % H == 0"]} {
  %x = fuse.layer_norm %nodes gamma %gamma beta %beta axis 2
      : (!nodes, !vector, !vector) -> !nodes
  %q = fuse.linear %x, %w_q : (!nodes, !matrix) -> !nodes
  %k = fuse.linear %x, %w_k : (!nodes, !matrix) -> !nodes
  %v = fuse.linear %x, %w_v : (!nodes, !matrix) -> !nodes

  // Each pair of objects has one bias a head.
  %hidden   = fuse.linear %pairs, %w_rel_0 bias %b_rel_0
      : (!pairs, !matrix, !vector) -> !pairs
  %active   = fuse.map silu %hidden : (!pairs) -> !pairs
  %relation = fuse.linear %active, %w_rel_2 bias %b_rel_2
      : (!pairs, !matrix, !vector) -> !pairs
  %bias     = fuse.transpose %relation [0, 3, 1, 2] : (!pairs) -> !scores

  %half   = fuse.constant 0.5 : !scalar
  %absent = fuse.compare lt %mask, %half : (!mask, !scalar) -> !edges
  %lowest = fuse.constant -inf : !scalar
  %d      = fuse.dim "D/H" : !scalar
  %scale  = fuse.map rsqrt %d : (!scalar) -> !scalar
  %ctx = fuse.attention %q, %k, %v
      "b i (H d), b j (H d), b j (H d) -> b i (H d)" scores "b H i j" {
  ^bb0(%dots: !scores):
    %scaled = fuse.map mul %dots, %scale : (!scores, !scalar) -> !scores
    %biased = fuse.map add %scaled, %bias : (!scores, !scores) -> !scores
    %off    = fuse.broadcast %absent "b i j -> b h i j" like %dots
        : (!edges, !scores) -> !choice
    %masked = fuse.select %off, %lowest, %biased
        : (!choice, !scalar, !scores) -> !scores
    fuse.yield %masked : !scores
  } : (!nodes, !nodes, !nodes) -> !nodes

  %update = fuse.linear %ctx, %w_out : (!nodes, !matrix) -> !nodes
  %out    = fuse.map add %nodes, %update : (!nodes, !nodes) -> !nodes
  return %out : !nodes
}
