// The smallest program with an oracle inside: the softmax of each row of
// scores (N, M), and a check that `theirs`, the result of some other
// implementation, is within the error that any permitted evaluation may have.

!rows = tensor<?x?xf32>  // N M

func.func @main(
    %scores: !rows {fuse.name = "scores", fuse.dims = ["N", "M"]},
    %theirs: !rows {fuse.name = "theirs", fuse.dims = ["N", "M"]})
    -> (!rows {fuse.name = "weights", fuse.dims = ["N", "M"]}) {
  %weights = fuse.softmax %scores axis 1 : (!rows) -> !rows
  fuse.check.bound %theirs, %weights : !rows, !rows
  return %weights : !rows
}
