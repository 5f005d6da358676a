// RUN: fuse-opt %s --allow-unregistered-dialect --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(fuse-check-dims{remark})'
//
// The pass speaks only when asked to, and changes nothing.
// RUN: sed /expected-/d %s > %t.mlir
// RUN: fuse-opt %t.mlir --allow-unregistered-dialect -o %t.before
// RUN: fuse-opt %t.mlir --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(fuse-check-dims)' -o %t.after 2> %t.err
// RUN: diff %t.before %t.after
// RUN: count 0 < %t.err

func.func @elementwise(%x: tensor<?x?xf32> {fuse.dims = ["B", "H*D"]},
                       %y: tensor<?x?xf32>, %s: tensor<f32>) {
  // expected-remark @+1 {{dims: B x D*H}}
  %0 = fuse.map add %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  // What has no name gets a number.
  // expected-remark @+1 {{dims: ?0 x ?1}}
  %1 = fuse.map exp %y : (tensor<?x?xf32>) -> tensor<?x?xf32>
  // expected-remark @+1 {{dims: none, rank 0}}
  %2 = fuse.map exp %s : (tensor<f32>) -> tensor<f32>
  // expected-remark @+1 {{dims: B x D*H}}
  %3 = fuse.cast %x : tensor<?x?xf32> -> tensor<?x?xbf16>
  // A type that says more says it for all that follows.
  // expected-remark @+1 {{dims: 4 x D*H}}
  %4 = fuse.cast %x : tensor<?x?xf32> -> tensor<4x?xbf16>
  return
}

func.func @contractions(%x: tensor<?x?x?xf32> {fuse.dims = ["B", "T", "D"]},
                        %w: tensor<?x?xf32> {fuse.dims = ["E", "D"]}) {
  // expected-remark @+1 {{dims: E x B x T}}
  %0 = fuse.einsum "btd,ed->ebt" %x, %w : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  // expected-remark @+1 {{dims: B x T x E}}
  %1 = fuse.linear %x, %w : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  // expected-remark @+1 {{dims: B x D}}
  %2 = fuse.reduce max %x axes [1] : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  // expected-remark @+1 {{dims: B x T x D}}
  %3 = fuse.softmax %x axis 1 : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  // expected-remark @+1 {{dims: B x T x D}}
  %4 = fuse.layer_norm %x axis 2 : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  // expected-remark @+1 {{dims: B x T x D}}
  %5 = fuse.rms_norm %x axis 2 : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return
}

func.func @index_maps(%x: tensor<?x?x?xf32> {fuse.dims = ["B", "N", "H*D"]},
                      %y: tensor<?x?x?xf32> {fuse.dims = ["B", "M", "H*D"]},
                      %w: tensor<?x?xf32> {fuse.dims = ["H", "P"]}) {
  // Names survive the quotient of their product.
  // expected-remark @+1 {{dims: B x H x N x D}}
  %0 = fuse.reshape %x "b n (H d) -> b H n d" : (tensor<?x?x?xf32>) -> tensor<?x?x?x?xf32>
  // expected-remark @+1 {{dims: B x H x N x D}}
  %1 = fuse.reshape %x like %w "b n (h d), h p -> b h n d" : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?x?xf32>
  // expected-remark @+1 {{dims: B*N x 1 x D*H/8 x 8}}
  %2 = fuse.reshape %x "b n (d 8) -> (b n) 1 d 8" : (tensor<?x?x?xf32>) -> tensor<?x1x?x8xf32>
  // expected-remark @+1 {{dims: B x M + N x D*H}}
  %3 = fuse.concat %x, %y axis 1 : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  // expected-remark @+1 {{dims: B x N x D*H/2}}
  %4 = fuse.slice %x axis 2 from "$/2" to "$" : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  // expected-remark @+1 {{dims: B x (N - 1)/2 x D*H}}
  %5 = fuse.slice %x axis 1 from "1" to "$" step 2 : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  // expected-remark @+1 {{dims: D*H x B x N}}
  %6 = fuse.transpose %x [2, 0, 1] : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  // expected-remark @+1 {{dims: H x M x P x 4}}
  %7 = fuse.broadcast %w "h p -> h M p 4" : (tensor<?x?xf32>) -> tensor<?x?x?x4xf32>
  return
}

