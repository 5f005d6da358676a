// The contrastive loss of images and their captions (CLIP, Radford et al.,
// 2021). The features of N images and of N texts are projected to E channels
// and divided by their length; their dot products times exp(logit_scale) are
// the logits. Row i is a choice of a text for image i, column i one of an image
// for text i, and i is right for both. The loss is the mean of the two cross
// entropies. From image_features (N, I), text_features (N, T) and the scalar
// logit_scale to the scalar out.

!scalar = tensor<f32>
!vector = tensor<?xf32>     // N
!matrix = tensor<?x?xf32>   // a weight, (out, in)
!rows   = tensor<?x?xf32>   // N I, N T or N E
!logits = tensor<?x?xf32>   // N N, an image and a text

func.func @main(
    %image:   !rows   {fuse.name = "image_features", fuse.dims = ["N", "I"]},
    %text:    !rows   {fuse.name = "text_features", fuse.dims = ["N", "T"]},
    %w_image: !matrix {fuse.name = "visual_projection.weight", fuse.dims = ["E", "I"], fuse.param},
    %w_text:  !matrix {fuse.name = "text_projection.weight", fuse.dims = ["E", "T"], fuse.param},
    %t:       !scalar {fuse.name = "logit_scale", fuse.param})
    -> (!scalar {fuse.name = "out"})
    attributes {fuse.specialize = ["I", "T", "E"],
                fuse.size_hints = {N = 1024, I = 768, T = 512, E = 512}} {
  %image_raw    = fuse.linear %image, %w_image : (!rows, !matrix) -> !rows
  %image_square = fuse.map mul %image_raw, %image_raw : (!rows, !rows) -> !rows
  %image_sum    = fuse.reduce sum %image_square axes [1] : (!rows) -> !vector
  %image_length = fuse.map sqrt %image_sum : (!vector) -> !vector
  %image_by     = fuse.broadcast %image_length "n -> n E" : (!vector) -> !rows
  %image_embed  = fuse.map div %image_raw, %image_by : (!rows, !rows) -> !rows

  %text_raw    = fuse.linear %text, %w_text : (!rows, !matrix) -> !rows
  %text_square = fuse.map mul %text_raw, %text_raw : (!rows, !rows) -> !rows
  %text_sum    = fuse.reduce sum %text_square axes [1] : (!rows) -> !vector
  %text_length = fuse.map sqrt %text_sum : (!vector) -> !vector
  %text_by     = fuse.broadcast %text_length "n -> n E" : (!vector) -> !rows
  %text_embed  = fuse.map div %text_raw, %text_by : (!rows, !rows) -> !rows

  %dots   = fuse.einsum "ie,je->ij" %image_embed, %text_embed
      : (!rows, !rows) -> !logits
  %scale  = fuse.map exp %t : (!scalar) -> !scalar
  %logits = fuse.map mul %dots, %scale : (!logits, !scalar) -> !logits

  // A cross entropy is log(sum(exp(x - max))) - (x_right - max).
  %right = fuse.einsum "ii->i" %logits : (!logits) -> !vector

  %row_max   = fuse.reduce max %logits axes [1] : (!logits) -> !vector
  %row_maxes = fuse.broadcast %row_max "i -> i j" like %logits
      : (!vector, !logits) -> !logits
  %row_shift = fuse.map sub %logits, %row_maxes : (!logits, !logits) -> !logits
  %row_exp   = fuse.map exp %row_shift : (!logits) -> !logits
  %row_sum   = fuse.reduce sum %row_exp axes [1] : (!logits) -> !vector
  %row_log   = fuse.map log %row_sum : (!vector) -> !vector
  %row_right = fuse.map sub %right, %row_max : (!vector, !vector) -> !vector
  %row_loss  = fuse.map sub %row_log, %row_right : (!vector, !vector) -> !vector

  %col_max   = fuse.reduce max %logits axes [0] : (!logits) -> !vector
  %col_maxes = fuse.broadcast %col_max "j -> i j" like %logits
      : (!vector, !logits) -> !logits
  %col_shift = fuse.map sub %logits, %col_maxes : (!logits, !logits) -> !logits
  %col_exp   = fuse.map exp %col_shift : (!logits) -> !logits
  %col_sum   = fuse.reduce sum %col_exp axes [0] : (!logits) -> !vector
  %col_log   = fuse.map log %col_sum : (!vector) -> !vector
  %col_right = fuse.map sub %right, %col_max : (!vector, !vector) -> !vector
  %col_loss  = fuse.map sub %col_log, %col_right : (!vector, !vector) -> !vector

  %losses = fuse.map add %row_loss, %col_loss : (!vector, !vector) -> !vector
  %sum    = fuse.reduce sum %losses axes [0] : (!vector) -> !scalar
  %count  = fuse.dim "2*N" : !scalar
  %out    = fuse.map div %sum, %count : (!scalar, !scalar) -> !scalar
  return %out : !scalar
}
