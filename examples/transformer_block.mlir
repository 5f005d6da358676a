// A pre-norm transformer block (as in Llama): to x it adds causal grouped-query
// attention of its RMS norm, and to that a SwiGLU layer of width F of its RMS
// norm. Hq query heads of D channels read Hkv key heads in contiguous groups.
// Queries and keys have a rotary embedding: at position t, channels p and
// p + D/2 of a head turn by the angle t * 10000^(-2p/D). From x (B, T, C) to
// out (B, T, C). The shapes hold only the products Hq*D and Hkv*D, so a call
// gives one of the three, as in --dims=D=64.

!scalar  = tensor<f32>
!vector  = tensor<?xf32>
!matrix  = tensor<?x?xf32>       // a weight, (out, in)
!table   = tensor<?x?xf32>       // T D/2, or T D
!tokens  = tensor<?x?x?xf32>     // B T C, or Hq*D, Hkv*D, F channels
!heads   = tensor<?x?x?x?xf32>   // B T Hq D or B T Hkv D, or half the channels
!scores  = tensor<?x?x?x?xf32>   // B Hq T T
!indices = tensor<?x?x?x?xi32>   // B Hq T T
!choice  = tensor<?x?x?x?xi1>    // B Hq T T

func.func @main(
    %x:          !tokens {fuse.name = "x", fuse.dims = ["B", "T", "C"]},
    %gamma_attn: !vector {fuse.name = "attn_norm.weight", fuse.dims = ["C"], fuse.param},
    %w_q:        !matrix {fuse.name = "q_proj.weight", fuse.dims = ["Hq*D", "C"], fuse.param},
    %w_k:        !matrix {fuse.name = "k_proj.weight", fuse.dims = ["Hkv*D", "C"], fuse.param},
    %w_v:        !matrix {fuse.name = "v_proj.weight", fuse.dims = ["Hkv*D", "C"], fuse.param},
    %w_o:        !matrix {fuse.name = "o_proj.weight", fuse.dims = ["C", "Hq*D"], fuse.param},
    %gamma_ffn:  !vector {fuse.name = "ffn_norm.weight", fuse.dims = ["C"], fuse.param},
    %w_gate:     !matrix {fuse.name = "gate_proj.weight", fuse.dims = ["F", "C"], fuse.param},
    %w_up:       !matrix {fuse.name = "up_proj.weight", fuse.dims = ["F", "C"], fuse.param},
    %w_down:     !matrix {fuse.name = "down_proj.weight", fuse.dims = ["C", "F"], fuse.param})
    -> (!tokens {fuse.name = "out", fuse.dims = ["B", "T", "C"]})
    attributes {fuse.specialize = ["C", "Hq", "Hkv", "D", "F"],
                fuse.size_hints = {B = 1, T = 2048, C = 2048, Hq = 32, Hkv = 8,
                                   D = 64, F = 8192},
                fuse.facts = ["Hq % Hkv == 0", "D % 2 == 0"]} {
  // The angle of position t and channel p, twice: both halves of a head turn.
  %p        = fuse.iota axis 0 shape "D/2" : !vector
  %minus2   = fuse.constant -2.0 : !scalar
  %d        = fuse.dim "D" : !scalar
  %minus2p  = fuse.map mul %p, %minus2 : (!vector, !scalar) -> !vector
  %exponent = fuse.map div %minus2p, %d : (!vector, !scalar) -> !vector
  %base     = fuse.constant 10000.0 : !scalar
  %rate     = fuse.map pow %base, %exponent : (!scalar, !vector) -> !vector
  %position = fuse.iota axis 0 shape "T" : !vector
  %angle    = fuse.einsum "t,p->tp" %position, %rate
      : (!vector, !vector) -> !table
  %angles   = fuse.concat %angle, %angle axis 1 : (!table, !table) -> !table
  %cos      = fuse.map cos %angles : (!table) -> !table
  %sin      = fuse.map sin %angles : (!table) -> !table

  %h      = fuse.rms_norm %x gamma %gamma_attn axis 2
      : (!tokens, !vector) -> !tokens
  %q_flat = fuse.linear %h, %w_q : (!tokens, !matrix) -> !tokens
  %k_flat = fuse.linear %h, %w_k : (!tokens, !matrix) -> !tokens
  %v      = fuse.linear %h, %w_v : (!tokens, !matrix) -> !tokens

  // Rotated q: q * cos + (-q_high, q_low) * sin.
  %q_heads = fuse.reshape %q_flat "b t (h D) -> b t h D" : (!tokens) -> !heads
  %q_low   = fuse.slice %q_heads axis 3 from "0" to "D/2" : (!heads) -> !heads
  %q_high  = fuse.slice %q_heads axis 3 from "D/2" to "D" : (!heads) -> !heads
  %q_minus = fuse.map neg %q_high : (!heads) -> !heads
  %q_turn  = fuse.concat %q_minus, %q_low axis 3 : (!heads, !heads) -> !heads
  %q_cos   = fuse.broadcast %cos "t d -> b t h d" like %q_heads
      : (!table, !heads) -> !heads
  %q_sin   = fuse.broadcast %sin "t d -> b t h d" like %q_heads
      : (!table, !heads) -> !heads
  %q_along = fuse.map mul %q_heads, %q_cos : (!heads, !heads) -> !heads
  %q_cross = fuse.map mul %q_turn, %q_sin : (!heads, !heads) -> !heads
  %q       = fuse.map add %q_along, %q_cross : (!heads, !heads) -> !heads

  // Rotated k, likewise.
  %k_heads = fuse.reshape %k_flat "b t (h D) -> b t h D" : (!tokens) -> !heads
  %k_low   = fuse.slice %k_heads axis 3 from "0" to "D/2" : (!heads) -> !heads
  %k_high  = fuse.slice %k_heads axis 3 from "D/2" to "D" : (!heads) -> !heads
  %k_minus = fuse.map neg %k_high : (!heads) -> !heads
  %k_turn  = fuse.concat %k_minus, %k_low axis 3 : (!heads, !heads) -> !heads
  %k_cos   = fuse.broadcast %cos "t d -> b t h d" like %k_heads
      : (!table, !heads) -> !heads
  %k_sin   = fuse.broadcast %sin "t d -> b t h d" like %k_heads
      : (!table, !heads) -> !heads
  %k_along = fuse.map mul %k_heads, %k_cos : (!heads, !heads) -> !heads
  %k_cross = fuse.map mul %k_turn, %k_sin : (!heads, !heads) -> !heads
  %k       = fuse.map add %k_along, %k_cross : (!heads, !heads) -> !heads

  // t is the query's position, s the key's; g a key head, r one of its readers.
  %scale  = fuse.map rsqrt %d : (!scalar) -> !scalar
  %lowest = fuse.constant -inf : !scalar
  %read = fuse.attention %q, %k, %v
      "b t (g r) d, b s g d, b s (g d) -> b t (g r d)" scores "b (g r) t s" {
  ^bb0(%dots: !scores):
    %scaled = fuse.map mul %dots, %scale : (!scores, !scalar) -> !scores
    %t      = fuse.iota axis 2 like %dots : !scores -> !indices
    %s      = fuse.iota axis 3 like %dots : !scores -> !indices
    %future = fuse.compare gt %s, %t : (!indices, !indices) -> !choice
    %masked = fuse.select %future, %lowest, %scaled
        : (!choice, !scalar, !scores) -> !scores
    fuse.yield %masked : !scores
  } : (!heads, !heads, !tokens) -> !tokens
  %attn = fuse.linear %read, %w_o : (!tokens, !matrix) -> !tokens
  %mid  = fuse.map add %x, %attn : (!tokens, !tokens) -> !tokens

  // SwiGLU: (silu(f Wgᵀ) * (f Wuᵀ)) Wdᵀ.
  %f      = fuse.rms_norm %mid gamma %gamma_ffn axis 2
      : (!tokens, !vector) -> !tokens
  %gate   = fuse.linear %f, %w_gate : (!tokens, !matrix) -> !tokens
  %up     = fuse.linear %f, %w_up : (!tokens, !matrix) -> !tokens
  %active = fuse.map silu %gate : (!tokens) -> !tokens
  %gated  = fuse.map mul %active, %up : (!tokens, !tokens) -> !tokens
  %ffn    = fuse.linear %gated, %w_down : (!tokens, !matrix) -> !tokens
  %out    = fuse.map add %mid, %ffn : (!tokens, !tokens) -> !tokens
  return %out : !tokens
}
