// Linear attention (Katharopoulos et al., 2020) with an output gate: H heads of
// D channels read all T positions through a state of D*D numbers a head instead
// of T*T scores. The features of queries and keys are elu(x) + 1, which is
// positive. The state is the sum of the outer products of key features and
// values; what a query reads from it is divided by the product of its features
// with the summed key features, plus 1e-6. The heads are gated by silu and
// projected back. From x (B, T, C) to out (B, T, C). The shapes hold only the
// product H*D, so a call gives one of the two, as in --dims=H=8.

!scalar = tensor<f32>
!matrix = tensor<?x?xf32>       // a weight, (out, in)
!tokens = tensor<?x?x?xf32>     // B T C, or B T H*D
!heads  = tensor<?x?x?x?xf32>   // B T H D
!state  = tensor<?x?x?x?xf32>   // B H D D, key and value channels
!total  = tensor<?x?x?xf32>     // B H D
!norm   = tensor<?x?x?xf32>     // B T H

func.func @main(
    %x:      !tokens {fuse.name = "x", fuse.dims = ["B", "T", "C"]},
    %w_q:    !matrix {fuse.name = "q_proj.weight", fuse.dims = ["H*D", "C"], fuse.param},
    %w_k:    !matrix {fuse.name = "k_proj.weight", fuse.dims = ["H*D", "C"], fuse.param},
    %w_v:    !matrix {fuse.name = "v_proj.weight", fuse.dims = ["H*D", "C"], fuse.param},
    %w_gate: !matrix {fuse.name = "g_proj.weight", fuse.dims = ["H*D", "C"], fuse.param},
    %w_out:  !matrix {fuse.name = "o_proj.weight", fuse.dims = ["C", "H*D"], fuse.param})
    -> (!tokens {fuse.name = "out", fuse.dims = ["B", "T", "C"]})
    attributes {fuse.specialize = ["C", "H", "D"],
                fuse.size_hints = {B = 4, T = 4096, C = 512, H = 8, D = 64}} {
  %one    = fuse.constant 1.0 : !scalar
  %q_flat = fuse.linear %x, %w_q : (!tokens, !matrix) -> !tokens
  %q      = fuse.reshape %q_flat "b t (H d) -> b t H d" : (!tokens) -> !heads
  %q_elu  = fuse.map elu %q, %one : (!heads, !scalar) -> !heads
  %q_feat = fuse.map add %q_elu, %one : (!heads, !scalar) -> !heads
  %k_flat = fuse.linear %x, %w_k : (!tokens, !matrix) -> !tokens
  %k      = fuse.reshape %k_flat "b t (H d) -> b t H d" : (!tokens) -> !heads
  %k_elu  = fuse.map elu %k, %one : (!heads, !scalar) -> !heads
  %k_feat = fuse.map add %k_elu, %one : (!heads, !scalar) -> !heads
  %v_flat = fuse.linear %x, %w_v : (!tokens, !matrix) -> !tokens
  %v      = fuse.reshape %v_flat "b t (H d) -> b t H d" : (!tokens) -> !heads

  // d is a channel of the keys, e one of the values.
  %state = fuse.einsum "bthd,bthe->bhde" %k_feat, %v
      : (!heads, !heads) -> !state
  %total = fuse.reduce sum %k_feat axes [1] : (!heads) -> !total
  %read  = fuse.einsum "bthd,bhde->bthe" %q_feat, %state
      : (!heads, !state) -> !heads
  %norm  = fuse.einsum "bthd,bhd->bth" %q_feat, %total
      : (!heads, !total) -> !norm

  %eps     = fuse.constant 1.0e-6 : !scalar
  %shifted = fuse.map add %norm, %eps : (!norm, !scalar) -> !norm
  %divisor = fuse.broadcast %shifted "b t h -> b t h e" like %read
      : (!norm, !heads) -> !heads
  %mean    = fuse.map div %read, %divisor : (!heads, !heads) -> !heads
  %joined  = fuse.reshape %mean "b t h e -> b t (h e)" : (!heads) -> !tokens

  %logit = fuse.linear %x, %w_gate : (!tokens, !matrix) -> !tokens
  %gate  = fuse.map silu %logit : (!tokens) -> !tokens
  %gated = fuse.map mul %joined, %gate : (!tokens, !tokens) -> !tokens
  %out   = fuse.linear %gated, %w_out : (!tokens, !matrix) -> !tokens
  return %out : !tokens
}
