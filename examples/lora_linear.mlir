// A linear layer with a low-rank adapter (LoRA): to x Wᵀ + b it adds
// alpha/R (x Aᵀ) Bᵀ, a second weight of rank R that is never formed. From x
// (B, T, C) and the scalar lora_alpha to out (B, T, O).

!scalar = tensor<f32>
!vector = tensor<?xf32>
!matrix = tensor<?x?xf32>     // a weight, (out, in)
!tokens = tensor<?x?x?xf32>   // B T C, B T R or B T O

func.func @main(
    %x:     !tokens {fuse.name = "x", fuse.dims = ["B", "T", "C"]},
    %w:     !matrix {fuse.name = "weight", fuse.dims = ["O", "C"], fuse.param},
    %b:     !vector {fuse.name = "bias", fuse.dims = ["O"], fuse.param},
    %w_a:   !matrix {fuse.name = "lora_A.weight", fuse.dims = ["R", "C"], fuse.param},
    %w_b:   !matrix {fuse.name = "lora_B.weight", fuse.dims = ["O", "R"], fuse.param},
    %alpha: !scalar {fuse.name = "lora_alpha", fuse.param})
    -> (!tokens {fuse.name = "out", fuse.dims = ["B", "T", "O"]})
    attributes {fuse.specialize = ["C", "O", "R"],
                fuse.size_hints = {B = 8, T = 512, C = 4096, O = 4096,
                                   R = 16}} {
  %frozen = fuse.linear %x, %w bias %b
      : (!tokens, !matrix, !vector) -> !tokens

  %rank  = fuse.dim "R" : !scalar
  %scale = fuse.map div %alpha, %rank : (!scalar, !scalar) -> !scalar
  %down  = fuse.linear %x, %w_a : (!tokens, !matrix) -> !tokens
  %up    = fuse.linear %down, %w_b : (!tokens, !matrix) -> !tokens
  %delta = fuse.map mul %up, %scale : (!tokens, !scalar) -> !tokens

  %out = fuse.map add %frozen, %delta : (!tokens, !tokens) -> !tokens
  return %out : !tokens
}
