// Outer-product mean (AlphaFold 2, Algorithm 10): turns an alignment of S
// sequences and N residues into features of residue pairs. Two projections of
// the M normalised alignment channels to H are masked. Their outer products are
// summed over the sequences, divided by the number of sequences that have both
// residues plus 1e-3, and projected from the H*H merged channels to P. As in
// the published algorithm the mean comes before the projection, whose bias is
// thus not divided. From msa (B, S, N, M) and msa_mask (B, S, N) to out
// (B, N, N, P).

!scalar = tensor<f32>
!vector = tensor<?xf32>
!matrix = tensor<?x?xf32>         // a weight, (out, in)
!msa    = tensor<?x?x?x?xf32>     // B S N M, or B S N H
!mask   = tensor<?x?x?xf32>       // B S N
!count  = tensor<?x?x?xf32>       // B N N
!outer  = tensor<?x?x?x?x?xf32>   // B N N H H
!pairs  = tensor<?x?x?x?xf32>     // B N N H*H, or B N N P

func.func @main(
    %msa:   !msa    {fuse.name = "msa", fuse.dims = ["B", "S", "N", "M"]},
    %mask:  !mask   {fuse.name = "msa_mask", fuse.dims = ["B", "S", "N"]},
    %gamma: !vector {fuse.name = "layer_norm.weight", fuse.dims = ["M"], fuse.param},
    %beta:  !vector {fuse.name = "layer_norm.bias", fuse.dims = ["M"], fuse.param},
    %w_a:   !matrix {fuse.name = "proj_a.weight", fuse.dims = ["H", "M"], fuse.param},
    %b_a:   !vector {fuse.name = "proj_a.bias", fuse.dims = ["H"], fuse.param},
    %w_b:   !matrix {fuse.name = "proj_b.weight", fuse.dims = ["H", "M"], fuse.param},
    %b_b:   !vector {fuse.name = "proj_b.bias", fuse.dims = ["H"], fuse.param},
    %w_out: !matrix {fuse.name = "out_proj.weight", fuse.dims = ["P", "H*H"], fuse.param},
    %b_out: !vector {fuse.name = "out_proj.bias", fuse.dims = ["P"], fuse.param})
    -> (!pairs {fuse.name = "out", fuse.dims = ["B", "N", "N", "P"]})
    attributes {fuse.specialize = ["M", "H", "P"],
                fuse.size_hints = {B = 1, S = 128, N = 256, M = 256, H = 32,
                                   P = 128}} {
  %x = fuse.layer_norm %msa gamma %gamma beta %beta axis 3
      : (!msa, !vector, !vector) -> !msa
  %keep   = fuse.broadcast %mask "b s i -> b s i H" : (!mask) -> !msa
  %proj_a = fuse.linear %x, %w_a bias %b_a : (!msa, !matrix, !vector) -> !msa
  %proj_b = fuse.linear %x, %w_b bias %b_b : (!msa, !matrix, !vector) -> !msa
  %a      = fuse.map mul %proj_a, %keep : (!msa, !msa) -> !msa
  %b      = fuse.map mul %proj_b, %keep : (!msa, !msa) -> !msa

  // c and d are the channels of the two residues; no axis is summed but s.
  %outer = fuse.einsum "bsic,bsjd->bijcd" %a, %b : (!msa, !msa) -> !outer
  %sums  = fuse.reshape %outer "b i j c d -> b i j (c d)"
      : (!outer) -> !pairs

  %count   = fuse.einsum "bsi,bsj->bij" %mask, %mask : (!mask, !mask) -> !count
  %eps     = fuse.constant 1.0e-3 : !scalar
  %shifted = fuse.map add %count, %eps : (!count, !scalar) -> !count
  %divisor = fuse.broadcast %shifted "b i j -> b i j c" like %sums
      : (!count, !pairs) -> !pairs
  %mean    = fuse.map div %sums, %divisor : (!pairs, !pairs) -> !pairs

  %out = fuse.linear %mean, %w_out bias %b_out
      : (!pairs, !matrix, !vector) -> !pairs
  return %out : !pairs
}