// The quotient of two sums goes by a name of its own.
func.func @sums(%x: tensor<?xf32> {fuse.dims = ["N + 1"]},
                %y: tensor<?x?xf32> {fuse.dims = ["H + 1", "D"]}) {
  // expected-remark @+1 {{dims: H + 1 x ?(N + 1)/(H + 1)}}
  %0 = fuse.reshape %x like %y "(h d), h e -> h d" : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  // expected-remark @+1 {{dims: ?(N + 1)/(H + 1) + ?(N + 1)/(H + 1)*H}}
  %1 = fuse.reshape %0 "h d -> (h d)" : (tensor<?x?xf32>) -> tensor<?xf32>
  // expected-remark @+1 {{dims: N + 1}}
  %2 = fuse.map add %x, %1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

func.func @made_up(%x: tensor<?x?xf32> {fuse.dims = ["N", "M"]}) {
  // expected-remark @+1 {{dims: 2*N x M/2 x 3}}
  %0 = fuse.iota axis 0 shape "2*N M/2 3" : tensor<?x?x3xi32>
  // expected-remark @+1 {{dims: N x M}}
  %1 = fuse.iota axis 0 like %x : tensor<?x?xf32> -> tensor<?x?xi32>
  // expected-remark @+1 {{dims: none, rank 0}}
  %2 = fuse.dim "N" : tensor<i32>
  // Nothing is said of constants and of ops of others, but of what follows.
  %3 = fuse.constant 1.0 : tensor<f32>
  %4 = "test.foreign"(%x) : (tensor<?x?xf32>) -> tensor<?x7xf32>
  // expected-remark @+1 {{dims: ?0 x 7}}
  %5 = fuse.map mul %4, %3 : (tensor<?x7xf32>, tensor<f32>) -> tensor<?x7xf32>
  "test.region"() ({
  ^bb0(%y: tensor<3x?xf32>, %i: index):
    // expected-remark @+1 {{dims: 3 x ?1}}
    %6 = fuse.map exp %y : (tensor<3x?xf32>) -> tensor<3x?xf32>
    "test.yield"() : () -> ()
  }) : () -> ()
  return
}

// The region of an attention has dims of its own, also below other regions.
func.func @attention(%q: tensor<?x?x?x32xf32> {fuse.dims = ["B", "T", "Hq", "D"]},
                     %k: tensor<?x?x?x32xf32> {fuse.dims = ["B", "S", "Hkv", "D"]}) {
  "test.region"() ({
    // expected-remark @+1 {{dims: B x T x Hq x 32}}
    %o = fuse.attention %q, %k, %k "b t (g r) d, b s g d, b s g d -> b t (g r) d" scores "b (g r) t s" {
    ^bb0(%s: tensor<?x?x?x?xf32>):
      // expected-remark @+1 {{dims: B x Hq x T x S}}
      %t = fuse.map tanh %s : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
      fuse.yield %t : tensor<?x?x?x?xf32>
    } : (tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>, tensor<?x?x?x32xf32>) -> tensor<?x?x?x32xf32>
    "test.yield"() : () -> ()
  }) : () -> ()
  return
}

// What is not decided by the text is left to the call: here that B equals T,
// that H divides D, and that the results are as promised.
func.func @left_to_the_call(%x: tensor<?xf32> {fuse.dims = ["B"]},
                            %y: tensor<?xf32> {fuse.dims = ["T"]},
                            %z: tensor<?xf32> {fuse.dims = ["D"]})
    -> (tensor<?xf32> {fuse.dims = ["2*B"]}) {
  // expected-remark @+1 {{dims: B}}
  %0 = fuse.map add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  // expected-remark @+1 {{dims: H x D/H}}
  %1 = fuse.reshape %z "(H d) -> H d" : (tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?xf32>
}

// Facts take part.
func.func @facts(%x: tensor<?xf32> {fuse.dims = ["N"]}, %y: tensor<?xf32> {fuse.dims = ["M"]})
    -> (tensor<?xf32> {fuse.dims = [8]})
    attributes {fuse.facts = ["N == M", "M == 2*K", "K == 4"]} {
  // expected-remark @+1 {{dims: N}}
  %0 = fuse.map add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func private @declaration(tensor<?xf32> {fuse.dims = ["N"]})
