// Triangle attention around the starting node (AlphaFold 2, Algorithm 13): the
// pair (i, j) of N residues attends, in H heads of D channels, to the pairs
// (i, k) from the same residue. Its score gets a bias that is projected from
// the third side, pair (j, k) of the same normalised input, and is masked where
// pair (i, k) is (mask below 1/2); with no key left the heads read 0. They are
// gated by a sigmoid and projected back to C channels. From pair_repr
// (B, N, N, C) and pair_mask (B, N, N) to out (B, N, N, C).

!scalar = tensor<f32>
!vector = tensor<?xf32>
!matrix = tensor<?x?xf32>         // a weight, (out, in)
!pairs  = tensor<?x?x?x?xf32>     // B N N C, or B N N H*D
!bias   = tensor<?x?x?x?xf32>     // B N N H
!mask   = tensor<?x?x?xf32>       // B N N
!keys   = tensor<?x?x?xi1>        // B N N
!scores = tensor<?x?x?x?x?xf32>   // B N H N N
!choice = tensor<?x?x?x?x?xi1>    // B N H N N

func.func @main(
    %pairs:  !pairs  {fuse.name = "pair_repr", fuse.dims = ["B", "N", "N", "C"]},
    %mask:   !mask   {fuse.name = "pair_mask", fuse.dims = ["B", "N", "N"]},
    %gamma:  !vector {fuse.name = "layer_norm.weight", fuse.dims = ["C"], fuse.param},
    %beta:   !vector {fuse.name = "layer_norm.bias", fuse.dims = ["C"], fuse.param},
    %w_q:    !matrix {fuse.name = "q_proj.weight", fuse.dims = ["H*D", "C"], fuse.param},
    %w_k:    !matrix {fuse.name = "k_proj.weight", fuse.dims = ["H*D", "C"], fuse.param},
    %w_v:    !matrix {fuse.name = "v_proj.weight", fuse.dims = ["H*D", "C"], fuse.param},
    %w_bias: !matrix {fuse.name = "pair_bias.weight", fuse.dims = ["H", "C"], fuse.param},
    %w_gate: !matrix {fuse.name = "gate.weight", fuse.dims = ["H*D", "C"], fuse.param},
    %b_gate: !vector {fuse.name = "gate.bias", fuse.dims = ["H*D"], fuse.param},
    %w_out:  !matrix {fuse.name = "out_proj.weight", fuse.dims = ["C", "H*D"], fuse.param},
    %b_out:  !vector {fuse.name = "out_proj.bias", fuse.dims = ["C"], fuse.param})
    -> (!pairs {fuse.name = "out", fuse.dims = ["B", "N", "N", "C"]})
    attributes {fuse.specialize = ["C", "H", "D"],
                fuse.size_hints = {B = 1, N = 256, C = 128, H = 4, D = 32}} {
  %x = fuse.layer_norm %pairs gamma %gamma beta %beta axis 3
      : (!pairs, !vector, !vector) -> !pairs
  %q    = fuse.linear %x, %w_q : (!pairs, !matrix) -> !pairs
  %k    = fuse.linear %x, %w_k : (!pairs, !matrix) -> !pairs
  %v    = fuse.linear %x, %w_v : (!pairs, !matrix) -> !pairs
  %bias = fuse.linear %x, %w_bias : (!pairs, !matrix) -> !bias

  %half   = fuse.constant 0.5 : !scalar
  %absent = fuse.compare lt %mask, %half : (!mask, !scalar) -> !keys
  %lowest = fuse.constant -inf : !scalar
  %d      = fuse.dim "D" : !scalar
  %scale  = fuse.map rsqrt %d : (!scalar) -> !scalar
  %heads = fuse.attention %q, %k, %v
      "b i j (H d), b i k (H d), b i k (H d) -> b i j (H d)"
      scores "b i H j k" masked_rows zero {
  ^bb0(%dots: !scores):
    %scaled = fuse.map mul %dots, %scale : (!scores, !scalar) -> !scores
    %side   = fuse.broadcast %bias "b j k h -> b i h j k" like %dots
        : (!bias, !scores) -> !scores
    %biased = fuse.map add %scaled, %side : (!scores, !scores) -> !scores
    %off    = fuse.broadcast %absent "b i k -> b i h j k" like %dots
        : (!keys, !scores) -> !choice
    %masked = fuse.select %off, %lowest, %biased
        : (!choice, !scalar, !scores) -> !scores
    fuse.yield %masked : !scores
  } : (!pairs, !pairs, !pairs) -> !pairs

  %logit = fuse.linear %x, %w_gate bias %b_gate
      : (!pairs, !matrix, !vector) -> !pairs
  %gate  = fuse.map sigmoid %logit : (!pairs) -> !pairs
  %gated = fuse.map mul %gate, %heads : (!pairs, !pairs) -> !pairs
  %out   = fuse.linear %gated, %w_out bias %b_out
      : (!pairs, !matrix, !vector) -> !pairs
  return %out : !pairs
}
