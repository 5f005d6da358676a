// RUN: fuse-opt %s --split-input-file --verify-diagnostics \
// RUN:   --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(fuse-check-dims))'
//
// Constraints that hold in no call.

func.func @arguments(%x: tensor<?xf32> {fuse.dims = ["N"]},
                     %y: tensor<5xf32> {fuse.dims = ["N"]},
                     // expected-error @+1 {{expects axis 0 of argument 'z' to be 6, but N is something else by earlier constraints}}
                     %z: tensor<6xf32> {fuse.dims = ["N"], fuse.name = "z"}) {
  return
}

// -----

// The dims of a static axis are an equation.
func.func @expression(%x: tensor<8xf32> {fuse.dims = ["N"]},
                      // expected-error @+1 {{expects axis 1 of argument 'arg1' to be 17, but 2*N is something else by earlier constraints}}
                      %y: tensor<?x17xf32> {fuse.dims = ["M", "2*N"]}) {
  return
}

// -----

// expected-error @+1 {{'fuse.dims' expects axis 0 of 'tensor<5xf32>' to be 5, but got 4}}
func.func @constant(%x: tensor<5xf32> {fuse.dims = ["4"]}) {
  return
}

// -----

// expected-error @+1 {{expects N to be M + 1, but N is something else by earlier constraints}}
func.func @facts() attributes {fuse.facts = ["N == M", "N == M + 1"]} {
  return
}

// -----

// Equalities go both ways, and through others.
// expected-error @+1 {{expects C to be 5, but C is something else by earlier constraints}}
func.func @chain() attributes {fuse.facts = ["B == A", "C == B", "4 == A", "C == 5"]} {
  return
}

// -----

// expected-error @+1 {{expects the dividend in '9/2' to be a multiple of 2, but got 9}}
func.func @quotient(%x: tensor<?xf32> {fuse.dims = ["9/2"]}) {
  return
}

// -----

// expected-error @+1 {{expects the dividend in '9/2' to be a multiple of 2, but got 9}}
func.func @quotient_of_result(%x: tensor<?xf32>) -> (tensor<?xf32> {fuse.dims = ["9/2"]}) {
  return %x : tensor<?xf32>
}

// -----

