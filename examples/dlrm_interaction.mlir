// The dense part of a recommender with dot interactions (DLRM, Naumov et al.,
// 2019). A linear layer with ReLU brings the I numeric features to D channels.
// The dot products of this vector and the F embeddings with each other follow,
// all (F+1)^2 of them, where the original keeps those below the diagonal. They
// are appended to the vector and go through an MLP with ReLU, of width M, to
// the probability of a click. From dense (B, I) and embeddings (B, F, D) to out
// (B).

!vector = tensor<?xf32>       // a bias, or B
!matrix = tensor<?x?xf32>     // a weight, (out, in)
!rows   = tensor<?x?xf32>     // B and I, D, M, 1 or all features
!table  = tensor<?x?x?xf32>   // B F D, B F+1 D, or B F+1 F+1

func.func @main(
    %dense:      !rows   {fuse.name = "dense", fuse.dims = ["B", "I"]},
    %embeddings: !table  {fuse.name = "embeddings", fuse.dims = ["B", "F", "D"]},
    %w_bot:      !matrix {fuse.name = "bot_l.0.weight", fuse.dims = ["D", "I"], fuse.param},
    %b_bot:      !vector {fuse.name = "bot_l.0.bias", fuse.dims = ["D"], fuse.param},
    %w_top_0:    !matrix {fuse.name = "top_l.0.weight", fuse.dims = ["M", "D + (F+1)*(F+1)"], fuse.param},
    %b_top_0:    !vector {fuse.name = "top_l.0.bias", fuse.dims = ["M"], fuse.param},
    %w_top_2:    !matrix {fuse.name = "top_l.2.weight", fuse.dims = ["1", "M"], fuse.param},
    %b_top_2:    !vector {fuse.name = "top_l.2.bias", fuse.dims = ["1"], fuse.param})
    -> (!vector {fuse.name = "out", fuse.dims = ["B"]})
    attributes {fuse.specialize = ["I", "F", "D", "M"],
                fuse.size_hints = {B = 2048, I = 13, F = 26, D = 128,
                                   M = 1024}} {
  %bot_lin = fuse.linear %dense, %w_bot bias %b_bot
      : (!rows, !matrix, !vector) -> !rows
  %bot     = fuse.map relu %bot_lin : (!rows) -> !rows

  // i and j are two of the F+1 vectors of a row.
  %first   = fuse.reshape %bot "b d -> b 1 d" : (!rows) -> !table
  %vectors = fuse.concat %first, %embeddings axis 1
      : (!table, !table) -> !table
  %dots    = fuse.einsum "bid,bjd->bij" %vectors, %vectors
      : (!table, !table) -> !table
  %pairs   = fuse.reshape %dots "b i j -> b (i j)" : (!table) -> !rows
  %all     = fuse.concat %bot, %pairs axis 1 : (!rows, !rows) -> !rows

  %hidden = fuse.linear %all, %w_top_0 bias %b_top_0
      : (!rows, !matrix, !vector) -> !rows
  %active = fuse.map relu %hidden : (!rows) -> !rows
  %logit  = fuse.linear %active, %w_top_2 bias %b_top_2
      : (!rows, !matrix, !vector) -> !rows
  %click  = fuse.map sigmoid %logit : (!rows) -> !rows
  %out    = fuse.reshape %click "b 1 -> b" : (!rows) -> !vector
  return %out : !vector
}
