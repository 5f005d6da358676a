// Cross attention: Tq tokens of C channels read a context of Tk tokens of M
// channels, in H heads of D channels. key_padding_mask is true where a context
// token is padding; where all are, the heads read 0 and the output is the bias.
// From x (B, Tq, C), context (B, Tk, M) and key_padding_mask (B, Tk) to out
// (B, Tq, C). The shapes hold only the product H*D, so a call gives one of the
// two, as in --dims=H=8.

!scalar = tensor<f32>
!vector = tensor<?xf32>
!matrix = tensor<?x?xf32>       // a weight, (out, in)
!tokens = tensor<?x?x?xf32>     // B Tq C, B Tk M, or H*D channels of either
!mask   = tensor<?x?xi1>        // B Tk
!scores = tensor<?x?x?x?xf32>   // B H Tq Tk
!choice = tensor<?x?x?x?xi1>    // B H Tq Tk

func.func @main(
    %x:       !tokens {fuse.name = "x", fuse.dims = ["B", "Tq", "C"]},
    %context: !tokens {fuse.name = "context", fuse.dims = ["B", "Tk", "M"]},
    %padding: !mask   {fuse.name = "key_padding_mask", fuse.dims = ["B", "Tk"]},
    %w_q:     !matrix {fuse.name = "q_proj.weight", fuse.dims = ["H*D", "C"], fuse.param},
    %w_k:     !matrix {fuse.name = "k_proj.weight", fuse.dims = ["H*D", "M"], fuse.param},
    %w_v:     !matrix {fuse.name = "v_proj.weight", fuse.dims = ["H*D", "M"], fuse.param},
    %w_out:   !matrix {fuse.name = "out_proj.weight", fuse.dims = ["C", "H*D"], fuse.param},
    %b_out:   !vector {fuse.name = "out_proj.bias", fuse.dims = ["C"], fuse.param})
    -> (!tokens {fuse.name = "out", fuse.dims = ["B", "Tq", "C"]})
    attributes {fuse.specialize = ["C", "M", "H", "D"],
                fuse.size_hints = {B = 2, Tq = 1024, Tk = 77, C = 640, M = 768,
                                   H = 8, D = 80}} {
  %q = fuse.linear %x, %w_q : (!tokens, !matrix) -> !tokens
  %k = fuse.linear %context, %w_k : (!tokens, !matrix) -> !tokens
  %v = fuse.linear %context, %w_v : (!tokens, !matrix) -> !tokens

  %lowest = fuse.constant -inf : !scalar
  %d      = fuse.dim "D" : !scalar
  %scale  = fuse.map rsqrt %d : (!scalar) -> !scalar
  %read = fuse.attention %q, %k, %v
      "b t (H D), b s (H D), b s (H D) -> b t (H D)" scores "b H t s"
      masked_rows zero {
  ^bb0(%dots: !scores):
    %scaled = fuse.map mul %dots, %scale : (!scores, !scalar) -> !scores
    %off    = fuse.broadcast %padding "b s -> b h t s" like %dots
        : (!mask, !scores) -> !choice
    %masked = fuse.select %off, %lowest, %scaled
        : (!choice, !scalar, !scores) -> !scores
    fuse.yield %masked : !scores
  } : (!tokens, !tokens, !tokens) -> !tokens

  %out = fuse.linear %read, %w_out bias %b_out
      : (!tokens, !matrix, !vector) -> !tokens
  return %out : !tokens
}