func.func @elementwise(%x: tensor<?x?xf32> {fuse.dims = ["B", "N"]},
                       %y: tensor<?x?xf32> {fuse.dims = ["B", "N + 1"]}) {
  // expected-error @+1 {{'fuse.map' op expects axis 1 of operand #1 to be N, but got N + 1}}
  %0 = fuse.map add %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @by_facts(%x: tensor<?xf32> {fuse.dims = ["N"]},
                    %y: tensor<?xf32> {fuse.dims = ["M"]})
    attributes {fuse.facts = ["M == N + 1"]} {
  // expected-error @+1 {{expects axis 0 of operand #1 to be N, but M is something else by earlier constraints}}
  %0 = fuse.map add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// What one op requires holds for the next.
func.func @by_ops(%x: tensor<?xf32> {fuse.dims = ["N"]},
                  %y: tensor<?xf32> {fuse.dims = ["M"]},
                  %z: tensor<?xf32> {fuse.dims = ["M + 1"]}) {
  %0 = fuse.map add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expects axis 0 of operand #1 to be N, but M + 1 is something else by earlier constraints}}
  %1 = fuse.map add %x, %z : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @refined_result(%x: tensor<?xf32> {fuse.dims = ["2*N"]},
                          %y: tensor<3xf32> {fuse.dims = ["N"]}) {
  // expected-error @+1 {{expects axis 0 of the result to be 7, but 2*N is something else by earlier constraints}}
  %0 = fuse.map exp %x : (tensor<?xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @einsum(%x: tensor<?x?xf32> {fuse.dims = ["N", "D"]},
                  %y: tensor<?x?xf32> {fuse.dims = ["2*D", "E"]})
    attributes {fuse.facts = ["D == 3"]} {
  // expected-error @+1 {{expects index 'b' in operand #1 to be D, but 2*D is something else by earlier constraints}}
  %0 = fuse.einsum "ab,bc->ac" %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// expected-error @+1 {{expects D to be at most 64, but D is something else by earlier constraints}}
func.func @range() attributes {fuse.facts = ["D >= 65", "D <= 64"]} {
  return
}

// -----

// expected-error @+1 {{expects D to be 3, but D is something else by earlier constraints}}
func.func @outside_of_range() attributes {fuse.facts = ["D >= 4", "D == 3"]} {
  return
}

// -----

// expected-error @+1 {{expects C to be 9, but C is something else by earlier constraints}}
func.func @range_of_equals() attributes {fuse.facts = ["D <= 8", "C == D", "C == 9"]} {
  return
}

// -----

// expected-error @+1 {{expects N*M to be at most 8, which cannot be with M to be 3}}
func.func @range_of_product() attributes {fuse.facts = ["N*M <= 8", "N == 3", "M == 3"]} {
  return
}

// -----

// expected-error @+1 {{expects D to be a multiple of 8, but D is something else by earlier constraints}}
func.func @no_multiple() attributes {fuse.facts = ["D >= 1", "D <= 7", "D % 8 == 0"]} {
  return
}

// -----

func.func @multiple(// expected-error @+1 {{expects D to be a multiple of 8, which cannot be with axis 0 of argument 'arg0' to be 12}}
                    %x: tensor<12xf32> {fuse.dims = ["D"]})
    attributes {fuse.facts = ["D % 8 == 0"]} {
  return
}

// -----

// A difference may be negative, and 0 is a multiple of everything.
func.func @possible() attributes {fuse.facts = ["N - M <= 0", "D <= 7", "D % 8 == 0"]} {
  return
}

// -----

// expected-error @+1 {{'fuse.specialize' expects symbols of dims in the function, but got 'D'}}
func.func @specialize(%x: tensor<?xf32> {fuse.dims = ["2*N"]})
    attributes {fuse.specialize = ["N", "D"]} {
  return
}

// -----

// expected-error @+1 {{'fuse.size_hints' expects symbols of dims in the function, but got 'D'}}
func.func @size_hints(%x: tensor<?xf32> {fuse.dims = ["2*N"]})
    attributes {fuse.size_hints = {D = 3, N = 4}} {
  return
}

// -----

func.func @slice(%x: tensor<?xf32> {fuse.dims = ["N + 4"]}) {
  // expected-error @+1 {{'fuse.slice' op expects the stop to be at most N + 4, but got N + 5}}
  %0 = fuse.slice %x axis 0 from "0" to "N + 5" : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_of_sum(%x: tensor<?xf32> {fuse.dims = ["N + 4"]}) {
  // expected-error @+1 {{'fuse.slice' op expects no division by a sum in dim expression '8/$'}}
  %0 = fuse.slice %x axis 0 from "0" to "8/$" : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @concat(%x: tensor<?x?xf32> {fuse.dims = ["B", "N"]},
                  %y: tensor<?x?xf32> {fuse.dims = ["B + 1", "N"]}) {
  // expected-error @+1 {{'fuse.concat' op expects axis 0 of operand #1 to be B, but got B + 1}}
  %0 = fuse.concat %x, %y axis 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @linear(%x: tensor<?x?xf32> {fuse.dims = ["N", "D"]},
                  %w: tensor<?x?xf32> {fuse.dims = ["E", "D - 1"]}) {
  // expected-error @+1 {{'fuse.linear' op expects axis 1 of the weight to be D, but got D - 1}}
  %0 = fuse.linear %x, %w : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @layer_norm(%x: tensor<?x?xf32> {fuse.dims = ["N", "D"]},
                      %g: tensor<?xf32> {fuse.dims = ["D + 2"]}) {
  // expected-error @+1 {{'fuse.layer_norm' op expects axis 0 of gamma to be D, but got D + 2}}
  %0 = fuse.layer_norm %x gamma %g axis 1 : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @check(%x: tensor<?xf32> {fuse.dims = ["N"]},
                 %y: tensor<?xf32> {fuse.dims = ["N + 1"]}) {
  // expected-error @+1 {{'fuse.check.equal' op expects axis 0 of operand #0 to be N + 1, but got N}}
  fuse.check.equal %x, %y : tensor<?xf32>, tensor<?xf32>
  return
}

// -----

func.func @attention(%x: tensor<?x?xf32> {fuse.dims = ["T", "D"]},
                     %v: tensor<?x?xf32> {fuse.dims = ["T + 1", "D"]}) {
  // expected-error @+1 {{'fuse.attention' op expects axis 0 of the value to be T, but got T + 1}}
  %0 = fuse.attention %x, %x, %v "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<?x?xf32>):
    fuse.yield %s : tensor<?x?xf32>
  } : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// Inside the region, the scores have the dims that the patterns say.
func.func @scores(%x: tensor<?x?xf32> {fuse.dims = ["T", "D"]},
                  %bias: tensor<?x?xf32> {fuse.dims = ["T", "T + 1"]}) {
  %0 = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<?x?xf32>):
    // expected-error @+1 {{'fuse.map' op expects axis 1 of operand #1 to be T, but got T + 1}}
    %b = fuse.map add %s, %bias : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    fuse.yield %b : tensor<?x?xf32>
  } : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @refined_scores(%x: tensor<?x?xf32> {fuse.dims = ["T", "D"]})
    attributes {fuse.facts = ["T == 4"]} {
  // expected-error @+1 {{expects axis 1 of the scores to be 5, but T is something else by earlier constraints}}
  %0 = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<?x5xf32>):
    fuse.yield %s : tensor<?x5xf32>
  } : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// What is yielded has the dims of the scores, wherever it comes from.
func.func @yielded_scores(%x: tensor<?x?xf32> {fuse.dims = ["T", "D"]},
                          %outer: tensor<?x?xf32> {fuse.dims = ["T", "T + 1"]}) {
  // expected-error @+1 {{'fuse.attention' op expects axis 1 of the yielded scores to be T, but got T + 1}}
  %0 = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<?x?xf32>):
    fuse.yield %outer : tensor<?x?xf32>
  } : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @yielded_by_facts(%x: tensor<?x?xf32> {fuse.dims = ["T", "D"]},
                            %outer: tensor<?x?xf32> {fuse.dims = ["T", "S"]})
    attributes {fuse.facts = ["S == T + 1"]} {
  // expected-error @+1 {{expects axis 1 of the yielded scores to be T, but S is something else by earlier constraints}}
  %0 = fuse.attention %x, %x, %x "t d, s d, s e -> t e" scores "t s" {
  ^bb0(%s: tensor<?x?xf32>):
    fuse.yield %outer : tensor<?x?xf32>
  } : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @result(%x: tensor<?xf32> {fuse.dims = ["N"]})
    -> (tensor<?xf32> {fuse.dims = ["N + 1"], fuse.name = "out"}) {
  // expected-error @+1 {{expects axis 0 of result 'out' to be N + 1, but N is something else by earlier constraints}}
  return %x : tensor<?xf32>
}

// -----

func.func @unnamed_result(%x: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32> {fuse.dims = ["N", "M"]})
    attributes {fuse.facts = ["N == 5"]} {
  // expected-error @+1 {{expects axis 0 of result 'result1' to be N, but 4 is something else by earlier constraints}}
  return %x, %x : tensor<4x?xf32>, tensor<4x?xf32>
}

// -----

// Below the ops of others too.
func.func @nested(%x: tensor<?xf32> {fuse.dims = ["N"]},
                  %y: tensor<?xf32> {fuse.dims = ["N + 1"]}) {
  "test.region"() ({
    // expected-error @+1 {{'fuse.map' op expects axis 0 of operand #1 to be N, but got N + 1}}
    %0 = fuse.map add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    "test.yield"() : () -> ()
  }) : () -> ()
  return
}
