// The MLP half of a diffusion transformer block (DiT with adaLN-Zero, Peebles
// and Xie, 2023). A conditioning vector gives each image a shift, a scale and a
// gate of C channels: silu, then a linear layer to 3*C. The layer norm of the T
// patches has no weights of its own; it is scaled by 1 + scale and shifted. An
// MLP of width F with GELU follows, and its output times the gate is added to
// x. From x (B, T, C) and c (B, C) to out (B, T, C).

!scalar = tensor<f32>
!vector = tensor<?xf32>
!matrix = tensor<?x?xf32>     // a weight, (out, in)
!cond   = tensor<?x?xf32>     // B C, or B 3*C
!tokens = tensor<?x?x?xf32>   // B T C, or B T F

func.func @main(
    %x:     !tokens {fuse.name = "x", fuse.dims = ["B", "T", "C"]},
    %c:     !cond   {fuse.name = "c", fuse.dims = ["B", "C"]},
    %w_ada: !matrix {fuse.name = "adaLN_modulation.1.weight", fuse.dims = ["3*C", "C"], fuse.param},
    %b_ada: !vector {fuse.name = "adaLN_modulation.1.bias", fuse.dims = ["3*C"], fuse.param},
    %w_1:   !matrix {fuse.name = "mlp.fc1.weight", fuse.dims = ["F", "C"], fuse.param},
    %b_1:   !vector {fuse.name = "mlp.fc1.bias", fuse.dims = ["F"], fuse.param},
    %w_2:   !matrix {fuse.name = "mlp.fc2.weight", fuse.dims = ["C", "F"], fuse.param},
    %b_2:   !vector {fuse.name = "mlp.fc2.bias", fuse.dims = ["C"], fuse.param})
    -> (!tokens {fuse.name = "out", fuse.dims = ["B", "T", "C"]})
    attributes {fuse.specialize = ["C", "F"],
                fuse.size_hints = {B = 8, T = 256, C = 1152, F = 4608}} {
  %c_act      = fuse.map silu %c : (!cond) -> !cond
  %modulation = fuse.linear %c_act, %w_ada bias %b_ada
      : (!cond, !matrix, !vector) -> !cond
  %shift_row  = fuse.slice %modulation axis 1 from "0" to "C" : (!cond) -> !cond
  %scale_row  = fuse.slice %modulation axis 1 from "C" to "2*C"
      : (!cond) -> !cond
  %gate_row   = fuse.slice %modulation axis 1 from "2*C" to "3*C"
      : (!cond) -> !cond
  %shift      = fuse.broadcast %shift_row "b c -> b t c" like %x
      : (!cond, !tokens) -> !tokens
  %scale      = fuse.broadcast %scale_row "b c -> b t c" like %x
      : (!cond, !tokens) -> !tokens
  %gate       = fuse.broadcast %gate_row "b c -> b t c" like %x
      : (!cond, !tokens) -> !tokens

  %normed    = fuse.layer_norm %x axis 2 eps 1.0e-6 : (!tokens) -> !tokens
  %one       = fuse.constant 1.0 : !scalar
  %factor    = fuse.map add %scale, %one : (!tokens, !scalar) -> !tokens
  %scaled    = fuse.map mul %normed, %factor : (!tokens, !tokens) -> !tokens
  %modulated = fuse.map add %scaled, %shift : (!tokens, !tokens) -> !tokens

  %up     = fuse.linear %modulated, %w_1 bias %b_1
      : (!tokens, !matrix, !vector) -> !tokens
  %active = fuse.map gelu_tanh %up : (!tokens) -> !tokens
  %down   = fuse.linear %active, %w_2 bias %b_2
      : (!tokens, !matrix, !vector) -> !tokens
  %update = fuse.map mul %gate, %down : (!tokens, !tokens) -> !tokens
  %out    = fuse.map add %x, %update : (!tokens, !tokens) -> !tokens
  return %out : !tokens
}
