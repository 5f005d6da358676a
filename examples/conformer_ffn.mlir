// Two pieces of a Conformer block for speech (Gulati et al., 2020). The
// feed-forward module adds half of its output to its input: layer norm, linear
// to F channels with swish, linear back. The convolution module then starts
// with a layer norm, a pointwise convolution to 2*C channels and a gated linear
// unit, whose result its depthwise convolution would read. From x (B, T, C) to
// the sum and the gated channels, out and conv_in, both (B, T, C).

!scalar = tensor<f32>
!vector = tensor<?xf32>
!matrix = tensor<?x?xf32>     // a weight, (out, in)
!frames = tensor<?x?x?xf32>   // B T C, B T F or B T 2*C

func.func @main(
    %x:          !frames {fuse.name = "x", fuse.dims = ["B", "T", "C"]},
    %gamma_ff:   !vector {fuse.name = "ff.layer_norm.weight", fuse.dims = ["C"], fuse.param},
    %beta_ff:    !vector {fuse.name = "ff.layer_norm.bias", fuse.dims = ["C"], fuse.param},
    %w_1:        !matrix {fuse.name = "ff.linear1.weight", fuse.dims = ["F", "C"], fuse.param},
    %b_1:        !vector {fuse.name = "ff.linear1.bias", fuse.dims = ["F"], fuse.param},
    %w_2:        !matrix {fuse.name = "ff.linear2.weight", fuse.dims = ["C", "F"], fuse.param},
    %b_2:        !vector {fuse.name = "ff.linear2.bias", fuse.dims = ["C"], fuse.param},
    %gamma_conv: !vector {fuse.name = "conv.layer_norm.weight", fuse.dims = ["C"], fuse.param},
    %beta_conv:  !vector {fuse.name = "conv.layer_norm.bias", fuse.dims = ["C"], fuse.param},
    %w_conv:     !matrix {fuse.name = "conv.pointwise_conv1.weight", fuse.dims = ["2*C", "C"], fuse.param},
    %b_conv:     !vector {fuse.name = "conv.pointwise_conv1.bias", fuse.dims = ["2*C"], fuse.param})
    -> (!frames {fuse.name = "out", fuse.dims = ["B", "T", "C"]},
        !frames {fuse.name = "conv_in", fuse.dims = ["B", "T", "C"]})
    attributes {fuse.specialize = ["C", "F"],
                fuse.size_hints = {B = 8, T = 400, C = 512, F = 2048}} {
  %normed = fuse.layer_norm %x gamma %gamma_ff beta %beta_ff axis 2
      : (!frames, !vector, !vector) -> !frames
  %up     = fuse.linear %normed, %w_1 bias %b_1
      : (!frames, !matrix, !vector) -> !frames
  %active = fuse.map silu %up : (!frames) -> !frames
  %down   = fuse.linear %active, %w_2 bias %b_2
      : (!frames, !matrix, !vector) -> !frames
  %half   = fuse.constant 0.5 : !scalar
  %step   = fuse.map mul %down, %half : (!frames, !scalar) -> !frames
  %out    = fuse.map add %x, %step : (!frames, !frames) -> !frames

  // GLU: the first C channels times the sigmoid of the last C.
  %conv    = fuse.layer_norm %out gamma %gamma_conv beta %beta_conv axis 2
      : (!frames, !vector, !vector) -> !frames
  %both    = fuse.linear %conv, %w_conv bias %b_conv
      : (!frames, !matrix, !vector) -> !frames
  %value   = fuse.slice %both axis 2 from "0" to "C" : (!frames) -> !frames
  %logit   = fuse.slice %both axis 2 from "C" to "2*C" : (!frames) -> !frames
  %gate    = fuse.map sigmoid %logit : (!frames) -> !frames
  %conv_in = fuse.map mul %value, %gate : (!frames, !frames) -> !frames
  return %out, %conv_in : !frames, !frames
}
