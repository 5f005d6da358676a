// Triangular multiplicative update, outgoing edges (AlphaFold 2, Algorithm 11):
// the pair (i, j) of N residues is updated by the edges (i, k) and (j, k) from
// it to every third residue k. Only the contraction differs from
// triangle_incoming.mlir: gated projections of the normalised pair channels, C
// to H, are multiplied by the mask and contracted over k; the result is
// normalised, projected back to C channels and gated by the raw input. From
// pair_repr (B, N, N, C) and pair_mask (B, N, N) to out (B, N, N, C).

!vector = tensor<?xf32>
!matrix = tensor<?x?xf32>       // a weight, (out, in)
!pairs  = tensor<?x?x?x?xf32>   // B N N C
!hidden = tensor<?x?x?x?xf32>   // B N N H
!mask   = tensor<?x?x?xf32>     // B N N

func.func @main(
    %pairs:     !pairs  {fuse.name = "pair_repr", fuse.dims = ["B", "N", "N", "C"]},
    %mask:      !mask   {fuse.name = "pair_mask", fuse.dims = ["B", "N", "N"]},
    %gamma_in:  !vector {fuse.name = "layer_norm_in.weight", fuse.dims = ["C"], fuse.param},
    %beta_in:   !vector {fuse.name = "layer_norm_in.bias", fuse.dims = ["C"], fuse.param},
    %w_a:       !matrix {fuse.name = "proj_a.weight", fuse.dims = ["H", "C"], fuse.param},
    %b_a:       !vector {fuse.name = "proj_a.bias", fuse.dims = ["H"], fuse.param},
    %w_gate_a:  !matrix {fuse.name = "gate_a.weight", fuse.dims = ["H", "C"], fuse.param},
    %b_gate_a:  !vector {fuse.name = "gate_a.bias", fuse.dims = ["H"], fuse.param},
    %w_b:       !matrix {fuse.name = "proj_b.weight", fuse.dims = ["H", "C"], fuse.param},
    %b_b:       !vector {fuse.name = "proj_b.bias", fuse.dims = ["H"], fuse.param},
    %w_gate_b:  !matrix {fuse.name = "gate_b.weight", fuse.dims = ["H", "C"], fuse.param},
    %b_gate_b:  !vector {fuse.name = "gate_b.bias", fuse.dims = ["H"], fuse.param},
    %gamma_out: !vector {fuse.name = "layer_norm_out.weight", fuse.dims = ["H"], fuse.param},
    %beta_out:  !vector {fuse.name = "layer_norm_out.bias", fuse.dims = ["H"], fuse.param},
    %w_out:     !matrix {fuse.name = "out_proj.weight", fuse.dims = ["C", "H"], fuse.param},
    %b_out:     !vector {fuse.name = "out_proj.bias", fuse.dims = ["C"], fuse.param},
    %w_gate:    !matrix {fuse.name = "out_gate.weight", fuse.dims = ["C", "C"], fuse.param},
    %b_gate:    !vector {fuse.name = "out_gate.bias", fuse.dims = ["C"], fuse.param})
    -> (!pairs {fuse.name = "out", fuse.dims = ["B", "N", "N", "C"]})
    attributes {fuse.specialize = ["C", "H"],
                fuse.size_hints = [{B = 2, N = 32, C = 64, H = 32},
                                   {B = 1, N = 384}]} {
  %x = fuse.layer_norm %pairs gamma %gamma_in beta %beta_in axis 3
      : (!pairs, !vector, !vector) -> !pairs
  // Multiplied, not selected: a masked NaN or infinity stays one.
  %keep = fuse.broadcast %mask "b i j -> b i j H" : (!mask) -> !hidden

  // a = (x Waᵀ + ba) * sigmoid(x Wgaᵀ + bga) * mask
  %proj_a  = fuse.linear %x, %w_a bias %b_a
      : (!pairs, !matrix, !vector) -> !hidden
  %logit_a = fuse.linear %x, %w_gate_a bias %b_gate_a
      : (!pairs, !matrix, !vector) -> !hidden
  %gate_a  = fuse.map sigmoid %logit_a : (!hidden) -> !hidden
  %gated_a = fuse.map mul %proj_a, %gate_a : (!hidden, !hidden) -> !hidden
  %a       = fuse.map mul %gated_a, %keep : (!hidden, !hidden) -> !hidden

  // b likewise, with weights of its own.
  %proj_b  = fuse.linear %x, %w_b bias %b_b
      : (!pairs, !matrix, !vector) -> !hidden
  %logit_b = fuse.linear %x, %w_gate_b bias %b_gate_b
      : (!pairs, !matrix, !vector) -> !hidden
  %gate_b  = fuse.map sigmoid %logit_b : (!hidden) -> !hidden
  %gated_b = fuse.map mul %proj_b, %gate_b : (!hidden, !hidden) -> !hidden
  %b       = fuse.map mul %gated_b, %keep : (!hidden, !hidden) -> !hidden

  // Over the edges out of i and j: k is the second residue of both.
  %triangle = fuse.einsum "bikh,bjkh->bijh" %a, %b
      : (!hidden, !hidden) -> !hidden
  %normed   = fuse.layer_norm %triangle gamma %gamma_out beta %beta_out axis 3
      : (!hidden, !vector, !vector) -> !hidden
  %update   = fuse.linear %normed, %w_out bias %b_out
      : (!hidden, !matrix, !vector) -> !pairs

  // The gate reads the input itself, not its norm.
  %logit = fuse.linear %pairs, %w_gate bias %b_gate
      : (!pairs, !matrix, !vector) -> !pairs
  %gate  = fuse.map sigmoid %logit : (!pairs) -> !pairs
  %out   = fuse.map mul %gate, %update : (!pairs, !pairs) -> !pairs
  return %out : !pairs
}
