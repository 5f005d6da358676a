// Squeeze-and-excitation, the end of a residual block for images (Hu et al.,
// 2018). The mean of each channel over the image goes through two small linear
// layers, with ReLU from C to S channels and with a sigmoid back to C. Each
// channel is scaled by its result, the shortcut is added, and a ReLU follows.
// From x and shortcut (B, C, H, W) to out (B, C, H, W).

!scalar = tensor<f32>
!vector = tensor<?xf32>
!matrix = tensor<?x?xf32>       // a weight, (out, in)
!means  = tensor<?x?xf32>       // B C, or B S
!images = tensor<?x?x?x?xf32>   // B C H W

func.func @main(
    %x:        !images {fuse.name = "x", fuse.dims = ["B", "C", "H", "W"]},
    %shortcut: !images {fuse.name = "shortcut", fuse.dims = ["B", "C", "H", "W"]},
    %w_1:      !matrix {fuse.name = "fc1.weight", fuse.dims = ["S", "C"], fuse.param},
    %b_1:      !vector {fuse.name = "fc1.bias", fuse.dims = ["S"], fuse.param},
    %w_2:      !matrix {fuse.name = "fc2.weight", fuse.dims = ["C", "S"], fuse.param},
    %b_2:      !vector {fuse.name = "fc2.bias", fuse.dims = ["C"], fuse.param})
    -> (!images {fuse.name = "out", fuse.dims = ["B", "C", "H", "W"]})
    attributes {fuse.specialize = ["C", "S"],
                fuse.size_hints = {B = 32, C = 256, H = 56, W = 56, S = 16}} {
  %sum   = fuse.reduce sum %x axes [2, 3] : (!images) -> !means
  %count = fuse.dim "H*W" : !scalar
  %mean  = fuse.map div %sum, %count : (!means, !scalar) -> !means

  %squeezed = fuse.linear %mean, %w_1 bias %b_1
      : (!means, !matrix, !vector) -> !means
  %active   = fuse.map relu %squeezed : (!means) -> !means
  %excited  = fuse.linear %active, %w_2 bias %b_2
      : (!means, !matrix, !vector) -> !means
  %gate     = fuse.map sigmoid %excited : (!means) -> !means

  %gates  = fuse.broadcast %gate "b c -> b c h w" like %x
      : (!means, !images) -> !images
  %scaled = fuse.map mul %x, %gates : (!images, !images) -> !images
  %added  = fuse.map add %scaled, %shortcut : (!images, !images) -> !images
  %out    = fuse.map relu %added : (!images) -> !images
  return %out : !images
}
