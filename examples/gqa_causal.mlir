// Causal grouped-query attention: at each of T positions, Hq query heads attend
// to the keys of this and earlier positions, their scores scaled by 1/sqrt(D).
// Hkv key heads serve them in contiguous groups: query head h reads key head
// h / (Hq/Hkv). The PyTorch original repeats the key heads and loops over
// batch, head and position; here the grouping is an index map, and the growing
// prefix of the loop a mask. From q (B, T, Hq, D), k and v (B, T, Hkv, D) to
// out (B, T, Hq, D).

!scalar  = tensor<f32>
!heads   = tensor<?x?x?x?xf32>   // B T Hq D, or B T Hkv D
!scores  = tensor<?x?x?x?xf32>   // B Hq T T
!indices = tensor<?x?x?x?xi32>   // B Hq T T
!choice  = tensor<?x?x?x?xi1>    // B Hq T T

func.func @main(
    %q: !heads {fuse.name = "q", fuse.dims = ["B", "T", "Hq", "D"]},
    %k: !heads {fuse.name = "k", fuse.dims = ["B", "T", "Hkv", "D"]},
    %v: !heads {fuse.name = "v", fuse.dims = ["B", "T", "Hkv", "D"]})
    -> (!heads {fuse.name = "out", fuse.dims = ["B", "T", "Hq", "D"]})
    attributes {fuse.specialize = ["Hq", "Hkv", "D"],
                fuse.size_hints = [{B = 2, T = 80, Hq = 8, Hkv = 2, D = 32},
                                   {B = 4, T = 2048}],
                fuse.facts = ["Hq % Hkv == 0"]} {
  %d      = fuse.dim "D" : !scalar
  %scale  = fuse.map rsqrt %d : (!scalar) -> !scalar
  %lowest = fuse.constant -inf : !scalar

  // t is the query's position, s the key's; g a key head, r one of its readers.
  %out = fuse.attention %q, %k, %v
      "b t (g r) d, b s g d, b s g d -> b t (g r) d" scores "b (g r) t s" {
  ^bb0(%dots: !scores):
    %scaled = fuse.map mul %dots, %scale : (!scores, !scalar) -> !scores
    %t      = fuse.iota axis 2 like %dots : !scores -> !indices
    %s      = fuse.iota axis 3 like %dots : !scores -> !indices
    %future = fuse.compare gt %s, %t : (!indices, !indices) -> !choice
    %masked = fuse.select %future, %lowest, %scaled
        : (!choice, !scalar, !scores) -> !scores
    fuse.yield %masked : !scores
  } : (!heads, !heads, !heads) -> !heads
  return %out : !heads
}
